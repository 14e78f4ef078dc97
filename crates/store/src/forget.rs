use rusqlite::TransactionBehavior;

use crate::measuring::is_measured;
use crate::{Store, StoreError};

impl Store {
    /// Removes runs, with their trials and all that is kept of these: all of them, or none. Their numbers are not given again.
    ///
    /// # Errors
    /// There is no such run, it is being measured, or the store cannot be written.
    pub fn forget(&mut self, runs: &[i64]) -> Result<(), StoreError> {
        for run in runs {
            self.require(*run)?;
            self.require_idle(*run)?;
        }
        let path = &self.path;
        let failed = |error: rusqlite::Error| StoreError::from_sqlite(path, &error);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        for run in runs {
            // trials go with it, and what refers to these
            transaction
                .execute("DELETE FROM run WHERE id = ?1", [*run])
                .map_err(failed)?;
        }
        // files are kept once for all trials that have them
        let unused = "DELETE FROM file WHERE sha256 NOT IN (
                          SELECT found.value
                          FROM trial, json_tree(trial.outcome, '$.measured.stack.servers') AS found
                          WHERE found.key = 'sha256')";
        transaction.execute(unused, []).map_err(failed)?;
        transaction.commit().map_err(failed)
    }

    /// Fails when a run is being measured, by this process or another one of this machine.
    ///
    /// # Errors
    /// It is.
    pub fn require_idle(&self, run: i64) -> Result<(), StoreError> {
        let path = self.path.clone();
        (!self.is_measured(run))
            .then_some(())
            .ok_or(StoreError::Measured { run, path })
    }

    /// Whether a run is being measured, by this process or another one of this machine.
    pub fn is_measured(&self, run: i64) -> bool {
        is_measured(self.file, run)
    }
}
