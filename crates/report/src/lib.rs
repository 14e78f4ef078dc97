//! A store becomes something to read: words, units, views, terminal, HTML, JSON.
//!
//! Every function takes facts (`record`) and opinions (`judge`) and returns text; nothing here
//! measures, concludes, prints or writes a file.

#[macro_use]
extern crate schemars;

pub mod claims;
pub mod compat;
mod error;
pub mod harmless;
pub mod html;
pub mod json;
mod judged_run;
pub mod load;
pub mod marks;
pub mod profile;
pub mod terminal;
pub mod units;
pub mod view;
pub mod words;

pub use error::ReportError;
pub use judged_run::JudgedRun;
