//! A run as one JSON document, for other programs: facts, and the opinions on them.
//!
//! `{"schema": "weir/run/1", "run": …, "judged": …, "trials": […]}`. Within a version of the schema
//! keys are added, never renamed or removed. Durations are seconds and sizes bytes, except in
//! distributions, which are base64 of the `HdrHistogram` V2 encoding in nanoseconds.

use judge::Judged;
use record::{Run, Trial};
use serde::{Deserialize, Serialize};

use crate::ReportError;

/// The shape of the export; the number grows when a reader must change.
pub const SCHEMA: &str = "weir/run/1";

/// A run, ready to be written as JSON.
#[derive(Serialize)]
pub struct Document<'a> {
    schema: &'static str,
    run: &'a Run,
    judged: &'a Judged,
    trials: &'a [Trial],
}

/// The export of a run.
pub fn export<'a>(run: &'a Run, trials: &'a [Trial], judged: &'a Judged) -> Document<'a> {
    Document {
        schema: SCHEMA,
        run,
        judged,
        trials,
    }
}

/// The facts of an export. Opinions are not read back: they follow from the facts.
#[derive(Debug, Deserialize)]
pub struct Export {
    /// The run.
    pub run: Run,
    /// Its trials, in the order in which they ran.
    pub trials: Vec<Trial>,
}

#[derive(Deserialize)]
struct Version {
    schema: String,
}

/// Reads the facts back.
///
/// # Errors
/// [`ReportError::Schema`] for an export of another version, [`ReportError::Json`] for anything
/// that is no export.
pub fn read(text: &str) -> Result<Export, ReportError> {
    let version: Version = serde_json::from_str(text)?;
    if version.schema != SCHEMA {
        return Err(ReportError::Schema(version.schema));
    }
    Ok(serde_json::from_str(text)?)
}
