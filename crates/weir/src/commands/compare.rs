//! `weir compare`: two runs, or two stages, side by side.

use crate::args::Side;
use crate::error::Result;
use crate::exit::Exit;
use crate::output::{note, print, print_json};
use crate::session::{Session, named};

pub(crate) fn run(of: &Side, over: &Side, session: &Session) -> Result<Exit> {
    let store = session.store_to_read()?;
    let read = |side: &Side| -> Result<_> {
        let run = named(&store, side.run)?;
        let trials = store.trials(run.id)?;
        Ok((run, trials))
    };
    let (of_run, of_trials) = read(of)?;
    let (over_run, over_trials) = read(over)?;
    let comparisons = judge::compare(
        (&of_run, &of_trials, of.stage.as_deref()),
        (&over_run, &over_trials, over.stage.as_deref()),
    )?;
    for difference in judge::differences(&of_run, &over_run) {
        note(format!("note: {difference}; read the ratios with care"));
    }
    if session.json() {
        print_json(&comparisons)?;
    } else {
        print(&report::terminal::compare(&comparisons, session.width()))?;
    }
    Ok(Exit::Done)
}
