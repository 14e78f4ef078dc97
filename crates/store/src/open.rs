use std::fs::File;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use rusqlite_migration::{M, Migrations};

use crate::{Store, StoreError};

/// The schema as a list of steps; never change one that was released, add another.
const SCHEMA: &[M] = &[
    M::up(include_str!("../schema/001-runs.sql")),
    M::up(include_str!("../schema/002-calibrations.sql")),
    M::up(include_str!("../schema/003-cuts.sql")),
];
const MIGRATIONS: Migrations = Migrations::from_slice(SCHEMA);

/// `application_id` in a store's header; see `schema/001-runs.sql`.
const APPLICATION: i64 = 2_003_134_834;

/// How long to wait for another process that writes; a trial is written in milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

impl Store {
    /// Opens the store, or makes it together with its parent folders.
    ///
    /// # Errors
    /// The file cannot be opened or created, is not a store, is damaged, or is of a later weir.
    /// A file that is not a store is left as it was.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        // held while the store is being made: SQLite's change to a write-ahead log does not wait
        // its turn. The folder is locked, since closing a second handle of the file itself would
        // drop SQLite's own locks; where folders cannot be locked, the first opening is unguarded.
        let folder = folder_of(path)?;
        let _alone = File::open(folder).and_then(|folder| folder.lock().map(|()| folder));
        let connection = connect(path).map_err(|error| StoreError::from_sqlite(path, &error))?;
        let mut store = Self {
            connection,
            path: path.to_owned(),
        };
        store.recognise()?;
        store.settings().map_err(|error| store.error(&error))?;
        store.migrate()?;
        Ok(store)
    }

    /// Words an error of `SQLite` for this store.
    pub(crate) fn error(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::from_sqlite(&self.path, error)
    }

    /// Makes sure that the file is empty or ours, and no newer than this code.
    fn recognise(&self) -> Result<(), StoreError> {
        // one statement, one snapshot: another process may be making the store right now
        let header = "SELECT (SELECT application_id FROM pragma_application_id), \
                             (SELECT user_version FROM pragma_user_version), \
                             (SELECT count(*) FROM sqlite_schema)";
        let (application, found, objects): (i64, i64, i64) = self
            .connection
            .query_row(header, [], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })
            .map_err(|error| self.error(&error))?;
        let path = self.path.clone();
        let known = i64::try_from(SCHEMA.len()).unwrap_or(i64::MAX);
        match application {
            APPLICATION if found > known => Err(StoreError::TooNew { path, found, known }),
            APPLICATION => Ok(()),
            0 if objects == 0 => Ok(()),
            _ => Err(StoreError::NotAStore { path }),
        }
    }

    fn settings(&self) -> rusqlite::Result<()> {
        // readers never wait for the writer, nor the writer for them
        self.connection.pragma_update(None, "journal_mode", "wal")?;
        // a commit is on the disk, not only in the kernel's memory
        self.connection.pragma_update(None, "synchronous", "full")?;
        self.connection.pragma_update(None, "foreign_keys", true)
    }

    fn migrate(&mut self) -> Result<(), StoreError> {
        MIGRATIONS
            .to_latest(&mut self.connection)
            .map_err(|error| match error {
                rusqlite_migration::Error::RusqliteError { err, .. } => self.error(&err),
                other => StoreError::Failed {
                    path: self.path.clone(),
                    reason: other.to_string(),
                },
            })
    }
}

/// The folder of the store, made if need be.
fn folder_of(path: &Path) -> Result<&Path, StoreError> {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    let folder = parent.unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| StoreError::CannotOpen {
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    Ok(folder)
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    // no URI flag: a path that begins with `file:` is a path
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_is_sound() {
        assert!(MIGRATIONS.validate().is_ok());
    }
}
