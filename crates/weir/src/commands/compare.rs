//! `weir compare`: two runs, or two variants, side by side.

use record::Run;
use report::load::Against;
use store::Store;

use super::bench::kept_load;
use crate::args::Side;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::invocation::{Invocation, named};
use crate::output::{note, print, print_json};

pub(crate) fn run(of: &Side, over: &Side, invocation: &Invocation) -> Result<Exit> {
    let store = invocation.store_to_read()?;
    let read = |side: &Side| -> Result<_> {
        let run = named(&store, side.run)?;
        let trials = store.trials(run.id)?;
        Ok((run, trials))
    };
    let (of_run, of_trials) = read(of)?;
    let (over_run, over_trials) = read(over)?;
    if of_run.plan.one_load().is_some() && over_run.plan.one_load().is_some() {
        return one_load_each(&of_run, &over_run, &store, invocation);
    }
    let comparisons = judge::compare(
        (&of_run, &of_trials, of.variant.as_deref()),
        (&over_run, &over_trials, over.variant.as_deref()),
    )?;
    for difference in judge::differences(&of_run, &over_run) {
        note(format!("note: {difference}; read the ratios with care"));
    }
    if invocation.json() {
        print_json(&comparisons)?;
    } else {
        print(&report::terminal::compare(&comparisons, invocation.width()))?;
    }
    Ok(Exit::Done)
}

/// Two loads of `weir bench`: what can be said of them without blocks.
fn one_load_each(of: &Run, over: &Run, store: &Store, invocation: &Invocation) -> Result<Exit> {
    let loads = (kept_load(of, store)?, kept_load(over, store)?);
    let (Some(load), Some(earlier)) = loads else {
        let message = "one of the two runs has no figures: its load failed";
        return Err(Error::new(Exit::Invalid, message).hint("`weir list` shows others".to_owned()));
    };
    let against = Against {
        run: over.id,
        started: over.started,
        figures: judge::against(&load, &earlier),
        differences: judge::differences(of, over),
    };
    if invocation.json() {
        print_json(&against)?;
    } else {
        print(&report::terminal::against(&against, invocation.width()))?;
    }
    Ok(Exit::Done)
}
