//! A run as one JSON document, for other programs: facts, and the opinions on them. `weir schema` prints its shape
//! and that of everything else that weir prints as JSON.
//!
//! Within a version of the schema keys are added, never renamed or removed. Durations are seconds and sizes bytes,
//! except in distributions, which are base64 of the `HdrHistogram` V2 encoding in nanoseconds.

use judge::{Judged, Machines};
use record::{Run, Trial};
use serde::{Deserialize, Serialize};

use crate::load::{Against, Figures};
use crate::view::decision::{self, ToRun};
use crate::{JudgedRun, ReportError, words};

/// The shape of what is exported; the number grows when a reader must change.
pub const SCHEMA: &str = "weir/2";

/// A run, ready to be written as JSON.
#[derive(JsonSchema, Serialize)]
pub struct Document<'a> {
    schema: &'static str,
    /// The run in one sentence.
    headline: String,
    /// What was noticed before and meanwhile.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<&'a Against>,
    /// How many machines like this one a demand needs, by the rate at which goals hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    machines: Option<&'a Machines>,
    /// The programs of the variant to deploy.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    to_run: Vec<ToRun>,
    run: &'a Run,
    judged: &'a Judged,
    trials: Vec<TrialDocument<'a>>,
}

/// A trial, with the figures of its load where it came so far.
#[derive(JsonSchema, Serialize)]
struct TrialDocument<'a> {
    #[serde(flatten)]
    trial: &'a Trial,
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<Figures<'a>>,
}

/// The export of a run.
pub fn export<'a>(of: &JudgedRun<'a>) -> Document<'a> {
    let trial = |trial: &'a Trial| TrialDocument {
        trial,
        figures: of.loaded(trial).map(Figures::new),
    };
    Document {
        schema: SCHEMA,
        headline: words::headline(of.run, of.judged),
        notes: &of.extras.notes,
        against: of.extras.against.as_ref(),
        machines: of.extras.machines.as_ref(),
        to_run: decision::programs(of),
        run: of.run,
        judged: of.judged,
        trials: of.trials.iter().map(trial).collect(),
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
