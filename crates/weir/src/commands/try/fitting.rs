//! How much of a comparison fits its budget: how many ways to serve an app are tried, how often, and how long that takes.

use std::time::Duration;

use experiment::{Allowance, AppTimes, Candidates, Slots};
use record::{NotTried, Plan, Stress, Variant};
use report::units;
use report::words::{counted, too_few_blocks};
use stack::Machine;

use super::choosing::{required, told};
use crate::args::{BudgetArgs, TryArgs};

/// Blocks for which there is time where so many ways are tried as fit the budget. Most runs are decided after fewer.
pub(super) const BLOCKS: u32 = 6;

/// Blocks that a run may have where the budget is smaller than that, so that the fewest ways fit, and where it is larger.
const LEAST: u32 = judge::PAIRS as u32;
const MOST: u32 = 12;

/// Share of a run from which on its stress is worth a word.
const MUCH: f64 = 0.2;

/// How far a run may go beyond its budget, so that a slow trial at its end does not take the verdicts away.
const BEYOND: f64 = 1.1;

/// What is said of a run before it begins.
#[derive(Debug)]
pub(super) struct Fit {
    /// The lines.
    pub(super) told: Vec<String>,
    /// Whether they say that fewer blocks fit than a verdict needs.
    pub(super) too_few: bool,
}

/// The time that a run may take when so much of it is spent; none where the user chose what is tried.
pub(super) fn allowance(budget: &BudgetArgs, spent: Duration, seen: AppTimes) -> Allowance {
    let limit = budget.limit();
    Allowance {
        budget: limit,
        beyond: limit.map_or(0.0, |limit| limit * (BEYOND - 1.0)),
        until: None,
        without_reasons: false,
        spent: spent.as_secs_f64(),
        seen: Some(seen),
    }
}

/// Keeps as many variants of the plan as fit into the budget, those that are worth it most; what to say of it: which are
/// tried, how long that takes, and what was left out. Their number of blocks is what was asked for, or what fits.
pub(super) fn fit(
    args: &TryArgs,
    spent: Duration,
    candidates: &Candidates,
    plan: &mut Plan,
    pace: &AppTimes,
    machine: &Machine,
) -> Fit {
    let budget = &args.budget;
    let whole = plan.clone();
    let slots = experiment::slots(&whole, machine);
    let ways = by_worth(&whole, candidates, machine);
    let order: Vec<&String> = ways.iter().map(|variant| &variant.name).collect();
    let rest = budget.limit().map(|limit| limit - spent.as_secs_f64());
    let (fitting, twin) = match rest.filter(|_| !budget.is_chosen()) {
        Some(rest) => pace.compared(&whole, &ways.iter().collect::<Vec<_>>(), &slots, rest),
        None => (ways.len(), true),
    };
    let (taken, left) = taken(&whole, &order, fitting);
    if !twin {
        plan.noise_floor = None;
    }
    plan.variants
        .retain(|variant| taken.contains(&&variant.name));
    for variant in &mut plan.variants {
        let designed = ways.iter().find(|of| of.name == variant.name);
        variant.change = designed.and_then(|of| of.change.clone());
    }
    let is_ours = args.how.blocks.is_none() && plan.looks().is_some();
    if let Some(rest) = rest.filter(|_| is_ours) {
        plan.blocks = pace.blocks_in(plan, &slots, rest).clamp(LEAST, MOST);
    }
    let ways = match left.len() {
        0 => counted(plan.variants.len() as u64, "way"),
        _ => format!("{} of {} ways", plan.variants.len(), whole.variants.len()),
    };
    let time = Time::of(plan, spent, budget, pace, &slots);
    let mut lines = vec![format!(
        "trying {ways} to serve it, each {}{}: {}",
        times(plan),
        if twin { "" } else { ", without an A/A pair" },
        time.about(plan)
    )];
    lines.extend(time.beyond(plan, pace.variant()));
    if !left.is_empty() {
        let left = no_time(&left, budget, &plan.baseline, pace.of_run(&whole, &slots));
        lines.push(told(&left));
        plan.not_tried.insert(0, left);
    }
    Fit {
        told: lines,
        too_few: time.has_too_few(plan),
    }
}

/// The variants of a plan in the order in which they are worth their time, each behind the one that it differs least from.
fn by_worth(plan: &Plan, candidates: &Candidates, machine: &Machine) -> Vec<Variant> {
    let others = candidates.priority.iter();
    let others = others.filter(|&name| *name != plan.baseline);
    let order = std::iter::once(&plan.baseline).chain(others);
    let by_worth: Vec<&Variant> = order.filter_map(|name| plan.variant(name)).collect();
    experiment::design(&by_worth, &plan.app, machine)
}

/// How long a run takes, as is thought: one variant was looked at, and others may hold connections back or answer more slowly.
#[derive(Clone, Copy, Debug)]
struct Time {
    /// Seconds that it may take, and that it is given; none where the user chose what is tried.
    limit: Option<f64>,
    /// Seconds of all of it.
    all: f64,
    /// Seconds without the stress that nobody asked for by an option.
    calm: f64,
    /// Blocks that fit.
    blocks: u32,
}

impl Time {
    fn of(
        plan: &Plan,
        spent: Duration,
        budget: &BudgetArgs,
        pace: &AppTimes,
        slots: Slots,
    ) -> Self {
        let spent = spent.as_secs_f64();
        let mut calm = plan.clone();
        let asked = |of: &Stress| of.is_fault() || *of == Stress::Profiled;
        calm.stress.retain(asked);
        let limit = budget.limit();
        let blocks = |limit: f64| pace.blocks_within(plan, slots, limit * BEYOND - spent);
        Self {
            limit,
            all: spent + pace.of_run(plan, slots),
            calm: spent + pace.of_run(&calm, slots),
            blocks: limit.map_or(plan.blocks, blocks),
        }
    }

