//! The answer that counts as right, as it is asked for; [`crate::check`] compares answers with it.

use std::ops::Range;

/// The answer that counts as right.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// Status.
    pub status: Status,
    /// Body, compared as it arrives and never kept.
    pub body: Body,
    /// What else is demanded, by name.
    pub checks: Vec<Check>,
    /// Bodies and checks of one answer in so many are looked at; 1 for all. The status always is.
    pub every: u32,
}

impl Expected {
    /// A status and a body, looked at in every answer.
    pub fn new(status: Status, body: Body) -> Self {
        Self {
            status,
            body,
            checks: Vec::new(),
            every: 1,
        }
    }
}

/// The statuses that count as right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// This one.
    Is(u16),
    /// One of these.
    OneOf(Vec<u16>),
    /// 200 to 299, by which a server says that it did what was asked (RFC 9110, section 15.3).
    In2xx,
    /// 200 to 399, which is what wrk does not call an error.
    Success,
    /// Any.
    Any,
}

/// The body that counts as right. The answer to a `HEAD` request has none to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Any body.
    Any,
    /// Exactly these bytes.
    Exact(Vec<u8>),
    /// These bytes, but for the times in some places, in order: a number there may be another one, of however many digits, and a letter
    /// another one. No digit follows such a place.
    But(Vec<u8>, Vec<Range<usize>>),
    /// A body that contains each of these.
    Contains(Vec<Vec<u8>>),
}

/// A demand with a name, under which its failures are counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The name.
    pub name: String,
    /// The demand.
    pub demand: Demand,
}

/// What an answer is held to beyond its status.
#[derive(Clone, Debug, PartialEq)]
pub enum Demand {
    /// The first header of this name.
    Header {
        /// In any case.
        name: String,
        /// What its value must be.
        value: Text,
    },
    /// The body.
    Body(Text),
    /// So many bytes of body.
    Length(u64),
    /// The body's SHA-256.
    Sha256([u8; 32]),
    /// What a JSON path (RFC 9535) finds in the body.
    Json {
        /// The path, as in `$.items[0].id`.
        path: String,
        /// What it must find first; absent when it must find anything.
        value: Option<serde_json::Value>,
    },
}

impl Demand {
    /// A SHA-256 from its 64 hexadecimal digits; `None` if that is not what they are.
    pub fn sha256(digits: &str) -> Option<Self> {
        if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let mut hash = [0; 32];
        for (at, byte) in hash.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()?;
        }
        Some(Self::Sha256(hash))
    }
}

/// What some bytes must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// Exactly these.
    Is(Vec<u8>),
    /// These among others.
    Contains(Vec<u8>),
    /// What this regular expression matches somewhere.
    Matches(String),
}
