//! Entries of the catalogue as data: keys, knobs and their values, protocols, conditions and templates. Nothing is run.

mod catalogue;
mod counters;
pub(crate) mod expression;
mod flaws;
mod keys;
pub(crate) mod knob;
mod noted;
pub(crate) mod offers;
mod parts;
mod roles;
mod texts;
mod today;
mod typed;

pub use catalogue::Catalogue;
pub use keys::{Candidate, Entry, Kind};
pub use knob::{KnobKind, KnobSpec};
pub use offers::{InsideTls, Offers, Spoken};

pub(crate) use counters::{Question, target};
pub(crate) use keys::toml_problem;
pub(crate) use knob::words_of;
pub(crate) use parts::{Argument, Ask, Conditional, FileTemplate, OwnTest, Preparation, Stop};
pub(crate) use roles::Roles;
pub(crate) use today::{Configured, Fronted};
pub(crate) use typed::Typed;
