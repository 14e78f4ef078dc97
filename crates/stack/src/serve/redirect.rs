//! Where a redirect leads, as far as that is on the same server.

use record::{Method, Route};
use wire::Answer;

use crate::serve::fetch::{Endpoint, HOST, fetch};
use crate::serve::own::OwnAddresses;

/// Most redirects that are followed.
const HOPS: usize = 5;

/// Where an answer sends its user: a path of the same server where it is one, else what the answer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    Here {
        path: String,
        /// It is to be asked for over HTTPS.
        secure: bool,
    },
    Elsewhere(String),
}

impl Location {
    /// Of an answer to a route, if it says one.
    pub(crate) fn of(answer: &Answer, route: &Route, own: &OwnAddresses) -> Option<Self> {
        let given = own.masked_text(&answer.header("location")?);
        Some(match here(&given, route) {
            Some(path) => Self::Here {
                path,
                secure: given.starts_with("https://"),
            },
            None => Self::Elsewhere(given),
        })
    }
}

/// The path that a redirect leads to, over others if need be, and that answers as the route should; none where it
/// leads away, in a circle, or to another answer.
pub(crate) fn followed(
    endpoint: &Endpoint,
    route: &Route,
    first: &Answer,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<String> {
    let mut route = (route.method == Method::Get).then(|| route.clone())?;
    let mut next = Location::of(first, &route, &endpoint.own);
    let mut seen = vec![route.path.clone()];
    let mut status = first.status;
    for _ in 0..HOPS {
        let Some(Location::Here { path, .. }) = next.filter(|_| (300..400).contains(&status))
        else {
            return None;
        };
        if seen.contains(&path) {
            return None;
        }
        seen.push(path.clone());
        route.path = path;
        let answer = fetch(endpoint, &route, go_on).ok()?;
        if answer.status == route.status {
            return Some(route.path);
        }
        (next, status) = (Location::of(&answer, &route, &endpoint.own), answer.status);
    }
    None
}

/// A location as a path and query of the server that the route asks, whose own addresses are masked.
fn here(location: &str, route: &Route) -> Option<String> {
    let location = location.split('#').next()?;
    let host = route.host().unwrap_or(HOST);
    let schemes = ["http://", "https://", "//"];
    let named = schemes.iter().find_map(|of| location.strip_prefix(of));
    let path = match named {
        Some(rest) => {
            let rest = [host, HOST].iter().find_map(|of| rest.strip_prefix(of))?;
            match rest.chars().next() {
                None => "/".to_owned(),
                Some('/') => rest.to_owned(),
                Some('?') => format!("/{rest}"),
                Some(_) => return None,
            }
        }
        None if location.starts_with('/') => location.to_owned(),
        None => beside(location, &route.path)?,
    };
    let unfit = |c: char| c.is_whitespace() || c.is_control();
    (!path.contains(unfit)).then_some(path)
}

/// A relative location, where it leads neither up nor away.
fn beside(location: &str, path: &str) -> Option<String> {
    let path = path.split('?').next()?;
    if location.starts_with('?') {
        return Some(format!("{path}{location}"));
    }
    let location = location.strip_prefix("./").unwrap_or(location);
    let first = location.split(['/', '?']).next()?;
    if first.contains(':') || first.starts_with('.') || location.is_empty() {
        return None;
    }
    let folder = &path[..=path.rfind('/')?];
    Some(format!("{folder}{location}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_is_a_path_where_it_is_on_the_same_server() {
        let at = |location: &str| here(location, &Route::get("/shop/list?page=2"));
        for (location, path) in [
            ("/login?next=/", "/login?next=/"),
            ("http://localhost/login#top", "/login"),
            ("https://localhost", "/"),
            ("//localhost?a=b", "/?a=b"),
            ("login/", "/shop/login/"),
            ("./login", "/shop/login"),
            ("?page=3", "/shop/list?page=3"),
        ] {
            assert_eq!(at(location).as_deref(), Some(path), "{location}");
        }
        for away in [
            "http://localhost.evil/",
            "http://localhost:8080/",
            "https://example.org/",
            "//example.org/",
            "../up",
            "mailto:a@b",
            "/a b",
            "/a\u{1b}[2J",
            "",
        ] {
            assert_eq!(at(away), None, "{away}");
        }
        let mut named = Route::get("/");
        named.headers.insert("host".into(), "shop.example".into());
        assert_eq!(here("http://shop.example/a", &named).as_deref(), Some("/a"));
    }
}
