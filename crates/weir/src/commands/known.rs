//! A run as its facts are judged today: what is shown, and what reports are made of.

use judge::Judged;
use record::{Calibration, Run, Trial};
use report::JudgedRun;
use store::Store;

use crate::error::Result;

/// A run with all that the store has of it, and what is thought of it today.
pub(crate) struct Known {
    run: Run,
    trials: Vec<Trial>,
    judged: Judged,
    calibration: Option<Calibration>,
}

impl Known {
    /// Reads a run and judges it.
    pub(crate) fn read(run: i64, store: &Store) -> Result<Self> {
        let run = store.run(run)?;
        let mut trials = store.trials(run.id)?;
        let judged = judge::judge(&run, &trials);
        store.add_series(&mut trials)?;
        Ok(Self {
            judged,
            calibration: store.calibration(&run.host, &run.weir)?,
            trials,
            run,
        })
    }

    pub(crate) fn judged(&self) -> JudgedRun<'_> {
        JudgedRun {
            run: &self.run,
            trials: &self.trials,
            judged: &self.judged,
            calibration: self.calibration.as_ref(),
        }
    }
}
