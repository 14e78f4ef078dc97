use std::collections::BTreeMap;

use record::metric::Dimension;
use record::{Metric, Stage};
use stats::Estimate;

use crate::compare::matched;
use crate::expect::{Expect, Figure, Pick, select};
use crate::session::{Seen, Session};
use crate::stage;

/// The measured left side of a condition.
pub(super) struct Measure {
    pub(super) value: f64,
    pub(super) interval: Option<(f64, f64)>,
    /// Why there is no interval, if there is none.
    pub(super) no_interval: Option<String>,
}

/// A left side of which only one end is known.
pub(super) struct Limit {
    /// As measured.
    pub(super) measure: Measure,
    /// Where the truth lies: one end is infinite, or zero.
    pub(super) interval: (f64, f64),
    /// What limited it.
    pub(super) because: String,
}

/// A ratio is measured block by block (median of the log-ratios), a single figure as the median
/// over blocks. The error says why there is no value at all.
pub(super) fn measure(session: &Session, expect: &Expect) -> Result<Measure, String> {
    let by_block = |figure: &Figure| {
        over_stages(session, figure, |stage| {
            session.by_block(stage, false, figure.metric)
        })
    };
    let of = by_block(&expect.of);
    let found = match &expect.over {
        Some(over) => {
            let pairs = matched(&of, &by_block(over));
            let ratio = stats::paired_ratio(&pairs);
            ratio.map(|ratio| measured(ratio, pairs.len(), expect.of.metric))
        }
        None => single(session, &expect.of, &of)
            .map(|value| measured(value, of.len(), expect.of.metric)),
    };
    found.ok_or_else(|| why_no_value(session, expect.figures()))
}

/// The stages that a figure is of; none when its plan has been changed since.
fn stages<'a>(session: &Session<'a>, figure: &Figure) -> Vec<&'a Stage> {
    select(&session.run.plan.stages, &figure.stage).unwrap_or_default()
}

/// A figure by block: of its one stage, or of all its stages in each block in which all have it.
pub(crate) fn over_stages(
    session: &Session,
    figure: &Figure,
    by_block: impl Fn(&str) -> BTreeMap<u32, f64>,
) -> BTreeMap<u32, f64> {
    let stages = stages(session, figure);
    let mut blocks: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for stage in &stages {
        for (block, value) in by_block(&stage.name) {
            blocks.entry(block).or_default().push(value);
        }
    }
    let whole = blocks
        .into_iter()
        .filter(|(_, values)| values.len() == stages.len());
    whole
        .map(|(block, values)| (block, picked(figure.pick, &values)))
        .collect()
}

fn picked(pick: Pick, values: &[f64]) -> f64 {
    let values = values.iter().copied();
    match pick {
        Pick::Mean => values.clone().sum::<f64>() / values.len() as f64,
        Pick::Least => values.fold(f64::INFINITY, f64::min),
        Pick::Largest => values.fold(f64::NEG_INFINITY, f64::max),
    }
}

fn single(session: &Session, figure: &Figure, by_block: &BTreeMap<u32, f64>) -> Option<Estimate> {
    let stages = stages(session, figure);
    let [stage] = stages[..] else {
        return stats::median_estimate(&by_block.values().copied().collect::<Vec<_>>());
    };
    let response = session.response(&stage.name);
    let found = stage::figure(session, &stage.name, figure.metric, &response)?;
    Some(Estimate {
        value: found.value,
        interval: found.interval,
    })
}

fn measured(estimate: Estimate, blocks: usize, metric: Metric) -> Measure {
    let why = || match blocks {
        1 => "one block gives no interval".to_owned(),
        few if 0 < few && few < stats::FEWEST => {
            format!(
                "{few} blocks give no 95 % interval: {} are needed",
                stats::FEWEST
            )
        }
        _ => format!(
            "{} rests on the answers of all blocks together, which gives no interval: load each \
             with more requests",
            metric.name()
        ),
    };
    Measure {
        value: estimate.value,
        interval: estimate.interval,
        no_interval: estimate.interval.is_none().then(why),
    }
}

/// Why some figures come to no value in any block.
pub(crate) fn why_no_value<'a>(
    session: &Session,
    figures: impl Iterator<Item = &'a Figure> + Clone,
) -> String {
    for figure in figures.clone() {
        if let Err((problem, _)) = select(&session.run.plan.stages, &figure.stage) {
            return problem;
        }
    }
    let all = figures.flat_map(|figure| {
        let stages = stages(session, figure).into_iter();
        stages.map(|stage| (&stage.name, figure.metric))
    });
    for (stage, metric) in all {
        let counts = session.of(stage, false).any(|seen| seen.counts_for(metric));
        if !counts {
            return format!(
                "no trial of `{stage}` counts: {}",
                session.why_none_counts(stage)
            );
        }
        if session.by_block(stage, false, metric).is_empty() {
            let name = metric.name();
            return match metric.quantile() {
                Some(_) => format!("too few answers for {name} of `{stage}`"),
                None => format!("`{stage}` has no {name}"),
            };
        }
    }
    "no block has a counted trial of all its stages, or a figure is zero".to_owned()
}

/// What is known where trials are out only because the generator was the bottleneck. The stack
/// then does at least the measured throughput and takes at most the measured times, so the truth
/// lies beyond one end of the measured interval: enough to decide a condition on that end. `None`
/// when that is not the case, when both sides of a ratio move against each other, or when there
/// is no interval.
pub(super) fn at_best(session: &Session, expect: &Expect) -> Option<Limit> {
    let limited = |figure: &&Figure| {
        let stages = stages(session, figure).into_iter();
        let mut trials = stages.flat_map(|stage| session.of(&stage.name, false));
        trials.any(Seen::is_lower_limit)
    };
    let of = Some(&expect.of).filter(limited);
    let over = expect.over.as_ref().filter(limited);
    let rises = match (of, over) {
        (Some(of), None) => better_is_larger(of.metric)?,
        (None, Some(over)) => !better_is_larger(over.metric)?,
        _ => return None,
    };
    let above = with_limits(session, &expect.of);
    let estimate = if let Some(over) = &expect.over {
        stats::paired_ratio(&matched(&above, &with_limits(session, over)))?
    } else {
        stats::median_estimate(&above.into_values().collect::<Vec<_>>())?
    };
    let (low, high) = estimate.interval?;
    let stage = &of.or(over)?.stage;
    let end = if rises { "at least" } else { "at most" };
    Some(Limit {
        measure: Measure {
            value: estimate.value,
            interval: estimate.interval,
            no_interval: None,
        },
        interval: if rises {
            (low, f64::INFINITY)
        } else {
            (0.0, high)
        },
        because: format!(
            "the load generator, not `{stage}`, was the bottleneck: the true value is {end} this"
        ),
    })
}

/// Whether a stack that is better than measured has the larger figure. `None` where the
/// generator's saturation says nothing about the figure.
fn better_is_larger(metric: Metric) -> Option<bool> {
    match metric.dimension() {
        Dimension::Rate | Dimension::Time => Some(metric.larger_is_better()),
        Dimension::CpuTime | Dimension::Size | Dimension::Share | Dimension::Count => None,
    }
}

/// A stage's figure by block, trials included in which the generator was the bottleneck.
fn with_limits(session: &Session, figure: &Figure) -> BTreeMap<u32, f64> {
    let metric = figure.metric;
    over_stages(session, figure, |stage| {
        session
            .of(stage, false)
            .filter(|seen| seen.counts_for(metric) || seen.is_lower_limit())
            .filter_map(|seen| Some((seen.trial.block, *seen.opinion.figures.get(&metric)?)))
            .collect()
    })
}
