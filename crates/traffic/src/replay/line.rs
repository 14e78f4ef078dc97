use std::borrow::Cow;

/// What a line of a log says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) method: Cow<'a, str>,
    /// Path and query, beginning with `/`.
    pub(super) path: Cow<'a, str>,
    pub(super) status: u16,
    /// Nanoseconds since 1970.
    pub(super) at: i64,
    /// How much earlier the request began, in nanoseconds: logs are written at the end.
    pub(super) took: u64,
}

/// Method and path of a request line, as in `GET /path HTTP/1.1`. Nothing where there is no path
/// that could be asked: what was no HTTP at all, `OPTIONS *`, `CONNECT`.
pub(super) fn request(line: &str) -> Option<(&str, Cow<'_, str>)> {
    let (method, rest) = line.split_once(' ')?;
    let target = match rest.rsplit_once(' ') {
        Some((target, version)) if version.starts_with("HTTP/") => target,
        _ => rest,
    };
    if !is_method(method) {
        return None;
    }
    Some((method, path(target)?))
}

pub(super) fn is_method(word: &str) -> bool {
    let sound = |byte: u8| byte.is_ascii_alphabetic() || byte == b'-';
    !word.is_empty() && word.bytes().all(sound)
}

/// The path and query of a request's target, in origin or absolute form (RFC 9112, section 3.2).
pub(super) fn path(target: &str) -> Option<Cow<'_, str>> {
    let target = target.split_once('#').map_or(target, |(before, _)| before);
    if target.starts_with('/') {
        return Some(Cow::Borrowed(target));
    }
    let (_, rest) = target.split_once("://")?;
    match rest.find(['/', '?']) {
        Some(at) if rest.as_bytes()[at] == b'/' => Some(Cow::Borrowed(&rest[at..])),
        Some(at) => Some(Cow::Owned(format!("/{}", &rest[at..]))),
        None => Some(Cow::Borrowed("/")),
    }
}

/// Seconds in text as nanoseconds: `0.123`. Several, one per upstream, as in `0.1, 0.2`, are not
/// one. Up to a day.
pub(super) fn seconds(text: &str) -> Option<u64> {
    let seconds: f64 = text.parse().ok()?;
    let sensible = (0.0..86_400.0).contains(&seconds);
    sensible.then_some((seconds * 1e9).round() as u64)
}

/// Servers write what would break a line as `\xHH`, `\"`, `\\`.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, after) {
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                if let (Some(high), Some(low)) = (digit(high), digit(low)) {
                    bytes.push((high * 16 + low) as u8);
                    rest = after;
                } else {
                    bytes.push(byte);
                }
            }
            (b'\\', [quoted @ (b'"' | b'\\'), after @ ..]) => {
                bytes.push(*quoted);
                rest = after;
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_lines() {
        for (line, wanted) in [
            ("GET / HTTP/1.1", Some(("GET", "/"))),
            ("GET /a b HTTP/1.1", Some(("GET", "/a b"))),
            ("GET /old", Some(("GET", "/old"))),
            ("HEAD http://h:80/x?y#z HTTP/1.0", Some(("HEAD", "/x?y"))),
            ("GET http://h?q HTTP/1.1", Some(("GET", "/?q"))),
            ("GET https://h HTTP/2.0", Some(("GET", "/"))),
            ("OPTIONS * HTTP/1.1", None),
            ("CONNECT h:443 HTTP/1.1", None),
            ("\u{16}\u{3}\u{1} x", None),
            ("-", None),
            ("", None),
        ] {
            let read = request(line);
            let read = read.as_ref().map(|(method, path)| (*method, path.as_ref()));
            assert_eq!(read, wanted, "{line}");
        }
    }

    #[test]
    fn durations() {
        assert_eq!(seconds("0.123"), Some(123_000_000));
        assert_eq!(seconds("12"), Some(12_000_000_000));
        for wrong in ["-", "", "-1", "0.1, 0.2", "1e9", "nan", "inf"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
