use record::{LoadFacts, SegmentFacts};

use crate::units;

/// One stretch of a rate that changes, as every form shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct SegmentRow {
    cells: [String; 8],
    /// Whether any of those that fell due in it failed or timed out.
    pub failed: bool,
}

/// What the columns of [`SegmentRow`] are called: when, requests per second (planned, that fell due, correct responses that
/// came meanwhile), and of those that fell due in it the times and the failed share.
pub const LEG_COLUMNS: [&str; 8] = [
    "stretch", "planned", "offered", "achieved", "p50", "p95", "p99", "errors",
];

/// The stretches of a rate that changes; none where it is the same all the time.
pub fn segments(load: &LoadFacts) -> Vec<SegmentRow> {
    load.segments.iter().map(row).collect()
}

fn row(segment: &SegmentFacts) -> SegmentRow {
    let (from, to) = segment.planned;
    let quantile = |q| super::quantile(&segment.response, q);
    let (begin, end) = (
        units::duration(segment.from),
        units::duration(segment.until),
    );
    let planned = if from.total_cmp(&to).is_eq() {
        units::rate(to)
    } else {
        format!("{} to {}", units::number(from), units::rate(to))
    };
    SegmentRow {
        cells: [
            format!("{begin} to {end}"),
            planned,
            units::number(segment.offered()),
            units::number(segment.achieved()),
            quantile(0.5),
            quantile(0.95),
            quantile(0.99),
            units::percent(segment.errors()),
        ],
        failed: segment.failed > 0,
    }
}

impl SegmentRow {
    /// Its cells in the order of [`LEG_COLUMNS`].
    pub fn cells(&self) -> [&str; 8] {
        self.cells.each_ref().map(String::as_str)
    }
}
