use judge::{Figure, Judged, StageOpinion};
use record::{Metric, Run};

use super::list;
use crate::units;

/// The run in one sentence: which stage serves the baseline's route fastest, and how sure that is.
///
/// A stage that answers another route (a static page) did other work and does not compete. Stages
/// whose throughput intervals overlap with the leader's are named together with it: the overlap of
/// two intervals is a cautious test, it never calls two stages different too early.
pub fn headline(run: &Run, judged: &Judged) -> String {
    let route = run
        .plan
        .stage(&judged.baseline)
        .map_or("/", |stage| stage.route.as_str());
    let mut rivals: Vec<(&StageOpinion, Figure)> = judged
        .stages
        .iter()
        .filter(|stage| {
            run.plan
                .stage(&stage.name)
                .is_some_and(|planned| planned.route == route)
        })
        .filter_map(|stage| Some((stage, *stage.figures.get(&Metric::Throughput)?)))
        .collect();
    rivals.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let Some((leader, best)) = rivals.first() else {
        return format!("No stage that serves `{route}` could be measured.");
    };
    let rate = units::figure(Metric::Throughput, best);
    if rivals.len() == 1 {
        return format!(
            "Only `{}` could be measured on `{route}`: {rate}.",
            leader.name
        );
    }
    let ways = format!("{} ways to serve `{route}`", rivals.len());
    if best.interval.is_none() {
        return format!(
            "`{}` came first of {ways}: {rate}{}. There are too few blocks for an interval, so chance \
             may have decided.",
            leader.name,
            against_baseline(leader)
        );
    }
    let peers: Vec<_> = rivals
        .iter()
        .filter(|(_, rival)| overlap(best, rival))
        .collect();
    if peers.len() > 1 {
        let names: Vec<_> = peers
            .iter()
            .map(|(stage, _)| format!("`{}`", stage.name))
            .collect();
        let rates: Vec<_> = peers.iter().map(|(_, figure)| rate_of(figure)).collect();
        let (names, rates) = (list(&names), list(&rates));
        return format!("{names} lead {ways} and cannot be told apart: {rates}.");
    }
    format!(
        "`{}` is the fastest of {ways}: {rate}{}.",
        leader.name,
        against_baseline(leader)
    )
}

fn rate_of(figure: &Figure) -> String {
    let missing = if figure.interval.is_none() {
        " (no interval)"
    } else {
        ""
    };
    format!("{}{missing}", units::figure(Metric::Throughput, figure))
}

fn against_baseline(stage: &StageOpinion) -> String {
    stage
        .against_baseline
        .iter()
        .find(|comparison| comparison.metric == Metric::Throughput)
        .map_or_else(String::new, |comparison| {
            let ratio = units::ratio_within(comparison.ratio, comparison.interval);
            format!(", {ratio} that of `{}`", comparison.over)
        })
}

fn overlap(best: &Figure, rival: &Figure) -> bool {
    match (best.interval, rival.interval) {
        (Some((low, _)), Some((_, high))) => high >= low,
        _ => true,
    }
}
