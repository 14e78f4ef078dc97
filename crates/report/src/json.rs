//! A run as one JSON document, for other programs: facts, and the opinions on them.
//!
//! `{"schema": "weir/run/1", "run": …, "judged": …, "trials": […]}`. Within a version of the schema
//! keys are added, never renamed or removed. Durations are seconds and sizes bytes, except in
//! distributions, which are base64 of the `HdrHistogram` V2 encoding in nanoseconds.

use std::collections::BTreeMap;

use judge::{Ceiling, Doubt, Judged, Standing};
use record::{Calibration, Distribution, LoadFacts, Run, Trial};
use serde::{Deserialize, Serialize};

use crate::{ReportError, words};

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

/// One load, ready to be written as JSON.
#[derive(Serialize)]
pub struct Bench<'a> {
    schema: &'static str,
    throughput: f64,
    response: BTreeMap<&'static str, f64>,
    doubts: &'a [Doubt],
    #[serde(skip_serializing_if = "Option::is_none")]
    ceiling: Option<Standing>,
    load: &'a LoadFacts,
}

impl Bench<'_> {
    /// Adds where the load stood under this machine's calibrated ceiling.
    #[must_use]
    pub fn under(self, ceiling: Option<Standing>) -> Self {
        Self { ceiling, ..self }
    }
}

/// The result of a bench: `{"schema": "weir/bench/1", …}`. `throughput` is in requests per second,
/// `response` in seconds; a quantile for which there are too few answers is absent.
pub fn bench<'a>(load: &'a LoadFacts, doubts: &'a [Doubt]) -> Bench<'a> {
    Bench {
        schema: "weir/bench/1",
        throughput: load.throughput(),
        response: times(&load.response),
        doubts,
        ceiling: None,
        load,
    }
}

fn times(of: &Distribution) -> BTreeMap<&'static str, f64> {
    let quantiles = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)]
        .into_iter()
        .filter(|(_, q)| words::enough(*q, of.count()))
        .map(|(name, q)| (name, of.quantile(q)));
    [("mean", of.mean()), ("max", of.max())]
        .into_iter()
        .chain(quantiles)
        .filter_map(|(name, seconds)| Some((name, seconds?)))
        .collect()
}

/// A calibration, ready to be written as JSON.
#[derive(Serialize)]
pub struct Calibrated<'a> {
    schema: &'static str,
    ceiling: Option<Ceiling>,
    response: BTreeMap<&'static str, f64>,
    woken: BTreeMap<&'static str, f64>,
    lateness: BTreeMap<&'static str, f64>,
    calibration: &'a Calibration,
}

/// The result of a calibration: `{"schema": "weir/calibration/1", …}`. Times are in seconds, of the
/// quiet open loop; a quantile for which there are too few answers is absent.
pub fn calibration(of: &Calibration) -> Calibrated<'_> {
    Calibrated {
        schema: "weir/calibration/1",
        ceiling: Ceiling::of(of),
        response: times(&of.response),
        woken: times(&of.woken),
        lateness: times(&of.lateness),
        calibration: of,
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
