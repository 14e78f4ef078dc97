use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use rusqlite_migration::{M, Migrations};

use crate::{Store, StoreError};

/// The schema as a list of steps; never change one that was released, add another.
const SCHEMA: &[M] = &[
    M::up(include_str!("../schema/001-runs.sql")),
    M::up(include_str!("../schema/002-calibrations.sql")),
    M::up(include_str!("../schema/003-cuts.sql")),
    M::up(include_str!("../schema/004-attempts.sql")),
    M::up(include_str!("../schema/005-series.sql")),
    M::up(include_str!("../schema/006-variants.sql")),
    M::up(include_str!("../schema/007-stacks.sql")),
    M::up(include_str!("../schema/008-groups.sql")),
];
const MIGRATIONS: Migrations = Migrations::from_slice(SCHEMA);

/// `application_id` in a store's header; see `schema/001-runs.sql`.
const APPLICATION: i64 = 2_003_134_834;

/// How long to wait for another process that writes; a trial is written in milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often it is looked whether a folder is free.
const LOOK: Duration = Duration::from_millis(20);

impl Store {
    /// Opens the store, or makes it together with its parent folders.
    ///
    /// # Errors
    /// The file cannot be opened or created, is not a store, is damaged, is of a later weir, or is locked by another process
    /// for longer than ten seconds, as its folder may be. A file that is not a store is left as it was.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        // held while the store is being made: SQLite's change to a write-ahead log does not wait
        // its turn. The folder is locked, since closing a second handle of the file itself would
        // drop SQLite's own locks; where folders cannot be locked, the first opening is unguarded.
        let folder = folder_of(path)?;
        let _alone = alone_in(folder, path, PATIENCE)?;
        make_private(path);
        let connection = connect(path).map_err(|error| StoreError::from_sqlite(path, &error))?;
        let mut store = Self::over(connection, path);
        store.recognise()?;
        store.settings().map_err(|error| store.error(&error))?;
        store.migrate()?;
        Ok(store)
    }

    /// Opens the store to look at it: one that cannot be written is read as it lies there (on a full disk only if nothing of it
    /// is in its log of writes alone, whose index needs room), and one that is not there is empty and is not made.
    ///
    /// # Errors
    /// As [`Self::open`]; and a store of an earlier weir that cannot be written, and so not be brought up to date.
    pub fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        if !path.as_os_str().is_empty() && matches!(path.try_exists(), Ok(false)) {
            let nothing = Connection::open_in_memory();
            let nothing = nothing.map_err(|error| StoreError::from_sqlite(path, &error))?;
            let mut store = Self::over(nothing, path);
            store.migrate()?;
            return Ok(store);
        }
        match Self::open(path) {
            Err(error) if path.is_file() && is_readable(path, &error) => {
                Self::read_only(path).ok_or(error)
            }
            outcome => outcome,
        }
    }

    /// With the log of writes beside the file where it can be read, else without.
    fn read_only(path: &Path) -> Option<Self> {
        let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let as_it_is = || Connection::open_with_flags(path, read_only);
        let alone = || {
            let flags = read_only | OpenFlags::SQLITE_OPEN_URI;
            Connection::open_with_flags(immutable(path), flags)
        };
        let usable = |connection: Connection| {
            let store = Self::over(connection, path);
            let newest = "SELECT user_version FROM pragma_user_version";
            let version = store
                .connection
                .query_row(newest, [], |row| row.get::<_, u32>(0));
            let is_read = store.recognise().is_ok() && version == Ok(SCHEMA.len() as u32);
            is_read.then_some(store)
        };
        as_it_is()
            .ok()
            .and_then(usable)
            .or_else(|| alone().ok().and_then(usable))
    }

    fn over(connection: Connection, path: &Path) -> Self {
        Self {
            connection,
            file: identity(path),
            path: path.to_owned(),
            measuring: None,
        }
    }

    /// Makes sure that what is written will be found again: a file that was removed, or replaced by another, goes
    /// with the process that still has it open.
    pub(crate) fn still_there(&self) -> Result<(), StoreError> {
        let path = self.path.clone();
        let there = self.file.is_none() || identity(&path) == self.file;
        there.then_some(()).ok_or(StoreError::Gone(path))
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
            _ => Err(StoreError::NotAStore(path)),
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

/// Makes an empty file that its user alone may read, if there is none: a store keeps what it takes to ask an app again,
/// with the passwords that are in it. What `SQLite` keeps beside it gets the same permissions.
fn make_private(path: &Path) {
    let mut options = File::options();
    // where it cannot be made SQLite says so
    let _ = options.write(true).create_new(true).mode(0o600).open(path);
}

/// Which file a path leads to: its device and its number there.
pub(crate) type Identity = (u64, u64);

fn identity(path: &Path) -> Option<Identity> {
    let file = path.metadata().ok()?;
    Some((file.dev(), file.ino()))
}

/// A path as `SQLite` takes one of a file that nobody writes to.
fn immutable(path: &Path) -> OsString {
    let mut uri = b"file:".to_vec();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'%' | b'?' | b'#' => uri.extend(format!("%{byte:02x}").bytes()),
            plain => uri.push(*plain),
        }
    }
    uri.extend(b"?immutable=1");
    OsString::from_vec(uri)
}

/// Whether a store may be read that could not be opened to be written.
fn is_readable(path: &Path, error: &StoreError) -> bool {
    match error {
        StoreError::CannotOpen { .. } | StoreError::Locked(_) => true,
        StoreError::Full { .. } => {
            let mut log = path.as_os_str().to_owned();
            log.push("-wal");
            Path::new(&log).metadata().map_or(0, |log| log.len()) == 0
        }
        _ => false,
    }
}

/// A folder that no other weir opens a store in for as long as this is kept; nothing where folders cannot be locked.
///
/// # Errors
/// Another process has it for that long.
fn alone_in(folder: &Path, store: &Path, patience: Duration) -> Result<Option<File>, StoreError> {
    let Ok(folder) = File::open(folder) else {
        return Ok(None);
    };
    let deadline = Instant::now() + patience;
    loop {
        match folder.try_lock() {
            Ok(()) => return Ok(Some(folder)),
            Err(TryLockError::Error(_)) => return Ok(None),
            Err(TryLockError::WouldBlock) if Instant::now() >= deadline => {
                return Err(StoreError::Locked(store.to_owned()));
            }
            Err(TryLockError::WouldBlock) => std::thread::park_timeout(LOOK),
        }
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

    #[test]
    fn a_folder_that_another_has_is_not_waited_for_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("weir.db");
        let open = |patience| alone_in(folder.path(), &store, patience);
        let other = open(Duration::ZERO).unwrap();
        assert!(other.is_some());
        let locked = open(3 * LOOK).unwrap_err();
        assert!(matches!(locked, StoreError::Locked(path) if path == store));
        drop(other);
        assert!(open(Duration::ZERO).unwrap().is_some());
    }
}
