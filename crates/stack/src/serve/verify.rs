use std::path::PathBuf;

use record::{Route, StaticSite, Verified};
use wire::Answer;

use crate::error::{Result, StackError};
use crate::serve::difference::first_difference;
use crate::serve::fetch::{Endpoint, fetch};
use crate::serve::readiness::Patience;

/// What counts as right: an answer for each route.
#[derive(Clone, Debug)]
pub struct Reference {
    source: String,
    expected: Vec<Expected>,
}

#[derive(Clone, Debug)]
struct Expected {
    route: Route,
    /// The masked body, if two answers agreed in it.
    body: Option<Vec<u8>>,
}

impl Reference {
    /// Where the answers came from (`gunicorn alone`).
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Asks a server each route twice: what differs between two answers cannot be compared.
    pub(crate) fn ask(
        endpoint: &Endpoint,
        routes: &[&Route],
        source: &str,
        patience: Patience<'_>,
    ) -> Result<Self> {
        let expect = |route: &&Route| {
            let answer = || ask(endpoint, route, patience);
            let (first, second) = (answer()?, answer()?);
            check(route, &first)?;
            let (first, second) = (masked(route, first.body)?, masked(route, second.body)?);
            Ok::<_, StackError>(Expected {
                route: (*route).clone(),
                body: (first == second).then_some(first),
            })
        };
        let expected = routes.iter().map(expect).collect::<Result<_, _>>()?;
        Ok(Self {
            source: source.to_owned(),
            expected,
        })
    }

    /// Takes the files themselves.
    pub(crate) fn from_files(site: Option<&StaticSite>, routes: &[&Route]) -> Result<Self> {
        let mut expected = Vec::new();
        let mut names = Vec::new();
        for route in routes {
            let Some(path) = site.and_then(|site| file(site, route)) else {
                continue;
            };
            let body = input::read(&path).map_err(StackError::file("reading", &path))?;
            names.push(format!("file {}", path.display()));
            expected.push(Expected {
                route: (*route).clone(),
                body: Some(masked(route, body)?),
            });
        }
        Ok(Self {
            source: names.join(", "),
            expected,
        })
    }

    /// The body that counts as right for a route, its dynamic parts taken out; `None` when the
    /// route is unknown, or when two answers of the reference differed.
    pub fn body(&self, route: &Route) -> Option<&[u8]> {
        self.of(route)?.body.as_deref()
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
    let mut not_compared = Vec::new();
    for route in routes {
        let answer = ask(endpoint, route, patience)?;
        check(route, &answer)?;
        if *route == loaded {
            verified.status = answer.status;
            verified.body_bytes = answer.body.len() as u64;
        }
        let (name, unsure) = (route.name(), "differs between two answers of the reference");
        match reference.of(route) {
            None => not_compared.push(format!("the reference has no `{name}`")),
            Some(Expected {
                body: Some(body), ..
            }) => same_body(route, body, answer.body)?,
            Some(_) if route.dynamic.is_empty() => {
                not_compared.push(format!("`{name}` {unsure} and declares no `dynamic`"));
            }
            Some(_) => not_compared.push(format!("`{name}` {unsure} beyond its `dynamic`")),
        }
        verified.requests += 1;
    }
    verified.body_compared = (!not_compared.is_empty()).then(|| not_compared.join("; "));
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
fn check(route: &Route, answer: &Answer) -> Result<()> {
    let problem = |problem: String| Err(differs(route, (problem, Vec::new())));
    let (status, expected) = (answer.status, route.status);
    if status != expected {
        return problem(format!("status {status}, expected {expected}"));
    }
    for (name, expected) in &route.expect_headers {
        let values: Vec<_> = values(answer, name);
        match expected {
            _ if values.is_empty() => return problem(format!("header `{name}` is missing")),
            Some(expected) if !values.iter().any(|value| fits(value, expected)) => {
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
        return Err(bodies_differ(route, expected, &answer.body));
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

/// `text/css` is satisfied by `text/css; charset=utf-8`.
fn fits(value: &str, expected: &str) -> bool {
    let start = value.split_once(';').map(|(start, _)| start.trim());
    value == expected || start == Some(expected)
}

fn same_body(route: &Route, expected: &[u8], body: Vec<u8>) -> Result<()> {
    let got = masked(route, body)?;
    if got == expected {
        return Ok(());
    }
    Err(bodies_differ(route, expected, &got))
}

/// Where two bodies differ; those that are no text are shown with escapes for what is not ASCII.
fn bodies_differ(route: &Route, expected: &[u8], got: &[u8]) -> StackError {
    let escaped = |body: &[u8]| body.escape_ascii().to_string();
    let difference = match (std::str::from_utf8(expected), std::str::from_utf8(got)) {
        (Ok(expected), Ok(got)) => first_difference(expected, got),
        _ => first_difference(&escaped(expected), &escaped(got)),
    };
    differs(route, difference)
}

/// The body with the route's dynamic parts taken out.
fn masked(route: &Route, mut body: Vec<u8>) -> Result<Vec<u8>> {
    for pattern in &route.dynamic {
        let pattern = regex::bytes::Regex::new(pattern).map_err(|_| StackError::Fetch {
            request: route.request(),
            problem: format!("its `dynamic` `{pattern}` is not a regular expression"),
        })?;
        body = pattern.replace_all(&body, &b"<dynamic>"[..]).into_owned();
    }
    Ok(body)
}

fn file(site: &StaticSite, route: &Route) -> Option<PathBuf> {
    let path = route.path.split(['?', '#']).next()?;
    Some(site.dir.join(path.strip_prefix(&site.url)?))
}

/// What the difference is, and a few lines around it.
fn differs(route: &Route, (problem, context): (String, Vec<String>)) -> StackError {
    StackError::Differs {
        request: route.request(),
        problem,
        context,
    }
}
