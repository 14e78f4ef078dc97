//! What rankings come to.

use judge::{Order, Pareto};

use super::{counted, list, signs};
use crate::units;

/// What a ranking comes to, a sentence each.
pub(crate) fn ranking(of: &judge::Ranking) -> Vec<String> {
    let mut said = Vec::new();
    for order in &of.orders {
        said.extend(first(order));
        said.extend(alike(order));
        said.extend(order.agreement.map(|of| agreement(&of)));
    }
    let places = of.orders.iter().flat_map(|order| &order.places);
    let signs = signs("figure", places.map(|of| of.elsewhere));
    said.extend(signs.map(|signs| signs + "."));
    said.extend(unranked(&of.orders));
    if let Some(pareto) = &of.pareto {
        said.push(self::pareto(pareto));
        let together = pareto.members.len() + pareto.beaten.len();
        if of.orders.iter().any(|order| order.places.len() > together) {
            said.push(
                "Only rivals with a rank by each metric can be in the Pareto set.".to_owned(),
            );
        }
    }
    said
}

/// Who may be the best: `` By throughput `a` is first``.
fn first(order: &Order) -> Option<String> {
    let by = by(order);
    let leader = order.places.first()?;
    if leader.ranks.is_none() {
        let blocks = counted(u64::from(order.blocks), "block");
        return Some(format!(
            "By {by} `{}` comes first; {blocks} cannot give ranks, so chance may have decided the order.",
            leader.rival
        ));
    }
    let may_lead = |of: &&judge::Place| of.ranks.is_some_and(|(first, _)| first == 1);
    let leaders = order.places.iter().filter(may_lead);
    let leaders: Vec<String> = leaders.map(|of| format!("`{}`", of.rival)).collect();
    let all = order.places.len();
    Some(match leaders.len() {
        1 => format!("By {by} {} is first of {all}.", leaders[0]),
        many if many == all => format!("By {by} any of the {all} may be first."),
        many if many > 4 => format!(
            "By {by} any of {many} may be first of {all}, {} by the best estimate.",
            leaders[0]
        ),
        _ => format!("By {by} {} may be first of {all}.", list(&leaders)),
    })
}

fn by(order: &Order) -> String {
    let metric = order.metric.row().noun;
    match &order.levels {
        Some(levels) => format!("{metric} at `{levels}`"),
        None => metric.to_owned(),
    }
}

fn alike(order: &Order) -> Option<String> {
    let runs: Vec<String> = order
        .alike
        .iter()
        .map(|(first, last)| format!("{first} to {last}"))
        .collect();
    match &runs[..] {
        [] => None,
        [one] => Some(format!("Ranks {one} cannot be told apart.")),
        many => Some(format!(
            "Ranks {} cannot be told apart among themselves.",
            list(many)
        )),
    }
}

fn agreement(of: &judge::Figure) -> String {
    let tau = units::number_within(of.value, of.interval);
    format!(
        "Agreement with the reported order (Kendall's tau, 1 is the same order, -1 the opposite): {tau}."
    )
}

/// Everybody without a rank, once for each reason.
fn unranked(orders: &[Order]) -> Vec<String> {
    let mut said: Vec<(String, &str, Vec<String>)> = Vec::new();
    for order in orders {
        for (place, out) in order.unranked.iter().enumerate() {
            let who = match order.places.is_empty() {
                true if place > 0 => continue,
                true => "Nobody is ranked".to_owned(),
                false => format!("`{}` has no rank", out.rival),
            };
            match said
                .iter_mut()
                .find(|(of, because, _)| *of == who && *because == out.because)
            {
                Some((_, _, by)) => by.push(self::by(order)),
                None => said.push((who, &out.because, vec![self::by(order)])),
            }
        }
    }
    let words = |(who, because, by): (String, &str, Vec<String>)| {
        if by.len() == orders.len() {
            format!("{who}: {because}.")
        } else {
            format!("{who} by {}: {because}.", list(&by))
        }
    };
    said.into_iter().map(words).collect()
}

fn pareto(of: &Pareto) -> String {
    let metrics: Vec<String> = of
        .metrics
        .iter()
        .map(|of| of.row().noun.to_owned())
        .collect();
    let metrics = list(&metrics);
    if of.beaten.is_empty() {
        return format!("Nobody is beaten in {metrics} together: all are in the Pareto set.");
    }
    let beaten = of.beaten.iter();
    let beaten: Vec<String> = beaten
        .map(|of| format!("`{}` by `{}`", of.rival, of.by))
        .collect();
    format!(
        "Beaten, as another is surely better in one of {metrics} and in none worse by 3 %: {}. The others are the \
         Pareto set.",
        list(&beaten)
    )
}
