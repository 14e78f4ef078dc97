//! `weir list`: what is in the store.

use crate::error::Result;
use crate::exit::Exit;
use crate::output::{print, print_json};
use crate::session::{Session, width};

pub(crate) fn run(session: &Session) -> Result<Exit> {
    let store = session.store()?;
    let runs = store.runs()?;
    if session.json() {
        print_json(&runs)?;
    } else {
        let rows = runs
            .iter()
            .map(|summary| Ok((store.run(summary.id)?, u64::from(summary.done))));
        let rows: Vec<_> = rows.collect::<Result<_>>()?;
        print(&report::terminal::runs(&rows, width()))?;
    }
    Ok(Exit::Done)
}
