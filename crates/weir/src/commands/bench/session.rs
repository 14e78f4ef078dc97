//! The session that a load belongs to: opened once before it, and named by a cookie or a token in every request.

use experiment::Address;
use record::{Login, Protocol, Route};
use stack::{Remote, RemoteAddress, StackError};

use super::job;
use crate::args::BenchArgs;
use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;

/// Headers that are about what a load sends, and not about what logs in.
const OF_THE_LOAD: [&str; 6] = [
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "referer",
    "transfer-encoding",
];

/// The headers of every request: those that were asked for, and those of the session that the login opens.
///
/// # Errors
/// There is no answer, or one that opens no session; a variable that the login names is not set.
pub(super) fn headers(
    login: &Login,
    args: &BenchArgs,
    place: &Address,
    invocation: &Invocation,
) -> Result<Vec<(String, String)>> {
    let session = opened(login, args, place, invocation)?;
    let mut headers = args.header.clone();
    for of in session {
        add(&mut headers, of);
    }
    Ok(headers)
}

/// The headers of a new session.
fn opened(
    login: &Login,
    args: &BenchArgs,
    place: &Address,
    invocation: &Invocation,
) -> Result<Vec<(String, String)>> {
    let tls = job::tls(args, place)?;
    let settings = load::tls_settings(tls.as_ref(), &place.host)?;
    let is_of_the_load = |name: &str| OF_THE_LOAD.contains(&name.to_ascii_lowercase().as_str());
    let common = args.header.iter().filter(|(name, _)| !is_of_the_load(name));
    let at = RemoteAddress {
        target: place.target.clone(),
        protocol: match args.spoken.protocol(place.protocol)? {
            Protocol::WebSocket => Protocol::Http1, // a page of the same server
            spoken => spoken,
        },
        host: place.host.clone(),
        headers: common.cloned().collect(),
    };
    let route = Route::get(&login.path);
    let mut remote = Remote::new(at, settings, route, invocation.interrupted());
    remote.log_in(login).map_err(closed)?;
    Ok(remote.session().to_vec())
}

/// Why there is no session, as of a URL: nothing of it was started here.
fn closed(error: StackError) -> Error {
    match error {
        StackError::Fetch { request, problem } => {
            let message = format!("cannot log in: `{request}` failed: {problem}");
            let hint = "start the server, or check the address and the path of `--login`";
            Error::new(Exit::Target, message).hint(hint.to_owned())
        }
        StackError::Refused { why, hint, .. } => {
            Error::new(Exit::Usage, format!("cannot log in: {why}")).hint(hint)
        }
        other => other.into(),
    }
}

/// Adds a header of a session. A cookie goes to the one that is there, as there is one header of that name (RFC 6265, section
/// 5.4); another header takes the place of the one that is there.
fn add(headers: &mut Vec<(String, String)>, (name, value): (String, String)) {
    let mut known = headers.iter_mut();
    match known.find(|(own, _)| own.eq_ignore_ascii_case(&name)) {
        Some((_, there)) if name == "Cookie" => *there = format!("{there}; {value}"),
        Some((_, there)) => *there = value,
        None => headers.push((name, value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_joins_the_cookies_that_are_there() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut headers = vec![pair("Accept", "*/*")];
        add(&mut headers, pair("Cookie", "sid=1"));
        assert_eq!(headers, [pair("Accept", "*/*"), pair("Cookie", "sid=1")]);
        let mut headers = vec![pair("cookie", "a=b")];
        add(&mut headers, pair("Cookie", "sid=1"));
        assert_eq!(headers, [pair("cookie", "a=b; sid=1")]);
        let mut headers = vec![pair("authorization", "Basic x")];
        add(&mut headers, pair("Authorization", "Bearer t"));
        assert_eq!(headers, [pair("authorization", "Bearer t")]);
    }
}
