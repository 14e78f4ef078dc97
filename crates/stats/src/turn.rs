//! Where a curve turns: its highest point, and the level from which it has collapsed.

use serde::Serialize;

use crate::curve::Curve;
use crate::interval::quantile_interval;

/// Where a curve is highest.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Summit {
    /// The measured level.
    pub level: f64,
    /// 95 % interval, from measured level to measured level; `None` with too few whole blocks.
    pub interval: Option<(f64, f64)>,
    /// It is the highest level that was measured, and a higher one may be higher still.
    pub at_end: bool,
}

/// The level at which a curve is highest: the median of the blocks' highest levels (the lower one
/// of two in the middle, so that it is a measured one), or of the medians where no block is whole.
///
/// The interval is that of order statistics ([`quantile_interval`]), widened by one level to each
/// side: where a curve rises and then falls, its true summit lies between the neighbours of the
/// highest of its measured points.
///
/// Of the *power* X/R (throughput over response time) the summit is the knee: the point at which a
/// further gain in throughput begins to cost more than its share in response time (Kleinrock,
/// "Power and Deterministic Rules of Thumb for Probabilistic Problems in Computer Communications",
/// ICC 1979). In a closed loop with N clients R = N/X (Little), so that power is X²/N; where X
/// rises with N and then is flat it is largest exactly at N* of asymptotic bounds (Lazowska et al.,
/// "Quantitative System Performance", 1984, section 5.2). Kneedle (Satopää et al., 2011) was weighed:
/// it first scales the curve to the measured range, so that the same server has another knee when it
/// is measured further, or on a logarithmic axis, and it needs a sensitivity to be chosen.
pub fn summit(curve: &Curve) -> Option<Summit> {
    let levels = curve.levels();
    // the lowest level of those that are equally high
    let highest = |figures: &[f64]| {
        let places = 0..figures.len();
        let higher = |best, place| {
            if figures[place] > figures[best] {
                place
            } else {
                best
            }
        };
        places.reduce(higher).unwrap_or(0)
    };
    let mut places: Vec<usize> = curve.whole().iter().map(|block| highest(block)).collect();
    places.sort_unstable();
    let place = match places.len() {
        0 => highest(curve.medians()),
        blocks => places[(blocks - 1) / 2],
    };
    let interval = curve.enough().and_then(|_| {
        let places: Vec<f64> = places.iter().map(|place| *place as f64).collect();
        let (low, high) = quantile_interval(&places, 0.5)?;
        let (below, above) = ((low as usize).saturating_sub(1), high as usize + 1);
        Some((levels[below], levels[above.min(levels.len() - 1)]))
    });
    Some(Summit {
        level: levels[place],
        interval,
        at_end: place + 1 == levels.len() && levels.len() > 1,
    })
}

/// From where on a curve has collapsed: more than half of its peak is surely lost, and does not come back.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Collapse {
    /// The first measured level at which it has.
    pub level: f64,
    /// The level before, at which it had not, or not surely.
    pub after: f64,
}

/// What is left of a curve that has collapsed: less than this share of its peak.
pub const LEFT: f64 = 0.5;

/// The smallest level from which on the figure is surely below half of its peak: block by block it is
/// divided by the figure at the level with the highest median, and at this level and all above it the
/// 95 % interval of the median of these shares lies below a half.
///
/// `None` where there is no such level, or too few whole blocks to be sure.
pub fn collapse(curve: &Curve) -> Option<Collapse> {
    let blocks = curve.enough()?;
    let peak = peak(curve.medians())?;
    let fallen = |place: &usize| {
        let shares = blocks.iter().map(|block| block[*place] / block[peak]);
        let interval = quantile_interval(&shares.collect::<Vec<_>>(), 0.5);
        interval.is_some_and(|(_, high)| high < LEFT)
    };
    let levels = curve.levels();
    let first = (peak + 1..levels.len()).rev().take_while(fallen).last()?;
    Some(Collapse {
        level: levels[first],
        after: levels[first - 1],
    })
}

fn peak(figures: &[f64]) -> Option<usize> {
    (0..figures.len()).max_by(|&a, &b| figures[a].total_cmp(&figures[b]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: &[(f64, f64)], blocks: usize) -> Curve {
        let points: Vec<_> = points
            .iter()
            .map(|(level, figure)| (*level, vec![Some(*figure); blocks]))
            .collect();
        Curve::new(&points).unwrap()
    }

    #[test]
    fn power_is_largest_where_the_asymptotes_meet() {
        // X = min(50 N, 400): they meet at 8
        let power = |n: f64| (50.0 * n).min(400.0).powi(2) / n;
        for most in [16.0, 32.0, 64.0] {
            let levels = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
            let points: Vec<_> = levels
                .into_iter()
                .filter(|n| *n <= most)
                .map(|n| (n, power(n)))
                .collect();
            let knee = summit(&curve(&points, 6)).unwrap();
            assert_eq!((knee.level, knee.interval), (8.0, Some((4.0, 16.0))));
            assert!(!knee.at_end);
        }
    }

    #[test]
    fn a_summit_at_the_end_says_so_and_few_blocks_have_no_interval() {
        let rising = summit(&curve(&[(1.0, 1.0), (2.0, 2.0)], 1)).unwrap();
        assert_eq!((rising.level, rising.interval), (2.0, None));
        assert!(rising.at_end);
    }

    #[test]
    fn a_collapse_is_below_half_from_there_on() {
        let falls = [
            (1.0, 10.0),
            (10.0, 100.0),
            (100.0, 90.0),
            (300.0, 40.0),
            (500.0, 0.0),
        ];
        let found = collapse(&curve(&falls, 6)).unwrap();
        assert_eq!((found.level, found.after), (300.0, 100.0));
        assert_eq!(collapse(&curve(&falls, 5)), None, "nobody can be sure");
        assert_eq!(collapse(&curve(&falls[..3], 6)), None);
        // it comes back
        let dips = [(1.0, 100.0), (10.0, 10.0), (100.0, 90.0)];
        assert_eq!(collapse(&curve(&dips, 6)), None);
        assert_eq!(collapse(&curve(&[(1.0, 0.0), (2.0, 0.0)], 6)), None);
    }

    #[test]
    fn one_good_block_is_a_reason_not_to_be_sure() {
        let mut blocks = vec![Some(40.0); 6];
        blocks[3] = Some(60.0);
        let points = [(1.0, vec![Some(100.0); 6]), (9.0, blocks)];
        assert_eq!(collapse(&Curve::new(&points).unwrap()), None);
    }
}
