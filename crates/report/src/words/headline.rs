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
        .stage(&run.plan.baseline)
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
    let peers: Vec<_> = rivals
        .iter()
        .filter(|(_, rival)| overlap(best, rival))
        .collect();
    let ways = format!("of {} ways to serve `{route}`", rivals.len());
    if best.interval.is_none() {
        return format!(
            "`{}` came first {ways}: {rate}{}. One block gives no interval, so chance may have decided.",
            leader.name,
            against_baseline(leader)
        );
    }
    if peers.len() > 1 {
        let names: Vec<String> = peers
            .iter()
            .map(|(stage, _)| format!("`{}`", stage.name))
            .collect();
        let rates: Vec<String> = peers
            .iter()
            .map(|(_, figure)| units::figure(Metric::Throughput, figure))
            .collect();
        return format!(
            "{} are the fastest {ways}, too close to tell apart: {}.",
            list(&names),
            list(&rates)
        );
    }
    format!(
        "`{}` is the fastest {ways}: {rate}{}.",
        leader.name,
        against_baseline(leader)
    )
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
