use record::Distribution;
use serde::Serialize;

use crate::units;

/// Up to which quantile the curve goes.
const LAST: f64 = 0.999_99;

/// The response time over the percentile, as `HdrHistogram`'s plots have it.
#[derive(Serialize)]
pub(crate) struct Percentiles {
    low: String,
    high: String,
    path: String,
}

impl Percentiles {
    /// Up to where 100 samples lie beyond.
    pub(crate) fn new(times: &Distribution) -> Option<Self> {
        let (low, high) = (times.min()?.max(1e-6), times.max()?.max(1e-6) * 1.000_1);
        let (steps, nines) = (200, -(1.0 - LAST).log10());
        let points: Vec<_> = (0..=steps)
            .map(|step| f64::from(step) / f64::from(steps))
            .map(|share| (share, 1.0 - 10_f64.powf(-share * nines)))
            .take_while(|&(_, q)| judge::enough(q, times.count()))
            .filter_map(|(share, q)| Some((share, times.quantile(q)?.max(low))))
            .map(|(share, seconds)| {
                let height = (seconds / low).ln() / (high / low).ln();
                format!("{:.1},{:.1}", share * 1000.0, 300.0 * (1.0 - height))
            })
            .collect();
        (points.len() > 1).then(|| Self {
            low: units::duration(low),
            high: units::duration(high),
            path: format!("M{}", points.join(" L")),
        })
    }
}
