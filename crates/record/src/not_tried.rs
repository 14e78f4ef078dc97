//! What a run could have compared and did not.

use serde::{Deserialize, Serialize};

use crate::first_of;

/// Ways to serve the app, or programs that could, which a plan is without for one reason.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct NotTried {
    /// Variants by the names that they would have, or catalogue entries; what is worth its time most comes first.
    pub names: Vec<String>,
    /// The reason, in words.
    pub why: String,
    /// What to type to have them; none where nothing here helps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
}

/// Names in a line; Rails has sixty ways.
const NAMED: usize = 8;

impl NotTried {
    /// The first names, and how many more there are: `a, b, and 3 more`.
    pub fn listed(&self) -> String {
        first_of(&self.names, NAMED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_names_are_counted() {
        let of = |count: usize| NotTried {
            names: (0..count).map(|n| n.to_string()).collect(),
            why: String::new(),
            how: None,
        };
        assert_eq!(of(8).listed(), "0, 1, 2, 3, 4, 5, 6, 7");
        assert_eq!(of(10).listed(), "0, 1, 2, 3, 4, 5, 6, 7, and 2 more");
    }
}
