//! A body compared with the one that counts as right, and where the two differ.

use std::sync::LazyLock;

use record::Route;
use regex::bytes::Regex;

use crate::error::{Result, StackError};
use crate::serve::difference::{first_difference, first_place};
use crate::serve::kind::{Varying, varying};
use crate::serve::times;

/// What stands for a part that was taken out.
const MASK: &[u8] = b"<dynamic>";

/// What frameworks put into a page anew for each response, against forged requests.
static TOKENS: LazyLock<Regex> = LazyLock::new(|| {
    let all = [
        r#"name="csrf-token" content="[^"]*""#,
        r#"name="(?:csrfmiddlewaretoken|authenticity_token)" value="[^"]*""#,
        r#"nonce="[^"]*""#,
    ];
    Regex::new(&all.join("|")).expect("constant patterns")
});

/// Compares a body with the one that counts as right, in which dynamic parts are taken out. Where they differ in times and
/// dates alone: the first of these, as it was and as it is.
/// Errors: where they differ, and what to declare if that is meant.
pub(super) fn compare(
    route: &Route,
    expected: &[u8],
    body: Vec<u8>,
) -> Result<Option<[String; 2]>> {
    let got = masked(route, body)?;
    if got == expected {
        return Ok(None);
    }
    match times::that_differ(expected, &got) {
        Some(times) => Ok(Some(times)),
        None => Err(bodies_differ(route, expected, &got)),
    }
}

/// Where two bodies differ, and what to declare where they do so only in parts that are made anew at each start.
fn bodies_differ(route: &Route, expected: &[u8], got: &[u8]) -> StackError {
    let (problem, context) = difference(expected, got);
    let texts = std::str::from_utf8(expected)
        .ok()
        .zip(std::str::from_utf8(got).ok());
    let parts = texts.and_then(|(expected, got)| Some((varying(expected, got)?, expected, got)));
    match parts {
        Some((parts, expected, got)) if !parts.is_empty() => {
            let (kind, [was, is]) = (parts[0].kind, &parts[0].values);
            let place = first_place(expected, got);
            let problem = format!(
                "the body differs from the reference in {kind}: `{was}` and `{is}`, at {place}"
            );
            differs(route, (problem, context), &parts)
        }
        _ => differs(route, (problem, context), &[]),
    }
}

/// The first difference; bodies that are no text are shown with escapes for what is not ASCII.
pub(super) fn difference(expected: &[u8], got: &[u8]) -> (String, Vec<String>) {
    let escaped = |body: &[u8]| body.escape_ascii().to_string();
    match (std::str::from_utf8(expected), std::str::from_utf8(got)) {
        (Ok(expected), Ok(got)) => first_difference(expected, got),
        _ => first_difference(&escaped(expected), &escaped(got)),
    }
}

/// Whether a framework put a token against forged requests into a body.
pub(super) fn has_token(body: &[u8]) -> bool {
    TOKENS.is_match(body)
}

/// The body with the route's dynamic parts taken out, and then what frameworks make anew for each response.
pub(super) fn masked(route: &Route, mut body: Vec<u8>) -> Result<Vec<u8>> {
    for pattern in &route.dynamic {
        let pattern = Regex::new(pattern).map_err(|_| StackError::Fetch {
            request: route.request(),
            problem: format!("its `dynamic` `{pattern}` is not a regular expression"),
        })?;
        body = pattern.replace_all(&body, MASK).into_owned();
    }
    Ok(TOKENS.replace_all(&body, MASK).into_owned())
}

/// What the difference is, with a few lines around it and the parts that may be declared.
pub(super) fn differs(
    route: &Route,
    (problem, context): (String, Vec<String>),
    parts: &[Varying],
) -> StackError {
    StackError::Differs {
        request: route.request(),
        problem,
        context,
        dynamic: parts.iter().map(|part| part.pattern.clone()).collect(),
        hint: None,
    }
}
