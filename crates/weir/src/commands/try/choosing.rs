//! Which of the ways to serve an app are tried, and how long that takes.

use std::path::Path;
use std::time::Duration;

use experiment::{Allowance, AppTimes, Candidates};
use record::{NotTried, Plan, Stress, Variant};
use report::units;
use report::words::counted;
use stack::{Catalogue, Machine};

use crate::args::{BudgetArgs, TryArgs};
use crate::error::{Error, Exit, Result};

/// Fewer make no choice: the way of today, another server, a front end.
const FEWEST: usize = 3;

/// Blocks for which there is time where so many ways are tried as fit the budget. Most runs are decided after fewer.
pub(super) const BLOCKS: u32 = 6;

/// Blocks that a run may have where the budget is smaller than that, so that the fewest ways fit, and where it is larger.
const LEAST: u32 = judge::PAIRS as u32;
const MOST: u32 = 12;

/// Share of a run from which on its stress is worth a word.
const MUCH: f64 = 0.2;

/// How far a run may go beyond its budget, so that a slow trial at its end does not take the verdicts away.
const BEYOND: f64 = 1.1;

/// The variants that the user named, or all.
pub(super) fn asked(
    args: &TryArgs,
    candidates: &Candidates,
    catalogue: &Catalogue,
) -> Result<Vec<Variant>> {
    let names = &args.budget.variants;
    let known = |name: &&String| {
        candidates
            .variants
            .iter()
            .any(|variant| variant.name == **name)
    };
    let unknown = names.iter().filter(|name| !known(name));
    let wrong = unknown.map(|name| unknown_way(name, args.folder(), candidates, catalogue));
    if let Some(error) = wrong.reduce(Error::and) {
        return Err(error);
    }
    let wanted = |variant: &&Variant| names.is_empty() || names.contains(&variant.name);
    Ok(candidates.variants.iter().filter(wanted).cloned().collect())
}

