use serde::{Deserialize, Serialize};

/// Bodies compared with the expected one.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct BodyCheck {
    /// How many answers were compared.
    pub compared: u64,
    /// The start of the first wrong answer, for the reader.
    pub example: Option<String>,
    /// How long those were that counted as right, where one request was asked again and again; absent otherwise, where none
    /// had a body, and in what was stored when nobody wrote that down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lengths: Option<Lengths>,
}

/// Bytes of the shortest and the longest of some bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Lengths {
    /// Of the shortest.
    pub shortest: u64,
    /// Of the longest.
    pub longest: u64,
}

impl Lengths {
    /// Of one body.
    pub fn of(length: u64) -> Self {
        Self {
            shortest: length,
            longest: length,
        }
    }

    /// Of these bodies and those.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            shortest: self.shortest.min(other.shortest),
            longest: self.longest.max(other.longest),
        }
    }
}
