//! Reasons not to trust a trial, each computed from its facts, with its numbers and a next step.
//!
//! The rules are fixed here, before any result is seen; nobody is asked whether a trial is liked.

mod answers;
mod little;
mod machine;
mod network;
mod paused;
mod pool;
mod rule;
mod schedule;
mod transient;
mod window;

use record::{LoadFacts, Measured, Metric, Run, Stolen};

use crate::opinion::Doubt;
pub use rule::{Held, Outcome};
pub(crate) use transient::transient;

/// What a doubt may be computed from.
pub(crate) struct Evidence<'a> {
    load: &'a LoadFacts,
    /// The status that the loaded route answers with, if it is known.
    status: Option<u16>,
    /// CPU time that the hypervisor took, if that was watched.
    stolen: Option<Stolen>,
    /// Quantile metrics that somebody will look at.
    asked: &'a [Metric],
}

impl<'a> Evidence<'a> {
    /// All there is about a trial.
    pub(crate) fn of(run: &Run, stage: &str, measured: &'a Measured, asked: &'a [Metric]) -> Self {
        let route = run
            .plan
            .stage(stage)
            .and_then(|stage| run.plan.app_of(stage).route(&stage.route).ok());
        Self {
            load: &measured.load,
            status: route.map(|route| route.status),
            stolen: Some(measured.load.stolen.unwrap_or_else(|| Stolen {
                share: measured.stolen,
                seconds: measured.stolen * f64::from(run.host.cores.max(1)) * measured.load.seconds,
            })),
            asked,
        }
    }

    /// A load by itself, on a target that weir did not start.
    pub(crate) fn alone(load: &'a LoadFacts) -> Self {
        Self {
            load,
            status: None,
            stolen: load.stolen,
            asked: &[Metric::P50],
        }
    }
}

/// Every rule, and how a trial or a load stood to it.
pub(crate) fn held(evidence: &Evidence) -> Vec<Held> {
    let rules = [
        answers::accounting,
        paused::paused,
        answers::differed,
        answers::errors,
        answers::unanswered,
        answers::warm_up,
        window::not_stationary,
        machine::generator_saturated,
        machine::stolen_cpu,
        schedule::rate_not_held,
        pool::connections,
        schedule::late,
        machine::crowd,
        network::kept_open,
        network::queue_full,
        network::retransmits,
        little::littles_law,
        window::short,
        window::too_few_samples,
    ];
    rules.iter().map(|rule| rule(evidence)).collect()
}

/// Every doubt about a trial or a load, the disqualifying ones first.
pub(crate) fn all(evidence: &Evidence) -> Vec<Doubt> {
    raised(held(evidence))
}

/// The doubts among what was found, the disqualifying ones first.
pub(crate) fn raised(held: Vec<Held>) -> Vec<Doubt> {
    let mut doubts: Vec<Doubt> = held.into_iter().filter_map(|of| of.doubt).collect();
    doubts.sort_by_key(|doubt| !doubt.disqualifies);
    doubts
}
