//! `weir list`: what is in the store.

use crate::commands::print_json;
use crate::error::Result;
use crate::exit::Exit;
use crate::session::{Session, width};

pub(crate) fn run(session: &Session) -> Result<Exit> {
    let runs = session.store()?.runs()?;
    if session.json() {
        print_json(&runs)?;
    } else if runs.is_empty() {
        println!("no runs yet; `weir try module:callable` in your app's folder makes the first");
    } else {
        anstream::print!("{}", report::terminal::runs(&runs, width()));
    }
    Ok(Exit::Done)
}
