//! A stage of a plan becomes programs as values: which entries, with which knobs, linked how, and then the argv,
//! environment and files of each. Nothing is started or written.

pub(crate) mod advice;
mod composition;
mod decide;
pub(crate) mod machine;
pub(crate) mod render;
pub(crate) mod slots;
pub(crate) mod workspace;

pub use composition::{Composition, Part};
