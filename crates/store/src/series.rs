//! Samples over time lie in a table of their own: judging a run reads none of them.

use record::{Outcome, Series, Trial};
use rusqlite::{Connection, params};

use crate::read::json as from_json;
use crate::write::{json, turn};
use crate::{Store, StoreError};

/// Takes the series out of an outcome, as JSON texts.
pub(crate) fn take(outcome: &mut Outcome, what: &str) -> Result<Vec<String>, StoreError> {
    let series = match outcome {
        Outcome::Measured(measured) => std::mem::take(&mut measured.observed.series),
        Outcome::Failed(_) => Vec::new(),
    };
    series.iter().map(|series| json(what, series)).collect()
}

/// Writes series of this trial.
pub(crate) fn insert(
    connection: &Connection,
    trial: i64,
    series: &[String],
) -> rusqlite::Result<()> {
    let mut insert =
        connection.prepare_cached("INSERT INTO series (trial, figures) VALUES (?1, ?2)")?;
    series.iter().try_for_each(|figures| {
        insert.execute(params![trial, figures])?;
        Ok(())
    })
}

impl Store {
    /// What probes sampled over a trial's window, in the order in which it was written. [`Store::trials`] reads
    /// trials without it.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn series(&self, trial: &Trial) -> Result<Vec<Series>, StoreError> {
        let of = "SELECT figures FROM series JOIN trial ON trial.id = series.trial
                  WHERE run = ?1 AND block = ?2 AND variant = ?3 AND turn = ?4 AND attempt = ?5
                  ORDER BY series.id";
        let key = params![
            trial.run,
            trial.block,
            trial.variant,
            turn(trial),
            trial.attempt
        ];
        let what = format!("series of run {}", trial.run);
        self.all(of, key, &what, |row| from_json(row, 0))
    }

    /// Puts the series into trials that were read from this store.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn add_series(&self, trials: &mut [Trial]) -> Result<(), StoreError> {
        for trial in trials {
            let series = self.series(trial)?;
            if let Outcome::Measured(measured) = &mut trial.outcome {
                measured.observed.series = series;
            }
        }
        Ok(())
    }
}
