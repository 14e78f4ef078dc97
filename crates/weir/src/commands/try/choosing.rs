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
    let fitting = if budget.all {
        every
    } else {
        pace.fitting(plan, budget.budget).max(FEWEST)
    };
    let kept: Vec<_> = ladder.worth.iter().take(fitting).collect();
    let (stages, left): (Vec<_>, Vec<_>) = std::mem::take(&mut plan.stages)
        .into_iter()
        .partition(|stage| kept.contains(&&stage.name));
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
    let names: Vec<_> = left.iter().map(|stage| stage.name.as_str()).collect();
    note(format!(
        "left out for the budget of {}: {}",
        units::round_duration(budget.budget),
        names.join(", ")
    ));
    note(format!(
        "  `--all` tries them too, in about {}; `--stages {}` one of them alone",
        time(every),
        names[0]
    ));
}

/// Says what cannot be tried, and why.
pub(super) fn tell_missing(ladder: &Ladder) {
    for (name, why) in &ladder.left_out {
        note(format!("left out: {name}: {why}"));
    }
    if !ladder.missing.is_empty() {
        let names = ladder.missing.join(", ");
        note(format!(
            "not installed: {names} (`weir doctor` says how to install them)"
        ));
    }
}
