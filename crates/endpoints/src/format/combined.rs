//! The common and the combined log format, of nginx and Apache: `host ident user [time] "request" status bytes`, then maybe
//! `"referrer" "user agent"`, then maybe times.

use super::{one, seconds};
use crate::entry::Entry;

pub(super) fn entries(line: &str, each: &mut dyn FnMut(&Entry)) -> bool {
    one(entry(line), each)
}

/// A number behind the quoted texts is the time that a request took. With a point it is in seconds (nginx's
/// `$request_time` always has one), without one in microseconds (Apache's `%D`); of several the first counts, as an
/// upstream's follows it. A last quoted number (`"0.003"`) is such a time as well.
fn entry(line: &str) -> Option<Entry<'_>> {
    let (_, rest) = line.split_once('[')?;
    let (_, rest) = rest.split_once("] \"")?;
    let (request, rest) = quoted(rest)?;
    let mut words = rest.trim_start().splitn(3, ' ');
    let status = words.next()?.parse().ok()?;
    let bytes = words.next()?;
    let bytes = if bytes == "-" {
        Some(0)
    } else {
        bytes.parse().ok()
    };
    let entry = Entry {
        status: Some(status),
        bytes: Some(bytes?),
        seconds: words.next().and_then(time),
        ..Entry::once()
    };
    entry.asking(request)
}

/// A text up to its closing quotation mark, and what follows that.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let end = from + memchr::memchr2(b'"', b'\\', text.get(from..)?.as_bytes())?;
        if text.as_bytes()[end] == b'"' {
            return Some((&text[..end], &text[end + 1..]));
        }
        // what follows a backslash is one byte of ASCII, or begins a character that is none of the two
        from = end + 2;
    }
}

/// The first number outside of quotation marks, or inside of them if nothing else is in there.
fn time(mut rest: &str) -> Option<f64> {
    loop {
        rest = rest.trim_start();
        let (word, after) = match rest.strip_prefix('"') {
            Some(text) => quoted(text)?,
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        if let Some(found) = number(word) {
            return Some(found);
        }
        if after.is_empty() {
            return None;
        }
        rest = after;
    }
}

fn number(word: &str) -> Option<f64> {
    let word = word.rsplit_once('=').map_or(word, |(_, value)| value);
    if !word.bytes().all(|of| of.is_ascii_digit() || of == b'.') {
        return None;
    }
    let value = word.parse().ok().and_then(seconds)?;
    Some(if word.contains('.') {
        value
    } else {
        value / 1e6
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Format, said};
    use super::*;

    const COMMON: &str =
        r#"10.0.0.1 - ada [10/Oct/2026:13:55:36 -0700] "GET /a/7?q=1 HTTP/1.0" 200 2326"#;

    fn one(line: &str) -> Entry<'static> {
        said(Format::Combined, line).remove(0)
    }

    #[test]
    fn a_common_line_has_no_time() {
        let entry = one(COMMON);
        assert_eq!((&*entry.method, &*entry.path), ("GET", "/a/7"));
        assert_eq!(
            (entry.status, entry.bytes, entry.seconds),
            (Some(200), Some(2_326), None)
        );
        assert_eq!(one(&COMMON.replace("2326", "-")).bytes, Some(0));
    }

    #[test]
    fn times_follow_what_is_quoted() {
        let agent = r#" "-" "Mozilla/5.0 (X11; 86 \"x\") 1.5""#;
        for (end, seconds) in [
            (" 0.005", Some(0.005)),
            (" 0.005 0.004", Some(0.005)),
            (" 5123", Some(0.005_123)),
            (" rt=0.250 uct=\"0.000\"", Some(0.25)),
            (" \"0.003\"", Some(0.003)),
            (" -", None),
            ("", None),
        ] {
            assert_eq!(
                one(&format!("{COMMON}{agent}{end}")).seconds,
                seconds,
                "{end}"
            );
            if !end.is_empty() {
                assert_eq!(one(&format!("{COMMON}{end}")).seconds, seconds, "{end}");
            }
        }
    }

    #[test]
    fn what_is_no_request_is_no_line() {
        for not in [
            r#"x - - [t] "\x16\x03" 400 0"#,
            r#"x - - [t] "GET / HTTP/1.1" x 0"#,
            r#"x - - [t] "GET / HTTP/1.1"#,
            r#"x - - [t] "GET /\"#,
            "x - - [t]",
        ] {
            assert!(!entries(not, &mut |_| ()), "{not}");
        }
    }
}
