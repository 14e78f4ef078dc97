//! What each way to serve an app is put to beside the trials that count: trouble, and what options ask for.

use std::collections::BTreeSet;

use record::{Plan, Stress};

use super::files_only;
use crate::args::TryArgs;

/// The trouble of a plan, what options ask for before the usual one, which is left out where time is short. None for requests that
/// may change what the app keeps: nobody can say how many would be sent.
pub(super) fn stress(args: &TryArgs, plan: &Plan) -> Vec<Stress> {
    let writes = plan.app.routes[0].method.writes() || experiment::requests_write(&plan.load);
    if writes || files_only(&plan.app) {
        return Vec::new();
    }
    let usual = !args.stress.no_stress && !args.how.quick;
    let kinds = Stress::ALL.into_iter();
    let can = kinds.filter(|of| of.of(&plan.load).is_some());
    let wanted = can.filter(|of| option(args, *of).map_or(usual, |(_, is_given)| is_given));
    let mut wanted: Vec<Stress> = wanted.collect();
    wanted.sort_by_key(|of| option(args, *of).is_none()); // stable
    wanted
}

/// What is said of options that ask for what this plan cannot have.
pub(super) fn in_vain(args: &TryArgs, plan: &Plan) -> Option<String> {
    let left = Stress::ALL
        .into_iter()
        .filter(|of| !plan.stress.contains(of));
    let given = left
        .filter_map(|of| option(args, of))
        .filter(|(_, is_given)| *is_given);
    let given: BTreeSet<String> = given.map(|(name, _)| format!("`{name}`")).collect();
    let given: Vec<String> = given.into_iter().collect();
    (!given.is_empty()).then(|| {
        format!(
            "{} came to nothing: it takes an app that a server runs, and requests that change nothing",
            record::joined(&given, "and")
        )
    })
}

/// The option that asks for it, and whether it is given; none for what is usual.
fn option(args: &TryArgs, stress: Stress) -> Option<(&'static str, bool)> {
    match stress {
        Stress::Profiled => Some(("--profile", args.stress.profile)),
        fault if fault.is_fault() => Some(("--faults", args.stress.faults)),
        _ => None,
    }
}
