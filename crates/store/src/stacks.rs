//! The stacks of profiles lie in a table of their own, as series do: judging a run reads none of them.

use record::{Outcome, Stacks, Trial};
use rusqlite::{Connection, params};

use crate::read::json as from_json;
use crate::write::{json, turn};
use crate::{Store, StoreError};

/// Takes the stacks out of an outcome, as a JSON text.
pub(crate) fn take(outcome: &mut Outcome, what: &str) -> Result<Option<String>, StoreError> {
    let stacks = match outcome {
        Outcome::Measured(measured) => std::mem::take(&mut measured.observed.stacks),
        Outcome::Failed(_) => Stacks::default(),
    };
    let some = Some(&stacks).filter(|stacks| !stacks.is_empty());
    some.map(|stacks| json(what, stacks)).transpose()
}

/// Writes the stacks of this trial.
pub(crate) fn insert(
    connection: &Connection,
    trial: i64,
    stacks: Option<&str>,
) -> rusqlite::Result<()> {
    let Some(stacks) = stacks else { return Ok(()) };
    let insert = "INSERT INTO stacks (trial, stacks) VALUES (?1, ?2)";
    connection.execute(insert, params![trial, stacks])?;
    Ok(())
}

impl Store {
    /// The stacks of a trial's profile; empty without one. [`Store::trials`] reads trials without it.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn stacks(&self, trial: &Trial) -> Result<Stacks, StoreError> {
        let of = "SELECT stacks FROM stacks JOIN trial ON trial.id = stacks.trial
                  WHERE run = ?1 AND block = ?2 AND variant = ?3 AND turn = ?4 AND attempt = ?5";
        let key = params![
            trial.run,
            trial.block,
            trial.variant,
            turn(trial),
            trial.attempt
        ];
        let what = format!("stacks of run {}", trial.run);
        let found: Vec<Stacks> = self.all(of, key, &what, |row| from_json(row, 0))?;
        Ok(found.into_iter().next().unwrap_or_default())
    }

    /// Puts the stacks into trials that were read from this store.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn add_stacks(&self, trials: &mut [Trial]) -> Result<(), StoreError> {
        for trial in trials {
            let stacks = self.stacks(trial)?;
            if let Outcome::Measured(measured) = &mut trial.outcome {
                measured.observed.stacks = stacks;
            }
        }
        Ok(())
    }
}
