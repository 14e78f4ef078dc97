use record::{LoadFacts, SegmentFacts};

use crate::units;

/// One stretch of a rate that changes, as every form shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct SegmentRow {
    /// When: `2.00 s to 4.00 s`.
    pub when: String,
    /// What was planned: `100 req/s`, `100 to 200 req/s`.
    pub planned: String,
    /// Requests per second that fell due.
    pub offered: String,
    /// Right answers per second that came meanwhile.
    pub achieved: String,
    /// Median of the response time of those that fell due in it.
    pub p50: String,
    /// 95th percentile of it.
    pub p95: String,
    /// 99th percentile of it.
    pub p99: String,
    /// Failed and timed-out share of those that fell due in it.
    pub errors: String,
    /// Whether there are any.
    pub failed: bool,
}

/// What the columns of [`SegmentRow`] are called.
pub const LEG_COLUMNS: [&str; 8] = [
    "stretch", "planned", "offered", "achieved", "p50", "p95", "p99", "errors",
];

/// The stretches of a rate that changes; none where it is the same all the time.
pub fn segments(load: &LoadFacts) -> Vec<SegmentRow> {
    load.segments.iter().map(row).collect()
}

fn row(segment: &SegmentFacts) -> SegmentRow {
    let (from, to) = segment.planned;
    let quantile = |q| {
        let known = judge::quantile(&segment.response, q);
        known.map_or(units::NOTHING.to_owned(), |of| units::duration(of.value))
    };
    SegmentRow {
        when: format!(
            "{} to {}",
            units::duration(segment.from),
            units::duration(segment.until)
        ),
        planned: if from.total_cmp(&to).is_eq() {
            units::rate(to)
        } else {
            format!("{} to {}", units::number(from), units::rate(to))
        },
        offered: units::number(segment.offered()),
        achieved: units::number(segment.achieved()),
        p50: quantile(0.5),
        p95: quantile(0.95),
        p99: quantile(0.99),
        errors: units::percent(segment.errors()),
        failed: segment.failed > 0,
    }
}

impl SegmentRow {
    /// Its cells in the order of [`LEG_COLUMNS`].
    pub fn cells(&self) -> [&str; 8] {
        [
            &self.when,
            &self.planned,
            &self.offered,
            &self.achieved,
            &self.p50,
            &self.p95,
            &self.p99,
            &self.errors,
        ]
    }
}
