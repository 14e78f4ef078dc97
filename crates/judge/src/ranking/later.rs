//! What a ranking most likely is after more blocks: pairs of rivals that cannot be told apart yet are, one after the other.

use record::Metric;
use stats::Pairwise;

use super::opinion::Later;
use super::order::{Pair, surely_better};
use crate::claim::needed;
use crate::opinion::Figure;

/// What follows from who surely comes before whom: the ranks of each rival, and how far the order agrees with another one.
pub(super) type Follows<'a> = &'a dyn Fn(Pair<'_>) -> (Vec<(usize, usize)>, Option<Figure>);

/// After each number of blocks that most likely tells one more pair apart, the fewest first, if ratios stay where they are and
/// scatter as they did in the `blocks` so far, whose intervals are so many times `narrower` at the last look.
pub(super) fn later(
    pairs: &Pairwise,
    metric: Metric,
    (blocks, narrower): (usize, f64),
    places: &[usize],
    follows: Follows,
) -> Vec<Later> {
    let rivals = 0..places.len();
    // blocks after which one rival surely comes before another
    let wait = |of: usize, over: usize| -> Option<u32> {
        if surely_better(pairs, metric, of, over) {
            return Some(0);
        }
        let ratio = pairs.ratio(of, over);
        let (low, high) = ratio.interval?;
        let off = ratio.value.ln();
        let leads = if metric.larger_is_better() {
            off > 0.0
        } else {
            off < 0.0
        };
        let shrink = 0.5 * (high / low).ln() / off.abs();
        // where others were left out of later blocks these two have more than all have
        let both = pairs.blocks(of, over);
        let all = needed(shrink * narrower, both).filter(|_| leads)?;
        Some(all - both as u32 + blocks as u32)
    };
    let waits: Vec<Vec<Option<u32>>> = rivals
        .clone()
        .map(|of| rivals.clone().map(|over| wait(of, over)).collect())
        .collect();
    let all = waits.iter().flatten().flatten().copied();
    let mut steps: Vec<u32> = all.filter(|wait| *wait > 0).collect();
    steps.sort_unstable();
    steps.dedup();
    let after = |step: u32| {
        let surely = |of: usize, over: usize| waits[of][over].is_some_and(|wait| wait <= step);
        let (ranges, agreement) = follows(&surely);
        let ranks = places.iter().map(|own| ranges[*own]);
        Later {
            blocks: step,
            ranks: ranks
                .map(|(first, last)| (first as u32, last as u32))
                .collect(),
            agreement,
        }
    };
    steps.into_iter().map(after).collect()
}
