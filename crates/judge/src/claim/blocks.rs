//! How many blocks an open condition would take.

use record::condition::{Bound, Expect};

use crate::seen_run::SeenRun;
use crate::selected::variants;

/// Beyond so many, a condition is not worth waiting for: its edge lies at what is measured.
pub(super) const MOST: u32 = 1_000;

/// How many blocks would decide, if the figure stays where it is and its blocks scatter as they did: an interval narrows
/// with the root of their number. `None` beyond [`MOST`].
pub(crate) fn needed(shrink: f64, blocks: usize) -> Option<u32> {
    let needed = blocks as f64 * shrink.max(1.0).powi(2);
    (needed <= f64::from(MOST)).then(|| (needed.ceil() as u32).max(blocks as u32 + 1))
}

/// What so many more blocks of a condition's variants would take: ` (about 3 min more)`. Nothing where the run has no looks.
pub(super) fn time(seen_run: &SeenRun, expect: &Expect, blocks: u32) -> String {
    let figures = expect.figures();
    let names = figures.flat_map(|figure| variants(seen_run, figure));
    let mut names: Vec<&str> = names.map(|variant| variant.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    seen_run.time(blocks, names.len())
}

/// By how many times an interval has to shrink to decide. Of figures that are above zero the distances are those of the
/// logarithms, as in ratios.
pub(super) fn shrink(value: f64, (low, high): (f64, f64), bounds: &[Bound]) -> f64 {
    let scale = |x: f64| if low > 0.0 { x.ln() } else { x };
    let (at, low, high) = (scale(value), scale(low), scale(high));
    let edges = bounds.iter().flat_map(edges).map(scale);
    let inside = edges.filter(|edge| (low..=high).contains(edge));
    // the interval has to shrink, on the side of each edge inside it, to less than the way to that edge
    let shrink = inside.map(|edge| {
        let half = if edge < at { at - low } else { high - at };
        half / (edge - at).abs()
    });
    shrink.fold(1.0, f64::max)
}

/// Where what it allows ends.
pub(super) fn edges(bound: &Bound) -> Vec<f64> {
    match *bound {
        Bound::Below(edge) | Bound::AtMost(edge) | Bound::Above(edge) | Bound::AtLeast(edge) => {
            vec![edge]
        }
        Bound::Within(from, to) => vec![from, to],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_narrows_with_the_root_of_the_number_of_blocks() {
        let of = |value, interval, bound| needed(shrink(value, interval, &[bound]), 8);
        // half as wide decides: four times as many
        assert_eq!(of(2.0, (-2.0, 6.0), Bound::Above(0.0)), Some(32));
        // one side alone reaches over its edge, and barely
        assert_eq!(of(4.0, (3.0, 4.1), Bound::Below(4.1)), Some(9));
        let both = [Bound::Above(0.0), Bound::Below(12.0)];
        assert_eq!(needed(shrink(2.0, (-2.0, 6.0), &both), 8), Some(32));
    }

    #[test]
    fn at_the_edge_no_number_of_them_is_enough() {
        assert_eq!(
            needed(shrink(1.0, (0.9, 1.1), &[Bound::AtLeast(1.0)]), 8),
            None
        );
        let within = Bound::Within(0.5, 1.001);
        assert_eq!(needed(shrink(1.0, (0.9, 1.1), &[within]), 8), None);
    }
}
