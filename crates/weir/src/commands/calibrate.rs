//! `weir calibrate`: what this machine lets the load engine do.

use experiment::{Effort, is_disturbed};

use crate::error::{Exit, Result};
use crate::invocation::{Invocation, VERSION};
use crate::output::note;

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
    let disturbed = is_disturbed(&calibration);
    // one of a quiet machine says more
    let kept = !disturbed || store.calibration(host, VERSION)?.is_none();
    if kept {
        store.save_calibration(&calibration)?;
    }
    let shown = invocation.show(&report::load::calibration(&calibration), || {
        report::terminal::calibration(&calibration, kept, invocation.width())
    });
    if disturbed {
        note(format!("other programs disturbed it: {}", what_then(kept)));
    }
    shown
}

/// What became of one that was disturbed, and what to do.
fn what_then(kept: bool) -> &'static str {
    if kept {
        "end them (`weir doctor` says what runs), and calibrate again"
    } else {
        "the former calibration stays; end them (`weir doctor` says what runs), and calibrate again"
    }
}
