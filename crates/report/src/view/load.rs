use record::{CheckFacts, Distribution, LoadFacts};
use serde::Serialize;

use crate::load::Loaded;
use crate::{units, words};

/// All that is known of one load, in rows of text.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Load {
    /// `trusted`, or why not.
    pub(crate) verdict: String,
    /// That it was ended early, and after how much of what was planned.
    pub(crate) cut: Option<String>,
    /// What it was and came to, by name.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// Heads of a row of times: what was timed, mean, the quantiles, max.
    pub(crate) heads: Vec<&'static str>,
    /// All that was timed.
    pub(crate) times: Vec<Vec<String>>,
    /// Heads of a stretch of a rate that changes.
    pub(crate) segment_heads: [&'static str; 8],
    /// Its stretches.
    pub(crate) segments: Vec<[String; 8]>,
    /// By name: the name, requests, errors, then as a row of times.
    pub(crate) named: Vec<Vec<String>>,
    /// What is checked, how many were looked at, how many failed, and the first of these.
    pub(crate) checks: Vec<[String; 4]>,
    /// Where the time of the slowest requests went.
    pub(crate) slowest: Vec<String>,
    /// Thresholds that were asked for: the condition, whether it was crossed, and why.
    pub(crate) thresholds: Vec<(String, &'static str, String)>,
}

impl Load {
    pub(crate) fn new(of: &Loaded) -> Self {
        let load = of.load;
        let mut heads = vec!["", "mean"];
        heads.extend(judge::QUANTILES.map(|(name, _)| name));
        heads.push("max");
        let timed = words::timed(load);
        let slow = load.slowest.iter();
        let thresholds = of.thresholds.iter();
        Self {
            verdict: of.verdict(),
            cut: of.cut(),
            facts: facts(load),
            heads,
            times: timed.iter().map(|of| row(of.name, of.times)).collect(),
            segment_heads: words::LEG_COLUMNS,
            segments: words::segments(load)
                .iter()
                .map(|segment| segment.cells().map(str::to_owned))
                .collect(),
            named: words::named(&load.named).iter().map(named).collect(),
            checks: load.checks.iter().map(check).collect(),
            slowest: slow
                .map(|of| words::slow(of, load.paused.as_ref()))
                .collect(),
            thresholds: thresholds
                .map(|of| {
                    (
                        of.text.clone(),
                        words::crossed(of.crossed),
                        of.because.clone(),
                    )
                })
                .collect(),
        }
    }
}

fn facts(load: &LoadFacts) -> Vec<(&'static str, String)> {
    let always = |name, text| (name, Some(text));
    [
        always("Throughput", units::rate(load.throughput())),
        ("Rate", words::achieved(load)),
        always("Load", words::applied(load)),
        ("Warm-up", words::warm_up(load)),
        always("Window", units::duration(load.seconds)),
        always("Accounted", words::accounting(load)),
        ("Retries", words::retries(load)),
        ("Sent again", words::sent_again(load)),
        ("Asleep", words::asleep(load)),
        ("Bodies", words::lengths(load)),
        always("Engine", words::engine(load)),
    ]
    .into_iter()
    .filter_map(|(name, text)| Some((name, text?)))
    .collect()
}

fn named(of: &words::NamedRow) -> Vec<String> {
    let mut cells = row(&of.name, &of.response);
    cells.splice(1..1, [of.requests, of.failed].map(units::count));
    cells
}

fn check(of: &CheckFacts) -> [String; 4] {
    [
        of.name.clone(),
        units::count(of.looked_at),
        units::count(of.failed),
        of.example.clone().unwrap_or_default(),
    ]
}

/// A name, mean, the quantiles with their uncertainty, and the longest.
fn row(name: &str, times: &Distribution) -> Vec<String> {
    let known = |seconds: Option<f64>| seconds.map_or(units::NOTHING.into(), units::duration);
    let mut cells = vec![name.to_owned(), known(times.mean())];
    cells.extend(judge::QUANTILES.map(|(_, q)| words::quantile_within(times, q)));
    cells.push(known(times.max()));
    cells
}
