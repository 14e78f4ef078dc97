//! `weir list`: what is in the store.

use report::terminal::ListedRun;

use crate::error::Result;
use crate::exit::Exit;
use crate::invocation::Invocation;
use crate::output::{print, print_json};

/// Runs of which all trials are looked at for the fastest way: there may be thousands.
const JUDGED: usize = 10;

pub(crate) fn run(invocation: &Invocation) -> Result<Exit> {
    let store = invocation.store_to_read()?;
    let runs = store.runs()?;
    if invocation.json() {
        print_json(&runs)?;
        return Ok(Exit::Done);
    }
    let rows = runs.iter().enumerate().map(|(place, summary)| {
        let run = store.run(summary.id)?;
        let fastest = if place < JUDGED {
            let trials = store.trials(run.id)?;
            report::words::leaders(&judge::judge(&run, &trials))
        } else {
            None
        };
        let trials = u64::from(summary.done);
        Ok(ListedRun {
            run,
            trials,
            fastest,
        })
    });
    let rows: Vec<_> = rows.collect::<Result<_>>()?;
    print(&report::terminal::runs(&rows, invocation.width()))?;
    Ok(Exit::Done)
}
