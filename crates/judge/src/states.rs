//! Two states of a variant: its throughput, block by block, is of one of two sizes and of none between them.

use record::{Metric, Variant};
use serde::Serialize;

use crate::compare::NEGLIGIBLE;
use crate::seen_run::SeenRun;

/// Fewest blocks of a state.
const FEWEST: usize = 3;
/// How many times as wide as either state the gap between the two is, at least.
const APART: f64 = 3.0;

/// Two states of a variant: a median over all its blocks mixes them.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct TwoStates {
    /// Blocks in the slow state: 3 or more.
    pub slow_blocks: u32,
    /// All blocks. The others, 3 or more too, are in the fast state.
    pub blocks: u32,
    /// Median throughput of the slow blocks, in requests per second.
    pub slow: f64,
    /// The same of the fast ones.
    pub fast: f64,
}

/// `None` where its blocks are of one state, or too few. What is loaded at a given rate has that throughput, and what looks
/// for a rate has that of the search: nothing is said of either. Of the A/A pair the first half is looked at, as two trials
/// of one block are not independent.
pub(crate) fn of_variant(seen_run: &SeenRun, variant: &Variant) -> Option<TwoStates> {
    if seen_run.run.plan.load_of(variant).is_open() {
        return None;
    }
    let by_block = seen_run.half_by_block(&variant.name, false, Metric::Throughput);
    two_states(by_block.into_values().collect())
}

/// Widths are differences of logarithms, as figures are compared by their ratio. Where all of it is normal or log-normal
/// noise, 0.5 % of samples of six blocks have such a gap, 0.2 % of those of seven, and fewer of larger ones: the tests
/// below draw them.
fn two_states(mut rates: Vec<f64>) -> Option<TwoStates> {
    rates.sort_by(f64::total_cmp);
    let cuts = FEWEST..=rates.len().saturating_sub(FEWEST);
    let mut cuts = cuts.map(|at| rates.split_at(at));
    let (slow, fast) = cuts.find(|(slow, fast)| {
        let gap = (fast[0] / slow[slow.len() - 1]).ln();
        gap > NEGLIGIBLE.ln_1p() && gap > APART * width(slow).max(width(fast))
    })?;
    Some(TwoStates {
        slow_blocks: slow.len() as u32,
        blocks: rates.len() as u32,
        slow: stats::median(slow)?,
        fast: stats::median(fast)?,
    })
}

/// How far the ends of rates in ascending order lie apart.
fn width(ascending: &[f64]) -> f64 {
    (ascending[ascending.len() - 1] / ascending[0]).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    /// Samples of each law and size.
    const SAMPLES: usize = 4_000;

    /// A standard normal deviate (Box and Muller).
    fn normal(random: &mut ChaCha8Rng) -> f64 {
        let (u, v) = (1.0 - random.random::<f64>(), random.random::<f64>());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    fn told(rates: &[f64]) -> bool {
        two_states(rates.to_vec()).is_some()
    }

    #[test]
    fn noise_is_hardly_ever_two_states() {
        let laws: [fn(f64) -> f64; 4] = [
            |z: f64| 1.0 + 0.05 * z,
            |z: f64| 1.0 + 0.2 * z.max(-4.9),
            |z: f64| (0.05 * z).exp(),
            |z: f64| (0.5 * z).exp(),
        ];
        let mut random = ChaCha8Rng::seed_from_u64(14);
        for (at, law) in laws.into_iter().enumerate() {
            for blocks in 6..=20 {
                let found = (0..SAMPLES).filter(|_| {
                    let rates = (0..blocks).map(|_| law(normal(&mut random)));
                    two_states(rates.collect()).is_some()
                });
                let found = found.count();
                assert!(
                    found * 100 < SAMPLES,
                    "law {at}: {found} of {SAMPLES} with {blocks} blocks"
                );
            }
        }
    }

    #[test]
    fn states_that_scatter_by_a_few_percent_are_told() {
        let mut random = ChaCha8Rng::seed_from_u64(66);
        let found = (0..SAMPLES).filter_map(|_| {
            let rates = (0..12).map(|block| {
                let state = if block % 3 == 0 { 6_600.0 } else { 14_000.0 };
                state * (0.04 * normal(&mut random)).exp()
            });
            two_states(rates.collect()).filter(|of| (of.slow_blocks, of.blocks) == (4, 12))
        });
        let found = found.count();
        assert!(found * 10 > SAMPLES * 9, "{found} of {SAMPLES}");
    }

    #[test]
    fn a_state_has_three_blocks_and_the_gap_is_three_times_as_wide() {
        let fast = [200.0, 200.0, 210.0];
        assert!(told(&[&[100.0, 110.0, 100.0][..], &fast].concat()));
        assert!(!told(&[&[100.0, 110.0][..], &fast].concat()));
        // 200 / 126 is 1.59; the third power of 126 / 109 is 1.54, and that of 126 / 107 is 1.63
        assert!(told(&[&[109.0, 126.0, 120.0][..], &fast].concat()));
        assert!(!told(&[&[107.0, 126.0, 120.0][..], &fast].concat()));
        assert!(!told(&[]));
    }

    #[test]
    fn a_gap_that_nobody_should_act_on_is_none() {
        let of = |fast: f64| told(&[100.0, fast, 100.0, fast, 100.0, fast]);
        assert!(of(103.1) && !of(102.9));
    }
}
