use judge::Judged;
use record::Run;
use serde::Serialize;

use crate::words;

/// How to read a report.
#[derive(Clone, Debug, Serialize)]
pub struct Reading {
    /// Terms with their meanings.
    pub terms: Vec<(&'static str, &'static str)>,
    /// How the run was measured.
    pub method: String,
}

impl Reading {
    pub(super) fn new(run: &Run, judged: &Judged) -> Self {
        Self {
            terms: words::HOW_TO_READ.to_vec(),
            method: words::method(run, judged),
        }
    }
}
