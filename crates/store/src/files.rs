//! Rendered files are the same in every block: their content is kept once, by hash.

use record::{Outcome, RenderedFile};
use rusqlite::{Connection, OptionalExtension as _, params};

/// Every rendered file of a trial.
fn files(outcome: &mut Outcome) -> impl Iterator<Item = &mut RenderedFile> {
    let servers = match outcome {
        Outcome::Measured(measured) => measured.stack.servers.as_mut_slice(),
        Outcome::Failed(_) => &mut [],
    };
    servers.iter_mut().flat_map(|server| &mut server.files)
}

fn kept(connection: &Connection, sha256: &str) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached("SELECT content FROM file WHERE sha256 = ?1")?
        .query_row([sha256], |row| row.get(0))
        .optional()
}

/// Moves the contents of `outcome`'s files into their table.
pub(crate) fn put_away(connection: &Connection, outcome: &mut Outcome) -> rusqlite::Result<()> {
    for file in files(outcome) {
        connection
            .prepare_cached("INSERT OR IGNORE INTO file (sha256, content) VALUES (?1, ?2)")?
            .execute(params![file.sha256, file.content])?;
        // should a hash ever stand for two contents, the second stays with its trial
        if kept(connection, &file.sha256)?.as_deref() == Some(&file.content) {
            file.content.clear();
        }
    }
    Ok(())
}

/// Puts the contents back that [`put_away`] took out.
pub(crate) fn fetch(connection: &Connection, outcome: &mut Outcome) -> rusqlite::Result<()> {
    for file in files(outcome).filter(|file| file.content.is_empty()) {
        file.content = kept(connection, &file.sha256)?.unwrap_or_default();
    }
    Ok(())
}
