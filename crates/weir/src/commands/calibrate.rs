//! `weir calibrate`: what this machine lets the load engine do.

use experiment::Effort;

use crate::error::{Exit, Result};
use crate::session::{Session, VERSION};

pub(crate) fn run(seconds: f64, session: &Session) -> Result<Exit> {
    let mut store = session.store()?; // before the work: it may not be there to be written
    let mut progress = session.progress();
    let effort = Effort::of_seconds(seconds);
    let (host, stop) = (session.host(), session.interrupted());
    let calibration = experiment::calibrate(effort, VERSION, host, stop, &mut |event| {
        progress.load(&event);
    });
    progress.end();
    let calibration = calibration?;
    store.save_calibration(&calibration)?;
    session.show(&report::load::calibration(&calibration), || {
        report::terminal::calibration(&calibration, session.width())
    })
}
