use std::collections::BTreeMap;

use record::Metric;
use stats::Estimate;

use crate::compare::{ratio_of, side_by_side};
use crate::seen_run::SeenRun;
use crate::selected::{over_variants, variants, why_no_value};
use crate::variant;
use record::condition::{Expect, Figure};

/// The measured left side of a condition.
pub(super) struct LeftSide {
    pub(super) estimate: Estimate,
    /// Blocks that it is of.
    pub(super) blocks: usize,
    /// Why there is no interval, if there is none.
    pub(super) no_interval: Option<String>,
}

/// A ratio is measured block by block (the centre of the log-ratios), and so is a ratio of ratios; a single figure is
/// the median over blocks. The error says why there is no value at all.
pub(super) fn measure(seen_run: &SeenRun, expect: &Expect) -> Result<LeftSide, String> {
    let (found, blocks) = if let Some(pairs) = pairs(figures(seen_run), expect) {
        ratio_of(seen_run, pairs).unzip()
    } else {
        let of = figures(seen_run)(&expect.of, false);
        (single(seen_run, &expect.of, &of), Some(of.len()))
    };
    let blocks = blocks.unwrap_or(0);
    // of three blocks and more there is none where figures are zero, which have no logarithms
    let needed = if blocks < stats::PAIRS {
        stats::PAIRS
    } else {
        stats::FEWEST
    };
    let found = found.map(|estimate| measured(estimate, blocks, needed, expect.of.metric));
    found.ok_or_else(|| why_no_value(seen_run, expect.figures()))
}

/// Whether a ratio is above any number, in as many blocks as an interval needs: nothing was there to divide by.
pub(super) fn is_beyond(seen_run: &SeenRun, expect: &Expect) -> bool {
    let plain = expect.against.is_none();
    let all = pairs(figures(seen_run), expect).filter(|pairs| plain && pairs.len() >= stats::PAIRS);
    all.is_some_and(|pairs| pairs.values().all(|(of, over)| *of > 0.0 && *over <= 0.0))
}

/// A figure by block, by itself or as it is compared with the same of other variants.
fn figures(seen_run: &SeenRun) -> impl Fn(&Figure, bool) -> BTreeMap<u32, f64> {
    move |figure, is_compared| {
        over_variants(seen_run, figure, |variant| {
            if is_compared {
                seen_run.compared(variant, figure.metric)
            } else {
                seen_run.by_block(variant, figure.metric)
            }
        })
    }
}

/// What is above the line of a ratio and what is below it, in each block that has both; of a ratio of ratios these are
/// ratios themselves. `None` for a figure without a ratio. Figures of one metric are taken as they are compared.
pub(super) fn pairs(
    figures: impl Fn(&Figure, bool) -> BTreeMap<u32, f64>,
    expect: &Expect,
) -> Option<BTreeMap<u32, (f64, f64)>> {
    let both = |of: &Figure, over: &Figure| {
        let is_compared = of.metric == over.metric;
        [of, over].map(|figure| figures(figure, is_compared))
    };
    let [of, over] = both(&expect.of, expect.over.as_ref()?);
    Some(match &expect.against {
        None => side_by_side(&of, &over),
        Some([above, below]) => {
            let [above, below] = both(above, below);
            side_by_side(&quotients(&of, &over), &quotients(&above, &below))
        }
    })
}

fn quotients(of: &BTreeMap<u32, f64>, over: &BTreeMap<u32, f64>) -> BTreeMap<u32, f64> {
    let pairs = side_by_side(of, over).into_iter();
    pairs
        .map(|(block, (of, over))| (block, of / over))
        .collect()
}

pub(super) fn values<T>(by_block: BTreeMap<u32, T>) -> Vec<T> {
    by_block.into_values().collect()
}

fn single(seen_run: &SeenRun, figure: &Figure, by_block: &BTreeMap<u32, f64>) -> Option<Estimate> {
    let variants = variants(seen_run, figure);
    let [variant] = variants[..] else {
        let confidence = seen_run.confidence(by_block.keys());
        return stats::figure_estimate(&values(by_block.clone()), confidence);
    };
    let response = seen_run.response(&variant.name);
    variant::figure(seen_run, &variant.name, figure.metric, &response)
}

fn measured(estimate: Estimate, blocks: usize, needed: usize, metric: Metric) -> LeftSide {
    let name = metric.name();
    let why = || match blocks {
        1 => "one block gives no interval".to_owned(),
        few if 0 < few && few < needed => {
            format!("{few} blocks give no 95 % interval: {needed} are needed")
        }
        _ if metric.quantile().is_some() => format!(
            "{name} is of the responses of all blocks together, which gives no interval: load each with \
             more requests"
        ),
        some => format!(
            "{name} is zero in some of {some} blocks, and without logarithms so few give no interval: more are needed"
        ),
    };
    LeftSide {
        estimate,
        blocks,
        no_interval: estimate.interval.is_none().then(why),
    }
}
