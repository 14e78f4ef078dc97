use std::borrow::Cow;

use judge::StageOpinion;
use record::Distribution;
use serde::Serialize;

use crate::units;

/// What was timed, of all trials that count: the response times of a stage, or a part of them.
#[derive(Clone, Debug, Serialize)]
pub struct Times<'a> {
    /// The stage, or what was timed in it.
    pub name: Cow<'a, str>,
    /// The same for people.
    pub title: Cow<'a, str>,
    /// The known quantiles, in seconds.
    pub quantiles: Vec<(&'static str, f64)>,
    /// The same in words, and the longest: `p50 226 ms`.
    pub parts: Vec<String>,
    /// All times.
    pub times: Cow<'a, Distribution>,
}

impl<'a> Times<'a> {
    /// The response times of a stage.
    pub(crate) fn of_stage(stage: &'a StageOpinion) -> Self {
        let (name, title) = (stage.name.as_str().into(), stage.title.as_str().into());
        Self::new(name, title, Cow::Borrowed(&stage.response))
    }

    pub(super) fn new(
        name: Cow<'a, str>,
        title: Cow<'a, str>,
        times: Cow<'a, Distribution>,
    ) -> Self {
        let known = [(0.5, "p50"), (0.9, "p90"), (0.95, "p95"), (0.99, "p99")];
        let known = known
            .iter()
            .filter(|(q, _)| judge::enough(*q, times.count()));
        let quantiles: Vec<(&'static str, f64)> = known
            .filter_map(|(q, name)| Some((*name, times.quantile(*q)?)))
            .collect();
        let longest = times.max().map(|seconds| ("max", seconds));
        let parts = quantiles.iter().copied().chain(longest);
        Self {
            name,
            title,
            parts: parts
                .map(|(name, seconds)| format!("{name} {}", units::duration(seconds)))
                .collect(),
            quantiles,
            times,
        }
    }
}
