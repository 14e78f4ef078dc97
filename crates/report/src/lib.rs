//! A store becomes something to read: words, units, terminal, HTML, JSON.
//!
//! Every function takes facts (`record`) and opinions (`judge`) and returns text; nothing here
//! measures, concludes, prints or writes a file.

pub mod bench;
pub mod claims;
pub mod compat;
mod error;
mod findings;
pub mod harmless;
pub mod html;
pub mod json;
pub mod terminal;
pub mod units;
pub mod words;

pub use error::ReportError;
pub use findings::Findings;
