use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use record::{Route, Verified};
use wire::Answer;

use crate::error::{Result, StackError};
use crate::serve::bodies::{compare, difference, differs, has_token, masked};
use crate::serve::fetch::{Endpoint, fetch};
use crate::serve::own::OwnAddresses;
use crate::serve::readiness::Patience;
use crate::serve::redirect::followed;
use crate::serve::times;
use crate::serve::unexpected::Unexpected;

/// What counts as right: an answer for each route.
#[derive(Clone, Debug)]
pub struct Reference {
    source: String,
    expected: Vec<Expected>,
    /// Requests by which it was taken.
    requests: usize,
}

#[derive(Clone, Debug)]
struct Expected {
    route: Route,
    /// The masked body, if two answers agreed in it, but for times.
    body: Option<Vec<u8>>,
    /// Whether the stack named its own address in it, so that each stack answers with another one, or a framework put a token into
    /// it, so that each answer has another one.
    made_anew: bool,
}

impl Reference {
    /// Requests by which it was taken: two for each route, and none for a file.
    pub fn requests(&self) -> usize {
        self.requests
    }

    /// Where the answers came from (`gunicorn alone`).
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Asks a server each route twice: what differs between two answers cannot be compared. Where it is the app
    /// server `entry` alone, a status that is not the expected one is what the app answers behind every server.
    pub(crate) fn ask(
        endpoint: &Endpoint,
        routes: &[&Route],
        source: &str,
        entry: Option<&str>,
        patience: Patience<'_>,
    ) -> Result<Self> {
        let expect = |route: &&Route| {
            let answer = || ask(endpoint, route, patience);
            let first = answer()?;
            if let Some(entry) = entry.filter(|_| first.status != route.status) {
                let mut wrong = Unexpected::new(&first, route, &endpoint.own);
                let patience = patience.anew();
                wrong.leads_to = followed(endpoint, route, &first, &mut || patience.lasts());
                return Err(wrong.error(entry, route, Vec::new()));
            }
            let second = answer()?;
            check(route, &first, &endpoint.own)?;
            let (first, own_address) = endpoint.own.masked(first.body);
            let made_anew = own_address || has_token(&first);
            let (second, _) = endpoint.own.masked(second.body);
            let (first, second) = (masked(route, first)?, masked(route, second)?);
            let same = first == second || times::that_differ(&first, &second).is_some();
            Ok::<_, StackError>(Expected {
                route: (*route).clone(),
                body: same.then_some(first),
                made_anew,
            })
        };
        let expected = routes.iter().map(expect).collect::<Result<_, _>>()?;
        Ok(Self {
            source: source.to_owned(),
            expected,
            requests: 2 * routes.len(),
        })
    }

    /// Takes the files themselves that routes ask for.
    pub(crate) fn from_files(files: &[(&Route, PathBuf)]) -> Result<Self> {
        let mut expected = Vec::new();
        let mut names = Vec::new();
        for (route, path) in files {
            let body = input::read(path).map_err(StackError::file("reading", path))?;
            names.push(format!("file {}", path.display()));
            let made_anew = has_token(&body);
            expected.push(Expected {
                route: (*route).clone(),
                body: Some(masked(route, body)?),
                made_anew,
            });
        }
        Ok(Self {
            source: names.join(", "),
            expected,
            requests: 0,
        })
    }

    /// The same with what counts as right for other routes.
    pub(crate) fn with(mut self, others: Self) -> Self {
        if !others.expected.is_empty() {
            self.source = format!("{}, {}", self.source, others.source);
            self.expected.extend(others.expected);
        }
        self
    }

    /// The body that counts as right for a route, its dynamic parts, the stack's own address and a framework's tokens taken out;
    /// `None` when the route is unknown, or when two answers of the reference differed in more than times and dates.
    pub fn body(&self, route: &Route) -> Option<&[u8]> {
        self.of(route)?.body.as_deref()
    }

    /// What every answer to a route is to the byte, but for its [times](Self::times), if that is known.
    pub fn exact(&self, route: &Route) -> Option<&[u8]> {
        let plain = |of: &&Expected| route.dynamic.is_empty() && !of.made_anew;
        self.of(route).filter(plain)?.body.as_deref()
    }

