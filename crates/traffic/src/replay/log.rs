use std::borrow::Cow;

use super::line::{self, Line};
use super::{LogFormat, date};

/// Reads a line of the common or the combined format, with whatever stands before its time (a
/// virtual host) and after what its format has.
pub(super) fn parse(text: &str, format: LogFormat) -> Option<Line<'_>> {
    let (_, rest) = text.split_once('[')?;
    let (time, rest) = rest.split_once(']')?;
    let mut tokens = Tokens { rest };
    let (request, quoted) = tokens.next()?;
    let status = tokens.next()?.0.parse().ok();
    let status = status.filter(|&status| status < 1000)?;
    let bytes = tokens.next()?.0;
    if !quoted || !(bytes == "-" || bytes.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    if format != LogFormat::Common {
        let (referer, agent) = (tokens.next()?, tokens.next()?);
        if !(referer.1 && agent.1) {
            return None;
        }
    }
    let took = match format {
        LogFormat::CombinedTimed => tokens.find_map(|(token, _)| duration(token))?,
        _ => 0,
    };
    let (method, path) = asked(request)?;
    Some(Line {
        method,
        path,
        status,
        at: date::parse(time)?,
        took,
    })
}

fn asked(request: &str) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
    match line::unescape(request) {
        Cow::Borrowed(text) => {
            let (method, path) = line::request(text)?;
            Some((method.into(), path))
        }
        Cow::Owned(text) => {
            let (method, path) = line::request(&text)?;
            Some((method.to_owned().into(), path.into_owned().into()))
        }
    }
}

/// The first time among what follows: `0.012`, or `rt=0.012`.
fn duration(token: &str) -> Option<u64> {
    let value = token.split_once('=').map_or(token, |(_, value)| value);
    line::seconds(value.trim_matches('"'))
}

/// Words between spaces, and quoted ones with their quotes removed; whether it was quoted.
struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (&'a str, bool);

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.rest.trim_start_matches(' ');
        if text.is_empty() {
            return None;
        }
        let Some(inside) = text.strip_prefix('"') else {
            let (word, rest) = text.split_at(text.find(' ').unwrap_or(text.len()));
            self.rest = rest;
            return Some((word, false));
        };
        let end = quote(inside)?;
        self.rest = &inside[end + 1..];
        Some((&inside[..end], true))
    }
}

/// Where the closing quote is: one that no backslash escapes.
fn quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: &str = "127.0.0.1 - - [20/Nov/2026:21:10:33 +0000]";

    fn read(rest: &str, format: LogFormat) -> Option<(String, u16, u64)> {
        let text = format!("{AT} {rest}");
        let line = parse(&text, format)?;
        Some((
            format!("{} {}", line.method, line.path),
            line.status,
            line.took,
        ))
    }

    #[test]
    fn each_format_wants_what_it_has() {
        let common = "\"GET /a HTTP/1.1\" 200 12";
        let combined = format!("{common} \"-\" \"Mozilla/5.0 (X11; \\\"odd\\\")\"");
        let timed = format!("{combined} 0.012 0.011");
        let wanted = |took| Some(("GET /a".to_owned(), 200, took));
        assert_eq!(read(common, LogFormat::Common), wanted(0));
        assert_eq!(read(common, LogFormat::Combined), None);
        assert_eq!(read(&combined, LogFormat::Common), wanted(0));
        assert_eq!(read(&combined, LogFormat::Combined), wanted(0));
        assert_eq!(read(&combined, LogFormat::CombinedTimed), None);
        assert_eq!(read(&timed, LogFormat::CombinedTimed), wanted(12_000_000));
        let labelled = format!("{combined} \"-\" rt=0.250 urt=\"0.1, 0.2\"");
        assert_eq!(
            read(&labelled, LogFormat::CombinedTimed),
            wanted(250_000_000)
        );
    }

    #[test]
    fn escapes_are_undone() {
        let read = |rest| read(rest, LogFormat::Common).map(|read| read.0);
        assert_eq!(
            read("\"GET /a\\x22b\\xC3\\xA4 HTTP/1.1\" 200 -").unwrap(),
            "GET /a\"bä"
        );
        assert_eq!(
            read("\"GET /a\\\"b\\\\ HTTP/1.1\" 200 -").unwrap(),
            "GET /a\"b\\"
        );
        assert_eq!(
            read("\"GET /a\\xZZ HTTP/1.1\" 200 -").unwrap(),
            "GET /a\\xZZ"
        );
    }

    #[test]
    fn what_is_no_request_is_not_read() {
        for rest in [
            "\"-\" 400 0",
            "\"\\x16\\x03\\x01\" 400 150",
            "\"GET /a HTTP/1.1\" x 0",
            "\"GET /a HTTP/1.1\" 200",
            "\"GET /a HTTP/1.1 200 0",
            "GET /a",
            "",
        ] {
            assert_eq!(read(rest, LogFormat::Common), None, "{rest}");
        }
        assert_eq!(parse("no bracket", LogFormat::Common), None);
    }

    #[test]
    fn what_stands_before_the_time_does_not_matter() {
        let text = "www.example.org:443 10.0.0.1 - Ann Lee [20/Nov/2026:21:10:33 +0000] \"GET / HTTP/1.1\" 200 1";
        assert!(parse(text, LogFormat::Common).is_some());
    }

    proptest::proptest! {
        #[test]
        fn garbage_never_panics(text in ".*", tail in "[\"\\\\x0-9a-f \\[\\]]{0,40}") {
            for text in [&text, &format!("{AT} {tail}"), &format!("{AT} \"GET /{text}\" 200 {tail}")] {
                let _ = parse(text, LogFormat::CombinedTimed);
                let _ = parse(text, LogFormat::Common);
            }
        }
    }
}
