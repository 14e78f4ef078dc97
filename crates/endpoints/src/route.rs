//! Which paths are one route: by rules of the user, and by what a segment looks like.

use thiserror::Error;

/// Most segments of a path that tell routes apart; what follows is one more.
pub(crate) const DEEPEST: usize = 12;
/// What stands for a segment that is a value.
pub(crate) const VALUE: &str = "{}";
/// What stands for all segments that follow.
pub(crate) const REST: &str = "**";

/// A route as a user writes it: `/users/{id}/posts`, where `{…}` stands for one segment and `**` at the end for all that
/// follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
}

/// Why something is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no route: it begins with `/`, as in `/users/{{id}}/posts` or `/static/**`")]
pub struct PatternError(String);

impl std::str::FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let misplaced = text
            .find(REST)
            .is_some_and(|place| place + REST.len() != text.len());
        if !text.starts_with('/') || misplaced {
            return Err(PatternError(text.to_owned()));
        }
        Ok(Self {
            text: text.to_owned(),
        })
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

/// Whether a segment looks like a value and not like a name: a number, a date, a UUID, a hash, a token.
pub(crate) fn is_value(segment: &str) -> bool {
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
}
