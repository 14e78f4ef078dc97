//! Which of the ways to serve an app are tried, and how long that takes.

use experiment::{Ladder, Pace};
use record::{Plan, Stage};
use report::units;

use crate::args::BudgetArgs;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::output::note;

/// Fewer make no choice: the way of today, another server, a front end.
const FEWEST: usize = 3;

/// Ways that are named in a line; Rails has sixty.
const NAMED: usize = 8;

/// The stages that the user named, or all.
pub(super) fn asked(budget: &BudgetArgs, ladder: &Ladder) -> Result<Vec<Stage>> {
    let names = &budget.stages;
    let known = |name: &&String| ladder.stages.iter().any(|stage| stage.name == **name);
    if let Some(name) = names.iter().find(|name| !known(name)) {
        let all: Vec<_> = ladder
            .stages
            .iter()
            .map(|stage| stage.name.as_str())
            .collect();
        return Err(Error::new(
            Exit::Usage,
            format!("no way to serve this app is called `{name}`"),
        )
        .hint(format!("choose of {}", all.join(", "))));
    }
    let wanted = |stage: &&Stage| names.is_empty() || names.contains(&stage.name);
    Ok(ladder.stages.iter().filter(wanted).cloned().collect())
}

/// Keeps as many stages of the plan as fit into the budget, those that are worth it most, and says how
/// long they will take and what was left out.
pub(super) fn fit(budget: &BudgetArgs, ladder: &Ladder, plan: &mut Plan, pace: &Pace, quiet: bool) {
    let every = plan.stages.len();
    let fitting = if budget.all || !budget.stages.is_empty() {
        every
    } else {
        pace.fitting(plan, budget.budget).max(FEWEST)
    };
    let mut order = vec![&plan.baseline];
    let worth = ladder.worth.iter().filter(|&name| *name != plan.baseline);
    order.extend(worth.filter(|&name| plan.stages.iter().any(|stage| stage.name == *name)));
    let left: Vec<_> = order.split_off(fitting.min(order.len()));
    let stages = plan.stages.iter();
    let stages = stages
        .filter(|stage| order.contains(&&stage.name))
        .cloned()
        .collect();
    let left: Vec<_> = left.into_iter().map(String::as_str).collect();
    plan.stages = stages;
    if quiet {
        return;
    }
    let time = |stages| units::round_duration(pace.of_run(plan, stages));
    let trying = plan.stages.len();
    let blocks = match plan.blocks {
        1 => "once".to_owned(),
        blocks => format!("{blocks} times"),
    };
    if left.is_empty() {
        note(format!(
            "trying {trying} ways to serve it, each {blocks}: about {}",
            time(trying)
        ));
        return;
    }
    note(format!(
        "trying {trying} of {every} ways to serve it, each {blocks}: about {}",
        time(trying)
    ));
    let more = match left.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more (`--stages ?` names them)"),
    };
    note(format!(
        "left out for the budget of {}: {}{more}",
        units::round_duration(budget.budget),
        left[..left.len().min(NAMED)].join(", ")
    ));
    note(format!(
        "  `--all` tries them too, in about {}; `--stages {},{}` those two alone",
        time(every),
        plan.baseline,
        left[0]
    ));
}

/// Says what cannot be tried, and why.
pub(super) fn tell_missing(ladder: &Ladder) {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, why) in &ladder.left_out {
        match reasons.iter_mut().find(|(known, _)| known == why) {
            Some((_, names)) => names.push(name),
            None => reasons.push((why, vec![name])),
        }
    }
    for (why, names) in reasons {
        note(format!("left out: {}: {why}", names.join(", ")));
    }
    if !ladder.missing.is_empty() {
        let names = ladder.missing.join(", ");
        note(format!(
            "not installed: {names} (`weir doctor` says how to install them)"
        ));
    }
}
