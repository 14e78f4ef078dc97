//! Whether windows are cut into slices where nobody says so.

use record::condition::Expectation;
use record::{Claim, Metric};

/// Seconds of a slice: noise is faster than that of windows one after the other, and the lead-in is a fifth of it.
pub const SLICE: f64 = 0.1;

/// Metrics that a load in slices shows as a whole window does. What builds up over a window does not: errors of a queue
/// that fills, the longest response, memory.
const SHOWN: [Metric; 8] = [
    Metric::Throughput,
    Metric::Mean,
    Metric::P50,
    Metric::P90,
    Metric::P95,
    Metric::P99,
    Metric::CpuPerRequest,
    Metric::GeneratorCpu,
];

/// The usual length for a plan with these claims: 0, which means whole windows, where one of them is about what slices
/// do not show.
pub(crate) fn usual(claims: &[Claim]) -> f64 {
    let shown = |metric: Metric| SHOWN.contains(&metric);
    let conditions = |claim: &'_ Claim| [claim.expect.clone(), claim.since_expect.clone()].concat();
    let mut conditions = claims.iter().flat_map(conditions);
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