/// Why a name is no way to serve the app here, and what is.
fn unknown_way(name: &str, folder: &Path, candidates: &Candidates, catalogue: &Catalogue) -> Error {
    let made_of = experiment::made_of(&[name.to_owned()], catalogue).unwrap_or_default();
    let missing = made_of
        .iter()
        .find(|&entry| candidates.missing.iter().any(|of| of == entry));
    if let Some(entry) = missing {
        let message = format!("`{name}` needs `{entry}`, which is not installed");
        let hint = format!(
            "`weir doctor {}` prints the command that installs it",
            folder.display()
        );
        return Error::new(Exit::Missing, message).hint(hint);
    }
    let left_out = candidates.left_out.iter().find(|(of, _)| of == name);
    let unfit = made_of
        .iter()
        .find(|&entry| !candidates.installed.iter().any(|of| of == entry));
    let all = candidates.variants.iter().map(|of| of.name.as_str());
    let choose = || format!("choose of {}", all.clone().collect::<Vec<_>>().join(", "));
    let (message, hint) = match (left_out, unfit) {
        (Some((_, why)), _) => (format!("`{name}` cannot serve this app: {why}"), choose()),
        (None, Some(entry)) => (
            format!("`{name}` cannot serve this app: `{entry}` is not for apps of its kind"),
            choose(),
        ),
        (None, None) => (
            format!("no way to serve this app is called `{name}`"),
            record::meant(name, all.clone(), choose),
        ),
    };
    Error::new(Exit::Usage, message).hint(hint)
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

/// What is said where the run needs more than it is given, before it begins. How long all of it takes nobody knows: one
/// variant was looked at, and others may hold connections back or answer more slowly.
fn beyond(budget: &BudgetArgs, seconds: f64, looked_at: &str) -> Option<String> {
    let needed = (seconds * BEYOND / 10.0).ceil() * 10.0;
    let limit = budget.limit().filter(|limit| seconds > *limit)?;
    let limit = units::round_duration(limit);
    Some(format!(
        "  that is more than the budget of {limit}: blocks that do not fit are left out; all of it needs about \
         `--budget {needed:.0}s` if every server answers as `{looked_at}` did"
    ))
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
) -> Vec<String> {
    let budget = &args.budget;
    let whole = plan.clone();
    let slots = experiment::slots(&whole, machine);
    let mut order = vec![&whole.baseline];
    let by_priority = candidates
        .priority
        .iter()
        .filter(|&name| *name != whole.baseline);
    order.extend(by_priority.filter(|&name| whole.variant(name).is_some()));
    let by_worth = order.into_iter().filter_map(|name| whole.variant(name));
    let ways = experiment::design(&by_worth.collect::<Vec<_>>(), &whole.app, machine);
    let order: Vec<&String> = ways.iter().map(|variant| &variant.name).collect();
    let ways: Vec<&Variant> = ways.iter().collect();
    let rest = budget.limit().map(|limit| limit - spent.as_secs_f64());
    let fitting = match rest.filter(|_| !budget.is_chosen()) {
        Some(rest) => pace.fitting(&whole, &ways, &slots, rest).max(FEWEST),
        None => ways.len(),
    };
    let (taken, left) = taken(&whole, &order, fitting);
    plan.variants
        .retain(|variant| taken.contains(&&variant.name));
    for variant in &mut plan.variants {
        let designed = ways.iter().find(|of| of.name == variant.name);
        variant.change = designed.and_then(|of| of.change.clone());
    }
    let (trying, every) = (plan.variants.len(), whole.variants.len());
    let is_ours = args.how.blocks.is_none() && plan.looks().is_some();
    if let Some(rest) = rest.filter(|_| is_ours) {
        plan.blocks = pace.blocks_in(plan, &slots, rest).clamp(LEAST, MOST);
    }
    let (blocks, number) = (times(plan), counted(trying as u64, "way"));
    let seconds = spent.as_secs_f64() + pace.of_run(plan, &slots);
    let at_most = plan.looks().map_or("", |_| " at most");
    let stress = under_stress(plan, seconds, |plan| pace.of_run(plan, &slots));
    let about = format!("about {}{at_most}{stress}", units::round_duration(seconds));
    let beyond = beyond(budget, seconds, pace.variant());
    if left.is_empty() {
        let told = format!("trying {number} to serve it, each {blocks}: {about}");
        return [Some(told), beyond].into_iter().flatten().collect();
    }
    let left = no_time(&left, budget, &plan.baseline, pace.of_run(&whole, &slots));
    let told = [
        format!("trying {trying} of {every} ways to serve it, each {blocks}: {about}"),
        told(&left),
    ];
    plan.not_tried.insert(0, left);
    told.into_iter().chain(beyond).collect()
}

/// `, 50 s of it under stress (…)`, of a run of so many seconds; nothing where that is little.
fn under_stress(plan: &Plan, seconds: f64, of_run: impl Fn(&Plan) -> f64) -> String {
    let mut calm = plan.clone();
    // what is asked for by an option of its own stays
    let asked = |of: &Stress| matches!(of, Stress::KilledWorker | Stress::Profiled);
    calm.stress.retain(asked);
    let stress = of_run(plan) - of_run(&calm);
    if stress < MUCH * seconds {
        return String::new();
    }
    let stress = units::round_duration(stress);
    format!(", {stress} of it under stress (`--no-stress` leaves that out)")
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

/// The variants of which something is required.
pub(super) fn required(plan: &Plan) -> Vec<String> {
    let conditions = plan.claims.iter().flat_map(|claim| &claim.expect);
    let means = conditions.filter_map(|condition| condition.means.as_ref().ok());
    means.flat_map(|means| means.variants(plan)).collect()
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

/// What could serve the app and is not tried, whatever the budget: by reason, and what is not installed.
pub(super) fn not_tried(candidates: &Candidates, installs: bool) -> Vec<NotTried> {
    let mut all: Vec<NotTried> = Vec::new();
    for (name, why) in &candidates.left_out {
        match all.iter_mut().find(|of| of.why == *why) {
            Some(of) => of.names.push(name.clone()),
            None => all.push(NotTried {
                names: vec![name.clone()],
                why: why.clone(),
                how: None,
            }),
        }
    }
    if !candidates.missing.is_empty() {
        let brings = "`--install` brings what suits it best, `weir doctor APP` prints the commands";
        let prints = "`weir doctor APP` prints the commands";
        all.push(NotTried {
            names: candidates.missing.clone(),
            why: "not installed".to_owned(),
            how: Some(if installs { brings } else { prints }.to_owned()),
        });
    }
    all
}

/// The same for people, in a line.
pub(super) fn told(of: &NotTried) -> String {
    let how = of.how.as_ref().map(|how| format!("\n  {how}"));
    format!(
        "not tried: {}: {}{}",
        of.listed(),
        of.why,
        how.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stress_that_takes_much_of_the_time_is_said_with_what_leaves_it_out() {
        let plan = Plan {
            stress: vec![Stress::SlowClients, Stress::Profiled],
            ..Plan::default()
        };
        let of_run = |of: &Plan| 60.0 + 20.0 * of.stress.len() as f64;
        let told = |all| under_stress(&plan, all, of_run);
        assert_eq!(
            told(90.0),
            ", 20 s of it under stress (`--no-stress` leaves that out)"
        );
        assert_eq!(told(110.0), "");
    }
}
