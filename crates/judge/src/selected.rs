//! Figures over the variants that a name selects.

use std::collections::BTreeMap;

use record::Variant;

use crate::seen_run::SeenRun;
use record::condition::{Figure, Pick, select};

/// The variants that a figure is of; none when its plan has been changed since.
pub(crate) fn variants<'a>(seen_run: &SeenRun<'a>, figure: &Figure) -> Vec<&'a Variant> {
    select(&seen_run.run.plan.variants, &figure.variant).unwrap_or_default()
}

/// A figure by block: of its one variant, or of all its variants in each block in which all have it.
pub(crate) fn over_variants(
    seen_run: &SeenRun,
    figure: &Figure,
    by_block: impl Fn(&str) -> BTreeMap<u32, f64>,
) -> BTreeMap<u32, f64> {
    let variants = variants(seen_run, figure);
    let mut blocks: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for variant in &variants {
        for (block, value) in by_block(&variant.name) {
            blocks.entry(block).or_default().push(value);
        }
    }
    blocks.retain(|_, values| values.len() == variants.len());
    let blocks = blocks.into_iter();
    let whole = blocks.map(|(block, values)| (block, picked(figure.pick, &values)));
    whole.collect()
}

fn picked(pick: Pick, values: &[f64]) -> f64 {
    let values = values.iter().copied();
    match pick {
        Pick::Mean => values.clone().sum::<f64>() / values.len() as f64,
        Pick::Least => values.fold(f64::INFINITY, f64::min),
        Pick::Largest => values.fold(f64::NEG_INFINITY, f64::max),
    }
}

/// Why some figures come to no value in any block.
pub(crate) fn why_no_value<'a>(
    seen_run: &SeenRun,
    figures: impl Iterator<Item = &'a Figure> + Clone,
) -> String {
    for figure in figures.clone() {
        if let Err((problem, _)) = select(&seen_run.run.plan.variants, &figure.variant) {
            return problem;
        }
    }
    let all = figures.flat_map(|figure| {
        let variants = variants(seen_run, figure).into_iter();
        variants.map(|variant| (&variant.name, figure.metric))
    });
    for (variant, metric) in all {
        let counts = seen_run.of(variant).any(|seen| seen.counts_for(metric));
        if !counts {
            let why = seen_run.why_none_counts(variant);
            return format!("no trial of `{variant}` counts: {why}");
        }
        if seen_run.by_block(variant, metric).is_empty() {
            let name = metric.name();
            return match metric.quantile() {
                Some(quantile) => format!(
                    "too few responses for {name} of `{variant}`: each trial needs {}",
                    record::units::number(crate::latency::samples_for(quantile) as f64)
                ),
                None => format!("`{variant}` has no {name}"),
            };
        }
    }
    "no block has a counted trial of all its variants, or a figure is zero".to_owned()
}
