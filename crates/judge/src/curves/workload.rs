use record::{Metric, Shape, Variant};
use serde::Serialize;

use crate::seen_run::SeenRun;

/// How near to the workload's ceiling a figure says nothing about the server any more.
const NEAR: f64 = 0.9;

/// The most that a workload allows, whatever serves it: c requests under way at once, each of which
/// takes w at least, cannot be more than c / w per second (Little's law with the least response time;
/// with a think time z, c / (w + z)).
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct WorkloadCeiling {
    /// c: requests that can be under way at once.
    pub slots: u64,
    /// w + z: the least time from one request of a slot to its next, seconds.
    pub least: f64,
    /// c / (w + z), requests per second.
    pub most: f64,
    /// What was reached of it, as a share. In a closed loop that is told from the times, as (w + z) over
    /// (mean response time + z), which by Little's law is the same: a window that is not much longer than
    /// w cuts off a part of each connection's last wait, and so of the count.
    pub share: f64,
    /// Whether that is within a tenth of the ceiling: it says nothing about the server then.
    pub reached: bool,
}

/// A variant under its workload's ceiling.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct VariantCeiling {
    /// The variant.
    pub variant: String,
    /// Its ceiling.
    #[serde(flatten)]
    pub ceiling: WorkloadCeiling,
}

impl WorkloadCeiling {
    /// Of a variant with this throughput. `None` where the app does not say how long the route waits, for pages and files of
    /// requests, which ask for more than it, and for loads that look for a rate, which take the connections that it needs.
    pub(super) fn of(seen_run: &SeenRun, variant: &Variant, throughput: f64) -> Option<Self> {
        let plan = &seen_run.run.plan;
        let load = plan.load_of(variant);
        let route = plan.app_of(variant).route(&variant.route).ok()?;
        let asks_for_it = load.page.is_none() && load.requests_from.is_none();
        let wait = route.wait.filter(|_| asks_for_it && load.goal.is_none())?;
        let (think, mean) = match load.shape {
            Shape::Closed { think, .. } => (think, median(seen_run, variant, Metric::Mean)),
            Shape::Open(_) | Shape::Recorded { .. } => (0.0, None),
        };
        let least = wait + think;
        let most = load.slots() as f64 / least;
        let share = mean.map_or(throughput / most, |mean| least / (mean + think));
        (wait > 0.0 && most.is_finite() && share.is_finite()).then(|| Self {
            slots: load.slots(),
            least,
            most,
            share,
            reached: share >= NEAR,
        })
    }
}

fn median(seen_run: &SeenRun, variant: &Variant, metric: Metric) -> Option<f64> {
    let blocks = seen_run.by_block(&variant.name, metric);
    stats::median(&blocks.into_values().collect::<Vec<_>>())
}

/// Whether a variant answers nearly as much as its closed loop allows: its rate is a lower limit of what it can do.
/// An open loop's rate is the one that was asked for.
pub(crate) fn stands_at_its_ceiling(seen_run: &SeenRun, variant: &Variant) -> bool {
    let load = seen_run.run.plan.load_of(variant);
    let rate = median(seen_run, variant, Metric::Goodput);
    let ceiling = rate.and_then(|rate| WorkloadCeiling::of(seen_run, variant, rate));
    !load.is_open() && ceiling.is_some_and(|of| of.reached)
}

/// Every variant whose workload has a known ceiling, with where it stands under it.
pub(crate) fn ceilings(seen_run: &SeenRun) -> Vec<VariantCeiling> {
    let plan = &seen_run.run.plan;
    let of = |variant: &Variant| {
        let throughput = median(seen_run, variant, Metric::Goodput)?;
        Some(VariantCeiling {
            variant: variant.name.clone(),
            ceiling: WorkloadCeiling::of(seen_run, variant, throughput)?,
        })
    };
    plan.variants.iter().filter_map(of).collect()
}