    /// Whether all that counts fits, and not all of the stress that comes last.
    fn lacks_stress(&self) -> bool {
        let fits = |seconds: f64| self.limit.is_none_or(|limit| seconds <= limit * BEYOND);
        !fits(self.all) && fits(self.calm)
    }

    fn has_too_few(&self, plan: &Plan) -> bool {
        self.blocks < plan.blocks && too_few_blocks(self.blocks).is_some()
    }

    /// `about 2 min at most, 50 s of it under stress (…)`.
    fn about(&self, plan: &Plan) -> String {
        let at_most = plan.looks().map_or("", |_| " at most");
        let about = |seconds| format!("about {}{at_most}", units::round_duration(seconds));
        let stress = self.all - self.calm;
        if self.lacks_stress() {
            return format!("{}, and stress as far as there is time", about(self.calm));
        }
        if stress < MUCH * self.all {
            return about(self.all);
        }
        format!(
            "{}, {} of it under stress (`--no-stress` leaves that out)",
            about(self.all),
            units::round_duration(stress)
        )
    }

    /// What is said where the run needs more than it is given.
    fn beyond(&self, plan: &Plan, looked_at: &str) -> Option<String> {
        let limit = self.limit.filter(|limit| self.all > limit * BEYOND);
        let limit = limit.filter(|_| !self.lacks_stress())?;
        let needed = (self.all * BEYOND / 10.0).ceil() * 10.0;
        let few = too_few_blocks(self.blocks).map_or_else(String::new, |few| format!(": {few}"));
        let enough = match plan.blocks {
            1 => String::new(),
            all => format!(
                ", which is enough for {} of {}{few}",
                self.blocks,
                counted(all.into(), "block")
            ),
        };
        Some(format!(
            "  that is more than the budget of {}{enough}; `--budget {needed:.0}s` is enough for all of it if every \
             server answers as `{looked_at}` did",
            units::round_duration(limit)
        ))
    }
}

/// The ways that there is no time for, and what tries them: `all` of it takes so many seconds.
fn no_time(left: &[&String], budget: &BudgetArgs, baseline: &str, all: f64) -> NotTried {
    let time = units::round_duration;
    let limit = time(budget.limit().unwrap_or_default());
    NotTried {
        names: left.iter().map(|name| (*name).clone()).collect(),
        why: format!("no time for them in a budget of {limit}"),
        how: Some(format!(
            "`--all` tries them too, in about {}; `--variants {baseline},{}` those two alone",
            time(all),
            left[0]
        )),
    }
}

/// Of ways in their order those that are tried, as many as fit and those of which something is required; and the others.
fn taken<'a>(
    plan: &Plan,
    order: &[&'a String],
    fitting: usize,
) -> (Vec<&'a String>, Vec<&'a String>) {
    let required = required(plan);
    let (mut taken, mut left) = (Vec::new(), Vec::new());
    for (place, name) in order.iter().enumerate() {
        let side = if place < fitting || required.contains(name) {
            &mut taken
        } else {
            &mut left
        };
        side.push(*name);
    }
    (taken, left)
}

/// How often each of its variants is run.
fn times(plan: &Plan) -> String {
    match (plan.looks(), plan.blocks) {
        (Some(least), most) => {
            format!("{least} to {most} times, until it is decided which is best")
        }
        (None, 1) => "once".to_owned(),
        (None, blocks) => format!("{blocks} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(blocks: u32) -> Plan {
        Plan {
            blocks,
            ..Plan::default()
        }
    }

    fn time(limit: Option<f64>, all: f64, calm: f64, blocks: u32) -> Time {
        Time {
            limit,
            all,
            calm,
            blocks,
        }
    }

    #[test]
    fn stress_that_takes_much_of_the_time_is_said_with_what_leaves_it_out() {
        let about = |limit, all, calm| time(limit, all, calm, 4).about(&plan(4));
        assert_eq!(
            about(None, 50.0, 30.0),
            "about 50 s, 20 s of it under stress (`--no-stress` leaves that out)"
        );
        assert_eq!(about(None, 50.0, 45.0), "about 50 s");
        assert_eq!(
            about(Some(40.0), 50.0, 30.0),
            "about 30 s, and stress as far as there is time"
        );
    }

    /// A tenth beyond the budget is for a slow trial, and taken.
    #[test]
    fn what_a_budget_is_enough_for_is_said_with_what_is_enough_for_all() {
        let beyond = |all, blocks, of| {
            let time = time(Some(40.0), all, all, blocks);
            (time.beyond(&plan(of), "a"), time.has_too_few(&plan(of)))
        };
        assert_eq!(beyond(43.0, 4, 4), (None, false));
        let words = "  that is more than the budget of 40 s, which is enough for 3 of 4 blocks: no interval, no verdict; \
                     `--budget 60s` is enough for all of it if every server answers as `a` did";
        assert_eq!(beyond(50.0, 3, 4), (Some(words.to_owned()), true));
        let (many, too_few) = beyond(50.0, 5, 6);
        assert!(many.unwrap().contains(" for 5 of 6 blocks; ") && !too_few);
        let (once, too_few) = beyond(50.0, 1, 1);
        assert!(once.unwrap().contains(" of 40 s; ") && !too_few);
    }
}
