use judge::{Figure, Judged, StageOpinion};
use record::{Plan, Run, Stage};

use super::contest::Contest;
use super::list;

/// The run in one sentence: which stage serves the baseline's route fastest, and how sure that is.
/// Fast is who answers most; at a given rate, which all that keep up with it answer, who answers
/// soonest.
///
/// A stage that answers another route (a static page), or is loaded in another way, did other work and
/// does not compete. Stages whose intervals overlap with the leader's are named together with it: the overlap of
/// two intervals is a cautious test, it never calls two stages different too early.
pub fn headline(run: &Run, judged: &Judged) -> String {
    let contest = Contest::of(&run.plan, &judged.baseline);
    let route = contest.route;
    let rivals = rivals(judged, &contest);
    let Some((leader, best)) = rivals.first() else {
        return format!("No stage that serves `{route}` could be measured.");
    };
    if rivals.len() == 1 {
        return alone(&run.plan, leader, &contest, best);
    }
    let rate = contest.told(best);
    let ways = format!("{} ways to serve `{route}`", rivals.len());
    if best.interval.is_none() {
        return format!(
            "`{}` came first of {ways}: {rate}{}. There are too few blocks for an interval, so chance \
             may have decided.",
            leader.name,
            contest.against_baseline(leader)
        );
    }
    let peers: Vec<_> = rivals
        .iter()
        .filter(|(_, rival)| contest.overlap(best, rival))
        .collect();
    if peers.len() > 1 {
        let names: Vec<_> = peers
            .iter()
            .map(|(stage, _)| format!("`{}`", stage.name))
            .collect();
        let rates: Vec<_> = peers
            .iter()
            .map(|(_, of)| contest.told_wholly(of))
            .collect();
        let (names, rates) = (list(&names), list(&rates));
        return format!("{names} lead {ways} and cannot be told apart: {rates}.");
    }
    format!(
        "`{}` is the fastest of {ways}: {rate}{}.",
        leader.name,
        contest.against_baseline(leader)
    )
}

/// The stages that compete and could be measured, the best first.
fn rivals<'j>(judged: &'j Judged, contest: &Contest) -> Vec<(&'j StageOpinion, Figure)> {
    let mut rivals: Vec<_> = judged
        .stages
        .iter()
        .filter(|stage| contest.has(&stage.name))
        .filter_map(|stage| Some((stage, *stage.figures.get(&contest.metric)?)))
        .collect();
    rivals.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
    if contest.metric.larger_is_better() {
        rivals.reverse();
    }
    rivals
}

fn alone(plan: &Plan, leader: &StageOpinion, contest: &Contest, best: &Figure) -> String {
    let (name, route, rate) = (&leader.name, contest.route, contest.told(best));
    let serves = |of: &&Stage| of.route == route;
    let entered = plan.stages.iter().filter(|of| contest.has(&of.name));
    if entered.count() == 1 && plan.stages.iter().filter(serves).count() > 1 {
        return format!("No other stage serves `{route}` under the load of `{name}`: {rate}.");
    }
    format!("Only `{name}` could be measured on `{route}`: {rate}.")
}
