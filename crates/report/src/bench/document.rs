use std::collections::BTreeMap;

use judge::{Ceiling, Doubt, Standing, ThresholdResult};
use record::{Amount, Calibration, Distribution, LoadFacts, NamedFacts, SegmentFacts};
use serde::Serialize;

use super::{Against, Bench, Explained, Slice};
use crate::words;

/// The shape of the document; the number grows when a reader must change.
pub const SCHEMA: &str = "weir/bench/1";

/// One load, ready to be written as JSON.
#[derive(Serialize)]
pub struct Document<'a> {
    schema: &'static str,
    url: &'a str,
    interrupted: bool,
    planned: Amount,
    throughput: f64,
    response: Times,
    service: Times,
    times: BTreeMap<&'static str, Times>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    named: Vec<Named<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    segments: Vec<Segment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts_per_request: Option<f64>,
    thresholds: &'a [ThresholdResult],
    doubts: &'a [Doubt],
    #[serde(skip_serializing_if = "Option::is_none")]
    ceiling: Option<&'a Standing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explained: Option<&'a Explained>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<&'a Against>,
    load: &'a LoadFacts,
}

/// Requests of one name.
#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    completed: u64,
    failed: u64,
    response: Times,
}

/// A stretch of a rate that changes: seconds since the window opened, requests per second, a share.
#[derive(Serialize)]
struct Segment {
    from: f64,
    until: f64,
    planned: (f64, f64),
    offered: f64,
    achieved: f64,
    errors: f64,
    response: Times,
}

impl Segment {
    fn new(of: &SegmentFacts) -> Self {
        Self {
            from: of.from,
            until: of.until,
            planned: of.planned,
            offered: of.offered(),
            achieved: of.achieved(),
            errors: of.errors(),
            response: Times::new(&of.response),
        }
    }
}

/// Seconds; a quantile for which there are too few answers is absent.
#[derive(Serialize)]
struct Times {
    #[serde(flatten)]
    figures: BTreeMap<&'static str, f64>,
    /// 95 % order-statistic intervals of the quantiles, lower end first.
    intervals: BTreeMap<&'static str, (f64, f64)>,
}

impl<'a> Named<'a> {
    fn new(facts: &'a NamedFacts) -> Self {
        Self {
            name: &facts.name,
            completed: facts.completed,
            failed: facts.failed,
            response: Times::new(&facts.response),
        }
    }
}

impl Times {
    fn new(times: &Distribution) -> Self {
        let ends = [("mean", times.mean()), ("max", times.max())];
        let known = || judge::quantiles(times);
        Self {
            figures: ends
                .into_iter()
                .filter_map(|(name, seconds)| Some((name, seconds?)))
                .chain(known().map(|(name, figure)| (name, figure.value)))
                .collect(),
            intervals: known()
                .filter_map(|(name, figure)| Some((name, figure.interval?)))
                .collect(),
        }
    }
}

/// The result of a bench. `throughput` is in requests per second.
pub fn document<'a>(bench: &Bench<'a>) -> Document<'a> {
    Document {
        schema: SCHEMA,
        url: bench.url,
        interrupted: bench.interrupted,
        planned: bench.planned,
        throughput: bench.load.throughput(),
        response: Times::new(&bench.load.response),
        service: Times::new(&bench.load.service),
        times: words::timed(bench.load)
            .into_iter()
            .filter(|timed| !["response", "service"].contains(&timed.name))
            .map(|timed| (timed.name, Times::new(timed.times)))
            .collect(),
        named: bench.load.named.iter().map(Named::new).collect(),
        segments: bench.load.segments.iter().map(Segment::new).collect(),
        attempts_per_request: words::amplification(bench.load),
        thresholds: bench.thresholds,
        doubts: bench.doubts,
        ceiling: bench.standing,
        explained: bench.explained,
        against: bench.against,
        load: bench.load,
    }
}

/// A calibration, ready to be written as JSON.
#[derive(Serialize)]
pub struct Calibrated<'a> {
    schema: &'static str,
    ceiling: Option<Ceiling>,
    response: Times,
    woken: Times,
    lateness: Times,
    calibration: &'a Calibration,
}

/// The result of a calibration: `{"schema": "weir/calibration/1", …}`. Times are in seconds, of the
/// quiet open loop; a quantile for which there are too few answers is absent.
pub fn calibration(of: &Calibration) -> Calibrated<'_> {
    Calibrated {
        schema: "weir/calibration/1",
        ceiling: Ceiling::of(of),
        response: Times::new(&of.response),
        woken: Times::new(&of.woken),
        lateness: Times::new(&of.lateness),
        calibration: of,
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum Line<'a> {
    Interval(Piece),
    Summary(Box<Document<'a>>),
}

#[derive(Serialize)]
struct Piece {
    from: f64,
    until: f64,
    completed: u64,
    throughput: f64,
    response: Times,
}

impl Piece {
    fn new(slice: &Slice) -> Self {
        let length = slice.until - slice.from;
        Self {
            from: slice.from,
            until: slice.until,
            completed: slice.completed,
            throughput: if length > 0.0 {
                slice.completed as f64 / length
            } else {
                0.0
            },
            response: Times::new(&slice.response),
        }
    }
}

/// One JSON object per piece of the window, and last the whole.
///
/// # Errors
/// Never in practice: every figure can be written as JSON.
pub fn ndjson(bench: &Bench) -> serde_json::Result<String> {
    let pieces = bench
        .slices
        .iter()
        .map(|slice| Line::Interval(Piece::new(slice)));
    let lines = pieces.chain([Line::Summary(Box::new(document(bench)))]);
    let lines: Result<Vec<_>, _> = lines.map(|line| serde_json::to_string(&line)).collect();
    Ok(lines?.join("\n") + "\n")
}

/// A survey, ready to be written as JSON: `weir/survey/1`.
#[derive(Serialize)]
pub struct Survey<'a> {
    /// `weir/survey/1`.
    pub schema: &'static str,
    /// The verdict in words.
    pub verdict: &'a str,
    /// Requests per second of the best closed loop that can be trusted.
    pub capacity: Option<f64>,
    /// Its 95 % interval, lower end first.
    pub capacity_interval: Option<(f64, f64)>,
    /// What was noticed before it began.
    pub notes: Vec<String>,
    /// Every load, in the order in which they ran.
    pub points: Vec<Document<'a>>,
}

/// A sweep, ready to be written as JSON: `weir/sweep/1`.
#[derive(Serialize)]
pub struct Sweep<'a> {
    /// `weir/sweep/1`.
    pub schema: &'static str,
    /// The verdict in words.
    pub verdict: &'a str,
    /// What differs between the points: `connections` or `rate`.
    pub swept: String,
    /// The value of each point, in the same order.
    pub values: Vec<f64>,
    /// Every load, in the order in which they ran.
    pub points: Vec<Document<'a>>,
}
