//! The common and the combined log format, of nginx and Apache: `host ident user [time] "request" status bytes`, then maybe
//! `"referrer" "user agent"`, then maybe times.

use super::one;
use crate::entry::Entry;
use crate::time::{Basis, Time, Unit, written};

/// What a time looks like that has no key.
pub(super) const POINT: &str = "numbers with a point";
/// The same of one without a point.
pub(super) const WHOLE: &str = "whole numbers";
/// Apache writes times in microseconds (`%D`), of which no request takes fewer: else they are seconds (`%T`).
const FEWEST: f64 = 20.0;

/// The unit of numbers behind the quoted texts: the median of the first of them tells.
pub(super) fn guess(key: &str, median: f64) -> Unit {
    if key == WHOLE && median >= FEWEST {
        Unit::Microseconds
    } else {
        Unit::Seconds
    }
}

pub(super) fn entries(line: &str, each: &mut dyn FnMut(&mut Entry)) -> bool {
    one(entry(line), each)
}

/// A number behind the quoted texts is the time that a request took. With a point it is in seconds (nginx's
/// `$request_time` always has one), without one in microseconds (Apache's `%D`) or, if most are too few for that, in seconds
/// (`%T`); of several the first counts, as an upstream's follows it, or the second behind a length. A last quoted number
/// (`"0.003"`) is such a time as well.
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
        time: words.next().and_then(time),
        ..Entry::once()
    };
    entry.asking(request)
}

/// A text up to its closing quotation mark, and what follows that.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let (bytes, mut from) = (text.as_bytes(), 0);
    loop {
        let end = from + memchr::memchr2(b'"', b'\\', bytes.get(from..)?)?;
        if bytes[end] == b'"' {
            return Some((&text[..end], &text[end + 1..]));
        }
        // what follows a backslash is one byte of ASCII, or begins a character that is none of the two
        from = end + 2;
    }
}

/// The first number outside of quotation marks, or inside of them if nothing else is in there. Where there is none, the first
/// that no request can take (`-0.5`, `inf`).
fn time(mut rest: &str) -> Option<Time> {
    let mut odd = None;
    loop {
        rest = rest.trim_start();
        let text = rest.strip_prefix('"');
        let (word, after) = match text {
            Some(text) => quoted(text)?,
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        if let Some(found) = number(word, after) {
            let may_be_length = text.is_none() && found.key == WHOLE && !word.contains('=');
            let behind = to_the_millisecond(after).filter(|_| may_be_length);
            return behind.or(Some(found));
        }
        if text.is_none() && odd.is_none() {
            odd = value(word).parse().ok().map(|odd| told(POINT, odd));
        }
        if after.is_empty() {
            return odd;
        }
        rest = after;
    }
}

/// The next number, if it is a time as nginx writes it, with three digits behind the point. A whole number before it is a
/// length: ingress-nginx has `$request_length $request_time`.
fn to_the_millisecond(rest: &str) -> Option<Time> {
    let word = rest.trim_start().split(' ').next()?;
    let (seconds, thousandths) = word.split_once('.')?;
    let digits = |of: &str| !of.is_empty() && of.bytes().all(|of| of.is_ascii_digit());
    if !digits(seconds) || !digits(thousandths) || thousandths.len() != 3 {
        return None;
    }
    Some(told(POINT, word.parse().ok()?))
}

/// What stands behind a key, as in `rt=0.250`.
fn value(word: &str) -> &str {
    word.rsplit_once('=').map_or(word, |(_, value)| value)
}

fn told(key: &'static str, value: f64) -> Time {
    Time {
        value,
        unit: guess(key, f64::INFINITY),
        basis: Basis::Guessed,
        key,
    }
}

/// `0/5123` is Apache's `%T/%D`, which many write: whole seconds, and the same time in microseconds.
fn both(word: &str) -> Option<Time> {
    let (seconds, micros) = word.split_once('/')?;
    let whole: u64 = seconds.parse().ok()?;
    let exact: u64 = micros.parse().ok()?;
    (exact / 1_000_000 == whole).then(|| Time::defined(exact as f64, Unit::Microseconds))
}

/// A number, with the unit that is written behind it: `12ms`, or `12.345 ms` as morgan has it.
fn number(word: &str, after: &str) -> Option<Time> {
    let word = value(word);
    let plain = |of: u8| of.is_ascii_digit() || of == b'.';
    if !word.bytes().next().is_some_and(plain) {
        return None;
    }
    if !word.bytes().all(plain) {
        return both(word).or_else(|| written(word));
    }
    let value = word.parse().ok()?;
    let unit = after.split(' ').next().and_then(Unit::named);
    Some(match (unit, word.contains('.')) {
        (Some(unit), _) => Time::defined(value, unit),
        (None, true) => told(POINT, value),
        (None, false) => told(WHOLE, value),
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
    fn seconds_and_microseconds_are_one_time() {
        let seconds = |times: &str| one(&format!("{COMMON} {times}")).seconds;
        assert_eq!(seconds("0/5123"), Some(0.005_123));
        assert_eq!(seconds("\"-\" \"curl/8.1\" 2/2000001"), Some(2.000_001));
        assert_eq!(seconds("0/5000001"), None, "they are not the same time");
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
            (" 5123 0", Some(0.005_123)),
            (
                " 450 0.012 [default-svc-80] [] 10.0.0.5:8080 12 0.011 200 id",
                Some(0.012),
            ),
            (" rt=2 0.012", Some(0.000_002)),
            (r#" "-" "a\é" 0.005"#, Some(0.005)),
            (" rt=0.250 uct=\"0.000\"", Some(0.25)),
            (" \"0.003\"", Some(0.003)),
            (" 12.345 ms", Some(0.012_345)),
            (" 12ms", Some(0.012)),
            (" id=7f3 nan 0.25", Some(0.25)),
            (" -", None),
            (" -0.5", None),
            (" 1e300", None),
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
    fn what_cannot_be_a_time_is_kept_to_be_told() {
        for (end, value) in [("-0.5", -0.5), ("inf", f64::INFINITY), ("rt=1e300", 1e300)] {
            let time = one(&format!("{COMMON} {end}")).time;
            assert_eq!(time.map(|time| time.value), Some(value), "{end}");
        }
        assert_eq!(one(&format!("{COMMON} -")).time, None);
    }

    #[test]
    fn few_whole_numbers_are_seconds() {
        assert_eq!(guess(WHOLE, 1.0), Unit::Seconds);
        assert_eq!(guess(WHOLE, 5_123.0), Unit::Microseconds);
        assert_eq!(guess(POINT, 5_123.0), Unit::Seconds);
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
