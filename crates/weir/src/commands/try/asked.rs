//! What each way to serve an app is put to beside the trials that count: trouble, and what options ask for.

use std::collections::BTreeSet;

use record::{Plan, Stress};
use store::Store;

use super::files_only;
use crate::args::TryArgs;
use crate::error::Result;
use crate::output::note;

/// The trouble of a plan, what options ask for before the usual one, which is left out where time is short. None for requests that
/// may change what the app keeps: nobody can say how many would be sent.
pub(super) fn stress(args: &TryArgs, plan: &Plan) -> Vec<Stress> {
    let writes = plan.app.routes[0].method.writes() || experiment::requests_write(&plan.load);
    if writes || files_only(&plan.app) {
        return Vec::new();
    }
    let usual = !args.stress.no_stress && !args.how.quick;
    let kinds = Stress::ALL.into_iter();
    let can = kinds.filter(|stress| stress.of(&plan.load).is_some());
    let (asked, others): (Vec<Stress>, Vec<Stress>) = can.partition(|of| option(*of).is_some());
    let asked = asked.into_iter().filter(|of| is_asked(args, *of));
    asked.chain(others.into_iter().filter(|_| usual)).collect()
}

/// Says which of the options came to nothing in a run.
///
/// # Errors
/// The run cannot be read.
pub(super) fn tell_left_out(args: &TryArgs, plan: &Plan, run: i64, store: &Store) -> Result<()> {
    let asked = Stress::ALL.into_iter().filter(|of| is_asked(args, *of));
    let asked: Vec<Stress> = asked.collect();
    if asked.is_empty() {
        return Ok(());
    }
    let trials = store.trials(run)?;
    let ways = |stress: Stress| {
        let own = trials
            .iter()
            .filter(|of| plan.stress_in(of.block) == Some(stress));
        let ways: BTreeSet<&String> = own.map(|of| &of.variant).collect();
        ways.len()
    };
    let all = asked.iter().map(|of| ways(*of)).max().unwrap_or(0);
    for stress in asked {
        let is_planned = plan.stress.contains(&stress);
        let why = match ways(stress) {
            0 if is_planned => {
                "there was no time for it: `--budget` gives more, and fewer `--variants` take less"
            }
            0 => {
                "this load cannot have it (an app that a server runs, and requests that change nothing, are the least that it \
                 needs)"
            }
            some if some < all => {
                "there was no time for all ways to serve it: `--budget` gives more"
            }
            _ => continue,
        };
        let option = option(stress).unwrap_or_default();
        note(format!("`{option}`, {}: {why}", stress.words(&plan.load)));
    }
    Ok(())
}

/// The option that asks for it; none for what is usual.
fn option(stress: Stress) -> Option<&'static str> {
    match stress {
        Stress::Profiled => Some("--profile"),
        fault if fault.is_fault() => Some("--faults"),
        _ => None,
    }
}

fn is_asked(args: &TryArgs, stress: Stress) -> bool {
    match stress {
        Stress::Profiled => args.stress.profile,
        fault => fault.is_fault() && args.stress.faults,
    }
}
