use jiff::Timestamp;
use record::{Run, RunStatus, Trial};
use rusqlite::{OptionalExtension as _, Params, Row, types::Type, types::ValueRef};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::write::status_name;
use crate::{Store, StoreError, files};

/// One line of `weir list`.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Summary {
    /// The run's number.
    pub id: i64,
    /// The plan's name.
    pub name: String,
    /// When it began.
    pub started: Timestamp,
    /// How far it came.
    pub status: RunStatus,
    /// Trials in the store, failed ones included; one that was taken again counts once.
    pub done: u32,
    /// Trials that the plan asks for.
    pub planned: u32,
}

/// When a trial began, and of what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Its block, from 0.
    pub block: u32,
    /// The variant's name.
    pub variant: String,
    /// The moment.
    pub started: Timestamp,
    /// Whether it came to no facts.
    pub failed: bool,
}

impl Store {
    /// The run of this number.
    ///
    /// # Errors
    /// There is no such run, or the store cannot be read.
    pub fn run(&self, id: i64) -> Result<Run, StoreError> {
        self.connection
            .prepare_cached(
                "SELECT id, started, status, weir, host, plan, cut FROM run WHERE id = ?1",
            )
            .and_then(|mut query| query.query_row([id], run).optional())
            .map_err(|error| self.unreadable(&error, &format!("run {id}")))?
            .ok_or_else(|| self.no_such_run(id))
    }

    /// The run that began last.
    ///
    /// # Errors
    /// There is no run at all, or the store cannot be read.
    pub fn latest(&self) -> Result<Run, StoreError> {
        match self.latest_id()? {
            Some(id) => self.run(id),
            None => Err(StoreError::Empty(self.path.clone())),
        }
    }

    /// All runs, the latest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn runs(&self) -> Result<Vec<Summary>, StoreError> {
        let all = "SELECT run.id, name, run.started, status, planned, count(trial.id)
                   FROM run LEFT JOIN trial ON trial.run = run.id AND trial.attempt = 0
                   GROUP BY run.id ORDER BY run.id DESC";
        self.all(all, [], "the list of runs", summary)
    }

    /// The trials of a run, in the order in which they ran.
    ///
    /// # Errors
    /// There is no such run, or the store cannot be read.
    pub fn trials(&self, id: i64) -> Result<Vec<Trial>, StoreError> {
        self.require(id)?;
        let all = "SELECT run, block, position, variant, turn, started, outcome, attempt
                   FROM trial WHERE run = ?1 ORDER BY id";
        let what = format!("the trials of run {id}");
        self.all(all, [id], &what, |row| self.trial(row))
    }

    /// When the trials of a run began, in that order: what [`Store::trials`] has of them, without the facts.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn starts(&self, id: i64) -> Result<Vec<Start>, StoreError> {
        let all = "SELECT variant, started, outcome ->> '$.failed' IS NOT NULL, block
                   FROM trial WHERE run = ?1 ORDER BY id";
        self.all(all, [id], &format!("the trials of run {id}"), start)
    }

    /// Every row that a query finds.
    pub(crate) fn all<T>(
        &self,
        query: &str,
        key: impl Params,
        what: &str,
        read: impl FnMut(&Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.connection
            .prepare_cached(query)
            .and_then(|mut query| query.query_map(key, read)?.collect())
            .map_err(|error| self.unreadable(&error, what))
    }

    /// Fails when there is no such run.
    pub(crate) fn require(&self, id: i64) -> Result<(), StoreError> {
        self.still_there()?;
        self.connection
            .prepare_cached("SELECT 1 FROM run WHERE id = ?1")
            .and_then(|mut query| query.exists([id]))
            .map_err(|error| self.error(&error))?
            .then_some(())
            .ok_or_else(|| self.no_such_run(id))
    }

    fn no_such_run(&self, id: i64) -> StoreError {
        StoreError::NoSuchRun {
            id,
            latest: self.latest_id().ok().flatten(),
            path: self.path.clone(),
        }
    }

    fn latest_id(&self) -> Result<Option<i64>, StoreError> {
        self.connection
            .query_row("SELECT max(id) FROM run", [], |row| row.get(0))
            .map_err(|error| self.error(&error))
    }

    pub(crate) fn unreadable(&self, error: &rusqlite::Error, what: &str) -> StoreError {
        match error {
            rusqlite::Error::FromSqlConversionFailure(_, _, reason) => StoreError::Unreadable {
                what: what.to_owned(),
                reason: reason.to_string(),
            },
            other => self.error(other),
        }
    }

    fn trial(&self, row: &Row) -> rusqlite::Result<Trial> {
        let mut outcome = json(row, 6)?;
        files::fetch(&self.connection, &mut outcome)?;
        let turn: u32 = row.get(4)?;
        Ok(Trial {
            run: row.get(0)?,
            block: row.get(1)?,
            position: row.get(2)?,
            variant: row.get(3)?,
            again: turn % 2 == 1,
            group: turn / 2,
            attempt: row.get(7)?,
            started: timestamp(row, 5)?,
            outcome,
        })
    }
}

fn run(row: &Row) -> rusqlite::Result<Run> {
    Ok(Run {
        id: row.get(0)?,
        started: timestamp(row, 1)?,
        status: status(row, 2)?,
        weir: row.get(3)?,
        host: json(row, 4)?,
        plan: json(row, 5)?,
        cut: match row.get_ref(6)? {
            ValueRef::Null => None,
            _ => Some(json(row, 6)?),
        },
    })
}

fn start(row: &Row) -> rusqlite::Result<Start> {
    Ok(Start {
        variant: row.get(0)?,
        started: timestamp(row, 1)?,
        failed: row.get(2)?,
        block: row.get(3)?,
    })
}

fn summary(row: &Row) -> rusqlite::Result<Summary> {
    Ok(Summary {
        id: row.get(0)?,
        name: row.get(1)?,
        started: timestamp(row, 2)?,
        status: status(row, 3)?,
        planned: row.get(4)?,
        done: row.get(5)?,
    })
}

fn status(row: &Row, column: usize) -> rusqlite::Result<RunStatus> {
    let name: String = row.get(column)?;
    [RunStatus::Begun, RunStatus::Finished, RunStatus::Stopped]
        .into_iter()
        .find(|status| status_name(*status) == name)
        .ok_or_else(|| conversion(column, format!("unknown status `{name}`").into()))
}

fn timestamp(row: &Row, column: usize) -> rusqlite::Result<Timestamp> {
    let text: String = row.get(column)?;
    text.parse()
        .map_err(|error: jiff::Error| conversion(column, error.into()))
}

pub(crate) fn json<T: DeserializeOwned>(row: &Row, column: usize) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    serde_json::from_str(text).map_err(|error| conversion(column, error.into()))
}

fn conversion(column: usize, reason: Box<dyn std::error::Error + Send + Sync>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, reason)
}
