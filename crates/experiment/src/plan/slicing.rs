//! Whether windows are cut into slices where nobody says so.

use record::condition::Expectation;
use record::metric::Of;
use record::{Claim, Metric, limits};

/// Seconds of a slice: noise is faster than that of windows one after the other, and the lead-in is a fifth of it.
pub const SLICE: f64 = 0.1;

/// Whether a load in slices shows a metric as a whole window does. What builds up over a window does not: errors of a
/// queue that fills, the longest response, memory.
fn shown(metric: Metric) -> bool {
    let row = metric.row();
    !row.is_peak && row.of != Of::Errors
}

/// Seconds of a slice as somebody asks for them: within bounds, or 0 for whole windows.
///
/// # Errors
/// What is wrong with it.
pub fn slice(seconds: f64) -> Result<f64, String> {
    let range = limits::SLICE;
    let usable = seconds == 0.0 || range.contains(&seconds);
    let (least, most) = (range.start(), range.end());
    let wrong = || format!("must be {least} to {most} seconds, or 0 for whole windows");
    usable.then_some(seconds).ok_or_else(wrong)
}

/// The usual length for a plan with these claims: 0, which means whole windows, where one of them is about what slices
/// do not show.
pub(crate) fn usual(claims: &[Claim]) -> f64 {
    let mut conditions = claims
        .iter()
        .flat_map(|claim| claim.expect.iter().chain(&claim.since_expect));
    let all = conditions.all(|condition| match &condition.means {
        Ok(Expectation::Figures(of)) => of.figures().all(|figure| shown(figure.metric)),
        Ok(Expectation::Ranking(of)) => of.by.is_none_or(shown),
        Err(_) => true, // told elsewhere
    });
    if all { SLICE } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use record::Condition;

    use super::*;

    fn claim(condition: &str) -> Claim {
        Claim {
            id: "X1".into(),
            text: String::new(),
            reported: String::new(),
            required: false,
            expect: vec![Condition::read(condition)],
            since: None,
            differs: Vec::new(),
            since_expect: Vec::new(),
        }
    }

    #[test]
    fn what_builds_up_needs_whole_windows() {
        let rate = claim("throughput of `a` / throughput of `b` > 1");
        let errors = claim("errors of `a` < 1%");
        let rank = claim("rank by p99 of `a` in `ways` <= 1");
        let peak = claim("rank by peak-memory of `a` in `ways` <= 1");
        let cut = |claims: &[Claim]| usual(claims) > 0.0;
        assert!(cut(&[]) && cut(&[rate.clone(), rank]));
        assert!(!cut(&[rate.clone(), errors]) && !cut(&[rate, peak]));
    }
}
