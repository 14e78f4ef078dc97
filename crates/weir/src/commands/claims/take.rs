//! What the store has already of a plan of `weir claims`.

use experiment::enough;
use record::{Host, Plan, RunStatus};
use store::Store;

use crate::args::ClaimsArgs;
use crate::error::Result;
use crate::invocation::VERSION;

/// How long a finished run counts as one of a whole that was cut short, in seconds: a day, and of long plans a week, as these are
/// spread over several evenings.
const FRESH: f64 = 86_400.0;
const FRESH_LONG: f64 = 7.0 * FRESH;

/// What is there already of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Take {
    /// A run that came to its end.
    Done(i64),
    /// A run that did not.
    GoOn {
        /// Its number.
        run: i64,
        /// Trials that it has.
        done: u32,
    },
    /// Nothing.
    Fresh,
}

impl Take {
    /// What is there of this plan, as far as the command line asks for what is there.
    pub(super) fn of(plan: &Plan, args: &ClaimsArgs, store: &Store, host: &Host) -> Result<Self> {
        if args.which.stored {
            newest(plan, store)
        } else if args.which.resume {
            begun(plan, args, store, host)
        } else {
            Ok(Self::Fresh)
        }
    }

    /// The number of the run that is there.
    pub(super) fn run(self) -> Option<i64> {
        match self {
            Self::Done(run) | Self::GoOn { run, .. } => Some(run),
            Self::Fresh => None,
        }
    }
}

/// The newest run of a plan of this name that came to its end: of those with blocks enough for intervals, if
/// there are such, as a short look takes no verdict away. One of some of its variants is none.
pub(super) fn newest(plan: &Plan, store: &Store) -> Result<Take> {
    let mut short = Take::Fresh;
    for summary in store.runs()? {
        if summary.name != plan.name || summary.status != RunStatus::Finished {
            continue;
        }
        let run = store.run(summary.id)?;
        if !run.plan.not_tried.is_empty() {
            continue;
        }
        let blocks = run.cut.map_or(run.plan.blocks, |cut| cut.blocks);
        if blocks >= enough(plan) {
            return Ok(Take::Done(run.id));
        }
        if short == Take::Fresh {
            short = Take::Done(run.id);
        }
    }
    Ok(short)
}

/// The newest run of this very plan, by this weir on this machine, if it can be gone on with or has just ended.
/// With a budget its blocks and levels do not matter; else it has to have as many as the plan.
fn begun(plan: &Plan, args: &ClaimsArgs, store: &Store, host: &Host) -> Result<Take> {
    let limited = args.extent.seconds().is_some();
    let fresh = if args.long { FRESH_LONG } else { FRESH };
    let runs = store.runs()?.into_iter();
    for summary in runs.filter(|run| run.name == plan.name) {
        let run = store.run(summary.id)?;
        let fewer = experiment::levels_of(plan, &run.plan).filter(|_| limited);
        let plan = fewer.as_ref().map_or(plan, |fewer| &fewer.plan);
        let same = run.weir == VERSION && run.host == *host && experiment::same(&run.plan, plan);
        if !same || (!limited && run.plan.blocks < plan.blocks) {
            continue;
        }
        let age = record::now().duration_since(run.started).as_secs_f64();
        return Ok(match run.status {
            RunStatus::Finished if age > fresh => Take::Fresh,
            RunStatus::Finished if limited || run.cut.is_none() => Take::Done(run.id),
            _ => Take::GoOn {
                run: run.id,
                done: summary.done,
            },
        });
    }
    Ok(Take::Fresh)
}
