//! `weir calibrate`: what this machine lets the load engine do.

use experiment::Effort;

use crate::error::{Exit, Result};
use crate::invocation::{Invocation, VERSION};

pub(crate) fn run(seconds: f64, invocation: &Invocation) -> Result<Exit> {
    let mut store = invocation.store()?; // before the work: it may not be there to be written
    let mut progress = invocation.progress();
    let effort = Effort::of_seconds(seconds);
    let (host, stop) = (invocation.host(), invocation.interrupted());
    let calibration = experiment::calibrate(effort, VERSION, host, stop, &mut |event| {
        progress.load(&event);
    });
    progress.end();
    let calibration = calibration?;
    store.save_calibration(&calibration)?;
    invocation.show(&report::load::calibration(&calibration), || {
        report::terminal::calibration(&calibration, invocation.width())
    })
}
