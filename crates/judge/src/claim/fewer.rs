//! A comparison of throughputs as machines: how many fewer the faster variant needs.

use record::condition::{Expect, Expectation, Figure};
use record::units::count;
use record::{Claim, Metric, Variant};

use super::floor::Floor;
use super::limit::{at_best, one_sided};
use crate::machines::{Demand, Fewer, machines};
use crate::opinion::ConditionVerdict;
use crate::seen_run::SeenRun;
use crate::selected::{over_variants, variants};
use crate::words::percent;

/// By the first condition that compares throughputs; `None` where the claim has no demand, nothing came of these, or they are not
/// known to be what a machine carries.
pub(super) fn fewer(
    seen_run: &SeenRun,
    claim: &Claim,
    conditions: &[ConditionVerdict],
) -> Option<Fewer> {
    let text = claim.demand.clone()?;
    let mean = record::per_second(&text)?;
    let demand = Demand {
        text,
        mean,
        peak: claim.peak.unwrap_or(1.0),
    };
    let mut told = conditions.iter();
    told.find_map(|of| by_condition(seen_run, &demand, of))
}

fn by_condition(seen_run: &SeenRun, demand: &Demand, of: &ConditionVerdict) -> Option<Fewer> {
    let Some(Expectation::Figures(expect)) = &of.about else {
        return None;
    };
    let [above, below] = expect
        .carried()
        .filter(|both| is_carried(seen_run, expect, *both))?;
    let ratio = of.value.filter(|ratio| *ratio > 0.0)?;
    let needed = |figure: &Figure| {
        let each = each(seen_run, figure)?;
        Some((
            figure.variant.clone(),
            machines(demand, each, None).machines,
        ))
    };
    let (above, below) = (needed(above)?, needed(below)?);
    let (share, interval) = saved(ratio, of.interval);
    let own_share = of.own_share.as_ref();
    let elsewhere = own_share.and_then(|own| saved(ratio, Some(own.between)).1);
    let both = if ratio <= 1.0 {
        [above, below]
    } else {
        [below, above]
    };
    Some(told(demand, both, share, [interval, elsewhere]))
}

/// Whether both rates are what a machine carries, and both ends of their ratio are known: the load asked for more, and the generator
/// was not the bottleneck.
fn is_carried(seen_run: &SeenRun, expect: &Expect, both: [&Figure; 2]) -> bool {
    let plan = &seen_run.run.plan;
    let at_a_rate = |variant: &Variant| plan.load_of(variant).is_at_a_rate();
    let of_both = both.into_iter();
    let mut all = of_both.flat_map(|figure| variants(seen_run, figure));
    if expect.as_loaded || all.any(at_a_rate) {
        return false;
    }
    let floor = Floor::of(seen_run, expect);
    one_sided(seen_run, expect).is_none() && at_best(seen_run, expect, &floor).is_none()
}

/// The share of the slower one's machines that the faster one does not need, where one carries `ratio` times what the other
/// one does, and its interval: none where a machine may carry nothing, as there is no end to those that are needed then.
fn saved(ratio: f64, interval: Option<(f64, f64)>) -> (f64, Option<(f64, f64)>) {
    let slower = ratio <= 1.0;
    let share = |ratio: f64| 1.0 - if slower { ratio } else { 1.0 / ratio };
    let ends = interval.map(|(low, high)| {
        if slower {
            (share(high), share(low))
        } else {
            (share(low), share(high))
        }
    });
    let ends = ends.filter(|(low, high)| low.is_finite() && high.is_finite());
    (share(ratio), ends)
}

/// Requests per second of one machine.
fn each(seen_run: &SeenRun, figure: &Figure) -> Option<f64> {
    let by_block = |variant: &str| seen_run.by_block(variant, Metric::Throughput);
    let of = over_variants(seen_run, figure, by_block).into_values();
    stats::median(&of.collect::<Vec<_>>()).filter(|each| *each > 0.0)
}

fn told(
    demand: &Demand,
    [before, after]: [(String, u64); 2],
    share: f64,
    [interval, elsewhere]: [Option<(f64, f64)>; 2],
) -> Fewer {
    let ends = interval.map_or_else(String::new, |(low, high)| {
        format!(" ({} to {})", percent(low), percent(high))
    });
    let elsewhere = elsewhere.map_or_else(String::new, |(low, high)| {
        let (low, high) = (percent(low), percent(high));
        format!("; with the load generator elsewhere between {low} and {high} fewer")
    });
    let whole = if before.1 == after.1 {
        "; that is none fewer, as machines are whole"
    } else {
        ""
    };
    let peak = if demand.peak > 1.0 {
        format!("{} times that in the busiest moment", demand.peak)
    } else {
        "taken as even".to_owned()
    };
    let because = format!(
        "{} fewer{ends} machines for {}, {peak}, by what one carries: {} of `{}`, {} of `{}`{whole}{elsewhere}",
        percent(share),
        demand.text,
        count(before.1),
        before.0,
        count(after.1),
        after.0
    );
    Fewer {
        demand: demand.clone(),
        before,
        after,
        share,
        interval,
        because,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_has_an_interval_where_both_ends_are_known() {
        for (ratio, interval, told) in [
            (0.5, Some((0.25, 0.75)), (0.5, Some((0.25, 0.75)))),
            (2.0, Some((1.0, 4.0)), (0.5, Some((0.0, 0.75)))),
            (2.0, Some((0.5, 4.0)), (0.5, Some((-1.0, 0.75)))),
            // it carried nothing in some blocks
            (2.0, Some((0.0, 4.0)), (0.5, None)),
            (0.5, Some((0.0, 0.75)), (0.5, Some((0.25, 1.0)))),
            (2.0, None, (0.5, None)),
        ] {
            assert_eq!(saved(ratio, interval), told, "{ratio} {interval:?}");
        }
    }
}
