//! Rivals ranked: who comes before whom for sure, block by block, and what ranks that leaves to each.

mod check;
mod later;
mod opinion;
mod order;
mod pareto;
mod unasked;

use record::condition::Expectation;

use crate::seen_run::SeenRun;

pub use check::{RankingFlaw, check_ranking, rivals_by};
pub use opinion::{Beaten, Later, Order, Pareto, Place, Ranking, Unranked};
pub use unasked::USUAL;

/// The plan's rankings, and those of its matrices that nobody asked for.
pub(crate) fn all(seen_run: &SeenRun) -> Vec<Ranking> {
    let plan = &seen_run.run.plan;
    let unasked = unasked::rankings(plan);
    let asked = plan.rankings.iter().chain(&unasked);
    asked.map(|ranking| of(seen_run, ranking)).collect()
}

/// The rivals of the ranking of this name that may still come first, by its first criterion: one, where that is sure.
/// `None` where ranks are not known yet, and all may.
pub(crate) fn contenders(rankings: &[Ranking], name: &str) -> Option<Vec<String>> {
    let order = rankings.iter().find(|of| of.name == name)?.orders.first()?;
    let ranks = order
        .places
        .iter()
        .map(|place| Some((place, place.ranks?.0)));
    let ranks: Vec<_> = ranks.collect::<Option<_>>()?;
    let first = ranks.into_iter().filter(|(_, best)| *best == 1);
    let first: Vec<String> = first.map(|(place, _)| place.rival.clone()).collect();
    (!first.is_empty()).then_some(first)
}

fn of(seen_run: &SeenRun, ranking: &record::Ranking) -> Ranking {
    let claims = seen_run.run.plan.claims.iter();
    let mut asked = claims.flat_map(|claim| claim.expect.iter().chain(&claim.since_expect));
    let is_asked = asked.any(|of| match &of.means {
        Ok(Expectation::Ranking(expect)) => expect.ranking == ranking.name,
        _ => false,
    });
    let by = ranking.by.iter().enumerate();
    let orders = by.map(|(place, by)| {
        let first = place == 0;
        order::standings(seen_run, &ranking.of, by, first, is_asked)
    });
    let orders: Vec<order::Standings> = orders.collect();
    Ranking {
        name: ranking.name.clone(),
        title: ranking.title.clone(),
        pareto: pareto::pareto(seen_run, &ranking.of, &orders),
        orders: orders.into_iter().map(|of| of.order).collect(),
    }
}
