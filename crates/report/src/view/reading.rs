//! How to read a report: terms with their meanings, and how the run was measured.

use minijinja::Environment;

use crate::html::{Drawn, drawn};
use crate::{JudgedRun, words};

pub(super) fn page(environment: &Environment, of: &JudgedRun) -> Drawn {
    let said = (
        words::how_to_read(&of.run.plan),
        words::method(of.run, of.judged),
    );
    drawn(environment, include_str!("../html/reading.html"), said)
}
