//! Which paths are one route: by rules of the user, and by what a segment looks like.

use thiserror::Error;

/// Most segments of a path that tell routes apart; what follows is one more.
pub(crate) const DEEPEST: usize = 12;
/// What stands for a segment that is a value.
pub(crate) const VALUE: &str = "{}";
/// What stands for all segments that follow.
pub(crate) const REST: &str = "**";
/// Longest name of a segment, in bytes; a longer one is a value, so that what is kept of a path is bounded.
const LONGEST: usize = 256;

/// A route as a user writes it: `/users/{id}/posts`, where `{…}` stands for one segment and `**` at the end for all that
/// follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
}

/// Why something is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is no route: {what}; one is `/users/{{id}}/posts` or `/static/**`")]
pub struct PatternError {
    text: String,
    what: String,
}

impl std::str::FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let wrong = |what: String| PatternError {
            text: text.to_owned(),
            what,
        };
        if !text.starts_with('/') {
            return Err(wrong("a route begins with `/`".to_owned()));
        }
        let count = text.split('/').count();
        for (number, part) in text.split('/').enumerate() {
            let is_last = number + 1 == count;
            if let Some(what) = flaw(part, is_last) {
                return Err(wrong(format!("in its segment {number}, `{part}`, {what}")));
            }
        }
        Ok(Self {
            text: text.to_owned(),
        })
    }
}

/// What is wrong with a segment of a pattern.
fn flaw(part: &str, is_last: bool) -> Option<&'static str> {
    let braces = |of: &str| of.contains(['{', '}']);
    if let Some(name) = part.strip_prefix('{').and_then(|of| of.strip_suffix('}')) {
        return braces(name).then_some("there are braces in braces");
    }
    let (opened, closed) = (part.matches('{').count(), part.matches('}').count());
    if opened > closed {
        Some("a `{` is not closed by `}`")
    } else if opened < closed {
        Some("a `}` closes no `{`")
    } else if opened > 0 {
        Some("there is more than `{…}`, which stands for a whole segment")
    } else if part == REST && !is_last {
        Some("it stands for all segments that follow, so none may")
    } else if part != REST && part.contains(REST) {
        Some("there is more than `**`, which stands for whole segments")
    } else {
        None
    }
}

impl Pattern {
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a path is of this route.
    pub fn fits(&self, path: &str) -> bool {
        let mut asked = path.split('/');
        for part in self.text.split('/') {
            if part == REST {
                return true;
            }
            let is_any = part.starts_with('{') && part.ends_with('}');
            match asked.next() {
                Some(segment) if is_any && !segment.is_empty() => {}
                Some(segment) if segment == part => {}
                _ => return false,
            }
        }
        asked.next().is_none()
    }
}

/// Whether a segment looks like a value and not like a name: a number, a date, a UUID, a hash, a token, or very long.
pub(crate) fn is_value(segment: &str) -> bool {
    if segment.len() > LONGEST {
        return true;
    }
    let digits = segment.bytes().filter(u8::is_ascii_digit).count();
    let plain = |of: u8| of.is_ascii_digit() || matches!(of, b'-' | b'.' | b':' | b',');
    if digits == 0 {
        return false;
    }
    let number = segment.bytes().all(plain);
    let hexadecimal = segment.len() >= 8
        && segment
            .bytes()
            .all(|of| of.is_ascii_hexdigit() || of == b'-');
    // a name has few digits, and is short
    let token = segment.len() >= 20 && digits >= 3 && !segment.contains('.');
    number || hexadecimal || token
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_from_names() {
        for value in [
            "7",
            "2026-11-25",
            "1.5",
            "deadbeef7",
            "550e8400-e29b-41d4-a716-446655440000",
            "eyJhbGciOiJIUzI1NiJ9x1",
        ] {
            assert!(is_value(value), "{value}");
        }
        assert!(is_value(&"a".repeat(LONGEST + 1)));
        for name in [
            "",
            "users",
            "v1",
            "api2",
            "index.html",
            "oauth2",
            "facade",
            "app.3f2c1a9b8d7e.js",
            "b",
        ] {
            assert!(!is_value(name), "{name}");
        }
    }

    #[test]
    fn a_pattern_fits_segment_by_segment() {
        let fits = |pattern: &str, path: &str| pattern.parse::<Pattern>().unwrap().fits(path);
        assert!(fits("/users/{id}", "/users/ada"));
        assert!(!fits("/users/{id}", "/users/"));
        assert!(!fits("/users/{id}", "/users/ada/posts"));
        assert!(fits("/static/**", "/static/a/b.css"));
        assert!(fits("/", "/"));
        assert!(!fits("/a", "/a/"));
        for not in ["users", "", "/a/**/b"] {
            assert!(not.parse::<Pattern>().is_err(), "{not}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_pattern_is_told_with_its_place() {
        for (text, what) in [
            ("users", "a route begins with `/`"),
            ("/users/{name", "segment 2, `{name`, a `{` is not closed"),
            ("/users/name}/x", "segment 2, `name}`, a `}` closes no `{`"),
            (
                "/a/{id}.json",
                "segment 2, `{id}.json`, there is more than `{…}`",
            ),
            ("/{a{b}}", "segment 1, `{a{b}}`, there are braces in braces"),
            ("/a/**/b", "segment 2, `**`, it stands for all segments"),
            ("/a/x**", "segment 2, `x**`, there is more than `**`"),
        ] {
            let error = text.parse::<Pattern>().unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
