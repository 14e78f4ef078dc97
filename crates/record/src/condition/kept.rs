//! A condition as a plan keeps it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Cursor, ExpectError, Expectation, RankExpect, parse, ranks};
use crate::{Ranking, Variant};

/// A condition of a claim: as it was written, and what that means. It is written down as its text alone, and
/// read again with its plan; a text of another weir that this one does not understand is kept, with its error.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// As it was written.
    pub text: String,
    /// What it means, numbers without a unit being in the metric's own (seconds, bytes, a share from 0 to 1).
    pub means: Result<Expectation, ExpectError>,
    /// The first number without the unit that it needs: plans of today are refused for it, stored ones are not.
    unitless: Option<ExpectError>,
}

impl Condition {
    /// Reads a text.
    pub fn read(text: &str) -> Self {
        let mut cursor = Cursor::new(text);
        let means = if ranks::is_about_a_ranking(text) {
            RankExpect::parse(text).map(Expectation::Ranking)
        } else {
            parse::figures(&mut cursor).map(Expectation::Figures)
        };
        Self {
            text: text.to_owned(),
            means,
            unitless: cursor.unitless,
        }
    }

    /// Checks that it is one, with its units and its names: what a plan is asked when it is loaded.
    ///
    /// # Errors
    /// It is no condition; a number lacks the unit that it needs; the plan does not have a name.
    pub fn check(&self, variants: &[Variant], rankings: &[Ranking]) -> Result<(), ExpectError> {
        if let Some(error) = &self.unitless {
            return Err(error.clone());
        }
        match self.means.as_ref().map_err(Clone::clone)? {
            Expectation::Figures(of) => of.check_names(variants),
            Expectation::Ranking(of) => of.check_names(rankings),
        }
    }
}

impl Serialize for Condition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::read(&text))
    }
}

impl schemars::JsonSchema for Condition {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Condition".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}
