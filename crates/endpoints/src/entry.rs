use std::borrow::Cow;

use crate::time::Time;

/// What a line says of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry<'a> {
    /// Its method; empty where nobody says.
    pub method: Cow<'a, str>,
    /// Its path, without a query; of a timer its name.
    pub path: Cow<'a, str>,
    /// What follows the `?` of its target; empty where nothing does.
    pub query: Cow<'a, str>,
    /// Whether `path` is already the name of a route, so that nothing is grouped.
    pub is_route: bool,
    /// The status of its response, where somebody says.
    pub status: Option<u16>,
    /// Bytes of its response, where somebody says; of all of them together where it stands for several.
    pub bytes: Option<u64>,
    /// Seconds that it took, where somebody says.
    pub seconds: Option<f64>,
    /// The same as the line has it: what `seconds` is made of, once the unit is known.
    pub time: Option<Time>,
    /// Whether somebody says that it got no response.
    pub unanswered: bool,
    /// How many requests it stands for, where timers are sampled: at least 1.
    pub times: u64,
}

impl<'a> Entry<'a> {
    /// One request.
    pub(crate) fn once() -> Self {
        Self {
            times: 1,
            ..Self::default()
        }
    }

    /// The same with what a request line names: `GET /path?query HTTP/1.1`, or a method and a target.
    pub(crate) fn asking(self, request: &'a str) -> Option<Self> {
        let mut words = request.split(' ');
        let (method, target) = (words.next()?, words.next()?);
        let named = !method.is_empty() && method.bytes().all(|of| of.is_ascii_uppercase());
        named.then(|| self.of(method, target))
    }

    /// The same with a method and a target.
    pub(crate) fn of(self, method: &'a str, target: &'a str) -> Self {
        Self {
            method: method.into(),
            path: path_of(target).into(),
            query: query_of(target).into(),
            ..self
        }
    }
}

/// The path of a target: neither its scheme and host, nor its query, nor its fragment.
pub(crate) fn path_of(target: &str) -> &str {
    let absolute = (!target.starts_with('/'))
        .then(|| target.split_once("://"))
        .flatten();
    let after = absolute.map_or(target, |(_, rest)| {
        rest.find('/').map_or("/", |place| &rest[place..])
    });
    let end = after.find(['?', '#']).unwrap_or(after.len());
    match &after[..end] {
        "" => "/",
        path => path,
    }
}

/// The query of a target, without what introduces it.
fn query_of(target: &str) -> &str {
    let target = target.split('#').next().unwrap_or_default();
    target.split_once('?').map_or("", |(_, query)| query)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_what_stands_between_host_and_query() {
        for (target, path) in [
            ("/a/b?c=/d", "/a/b"),
            ("http://host/a", "/a"),
            ("/go?to=http://host/b", "/go"),
            ("http://host", "/"),
            ("?x", "/"),
            ("*", "*"),
            ("/#top", "/"),
        ] {
            assert_eq!(path_of(target), path, "{target}");
        }
    }

    #[test]
    fn a_query_is_what_follows_the_path() {
        for (target, query) in [("/a?b=1&c", "b=1&c"), ("/a", ""), ("/a?b#c?d", "b")] {
            assert_eq!(query_of(target), query, "{target}");
        }
    }

    #[test]
    fn what_is_no_request_line_is_none() {
        assert!(Entry::once().asking("GET /a HTTP/1.1").is_some());
        assert!(Entry::once().asking("GET /a").is_some(), "HTTP/0.9");
        for not in ["", "-", "GET", "\\x16\\x03\\x01 x", "get /a HTTP/1.1"] {
            assert_eq!(Entry::once().asking(not), None, "{not}");
        }
    }
}
