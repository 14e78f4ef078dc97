//! Whether windows are cut into slices where nobody says so.

use record::condition::Expectation;
use record::metric::Of;
use record::{Metric, Plan, limits};

/// Seconds of a slice: noise is faster than that of windows one after the other, and the lead-in is a fifth of it.
pub const SLICE: f64 = 0.1;

/// Whether a load in slices shows a metric as a whole window does. What builds up over a window does not: errors of a
/// queue that fills, the longest response and the slowest in a hundred, memory. Nor do opened connections: servers close what
/// is idle between turns.
fn shown(metric: Metric) -> bool {
    let row = metric.row();
    let of_opening = matches!(metric, Metric::Opens | Metric::OpensInside);
    let of_tail = metric == Metric::P99;
    !row.is_peak && row.of != Of::Errors && !of_opening && !of_tail
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

/// Cuts the windows of a plan whose file does not say so: those of all variants but the ones of which a claim asks for
/// something that slices do not show or that are whole anyway, and of whatever is compared with these, so that both sides of a
/// ratio are measured the same way.
///
/// Where the file does say so, only clients are left whole.
pub(crate) fn cut(plan: &mut Plan, said: bool) {
    let seconds = plan.slice;
    cut_into(plan, seconds);
    if said {
        return;
    }
    let claims = plan.claims.iter();
    let conditions: Vec<(bool, Vec<String>)> = claims
        .flat_map(|claim| claim.expect.iter().chain(&claim.since_expect))
        .filter_map(|condition| condition.means.as_ref().ok()) // else told elsewhere
        .map(|means| (is_shown(means), means.variants(plan)))
        .collect();
    let mut whole = std::mem::take(&mut plan.whole);
    loop {
        let before = whole.len();
        for (shown, variants) in &conditions {
            if !shown || variants.iter().any(|of| whole.contains(of)) {
                whole.extend(variants.iter().cloned());
            }
        }
        if whole.len() == before {
            break;
        }
    }
    plan.slice = SLICE;
    plan.whole = whole;
}

/// Cuts the windows of a plan into slices of so many seconds whatever its claims ask for; with 0 all are whole. Those of clients
/// always are: a client sends requests when it likes, and not when it is its turn.
pub fn cut_into(plan: &mut Plan, seconds: f64) {
    let clients = plan.variants.iter().filter(|of| of.client.is_some());
    plan.whole = clients.map(|of| of.name.clone()).collect();
    plan.slice = seconds;
}

/// Whether slices show all that a condition is about.
fn is_shown(condition: &Expectation) -> bool {
    match condition {
        Expectation::Figures(of) => of.figures().all(|figure| shown(figure.metric)),
        Expectation::Ranking(of) => of.by.is_none_or(shown),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use record::{Claim, Client, Condition, Variant};

    use super::*;

    fn cut_for(conditions: &[&str]) -> (f64, Vec<String>) {
        let claim = |condition: &&str| Claim {
            id: "X1".into(),
            text: String::new(),
            reported: String::new(),
            required: false,
            expect: vec![Condition::read(condition)],
            since: None,
            demand: None,
            peak: None,
            differs: Vec::new(),
            since_expect: Vec::new(),
        };
        let variant = |name: &str| Variant {
            name: name.to_owned(),
            ..Variant::default()
        };
        let mut plan = Plan {
            variants: ["a", "b", "c"].map(variant).into(),
            claims: conditions.iter().map(claim).collect(),
            ..Plan::default()
        };
        cut(&mut plan, false);
        (plan.slice, plan.whole.into_iter().collect())
    }

    #[test]
    fn what_builds_up_needs_whole_windows_and_so_does_what_is_compared_with_it() {
        let rate = "throughput of `a` / throughput of `b` > 1";
        assert_eq!(cut_for(&[]), (SLICE, vec![]));
        assert_eq!(cut_for(&[rate]), (SLICE, vec![]));
        let errors = "errors of `c` < 1%";
        assert_eq!(cut_for(&[rate, errors]), (SLICE, vec!["c".to_owned()]));
        let peak = "peak-memory of `b` < 1 GB";
        let names = |of: &[&str]| of.iter().map(|of| (*of).to_owned()).collect::<Vec<_>>();
        assert_eq!(cut_for(&[rate, peak]), (SLICE, names(&["a", "b"])));
        let all = cut_for(&[rate, peak, errors]);
        assert_eq!(all, (SLICE, names(&["a", "b", "c"])));
        let opens = "opens of `c` < 0.1";
        assert_eq!(cut_for(&[rate, opens]), (SLICE, vec!["c".to_owned()]));
        let tail = "p99 of `c` < 0.1";
        assert_eq!(cut_for(&[rate, tail]), (SLICE, vec!["c".to_owned()]));
        let most = "p95 of `c` < 0.1";
        assert_eq!(cut_for(&[rate, most]), (SLICE, vec![]));
    }

    #[test]
    fn what_a_client_does_is_never_cut() {
        let variant = |name: &str, client: Option<Client>| Variant {
            name: name.to_owned(),
            client,
            ..Variant::default()
        };
        let client = Client::of(vec!["true".to_owned()], ".".into());
        let mut plan = Plan {
            variants: vec![variant("a", None), variant("c", Some(client))],
            whole: BTreeSet::from(["a".to_owned()]),
            ..Plan::default()
        };
        cut_into(&mut plan, 0.2);
        assert!((plan.slice - 0.2).abs() < 1e-9);
        assert_eq!(plan.whole, BTreeSet::from(["c".to_owned()]));
    }
}
