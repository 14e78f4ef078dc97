//! How many machines a demand needs, by what one of them carries.

use serde::Serialize;

/// How far a quotient may lie above a whole number that it stands for, as a share: arithmetic, and no demand for one more
/// machine.
const ROUNDING: f64 = 1e-9;

/// Requests that are to be carried.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Demand {
    /// As it was written: `3M/day`.
    pub text: String,
    /// Requests per second, on average.
    pub mean: f64,
    /// How many times that fall due in the busiest moment; 1 where they come evenly.
    pub peak: f64,
}

impl Demand {
    /// Requests per second in the busiest moment.
    pub fn busiest(&self) -> f64 {
        self.mean * self.peak
    }
}

/// Machines like the one that was measured, each of which carries an even share of a demand in its busiest moment.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Machines {
    /// What they are to carry.
    pub demand: Demand,
    /// Requests per second of one of them: the highest rate at which all goals held.
    pub each: f64,
    /// The lowest rate above that at which one did not hold: what one carries lies between the two. Absent where there was
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misses: Option<f64>,
    /// How many are needed.
    pub machines: u64,
    /// How many are needed at least: if one carried nearly the rate at which a goal did not hold. Absent where there was
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<u64>,
}

/// How many fewer machines one variant needs than another for the same demand.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Fewer {
    /// What they are to carry.
    pub demand: Demand,
    /// The variant that needs more, and how many of these machines.
    pub before: (String, u64),
    /// The one that needs fewer.
    pub after: (String, u64),
    /// The share of the machines that is no longer needed, 0 to 1: by what one carries, and not by whole machines.
    pub share: f64,
    /// 95 % interval of that share, the smaller end first; below 0 more of them are needed.
    pub interval: Option<(f64, f64)>,
    /// The same in words.
    pub because: String,
}

/// The machines that a demand needs where one carries `each` requests per second, and not `misses`. Both are above 0.
pub fn machines(demand: &Demand, each: f64, misses: Option<f64>) -> Machines {
    let needed = |rate: f64| {
        let exactly = demand.busiest() / rate;
        (exactly * (1.0 - ROUNDING)).ceil().max(1.0) as u64
    };
    Machines {
        demand: demand.clone(),
        each,
        misses,
        machines: needed(each),
        at_least: misses.map(needed),
    }
}
