//! Whether a "95 % interval" is one: seeded simulations count how often intervals contain the
//! truth, and how often two equal things are told apart.

mod laws;

use laws::{Law, normal};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// How the logarithm of a figure scatters from one fresh start to the next; the median is 0.
#[derive(Clone, Copy, Debug)]
enum Noise {
    /// Normal, 5 %.
    Normal,
    /// Skewed: never much faster, now and then much slower (shifted exponential).
    Skewed,
    /// Normal, but every seventh start is ten times as far off, to either side.
    Outliers,
}

const NOISES: [Noise; 3] = [Noise::Normal, Noise::Skewed, Noise::Outliers];
const SIZES: [usize; 3] = [6, 10, 20];

impl Noise {
    fn draw(self, random: &mut ChaCha8Rng) -> f64 {
        match self {
            Self::Skewed => 0.05 * (std::f64::consts::LN_2 + random.random::<f64>().ln()),
            Self::Outliers if random.random_bool(1.0 / 7.0) => 0.5 * normal(random),
            Self::Normal | Self::Outliers => 0.05 * normal(random),
        }
    }
}

fn contains((low, high): (f64, f64), truth: f64) -> bool {
    low <= truth && truth <= high
}

/// Share of `times` for which `happens`.
fn share(times: u32, random: &mut ChaCha8Rng, happens: impl Fn(&mut ChaCha8Rng) -> bool) -> f64 {
    let count = (0..times).filter(|_| happens(random)).count();
    count as f64 / f64::from(times)
}

/// Blocks in which both sides share a drift that is much larger than the noise, by which both scatter.
fn paired(ratio: f64, noise: Noise, blocks: usize, random: &mut ChaCha8Rng) -> (f64, f64) {
    let pairs: Vec<(f64, f64)> = (0..blocks)
        .map(|_| {
            let block = 400.0 * (0.5 * normal(random)).exp();
            let of = block * ratio * noise.draw(random).exp();
            (of, block * noise.draw(random).exp())
        })
        .collect();
    stats::paired_ratio(&pairs, stats::Confidence::USUAL)
        .unwrap()
        .interval
        .unwrap()
}

/// Two sessions; the second scatters only `calm` times as much as the first.
fn unpaired(noise: Noise, calm: f64, n: usize, random: &mut ChaCha8Rng) -> (f64, f64) {
    let mut side = |middle: f64, scale: f64| -> Vec<f64> {
        (0..n)
            .map(|_| middle * (scale * noise.draw(random)).exp())
            .collect()
    };
    let (of, over) = (side(560.0, 1.0), side(400.0, calm));
    stats::unpaired_ratio(&of, &over, random.random())
        .unwrap()
        .interval
        .unwrap()
}

#[test]
fn paired_intervals_contain_the_truth() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for noise in NOISES {
        for blocks in SIZES {
            let covered = share(4_000, &mut random, |random| {
                contains(paired(1.4, noise, blocks, random), 1.4)
            });
            println!("paired {noise:?} n={blocks}: {covered:.3}");
            assert!(covered >= 0.94, "{noise:?}, {blocks} blocks: {covered}");
        }
    }
}

/// The interval that is printed of so many blocks, in logarithms.
fn printed(law: Law, blocks: usize, random: &mut ChaCha8Rng) -> (f64, f64) {
    let pairs: Vec<_> = (0..blocks).map(|_| (law.draw(random).exp(), 1.0)).collect();
    let (low, high) = stats::paired_ratio(&pairs, stats::Confidence::USUAL)
        .unwrap()
        .interval
        .unwrap();
    (low.ln(), high.ln())
}

/// What chooses the interval of [`stats::paired_ratio`], for every number of blocks that is used.
#[test]
fn what_is_printed_of_pairs_covers_whatever_the_law() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for law in Law::ALL {
        for blocks in stats::PAIRS..=20 {
            let covered = share(20_000, &mut random, |random| {
                contains(printed(law, blocks, random), 0.0)
            });
            println!("{law:?} n={blocks}: {covered:.4}");
            assert!(covered >= 0.945, "{law:?}, {blocks} blocks: {covered}");
        }
    }
}

/// The same of single figures, for the sizes without an interval by ranks.
#[test]
fn what_is_printed_of_a_figure_of_four_or_five_blocks_covers() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let covers = |blocks, random: &mut ChaCha8Rng, draw: &dyn Fn(&mut ChaCha8Rng) -> f64| {
        share(20_000, random, |random| {
            let figures: Vec<f64> = (0..blocks).map(|_| 400.0 * draw(random).exp()).collect();
            let interval = stats::figure_estimate(&figures, stats::Confidence::USUAL)
                .unwrap()
                .interval;
            contains(interval.unwrap(), 400.0)
        })
    };
    for blocks in [4, 5] {
        for law in Law::ALL {
            let covered = covers(blocks, &mut random, &|random| law.draw(random));
            println!("{law:?} n={blocks}: {covered:.4}");
            assert!(covered >= 0.945, "{law:?}, {blocks} blocks: {covered}");
        }
        let skewed = covers(blocks, &mut random, &|random| Noise::Skewed.draw(random));
        println!("skewed n={blocks}: {skewed:.4}");
        assert!(skewed >= 0.935, "{blocks} blocks: {skewed}");
    }
}

#[test]
fn what_is_printed_of_eight_blocks_is_narrow() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for (blocks, most) in [(6, 2.05), (8, 1.8), (12, 1.35)] {
        let width = |random: &mut ChaCha8Rng| {
            let (low, high) = printed(Law::Normal, blocks, random);
            high - low
        };
        let mean = (0..20_000).map(|_| width(&mut random)).sum::<f64>() / 20_000.0;
        println!("{blocks} blocks: {mean:.3} standard deviations");
        assert!(mean <= most, "{blocks} blocks: {mean}");
    }
}

#[test]
fn unpaired_intervals_contain_the_truth() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for noise in NOISES {
        for (n, calm) in SIZES.into_iter().flat_map(|n| [(n, 1.0), (n, 0.1)]) {
            let covered = share(600, &mut random, |random| {
                contains(unpaired(noise, calm, n, random), 1.4)
            });
            println!("unpaired {noise:?} n={n} calm={calm}: {covered:.3}");
            assert!(covered >= 0.93, "{noise:?}, {n} a side: {covered}");
        }
    }
}

#[test]
fn two_equal_things_are_seldom_told_apart() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for noise in NOISES {
        for blocks in SIZES {
            let told_apart = share(4_000, &mut random, |random| {
                !contains(paired(1.0, noise, blocks, random), 1.0)
            });
            println!("A/A {noise:?} n={blocks}: {told_apart:.3}");
            assert!(
                told_apart <= 0.055,
                "{noise:?}, {blocks} blocks: {told_apart}"
            );
        }
    }
}

#[test]
fn a_real_difference_is_found() {
    // an interval that always reaches from zero to infinity would pass the tests above
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for noise in NOISES {
        let found = share(1_000, &mut random, |random| {
            paired(1.25, noise, 20, random).0 > 1.0
        });
        println!("power {noise:?}: {found:.3}");
        assert!(found > 0.8, "{noise:?}: {found}");
    }
}
