use super::blocks;
use super::decide::{Decided, by_interval, decided, reaches_over};
use super::measure::LeftSide;
use crate::opinion::Holds;
use crate::ranking::{Order, Ranking};
use crate::seen_run::SeenRun;
use crate::words::counted;
use record::condition::{Bound, RankExpect, select};

/// What a condition asks of an order.
struct Asked<'a> {
    order: &'a Order,
    /// Whose rank, by its place; without one, how far it agrees with the order that was reported.
    place: Option<usize>,
}

/// A condition about a ranking, decided by the range of a rank, or by what can be said for sure of the pairs.
pub(super) fn decide(seen_run: &SeenRun, rankings: &[Ranking], expect: &RankExpect) -> Decided {
    let text = &expect.text;
    let found = asked(rankings, expect).and_then(|asked| Ok((measure(&asked)?, asked)));
    let (measure, asked) = match found {
        Ok(found) => found,
        Err(reason) => return decided(text, Holds::CannotTell, None, Some(reason)),
    };
    let Some(interval) = measure.estimate.interval else {
        let reason = measure.no_interval.clone();
        return decided(text, Holds::CannotTell, Some(&measure), reason);
    };
    let holds = by_interval(&expect.bounds, interval);
    if holds != Holds::CannotTell {
        return decided(text, holds, Some(&measure), None);
    }
    let (needed, there) = (asked.needed(&expect.bounds), measure.blocks as u32);
    let what = match needed {
        Some(needed) => format!(
            "about {needed} blocks are needed, and there are {there}{}",
            asked.time(seen_run, needed - there)
        ),
        None => format!("{} blocks would not tell", blocks::MOST),
    };
    // by how many times the intervals of the pairs have to shrink
    let shrink = needed.map_or(f64::INFINITY, |needed| {
        let wider = (f64::from(needed) / f64::from(there)).sqrt();
        wider / seen_run.narrower(measure.blocks)
    });
    let reason = format!("{}: {what}", reaches_over(interval));
    Decided {
        hopeless: seen_run.is_hopeless(measure.blocks, shrink),
        more: Some(needed.map_or(u32::MAX, |needed| needed - there)),
        ..decided(text, holds, Some(&measure), Some(reason))
    }
}

fn asked<'a>(rankings: &'a [Ranking], expect: &RankExpect) -> Result<Asked<'a>, String> {
    let named = rankings.iter().find(|of| of.name == expect.ranking);
    let ranking = named.ok_or_else(|| format!("no ranking is called `{}`", expect.ranking))?;
    let wanted = |order: &&Order| expect.by.is_none_or(|by| order.metric == by);
    let order = ranking.orders.iter().find(wanted);
    let order = order.ok_or_else(|| format!("`{}` has no such order", ranking.name))?;
    let Some(rival) = &expect.rival else {
        return Ok(Asked { order, place: None });
    };
    if let Some(out) = order.unranked.iter().find(|out| out.rival == *rival) {
        return Err(format!("`{rival}` has no rank: {}", out.because));
    }
    let at = order.places.iter().position(|place| place.rival == *rival);
    let at = at.ok_or_else(|| format!("`{}` does not rank `{rival}`", ranking.name))?;
    Ok(Asked {
        order,
        place: Some(at),
    })
}

impl Asked<'_> {
    /// Blocks after which it is most likely decided; `None` where no number of them would do.
    fn needed(&self, bounds: &[Bound]) -> Option<u32> {
        let mut later = self.order.later.iter();
        let found = later.find(|later| {
            let interval = match self.place {
                Some(at) => Some(ends(later.ranks[at])),
                None => later.agreement.and_then(|of| of.interval),
            };
            interval.is_some_and(|interval| by_interval(bounds, interval) != Holds::CannotTell)
        });
        found.map(|later| later.blocks)
    }

    /// What so many blocks more of all that are ranked would take.
    fn time(&self, seen_run: &SeenRun, blocks: u32) -> String {
        let plan = &seen_run.run.plan;
        let variants = |rival: &str| select(&plan.variants, rival).unwrap_or_default().len();
        let all = self.order.places.iter().map(|of| variants(&of.rival));
        seen_run.time(blocks, all.sum())
    }
}

fn measure(asked: &Asked) -> Result<LeftSide, String> {
    let order = asked.order;
    let Some(at) = asked.place else {
        let agreement = order.agreement.ok_or_else(|| why_no_agreement(order))?;
        return Ok(measured(order, agreement.value, agreement.interval));
    };
    let interval = order.places[at].ranks.map(ends);
    Ok(measured(order, (at + 1) as f64, interval))
}

fn ends((first, last): (u32, u32)) -> (f64, f64) {
    (f64::from(first), f64::from(last))
}

fn measured(order: &Order, value: f64, interval: Option<(f64, f64)>) -> LeftSide {
    let few = || {
        let blocks = counted(u64::from(order.blocks), "block");
        format!("{blocks} cannot give ranks: {} are needed", stats::FEWEST)
    };
    LeftSide {
        estimate: stats::Estimate { value, interval },
        blocks: order.blocks as usize,
        no_interval: interval.is_none().then(few),
    }
}

fn why_no_agreement(order: &Order) -> String {
    match order.unranked.first() {
        Some(out) => format!("`{}` has no rank: {}", out.rival, out.because),
        None => "fewer than two are ranked of whom a figure was reported".to_owned(),
    }
}
