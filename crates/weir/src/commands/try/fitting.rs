//! How much of a comparison fits its budget: how many ways to serve an app are tried, how often, and how long that takes.

use std::time::Duration;

use experiment::{Allowance, AppTimes, Candidates};
use record::{NotTried, Plan, Variant};
use report::units;
use report::words::counted;
use stack::Machine;

use super::choosing::{required, told};
use super::lasting::{BEYOND, Time};
use super::loading;
use crate::args::{BudgetArgs, TryArgs};

/// Blocks for which there is time where so many ways are tried as fit the budget. Most runs are decided after fewer.
pub(super) const BLOCKS: u32 = 6;

/// Blocks that a run may have where the budget is smaller than that, so that the fewest ways fit, and where it is larger.
const LEAST: u32 = judge::PAIRS as u32;
const MOST: u32 = 12;

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
    let all: Vec<&Variant> = ways.iter().collect();
    let (fitting, twin) = match rest.filter(|_| !budget.is_chosen()) {
        Some(rest) => pace.compared(&whole, &all, &slots, rest),
        None => (ways.len(), true),
    };
    let (taken, left) = taken(&whole, &order, fitting);
    let choice = (!left.is_empty()).then(|| pace.of_choice(&whole, &all, &slots));
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
    // a condition may ask for a quantile that fewer could not carry
    let may_shorten = is_ours && !loading::is_chosen(args) && args.how.expect.is_empty();
    let shortened = rest.filter(|_| may_shorten).and_then(|rest| {
        let fits = |plan: &Plan| pace.blocks_within(plan, &slots, rest * BEYOND) >= LEAST;
        loading::shorten(plan, fits)
    });
    if let Some(rest) = rest.filter(|_| is_ours) {
        plan.blocks = pace.blocks_in(plan, &slots, rest).clamp(LEAST, MOST);
    }
    let ways = match left.len() {
        0 => counted(plan.variants.len() as u64, "way"),
        _ => format!("{} of {} ways", plan.variants.len(), whole.variants.len()),
    };
    let time = Time::of(plan, spent, budget, (pace, choice), &slots);
    let mut lines = vec![format!(
        "trying {ways} to serve it, each {}{}: {}",
        times(plan),
        if twin { "" } else { ", without an A/A pair" },
        time.about(plan)
    )];
    lines.extend(shortened);
    lines.extend(time.beyond(plan, pace.variant()));
    lines.extend(time.less(plan, &taken));
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
    experiment::design(&by_worth, &plan.app, machine, candidates.meant.as_ref())
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
