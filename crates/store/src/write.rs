use record::{Cut, Host, Plan, Run, RunStatus, Trial};
use rusqlite::{ErrorCode, Params, Transaction, TransactionBehavior, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::measuring::Measuring;
use crate::{Store, StoreError, files, series, stacks};

impl Store {
    /// Writes down that a run begins, and gives it its number.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn begin_run(&mut self, plan: &Plan, host: &Host, weir: &str) -> Result<Run, StoreError> {
        let mut run = Run {
            id: 0,
            started: record::now(),
            plan: plan.clone(),
            host: host.clone(),
            weir: weir.to_owned(),
            status: RunStatus::Begun,
            cut: None,
        };
        let values = params![
            run.plan.name,
            run.started.to_string(),
            status_name(run.status),
            u32::try_from(plan.trials()).unwrap_or(u32::MAX),
            run.weir,
            json("the host", &run.host)?,
            json("the plan", &run.plan)?,
        ];
        self.connection
            .execute(
                "INSERT INTO run (name, started, status, planned, weir, host, plan)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                values,
            )
            .map_err(|error| self.error(&error))?;
        run.id = self.connection.last_insert_rowid();
        self.measuring = Measuring::begin(self.file, run.id);
        Ok(run)
    }

    /// Writes a trial down; it is safe on the disk when this returns.
    ///
    /// # Errors
    /// The run has such a trial already (same block, variant, `again`, `group` and `attempt`), there is no such run, or
    /// the store cannot be written. Nothing of the trial is kept then, and nothing else is lost.
    pub fn save(&mut self, trial: &Trial) -> Result<(), StoreError> {
        self.require(trial.run)?;
        let what = format!("a trial of `{}`", trial.variant);
        let mut outcome = trial.outcome.clone();
        let samples = series::take(&mut outcome, &what)?;
        let stacks = stacks::take(&mut outcome, &what)?;
        let path = &self.path;
        let failed = |error| match error {
            error if is_taken(&error) => already_saved(trial),
            error => StoreError::from_sqlite(path, &error).during(trial.run),
        };
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        files::put_away(&transaction, &mut outcome).map_err(failed)?;
        let outcome = json(&what, &outcome)?;
        insert(transaction, trial, &outcome, (&samples, stacks.as_deref())).map_err(failed)
    }

    /// Takes a run up again: trials whose last attempt failed lose it, so that they can be tried once more.
    /// Attempts that another followed stay.
    ///
    /// # Errors
    /// There is no such run, or the store cannot be written.
    pub fn resume(&mut self, run: i64) -> Result<(), StoreError> {
        self.finish(run, RunStatus::Begun)?;
        self.measuring = Measuring::begin(self.file, run);
        self.note_cut(run, None)?;
        let failed = "DELETE FROM trial WHERE run = ?1 AND outcome ->> '$.failed' IS NOT NULL
                      AND NOT EXISTS (SELECT 1 FROM trial AS later
                                      WHERE later.run = trial.run AND later.block = trial.block
                                        AND later.variant = trial.variant AND later.turn = trial.turn
                                        AND later.attempt > trial.attempt)";
        self.change(run, failed, params![run])
    }

    /// Notes what a run left out to keep to its time; nothing, when it is taken up again.
    ///
    /// # Errors
    /// There is no such run, or the store cannot be written.
    pub fn note_cut(&mut self, run: i64, cut: Option<&Cut>) -> Result<(), StoreError> {
        self.require(run)?;
        let cut = cut.map(|cut| json("what a run left out", cut));
        let new = params![run, cut.transpose()?];
        self.change(run, "UPDATE run SET cut = ?2 WHERE id = ?1", new)
    }

    /// Writes down that a run goes on with another plan: one that has more variants than it was begun
    /// with, or rates that were not known then.
    ///
    /// # Errors
    /// There is no such run, or the store cannot be written.
    pub fn replan(&mut self, run: i64, plan: &Plan) -> Result<(), StoreError> {
        self.require(run)?;
        let planned = u32::try_from(plan.trials()).unwrap_or(u32::MAX);
        let new = params![run, json("the plan", plan)?, planned];
        self.change(
            run,
            "UPDATE run SET plan = ?2, planned = ?3 WHERE id = ?1",
            new,
        )
    }

    /// Notes how far a run came.
    ///
    /// # Errors
    /// There is no such run, or the store cannot be written.
    pub fn finish(&mut self, run: i64, status: RunStatus) -> Result<(), StoreError> {
        self.require(run)?;
        drop(self.measuring.take());
        let new = params![run, status_name(status)];
        self.change(run, "UPDATE run SET status = ?2 WHERE id = ?1", new)
    }

    /// Changes what is written of a run.
    fn change(&self, run: i64, how: &str, values: impl Params) -> Result<(), StoreError> {
        let changed = self.connection.execute(how, values).map(|_| ());
        changed.map_err(|error| self.error(&error).during(run))
    }
}

fn insert(
    transaction: Transaction,
    trial: &Trial,
    outcome: &str,
    (samples, stacks): (&[String], Option<&str>),
) -> rusqlite::Result<()> {
    transaction.execute(
        "INSERT INTO trial (run, block, position, variant, turn, attempt, started, outcome)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            trial.run,
            trial.block,
            trial.position,
            trial.variant,
            turn(trial),
            trial.attempt,
            trial.started.to_string(),
            outcome,
        ],
    )?;
    let number = transaction.last_insert_rowid();
    stacks::insert(&transaction, number, stacks)?;
    series::insert(&transaction, number, samples)?;
    transaction.commit()
}

/// Which of its variant's trials of a block one is: see `schema/008-groups.sql`.
pub(crate) fn turn(trial: &Trial) -> u32 {
    2 * trial.group + u32::from(trial.again)
}

/// Whether its place is another one's.
fn is_taken(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation)
}

fn already_saved(trial: &Trial) -> StoreError {
    StoreError::AlreadySaved {
        run: trial.run,
        block: trial.block,
        variant: trial.variant.clone(),
    }
}

pub(crate) fn status_name(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Begun => "begun",
        RunStatus::Finished => "finished",
        RunStatus::Stopped => "stopped",
    }
}

/// Facts as JSON that is known to read back: one `NaN` would make a whole run unreadable later.
pub(crate) fn json<T: Serialize + DeserializeOwned>(
    what: &str,
    facts: &T,
) -> Result<String, StoreError> {
    let unreadable = |error: serde_json::Error| StoreError::Unreadable {
        what: what.to_owned(),
        reason: error.to_string(),
    };
    let text = serde_json::to_string(facts).map_err(unreadable)?;
    serde_json::from_str::<T>(&text).map_err(unreadable)?;
    Ok(text)
}
