//! What the store has already of a plan of `weir claims`.

use experiment::enough;
use record::{Host, Plan, Run, RunStatus};
use store::{Store, Summary};

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

/// The newest run of a plan of this name that came to its end: of those with blocks enough for intervals, if there are such. One
/// before that, which another weir may have stored, need not be readable.
fn newest(plan: &Plan, store: &Store) -> Result<Take> {
    let mut short = None;
    for summary in store.runs()?.iter().filter(|of| of.name == plan.name) {
        let Some(run) = ended(store, summary)? else {
            continue;
        };
        if is_enough(plan, &run) {
            return Ok(Take::Done(run.id));
        }
        short = short.or(Some(run.id));
    }
    Ok(short.map_or(Take::Fresh, Take::Done))
}

/// A run that came to its end; `None` of another one, and of one of some of its variants.
pub(super) fn ended(store: &Store, summary: &Summary) -> Result<Option<Run>> {
    if summary.status != RunStatus::Finished {
        return Ok(None);
    }
    let run = store.run(summary.id)?;
    Ok(run.plan.not_tried.is_empty().then_some(run))
}

/// The newest of these runs: of those with blocks enough for the intervals of a plan, if there are such, as a short look
/// takes no verdict away.
pub(super) fn newest_of<'a>(
    plan: &Plan,
    mut runs: impl Iterator<Item = &'a Run> + Clone,
) -> Option<&'a Run> {
    let long = runs.clone().find(|run| is_enough(plan, run));
    long.or_else(|| runs.next())
}

fn is_enough(plan: &Plan, run: &Run) -> bool {
    run.cut.map_or(run.plan.blocks, |cut| cut.blocks) >= enough(plan)
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
