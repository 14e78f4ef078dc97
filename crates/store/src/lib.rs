//! Facts kept in `SQLite`, one row per trial as soon as it ends.
//!
//! A trial is on the disk when [`Store::save`] returns: killing weir, or the machine losing its
//! power, costs the trial under way and no other. Any number of readers may look at a store while
//! a run writes to it.

#[macro_use]
extern crate schemars;

mod calibration;
mod error;
mod files;
mod forget;
mod measuring;
mod open;
mod read;
mod series;
mod stacks;
mod write;

use std::path::{Path, PathBuf};

pub use error::StoreError;
pub use read::{Start, Summary};

/// An open store.
#[derive(Debug)]
pub struct Store {
    connection: rusqlite::Connection,
    path: PathBuf,
    /// Which file that is.
    file: Option<open::Identity>,
    /// The run that is being measured with it.
    measuring: Option<measuring::Measuring>,
}

impl Store {
    /// Where it is kept.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
