//! How long a plan will take, before anything of it is run: by earlier runs of the same variants, by what its loads
//! say, and where a load counts requests, by how fast an app answers.

use std::collections::BTreeMap;

use record::{App, Load, Plan, Variant};
use stack::Machine;
use store::{Start, Store};

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
/// a pause between two of them does not move. Those of a block that take turns are up at the same time, and share the time of all.
/// Only variants that are still the same count.
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
        let takes_turns = |of: &Start| {
            let variant = run.plan.variant(&of.variant);
            variant.is_some_and(|of| run.plan.can_be_cut(of))
        };
        let together = |one: &Start, next: &Start| {
            one.block == next.block && takes_turns(one) && takes_turns(next)
        };
        for (of, seconds) in took(&starts, together) {
            if !of.failed && same_variant(&plan, &run.plan, &of.variant) {
                seen.entry(of.variant.clone()).or_default().push(seconds);
            }
        }
    }
    Ok(seen
        .into_iter()
        .filter_map(|(name, of)| Some((name, median(of)?)))
        .collect())
}

/// Seconds that trials took, each from its start to that of the next; of those that were up `together` its share of the time from
/// the first start to that of what came after them.
fn took(starts: &[Start], together: impl Fn(&Start, &Start) -> bool) -> Vec<(&Start, f64)> {
    let groups: Vec<&[Start]> = starts.chunk_by(together).collect();
    let shares = groups.windows(2).flat_map(|two| {
        let (group, next) = (two[0], &two[1][0]);
        let all = (next.started - group[0].started).total(jiff::Unit::Second);
        let share = all.unwrap_or(0.0) / group.len() as f64;
        group.iter().map(move |of| (of, share))
    });
    shares.filter(|(_, seconds)| *seconds > 0.0).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Three that take turns are up within two seconds of each other, and their windows come after that.
    #[test]
    fn trials_that_take_turns_share_the_time_of_all() {
        let start = |block: u32, variant: &str, second: i64| Start {
            block,
            variant: variant.to_owned(),
            started: jiff::Timestamp::from_second(second).unwrap(),
            failed: false,
        };
        let starts = [
            start(0, "a", 0),
            start(0, "b", 2),
            start(0, "c", 4),
            start(1, "b", 30),
            start(1, "c", 32),
            start(1, "a", 34),
            start(2, "alone", 66),
            start(2, "a", 70),
        ];
        let in_turn = |one: &Start, next: &Start| one.block == next.block && one.variant != "alone";
        let took = took(&starts, in_turn);
        let took: Vec<_> = took
            .iter()
            .map(|(of, time)| (&*of.variant, *time))
            .collect();
        let wanted = ["a", "b", "c"].map(|of| (of, 10.0));
        let later = ["b", "c", "a"].map(|of| (of, 12.0));
        assert_eq!(took, [&wanted[..], &later, &[("alone", 4.0)]].concat());
    }
}
