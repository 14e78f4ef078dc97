use serde::{Deserialize, Serialize};

use crate::condition::select;
use crate::{Metric, Plan};

/// Rivals that a plan ranks.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Ranking {
    /// Name, unique among the plan's rankings.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Who is ranked, at least two.
    pub of: Vec<Rival>,
    /// What they are ranked by, each by itself and all together.
    pub by: Vec<Criterion>,
}

/// One of those that are ranked.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Rival {
    /// Its variants as conditions name them: a variant, a family, or a family with levels after an `@`.
    pub variants: String,
    /// The figure that somebody reported of it, by the first criterion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<f64>,
}

/// What rivals are ranked by.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Criterion {
    /// The metric.
    pub metric: Metric,
    /// The levels at which it is taken (`connections=10..500`); each rival's variants all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<String>,
}

impl Ranking {
    /// The variants that are ranked.
    pub fn rivals(&self, plan: &Plan) -> Vec<String> {
        let named = self.of.iter().map(|rival| rival.variants.as_str());
        let meant = named.flat_map(|name| select(&plan.variants, name).unwrap_or_default());
        meant.map(|variant| variant.name.clone()).collect()
    }
}

impl Rival {
    /// The variants by which it is ranked: its own, at the criterion's levels if that has any.
    pub fn at(&self, criterion: &Criterion) -> String {
        match &criterion.levels {
            None => self.variants.clone(),
            Some(levels) if self.variants.contains('@') => format!("{},{levels}", self.variants),
            Some(levels) => format!("{}@{levels}", self.variants),
        }
    }
}

impl Criterion {
    /// The metric, with its levels after an `@`: as plans write it.
    pub fn name(&self) -> String {
        match &self.levels {
            None => self.metric.name().to_owned(),
            Some(levels) => format!("{}@{levels}", self.metric.name()),
        }
    }
}
