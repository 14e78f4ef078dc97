//! Metrics that must not have become worse: what a build is held to.

use record::Metric;
use record::condition::{Figure, Pick};

use crate::opinion::{Comparison, Verdict};
use crate::runs::{CompareError, Side, variants};
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
    let within_one = of.0.id == over.0.id;
    let name = |side: Side, variant: &str| {
        if within_one {
            variant.to_owned()
        } else {
            format!("{}:{variant}", side.0.id)
        }
    };
    let mut all = Vec::new();
    for (first, second) in variants(of, over)? {
        let names = (name(of, &first), name(over, &second));
        for metric in Metric::columns().filter(|metric| metrics.contains(metric)) {
            let is_it = |known: &&Comparison| {
                known.metric == metric && known.of == names.0 && known.over == names.1
            };
            let known = found.iter().find(is_it).cloned();
            all.push(Guarded {
                metric,
                of: names.0.clone(),
                over: names.1.clone(),
                compared: known
                    .ok_or_else(|| why([(of, first.as_str()), (over, second.as_str())], metric)),
            });
        }
    }
    Ok(all)
}

/// Why two variants have no ratio of a metric.
fn why(sides: [(Side, &str); 2], metric: Metric) -> String {
    for ((run, trials, _), variant) in sides {
        let seen_run = SeenRun::new(run, trials);
        if seen_run.by_block(variant, metric).is_empty() {
            let figure = Figure::of(Pick::default(), metric, variant.to_owned());
            let why = why_no_value(&seen_run, std::iter::once(&figure));
            return format!("run {}: {why}", run.id);
        }
    }
    "no block has a counted trial of both, or a figure is zero".to_owned()
}
