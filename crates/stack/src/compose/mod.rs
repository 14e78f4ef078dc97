//! A variant of a plan becomes programs as values: which entries, with which knobs, linked how, and then the argv,
//! environment and files of each. Nothing is started or written; what is installed is asked its version first.

mod advice;
mod composition;
mod decide;
mod machine;
mod render;
mod site;
mod workspace;

pub use advice::{Advice, advice};
pub use composition::{Composition, Part};
pub use machine::Machine;
pub use render::{Program, render, slots};
pub use site::{is_served, served_file};
pub use workspace::Workspace;

pub(crate) use render::{Prerequisite, needs_of};
pub(crate) use workspace::{CERTIFICATE, KEY, identities};
