use record::{Metric, Rival};
use stats::Pairwise;

use super::opinion::{Beaten, Pareto};
use super::order::{Standings, surely_better};
use crate::compare::NEGLIGIBLE;
use crate::seen_run::SeenRun;

/// Who is left when all criteria are taken together, of those that are ranked by each. A criterion by which
/// nobody is ranked is left out. The pairs of all criteria share one error of 5 %.
pub(super) fn pareto(
    seen_run: &SeenRun,
    rivals: &[Rival],
    standings: &[Standings],
) -> Option<Pareto> {
    let ranked = standings.iter().filter(|of| !of.order.places.is_empty());
    let criteria: Vec<&Standings> = ranked.collect();
    let everywhere: Vec<usize> = (0..rivals.len())
        .filter(|rival| criteria.iter().all(|of| !of.figures[*rival].is_empty()))
        .collect();
    if criteria.len() < 2 {
        return None;
    }
    let paired = |of: &&Standings| {
        let figures = everywhere.iter().map(|rival| of.figures[*rival].clone());
        let figures: Vec<_> = figures.collect();
        let confidence = |last: u32| seen_run.confidence([&last]);
        let pairs = Pairwise::by_block(&figures, criteria.len(), confidence)?;
        pairs.is_sure().then_some((of.order.metric, pairs))
    };
    let pairs: Option<Vec<(Metric, Pairwise)>> = criteria.iter().map(paired).collect();
    let pairs = pairs?;
    let mut found = Pareto {
        metrics: pairs.iter().map(|(metric, _)| *metric).collect(),
        members: Vec::new(),
        beaten: Vec::new(),
    };
    for own in 0..everywhere.len() {
        let name = |of: usize| rivals[everywhere[of]].variants.clone();
        let other = (0..everywhere.len()).find(|other| *other != own && beats(&pairs, *other, own));
        match other {
            None => found.members.push(name(own)),
            Some(other) => found.beaten.push(Beaten {
                rival: name(own),
                by: name(other),
            }),
        }
    }
    Some(found)
}

fn beats(pairs: &[(Metric, Pairwise)], one: usize, other: usize) -> bool {
    let not_worse = |(metric, of): &(Metric, Pairwise)| {
        let worse_at_most = 1.0 + NEGLIGIBLE;
        of.ratio(one, other).interval.is_some_and(|(low, high)| {
            if metric.larger_is_better() {
                low * worse_at_most >= 1.0
            } else {
                high <= worse_at_most
            }
        })
    };
    let better = |(metric, of): &(Metric, Pairwise)| surely_better(of, *metric, one, other);
    pairs.iter().all(not_worse) && pairs.iter().any(better)
}