    /// Where times and dates stand in that, in order, and no digit behind one: an answer with others in their places is right.
    pub fn times(&self, route: &Route) -> Vec<Range<usize>> {
        let body = self.exact(route);
        let text = body.and_then(|body| std::str::from_utf8(body).ok());
        text.map(times::places).unwrap_or_default()
    }

    fn of(&self, route: &Route) -> Option<&Expected> {
        let mut all = self.expected.iter();
        all.find(|expected| expected.route == *route)
    }
}

/// Compares a stack's answer to every route with the reference.
pub(crate) fn verify(
    endpoint: &Endpoint,
    routes: &[&Route],
    loaded: &Route,
    reference: &Reference,
    patience: Patience<'_>,
) -> Result<Verified> {
    let mut verified = Verified {
        reference: reference.source.clone(),
        ..Verified::default()
    };
    let (mut not_compared, mut other_times) = (Vec::new(), Vec::new());
    for route in routes {
        let asked = Instant::now();
        let answer = ask(endpoint, route, patience)?;
        let alone = asked.elapsed().as_secs_f64();
        check(route, &answer, &endpoint.own)?;
        if *route == loaded {
            verified.alone = Some(alone);
            verified.status = answer.status;
            verified.body_bytes = answer.body.len() as u64;
        }
        let (name, unsure) = (
            route.name(),
            "differs between two responses of the reference",
        );
        match reference.of(route) {
            None => not_compared.push(format!("the reference has no `{name}`")),
            Some(Expected {
                body: Some(body), ..
            }) => {
                let times = compare(route, body, endpoint.own.masked(answer.body).0)?;
                other_times.extend(times.map(|[was, is]| format!("`{name}`: `{was}` and `{is}`")));
            }
            Some(_) if route.dynamic.is_empty() => {
                not_compared.push(format!("`{name}` {unsure} and declares no `dynamic`"));
            }
            Some(_) => not_compared.push(format!("`{name}` {unsure} beyond its `dynamic`")),
        }
        verified.requests += 1;
    }
    verified.body_compared = (!not_compared.is_empty()).then(|| not_compared.join("; "));
    verified.times = (!other_times.is_empty()).then(|| other_times.join("; "));
    Ok(verified)
}

fn ask(endpoint: &Endpoint, route: &Route, patience: Patience<'_>) -> Result<Answer> {
    let patience = patience.anew();
    fetch(endpoint, route, &mut || patience.lasts()).map_err(|no| {
        if patience.interrupted() {
            return StackError::Interrupted;
        }
        StackError::Fetch {
            request: route.request(),
            problem: no.words,
        }
    })
}

/// What the app declares of an answer: status, headers, text.
fn check(route: &Route, answer: &Answer, own: &OwnAddresses) -> Result<()> {
    let problem = |problem: String| Err(differs(route, (problem, Vec::new()), &[]));
    if answer.status != route.status {
        return problem(Unexpected::new(answer, route, own).problem(route.status));
    }
    for (name, expected) in &route.expect_headers {
        let values: Vec<_> = values(answer, name);
        match expected {
            _ if values.is_empty() => return problem(format!("header `{name}` is missing")),
            Some(expected) if !values.iter().any(|value| fits(value, expected, own)) => {
                let value = &values[0];
                return problem(format!(
                    "header `{name}` is `{value}`, expected `{expected}`"
                ));
            }
            _ => {}
        }
    }
    if let Some(expected) = &route.equals
        && **expected != answer.body
    {
        let difference = difference(expected, &answer.body);
        return Err(differs(route, difference, &[]));
    }
    let body = String::from_utf8_lossy(&answer.body);
    let length = answer.body.len();
    let mut texts = route.contains.iter();
    match texts.find(|text| !body.contains(text.as_str())) {
        Some(text) => problem(format!(
            "the body of {length} bytes does not contain `{text}`"
        )),
        None => Ok(()),
    }
}

fn values(answer: &Answer, name: &str) -> Vec<String> {
    let named = answer.headers.iter().filter(|(other, _)| other == name);
    named
        .map(|(_, value)| String::from_utf8_lossy(value).into_owned())
        .collect()
}

/// `text/css` is satisfied by `text/css; charset=utf-8`, and `http://localhost/login` by the same at an address of the
/// stack's own.
fn fits(value: &str, expected: &str, own: &OwnAddresses) -> bool {
    let start = value.split_once(';').map(|(start, _)| start.trim());
    value == expected || start == Some(expected) || own.masked_text(value) == expected
}
