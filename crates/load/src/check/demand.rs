//! The plan's own checks, made ready.

use memchr::memmem::Finder;
use regex::bytes::Regex;
use serde_json_path::JsonPath;
use sha2::{Digest as _, Sha256};

use super::excerpt;
use super::search::Search;
use crate::expected::{Check, Demand, Text};
use crate::{LoadError, Result};

/// Longest JSON path, in bytes, and most brackets and signs in it that may nest it.
const LONGEST_PATH: usize = 1024;
const DEEPEST_PATH: usize = 64;

impl Check {
    /// Holds one answer to it: its header lines, as they came, and its body. Why it does not hold is
    /// said in words.
    ///
    /// # Errors
    /// When the demand itself makes no sense: a pattern or path that does not parse.
    pub fn verdict(&self, fields: &[u8], body: &[u8]) -> Result<Result<(), String>> {
        Ok(Compiled::new(self)?.judge(fields, body))
    }
}

/// A demand, compiled.
#[derive(Debug)]
pub(super) enum Compiled {
    Header(String, Pattern),
    Body(Pattern),
    Length(u64),
    Sha256([u8; 32]),
    Json(JsonPath, Option<serde_json::Value>),
}

/// What a demand has seen of a body so far.
#[derive(Debug)]
pub(super) enum Seen {
    /// It needs nothing of it, or the whole.
    Nothing,
    /// Whether all of it was as wanted.
    Same(bool),
    Search(Search),
    Hash(Sha256),
}

/// An answer that has come whole.
pub(super) struct Whole<'a> {
    /// Its header lines, if a demand wants to see them.
    pub(super) fields: &'a [u8],
    /// Its body, if a demand needs it whole.
    pub(super) body: &'a [u8],
    /// The start of its body, for the reader of an error.
    pub(super) start: &'a [u8],
    /// Bytes of its body.
    pub(super) length: usize,
}

#[derive(Debug)]
pub(super) enum Pattern {
    Is(Vec<u8>),
    Contains(Box<Finder<'static>>),
    Matches(Regex),
}

impl Compiled {
    pub(super) fn new(check: &Check) -> Result<Self> {
        Ok(match &check.demand {
            Demand::Header { name, value } => Self::Header(name.clone(), Pattern::new(value)?),
            Demand::Body(text) => Self::Body(Pattern::new(text)?),
            Demand::Length(length) => Self::Length(*length),
            Demand::Sha256(hash) => Self::Sha256(*hash),
            Demand::Json { path, value } => Self::Json(json_path(path)?, value.clone()),
        })
    }

    pub(super) fn wants_head(&self) -> bool {
        matches!(self, Self::Header(..))
    }

    /// Whether it needs the body whole. The others look at it while it arrives.
    pub(super) fn wants_body(&self) -> bool {
        matches!(self, Self::Body(Pattern::Matches(_)) | Self::Json(..))
    }

    /// What it has seen of a body that begins.
    pub(super) fn begin(&self) -> Seen {
        match self {
            Self::Body(Pattern::Is(_)) => Seen::Same(true),
            Self::Body(Pattern::Contains(part)) => {
                let mut search = Search::default();
                search.begin(std::slice::from_ref(part.as_ref()));
                Seen::Search(search)
            }
            Self::Sha256(_) => Seen::Hash(Sha256::new()),
            _ => Seen::Nothing,
        }
    }

    /// A piece of the body arrives, behind so many bytes.
    pub(super) fn take(&self, seen: &mut Seen, piece: &[u8], before: usize) {
        match (self, seen) {
            (Self::Body(Pattern::Is(whole)), Seen::Same(same)) => {
                let rest = whole.get(before..);
                *same &= rest.is_some_and(|rest| rest.starts_with(piece));
            }
            (Self::Body(Pattern::Contains(part)), Seen::Search(search)) => {
                search.take(std::slice::from_ref(part.as_ref()), piece);
            }
            (Self::Sha256(_), Seen::Hash(hash)) => hash.update(piece),
            _ => {}
        }
    }

