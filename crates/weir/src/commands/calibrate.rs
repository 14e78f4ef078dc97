//! `weir calibrate`: what this machine lets the load engine do.

use experiment::Effort;

use crate::args::CalibrateArgs;
use crate::error::Result;
use crate::exit::Exit;
use crate::output::{print, print_json};
use crate::session::{Session, VERSION};

pub(crate) fn run(args: &CalibrateArgs, session: &Session) -> Result<Exit> {
    let mut store = session.store()?; // before the work: it may not be there to be written
    let mut progress = session.progress();
    let effort = Effort::of_seconds(args.duration);
    let (host, stop) = (session.host(), session.interrupted());
    let calibration = experiment::calibrate(effort, VERSION, host, stop, &mut |event| {
        progress.load(&event);
    });
    progress.end();
    let calibration = calibration?;
    store.save_calibration(&calibration)?;
    if session.json() {
        print_json(&report::load::calibration(&calibration))?;
    } else {
        print(&report::terminal::calibration(
            &calibration,
            session.width(),
        ))?;
    }
    Ok(Exit::Done)
}
