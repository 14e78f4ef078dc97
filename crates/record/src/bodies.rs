use std::cmp::Ordering;

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
    /// How many are as short as the shortest; 0 in what was stored when nobody counted them.
    #[serde(default)]
    pub short: u64,
}

impl Lengths {
    /// Of one body.
    pub fn of(length: u64) -> Self {
        Self {
            shortest: length,
            longest: length,
            short: 1,
        }
    }

    /// One more body.
    #[inline]
    pub fn add(&mut self, length: u64) {
        if length == self.shortest {
            self.short += 1;
        } else {
            *self = self.and(Self::of(length));
        }
    }

    /// Of these bodies and those.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let short = match self.shortest.cmp(&other.shortest) {
            Ordering::Less => self.short,
            Ordering::Equal => self.short + other.short,
            Ordering::Greater => other.short,
        };
        Self {
            shortest: self.shortest.min(other.shortest),
            longest: self.longest.max(other.longest),
            short,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_are_counted_in_whatever_order_they_come() {
        let all = Lengths {
            shortest: 3,
            longest: 12,
            short: 2,
        };
        for lengths in [[3, 12, 3, 7], [12, 7, 3, 3], [3, 3, 7, 12]] {
            let mut seen = Lengths::of(lengths[0]);
            lengths[1..].iter().for_each(|length| seen.add(*length));
            assert_eq!(seen, all, "{lengths:?}");
            let halves = lengths.map(Lengths::of);
            let (one, other) = (halves[0].and(halves[1]), halves[2].and(halves[3]));
            assert_eq!(one.and(other), all, "{lengths:?}");
        }
    }
}
