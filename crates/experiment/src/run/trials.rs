//! What a run's trials are taken by, and what it hands back.

use record::{App, Others, Run, Trial};

use crate::error::ExperimentError;
use crate::run::app_times::AppTimes;
use crate::run::lab::{News, Place};
use crate::run::progress::Again;

/// What takes trials: programs under load, or in tests whatever says how they went.
pub(crate) trait Trials {
    /// Takes these of one block: one, or several at the same time, of which some are left out if there is no room.
    fn take(
        &mut self,
        place: &Place,
        run: &Run,
        group: &[Again],
        news: &mut dyn FnMut(&News),
    ) -> Vec<Taken>;

    /// What a start and an answer of this app took, if that was seen.
    fn app_times(&self, app: &App) -> Option<AppTimes>;

    /// What other programs take of the machine, looked at for so many seconds from now on; nothing where that is not
    /// known.
    fn others(&mut self, seconds: f64) -> Option<Others>;
}

/// A trial that was taken. An error is also a fact: it is in the trial's outcome, and beside it as it was.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) trial: Trial,
    pub(crate) error: Option<ExperimentError>,
    /// Seconds that it took of the time of several; absent of one that was taken alone.
    pub(crate) seconds: Option<f64>,
}
