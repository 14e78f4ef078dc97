//! Metrics that must not have become worse: what a build is held to.

use std::collections::BTreeMap;

use record::condition::{Figure, Pick};
use record::{Metric, units};

use crate::opinion::{Comparison, Verdict};
use crate::runs::{CompareError, Side, called, variants};
use crate::seen_run::SeenRun;
use crate::selected::why_no_value;

/// One metric of two variants, the first of which must not be worse.
#[derive(Clone, Debug, PartialEq)]
pub struct Guarded {
    /// What is compared.
    pub metric: Metric,
    /// The variant that must not be worse, named as in comparisons.
    pub of: String,
    /// The variant that it is compared with.
    pub over: String,
    /// How they compare, or why that is not known.
    pub compared: Result<Comparison, String>,
}

impl Guarded {
    /// What to say of it; nothing where the two could not be compared.
    pub fn verdict(&self) -> Option<Verdict> {
        self.compared.as_ref().ok().map(|found| found.verdict)
    }
}

/// Each of these metrics, of each two variants of the sides, with its comparison among those that were `found`
/// ([`compare`](crate::compare)): a variant of which nothing counts is among them, too.
///
/// # Errors
/// The sides have nothing to compare.
pub fn guarded(
    of: Side,
    over: Side,
    metrics: &[Metric],
    found: &[Comparison],
) -> Result<Vec<Guarded>, CompareError> {
    let unknown = |first: &str, second: &str, metric| {
        let [above, below] = [of, over].map(|(run, trials, _)| SeenRun::new(run, trials));
        why([(&above, first), (&below, second)], metric)
    };
    let mut all = Vec::new();
    for (first, second) in variants(of, over)? {
        let names = called(of.0, over.0, (&first, &second));
        for metric in Metric::columns().filter(|metric| metrics.contains(metric)) {
            let is_it = |known: &&Comparison| {
                known.metric == metric && known.of == names.0 && known.over == names.1
            };
            let known = found.iter().find(is_it).cloned();
            all.push(Guarded {
                metric,
                of: names.0.clone(),
                over: names.1.clone(),
                compared: known.ok_or_else(|| unknown(&first, &second, metric)),
            });
        }
    }
    Ok(all)
}

/// Why two variants have no ratio of a metric.
pub(crate) fn why(sides: [(&SeenRun, &str); 2], metric: Metric) -> String {
    let figures = sides.map(|(seen_run, variant)| seen_run.by_block(variant, metric));
    for ((seen_run, variant), figures) in sides.into_iter().zip(&figures) {
        if figures.is_empty() {
            let figure = Figure::of(Pick::default(), metric, variant.to_owned());
            let why = why_no_value(seen_run, std::iter::once(&figure));
            return format!("run {}: {why}", seen_run.run.id);
        }
    }
    let mut all = figures.iter().flat_map(BTreeMap::values);
    if all.all(|figure| *figure > 0.0) {
        return "no block has a counted trial of both".to_owned();
    }
    let [of, over] = figures.map(|figures| {
        let figures: Vec<f64> = figures.into_values().collect();
        units::metric(metric, stats::median(&figures).unwrap_or_default())
    });
    format!("zero in some block, which has no ratio: {of} against {over} at the median")
}
