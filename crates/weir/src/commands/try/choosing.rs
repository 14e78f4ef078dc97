//! Which of the ways to serve an app are tried, and how long that takes.

use experiment::{AppTimes, Candidates};
use record::{Plan, Variant};
use report::units;
use stack::Machine;

use crate::args::BudgetArgs;
use crate::error::{Error, Exit, Result};
use crate::output::note;

/// Fewer make no choice: the way of today, another server, a front end.
const FEWEST: usize = 3;

/// Ways that are named in a line; Rails has sixty.
const NAMED: usize = 8;

/// The variants that the user named, or all.
pub(super) fn asked(budget: &BudgetArgs, candidates: &Candidates) -> Result<Vec<Variant>> {
    let names = &budget.variants;
    let known = |name: &&String| {
        candidates
            .variants
            .iter()
            .any(|variant| variant.name == **name)
    };
    if let Some(name) = names.iter().find(|name| !known(name)) {
        let all = candidates
            .variants
            .iter()
            .map(|variant| variant.name.as_str());
        let hint = format!("choose of {}", all.collect::<Vec<_>>().join(", "));
        let message = format!("no way to serve this app is called `{name}`");
        return Err(Error::new(Exit::Usage, message).hint(hint));
    }
    let wanted = |variant: &&Variant| names.is_empty() || names.contains(&variant.name);
    Ok(candidates.variants.iter().filter(wanted).cloned().collect())
}

/// Keeps as many variants of the plan as fit into the budget, those that are worth it most; what to say of it: which are
/// tried, how long that takes, and what was left out.
pub(super) fn fit(
    budget: &BudgetArgs,
    candidates: &Candidates,
    plan: &mut Plan,
    pace: &AppTimes,
    machine: &Machine,
) -> Vec<String> {
    let whole = plan.clone();
    let slots = experiment::slots(&whole, machine);
    let mut order = vec![&whole.baseline];
    let by_priority = candidates
        .priority
        .iter()
        .filter(|&name| *name != whole.baseline);
    order.extend(by_priority.filter(|&name| whole.variant(name).is_some()));
    let ways: Vec<&Variant> = order
        .iter()
        .filter_map(|name| whole.variant(name))
        .collect();
    let fitting = if budget.all || !budget.variants.is_empty() {
        ways.len()
    } else {
        pace.fitting(&whole, &ways, &slots, budget.budget)
            .max(FEWEST)
    };
    let (taken, left) = order.split_at(fitting.min(order.len()));
    plan.variants
        .retain(|variant| taken.contains(&&variant.name));
    let (trying, every) = (plan.variants.len(), whole.variants.len());
    let blocks = match plan.blocks {
        1 => "once".to_owned(),
        blocks => format!("{blocks} times"),
    };
    let time = units::round_duration;
    let about = time(pace.of_run(plan, &slots));
    if left.is_empty() {
        return vec![format!(
            "trying {trying} ways to serve it, each {blocks}: about {about}"
        )];
    }
    let more = match left.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more (`--variants ?` names them)"),
    };
    let named: Vec<&str> = left.iter().take(NAMED).map(|name| name.as_str()).collect();
    vec![
        format!("trying {trying} of {every} ways to serve it, each {blocks}: about {about}"),
        format!(
            "left out for the budget of {}: {}{more}",
            time(budget.budget),
            named.join(", ")
        ),
        format!(
            "  `--all` tries them too, in about {}; `--variants {},{}` those two alone",
            time(pace.of_run(&whole, &slots)),
            plan.baseline,
            left[0]
        ),
    ]
}

/// Says what cannot be tried, and why.
pub(super) fn tell_missing(candidates: &Candidates) {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, why) in &candidates.left_out {
        match reasons.iter_mut().find(|(known, _)| known == why) {
            Some((_, names)) => names.push(name),
            None => reasons.push((why, vec![name])),
        }
    }
    for (why, names) in reasons {
        note(format!("left out: {}: {why}", names.join(", ")));
    }
    if !candidates.missing.is_empty() {
        let names = candidates.missing.join(", ");
        note(format!(
            "not installed: {names} (`weir doctor` says how to install them)"
        ));
    }
}