    /// What is wrong with an answer, in words.
    pub(super) fn verdict(&self, seen: &Seen, answer: &Whole<'_>) -> Result<(), String> {
        let length = answer.length;
        match (self, seen) {
            (Self::Length(wanted), _) if length as u64 == *wanted => Ok(()),
            (Self::Length(wanted), _) => {
                Err(format!("{length} bytes where {wanted} were expected"))
            }
            (Self::Header(name, pattern), _) => match header(answer.fields, name) {
                None => Err(format!("no header `{name}`")),
                Some(value) => (pattern.told(pattern.holds(value), value))
                    .map_err(|why| format!("header `{name}` {why}")),
            },
            (Self::Body(pattern), seen) => {
                let right = match (pattern, seen) {
                    (Pattern::Is(whole), Seen::Same(same)) => *same && length == whole.len(),
                    (Pattern::Contains(_), Seen::Search(search)) => search.is_over(),
                    (pattern, _) => pattern.holds(answer.body),
                };
                let told = pattern.told(right, answer.start);
                told.map_err(|why| format!("body {why}"))
            }
            (Self::Sha256(wanted), Seen::Hash(hash)) => {
                match <[u8; 32]>::from(hash.clone().finalize()) {
                    found if found == *wanted => Ok(()),
                    found => {
                        let found = record::hexadecimal(&found);
                        Err(format!("SHA-256 of its {length} bytes is {found}"))
                    }
                }
            }
            (Self::Sha256(_), _) => Err("nothing to hash".to_owned()), // each begins with a hash
            (Self::Json(path, wanted), _) => json(path, wanted.as_ref(), answer.body),
        }
    }

    /// Holds a whole answer to it.
    fn judge(&self, fields: &[u8], body: &[u8]) -> Result<(), String> {
        let mut seen = self.begin();
        self.take(&mut seen, body, 0);
        let answer = Whole {
            fields,
            body,
            start: body,
            length: body.len(),
        };
        self.verdict(&seen, &answer)
    }
}

impl Pattern {
    fn new(text: &Text) -> Result<Self> {
        Ok(match text {
            Text::Is(bytes) => Self::Is(bytes.clone()),
            Text::Contains(bytes) => Self::Contains(Box::new(Finder::new(bytes).into_owned())),
            Text::Matches(pattern) => Self::Matches(Regex::new(pattern).map_err(|error| {
                let what = "a check's pattern must be a regular expression";
                LoadError::invalid(what, last_line(&error.to_string()))
            })?),
        })
    }

    fn holds(&self, value: &[u8]) -> bool {
        match self {
            Self::Is(bytes) => value == bytes,
            Self::Contains(finder) => finder.find(value).is_some(),
            Self::Matches(regex) => regex.is_match(value),
        }
    }

    /// In words, what is wrong with a value of which this is the start.
    fn told(&self, right: bool, start: &[u8]) -> Result<(), String> {
        if right {
            return Ok(());
        }
        let wanted = match self {
            Self::Is(bytes) => format!("is not `{}`", excerpt(bytes)),
            Self::Contains(finder) => format!("is without `{}`", excerpt(finder.needle())),
            Self::Matches(regex) => format!("is not matched by `{regex}`"),
        };
        Err(format!("{wanted}: `{}`", excerpt(start)))
    }
}

/// Reads a path of a sensible length: each of its signs may nest it by a level, and it is read by
/// functions that call themselves.
fn json_path(path: &str) -> Result<JsonPath> {
    let what = "a JSON path must be one of RFC 9535, such as `$.items[0].id`";
    let nested = path.matches(['[', '(', '!']).count();
    if path.len() > LONGEST_PATH || nested > DEEPEST_PATH {
        let (start, length) = (excerpt(path.as_bytes()), path.len());
        let why = format!("{start}…: {length} bytes, {nested} brackets");
        return Err(LoadError::invalid(what, why));
    }
    JsonPath::parse(path).map_err(|error| LoadError::invalid(what, format!("{path}: {error}")))
}

fn json(path: &JsonPath, wanted: Option<&serde_json::Value>, body: &[u8]) -> Result<(), String> {
    let value: serde_json::Value = serde_json::from_slice(body)
        .map_err(|error| format!("not JSON: {error}: `{}`", excerpt(body)))?;
    match (path.query(&value).first(), wanted) {
        (None, _) => Err(format!("nothing at `{path}`: `{}`", excerpt(body))),
        (Some(found), Some(wanted)) if found != wanted => {
            Err(format!("`{path}` is `{found}`, not `{wanted}`"))
        }
        _ => Ok(()),
    }
}

/// The first header of this name in header lines as they came.
pub(crate) fn header<'a>(fields: &'a [u8], name: &str) -> Option<&'a [u8]> {
    fields.split(|byte| *byte == b'\n').find_map(|line| {
        let colon = memchr::memchr(b':', line)?;
        let (given, value) = (&line[..colon], &line[colon + 1..]);
        let same = given.eq_ignore_ascii_case(name.as_bytes());
        same.then(|| value.trim_ascii())
    })
}

fn last_line(text: &str) -> String {
    text.lines().last().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests;
