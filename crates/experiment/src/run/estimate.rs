//! How long a plan will take, before anything of it is run: by earlier runs of the same variants, by what its loads
//! say, and where a load counts requests, by how fast an app answers.

use std::collections::BTreeMap;

use record::{App, Load, Plan, Variant};
use stack::Machine;
use store::Store;

use crate::error::ExperimentError;
use crate::run::app_times::AppTimes;
use crate::run::at_once::{Slots, slots};
use crate::run::capacity;
use crate::run::forecast::Forecast;
use crate::run::order::{Slot, order};
use crate::run::share::{Need, enough};
use crate::search::refine;

/// Runs that are looked at for how long their trials took.
const RUNS: usize = 3;

/// How long a plan will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Trials of all its blocks.
    pub trials: u64,
    /// Seconds of all its blocks, and of what comes before them.
    pub seconds: f64,
    /// Seconds of one block, the mean over all of them.
    pub block: f64,
    /// What it rests on.
    pub basis: Basis,
}

impl Estimate {
    /// What the plan needs that it is of.
    pub fn need(&self, plan: &Plan) -> Need {
        Need {
            before: self.seconds - self.block * f64::from(plan.blocks),
            block: self.block,
            blocks: plan.blocks,
            enough: enough(plan),
            claims: plan.claims.len() as u32,
        }
    }

    /// What is left when so many of the trials are done: nobody knows more of a run that was cut short.
    #[must_use]
    pub fn rest(self, done: u64) -> Self {
        let trials = self.trials.saturating_sub(done);
        let seconds = self.seconds * trials as f64 / self.trials.max(1) as f64;
        Self {
            trials,
            seconds,
            block: seconds,
            ..self
        }
    }
}

/// What an estimate rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Earlier runs of all its variants.
    Runs,
    /// The length of its windows, and for some variants earlier runs.
    Windows,
    /// For some variants a guess of how fast they answer, as their loads count requests.
    Guess,
}

/// How long a plan will take.
///
/// # Errors
/// A store that cannot be read.
pub fn estimate(
    plan: &Plan,
    store: &Store,
    machine: &Machine,
) -> Result<Estimate, ExperimentError> {
    let past = past(plan, store)?;
    let guesses = guesses(plan, &past, &slots(plan, machine), |_| None);
    let unknown = || {
        plan.variants
            .iter()
            .filter(|variant| !past.contains_key(&variant.name))
    };
    let counted = |variant: &Variant| {
        let load = plan.load_of(variant);
        !load.shape.is_open() && matches!(load.amount, record::Amount::Requests(_))
    };
    let basis = match unknown().count() {
        0 => Basis::Runs,
        _ if unknown().any(counted) => Basis::Guess,
        _ => Basis::Windows,
    };
    let added = to_come(plan);
    let points = added.len() as u64;
    let baseline = Slot {
        variant: plan.baseline.clone(),
        again: false,
        group: 0,
    };
    let more = plan.more_baselines_in(plan.blocks);
    let more = std::iter::repeat_n(baseline, more as usize);
    let all = (0..plan.blocks).flat_map(|block| order(plan, block));
    let (all, forecast): (Vec<Slot>, _) = (all.chain(more).collect(), Forecast::new(guesses));
    let block = forecast.seconds(&all) / f64::from(plan.blocks) + forecast.seconds(&added);
    // each app is started once for its correct responses
    let before = plan.apps().len() as f64 * AppTimes::GUESS.of_start() + capacity::seconds(plan);
    Ok(Estimate {
        trials: plan.trials() + points * u64::from(plan.blocks),
        seconds: before + block * f64::from(plan.blocks),
        block,
        basis,
    })
}

/// The trials of a block that a run may still add to this plan, each under the name of a variant that is like it.
pub(crate) fn to_come(plan: &Plan) -> Vec<Slot> {
    let each = |(like, points): (&Variant, u32)| {
        let slot = Slot {
            variant: like.name.clone(),
            again: false,
            group: 0,
        };
        std::iter::repeat_n(slot, points as usize)
    };
    refine::to_come(plan).into_iter().flat_map(each).collect()
}

/// What trials of a plan are thought to take when its apps have been looked at.
pub(crate) fn forecast(
    plan: &Plan,
    store: &Store,
    machine: &Machine,
    app_times: impl Fn(&App) -> Option<AppTimes>,
) -> Result<Forecast, ExperimentError> {
    let past = past(plan, store)?;
    let slots = slots(plan, machine);
    Ok(Forecast::new(guesses(plan, &past, &slots, app_times)))
}

fn guesses(
    plan: &Plan,
    past: &BTreeMap<String, f64>,
    slots: Slots,
    app_times: impl Fn(&App) -> Option<AppTimes>,
) -> Vec<(String, f64)> {
    let plan = &plan.at_capacity(capacity::GUESS);
    let guess = |variant: &Variant| {
        let app_times = app_times(plan.app_of(variant)).unwrap_or(AppTimes::GUESS);
        let known = past.get(&variant.name).copied();
        (
            variant.name.clone(),
            known.unwrap_or_else(|| app_times.of_variant(plan, variant, slots)),
        )
    };
    plan.variants.iter().map(guess).collect()
}

/// Seconds that a trial of each variant took in earlier runs, from its start to that of the next: the median, which
/// a pause between two of them does not move. Only variants that are still the same count.
fn past(plan: &Plan, store: &Store) -> Result<BTreeMap<String, f64>, ExperimentError> {
    let mut seen: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let runs = store.runs()?.into_iter();
    for summary in runs
        .filter(|run| run.name == plan.name && run.done > 1)
        .take(RUNS)
    {
        let run = store.run(summary.id)?;
        let starts = store.starts(run.id)?;
        let plan = plan.at_capacity_of(&run.plan);
        for two in starts.windows(2) {
            let [one, next] = two else { continue };
            if !one.failed && same_variant(&plan, &run.plan, &one.variant) {
                let seconds = (next.started - one.started).total(jiff::Unit::Second);
                let of_variant = seen.entry(one.variant.clone()).or_default();
                of_variant.extend(seconds.ok().filter(|seconds| *seconds > 0.0));
            }
        }
    }
    Ok(seen
        .into_iter()
        .filter_map(|(name, of)| Some((name, median(of)?)))
        .collect())
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Whether a variant of this name is the same in both plans, and loaded in the same way.
fn same_variant(plan: &Plan, other: &Plan, name: &str) -> bool {
    let of = |plan: &Plan| {
        let variant = plan.variant(name)?.clone();
        let load = unseeded(plan.load_of(&variant));
        Some((
            Variant {
                load: None,
                ..variant
            },
            load,
        ))
    };
    of(plan).is_some_and(|variant| Some(variant) == of(other))
}

/// A load without what differs from run to run.
pub(crate) fn unseeded(load: &Load) -> Load {
    Load {
        shape: load.shape.reseeded(0),
        ..load.clone()
    }
}
