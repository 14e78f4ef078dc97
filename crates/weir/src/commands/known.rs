//! A run as its facts are judged today: what is shown, and what reports are made of.

use judge::Judged;
use record::{Calibration, Run, Trial};
use report::JudgedRun;
use report::load::Extras;
use store::Store;

use crate::error::Result;

/// A run with all that the store has of it, and what is thought of it today.
pub(crate) struct Known {
    run: Run,
    trials: Vec<Trial>,
    judged: Judged,
    calibration: Option<Calibration>,
    extras: Extras,
}

impl Known {
    /// Reads a run and judges it.
    pub(crate) fn read(run: i64, store: &Store) -> Result<Self> {
        let run = store.run(run)?;
        let mut trials = store.trials(run.id)?;
        store.add_series(&mut trials)?;
        store.add_stacks(&mut trials)?;
        let calibration = store.calibration(&run.host, &run.weir)?;
        Ok(Self::of(run, trials, calibration, Extras::default()))
    }

    /// A run of this invocation, with what it knows beside.
    pub(crate) fn of(
        run: Run,
        trials: Vec<Trial>,
        calibration: Option<Calibration>,
        extras: Extras,
    ) -> Self {
        Self {
            judged: judge::judge(&run, &trials),
            run,
            trials,
            calibration,
            extras,
        }
    }

    pub(crate) fn judged(&self) -> JudgedRun<'_> {
        JudgedRun {
            run: &self.run,
            trials: &self.trials,
            judged: &self.judged,
            calibration: self.calibration.as_ref(),
            extras: &self.extras,
        }
    }
}
