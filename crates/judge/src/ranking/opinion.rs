use record::Metric;
use serde::Serialize;

use crate::opinion::Figure;

/// Rivals in their order, by one metric after the other, and who is beaten in all of them.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Ranking {
    /// As the plan calls it; a family's name where nobody asked for it.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// One order for each criterion, as the plan has them.
    pub orders: Vec<Order>,
    /// Who is left when all criteria are taken together; absent with one criterion, or without intervals.
    pub pareto: Option<Pareto>,
}

/// Rivals in their order by one metric.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Order {
    /// The metric.
    pub metric: Metric,
    /// At which levels it is taken (`connections=10..500`), if not at all that a rival has.
    pub levels: Option<String>,
    /// Blocks in which all that are ranked have a figure.
    pub blocks: u32,
    /// Who is ranked, the best estimate first.
    pub places: Vec<Place>,
    /// Who is not.
    pub unranked: Vec<Unranked>,
    /// Places (from 1) of neighbours of whom no two can be told apart, first and last; each as long as can be.
    pub alike: Vec<(u32, u32)>,
    /// How far it agrees with the order that was reported: Kendall's tau, if one was.
    pub agreement: Option<Figure>,
    /// What ranks and agreement most likely are after more blocks, the fewest first; empty where no claim asks for them, and where
    /// there are no ranks yet.
    #[serde(skip)]
    pub later: Vec<Later>,
}

/// What an order most likely is after so many blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Later {
    /// Blocks, those that there are among them.
    pub blocks: u32,
    /// The ranks of each place's rival.
    pub ranks: Vec<(u32, u32)>,
    /// How far it agrees with the order that was reported.
    pub agreement: Option<Figure>,
}

/// One rival's place.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Place {
    /// The rival's variants, as the plan names them.
    pub rival: String,
    /// Geometric mean over the blocks, with the 95 % interval of it alone.
    pub figure: Figure,
    /// Between what the figure lies with the load generator off the cores that both kept busy; absent where that is little, or not
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<(f64, f64)>,
    /// The ranks it can have beside the load generator, as it was measured, all of which hold together with 95 %; `None` with too few
    /// blocks.
    pub ranks: Option<(u32, u32)>,
    /// The figure that somebody reported.
    pub reported: Option<f64>,
}

/// A rival without a rank.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Unranked {
    /// The rival's variants, as the plan names them.
    pub rival: String,
    /// Why.
    pub because: String,
}

/// Who is not beaten by anybody when all criteria are taken together.
///
/// A rival is beaten by another that is surely not worse by any metric, but for 3 %, and surely better by one. All
/// that is sure here is so together, over all pairs and all metrics, with 95 %.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Pareto {
    /// The metrics that could be taken.
    pub metrics: Vec<Metric>,
    /// Who is left.
    pub members: Vec<String>,
    /// Who is beaten, and by whom.
    pub beaten: Vec<Beaten>,
}

/// One that is beaten.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Beaten {
    /// The rival.
    pub rival: String,
    /// One that beats it.
    pub by: String,
}
