use super::decide::{Decided, by_interval, decided, reaches_over};
use super::measure::LeftSide;
use crate::opinion::Holds;
use crate::ranking::{Order, Ranking};
use crate::words::counted;
use record::condition::RankExpect;

/// A condition about a ranking, decided by the range of a rank, or by what can be said for sure of the pairs.
pub(super) fn decide(rankings: &[Ranking], expect: &RankExpect) -> Decided {
    let text = &expect.text;
    match measure(rankings, expect) {
        Err(reason) => decided(text, Holds::CannotTell, None, Some(reason)),
        Ok(measure) => {
            let (holds, reason) = match measure.estimate.interval {
                None => (Holds::CannotTell, measure.no_interval.clone()),
                Some(interval) => {
                    let holds = by_interval(&expect.bounds, interval);
                    let unsure = holds == Holds::CannotTell;
                    let more = || format!("{}: more blocks are needed", reaches_over(interval));
                    (holds, unsure.then(more))
                }
            };
            decided(text, holds, Some(&measure), reason)
        }
    }
}

fn measure(rankings: &[Ranking], expect: &RankExpect) -> Result<LeftSide, String> {
    let named = rankings.iter().find(|of| of.name == expect.ranking);
    let ranking = named.ok_or_else(|| format!("no ranking is called `{}`", expect.ranking))?;
    let wanted = |order: &&Order| expect.by.is_none_or(|by| order.metric == by);
    let order = ranking.orders.iter().find(wanted);
    let order = order.ok_or_else(|| format!("`{}` has no such order", ranking.name))?;
    let Some(rival) = &expect.rival else {
        let agreement = order.agreement.ok_or_else(|| why_no_agreement(order))?;
        return Ok(measured(order, agreement.value, agreement.interval));
    };
    if let Some(out) = order.unranked.iter().find(|out| out.rival == *rival) {
        return Err(format!("`{rival}` has no rank: {}", out.because));
    }
    let at = order.places.iter().position(|place| place.rival == *rival);
    let at = at.ok_or_else(|| format!("`{}` does not rank `{rival}`", ranking.name))?;
    let ranks = order.places[at].ranks;
    let interval = ranks.map(|(first, last)| (f64::from(first), f64::from(last)));
    Ok(measured(order, (at + 1) as f64, interval))
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
