//! Where the figures of a table and a comparison put two variants in opposite orders.

use judge::{Comparison, Judged};

use super::list;
use crate::units;

/// Pairs that are named.
const NAMED: usize = 3;

/// That the table's figures put variants in another order than their ratio does, and why that can be; none where it cannot be
/// seen in what is printed.
pub(super) fn reversed(judged: &Judged) -> Option<String> {
    let own = judged.variants.iter().flat_map(|of| &of.against_baseline);
    let compared = own.chain(&judged.lead.comparisons);
    let mut pairs: Vec<[&str; 2]> = Vec::new();
    for of in compared.filter(|of| is_reversed(judged, of)) {
        let (first, second) = (of.of.as_str(), of.over.as_str());
        if !pairs.contains(&[first, second]) && !pairs.contains(&[second, first]) {
            pairs.push([first, second]);
        }
    }
    if pairs.is_empty() {
        return None;
    }
    let named = pairs.iter().take(NAMED);
    let named = named.map(|[first, second]| format!("`{first}` against `{second}`"));
    let more = pairs.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("{more} more"));
    let named: Vec<String> = named.chain(more).collect();
    Some(format!(
        "{}: the ratio and the figures say opposite things of which is ahead; a figure is the median of all blocks, a ratio \
         compares within each block, and verdicts follow the ratio",
        list(&named)
    ))
}

/// Whether a comparison by what the table compares puts the one ahead that has the lower figure in it.
fn is_reversed(judged: &Judged, of: &Comparison) -> bool {
    let figure = |name: &str| {
        let mut variants = judged.variants.iter();
        let opinion = variants.find(|variant| variant.name == name)?;
        Some(opinion.figures.get(&of.metric)?.value)
    };
    let (Some(first), Some(second)) = (figure(&of.of), figure(&of.over)) else {
        return false;
    };
    let printed = |value: f64| units::metric(of.metric, value);
    let seen = printed(first) != printed(second) && units::ratio(of.ratio) != units::ratio(1.0);
    seen && of.metric == judged.lead.metric && (first > second) != (of.ratio > 1.0)
}
