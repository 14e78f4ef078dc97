//! Entries of the catalogue as data: keys, knobs and their values, protocols, conditions and templates. Nothing is run.

pub(crate) mod catalogue;
pub(crate) mod expression;
mod flaws;
mod keys;
pub(crate) mod knob;
pub(crate) mod offers;
mod roles;
mod settle;
mod texts;
mod today;

pub(crate) use keys::{Argument, Ask, Conditional, FileTemplate, Preparation, Stop, toml_problem};
pub use keys::{Candidate, Entry, Kind};
pub(crate) use today::{Configured, Fronted};
