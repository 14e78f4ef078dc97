use std::collections::BTreeMap;

use judge::{Ceiling, RingCost, Standing, ThresholdResult};
use record::{Calibration, Distribution, NamedFacts, SegmentFacts};
use serde::Serialize;

use super::{Explained, Loaded, Slice};
use crate::json::{self, SCHEMA};
use crate::{JudgedRun, words};

/// The figures of one load, ready to be written as JSON. Rates are per second, times in seconds.
#[derive(JsonSchema, Serialize)]
pub struct Figures<'a> {
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
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    thresholds: &'a [ThresholdResult],
    #[serde(skip_serializing_if = "Option::is_none")]
    ceiling: Option<Standing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explained: Option<Explained>,
}

/// Requests of one name.
#[derive(JsonSchema, Serialize)]
struct Named<'a> {
    name: &'a str,
    completed: u64,
    failed: u64,
    response: Times,
}

/// A stretch of a rate that changes: seconds since the window opened, requests per second, a share.
#[derive(JsonSchema, Serialize)]
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

/// Seconds; a quantile for which there are too few responses is absent.
#[derive(JsonSchema, Serialize)]
struct Times {
    #[serde(flatten)]
    figures: BTreeMap<&'static str, f64>,
    /// 95 % order-statistic intervals of the quantiles, lower end first.
    intervals: BTreeMap<&'static str, (f64, f64)>,
    /// What the quantiles that are absent are at least, with 97.5 % confidence.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    at_least: BTreeMap<&'static str, f64>,
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
            at_least: judge::QUANTILES
                .into_iter()
                .filter_map(|(name, q)| Some((name, judge::at_least(times, q)?)))
                .collect(),
        }
    }
}

impl<'a> Figures<'a> {
    /// Of one load.
    pub(crate) fn new(of: Loaded<'a>) -> Self {
        Self {
            throughput: of.load.throughput(),
            response: Times::new(&of.load.response),
            service: Times::new(&of.load.service),
            times: words::timed(of.load)
                .into_iter()
                .filter(|timed| !["response", "service"].contains(&timed.name))
                .map(|timed| (timed.name, Times::new(timed.times)))
                .collect(),
            named: of.load.named.iter().map(Named::new).collect(),
            segments: of.load.segments.iter().map(Segment::new).collect(),
            attempts_per_request: words::amplification(of.load),
            thresholds: of.thresholds,
            ceiling: of.standing,
            explained: of.explained,
        }
    }
}

/// A calibration, ready to be written as JSON.
#[derive(JsonSchema, Serialize)]
pub struct Calibrated<'a> {
    schema: &'static str,
    ceiling: Option<Ceiling>,
    /// What the event loop over `io_uring` costs beside that over epoll; empty where the kernel has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ring_costs: Vec<RingCost>,
    response: Times,
    woken: Times,
    lateness: Times,
    calibration: &'a Calibration,
}

/// The result of a calibration: `{"schema": "weir/2", …}`. Times are in seconds, of the
/// quiet open loop; a quantile for which there are too few responses is absent.
pub fn calibration(of: &Calibration) -> Calibrated<'_> {
    Calibrated {
        schema: SCHEMA,
        ceiling: Ceiling::of(of),
        ring_costs: judge::ring_costs(of),
        response: Times::new(&of.response),
        woken: Times::new(&of.woken),
        lateness: Times::new(&of.lateness),
        calibration: of,
    }
}

/// A line of NDJSON.
#[derive(JsonSchema, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line<'a> {
    /// A piece of a window.
    Interval(Piece<'a>),
    /// The run.
    Summary(Box<json::Document<'a>>),
}

/// What of a load fell into a piece of its window: seconds since it opened.
#[derive(JsonSchema, Serialize)]
pub struct Piece<'a> {
    variant: &'a str,
    from: f64,
    until: f64,
    completed: u64,
    throughput: f64,
    response: Times,
}

impl<'a> Piece<'a> {
    fn new(variant: &'a str, slice: &Slice) -> Self {
        let length = slice.until - slice.from;
        Self {
            variant,
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

/// One JSON object per piece of each window, and last the document of the run.
///
/// # Errors
/// Never in practice: every figure can be written as JSON.
pub fn ndjson(of: &JudgedRun) -> serde_json::Result<String> {
    let loads = of.all_loads();
    let pieces = loads.iter().flat_map(|load| {
        let slices = load.slices.iter();
        slices.map(|slice| Line::Interval(Piece::new(load.variant, slice)))
    });
    let lines = pieces.chain([Line::Summary(Box::new(json::export(of)))]);
    let lines: Result<Vec<_>, _> = lines.map(|line| serde_json::to_string(&line)).collect();
    Ok(lines?.join("\n") + "\n")
}
