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
    /// Skewed the other way, and more (log-normal of 0.8).
    LogNormal,
    /// Normal, but every tenth start is ten times as far off, always to the same side.
    OneSided,
}

const NOISES: [Noise; 5] = [
    Noise::Normal,
    Noise::Skewed,
    Noise::Outliers,
    Noise::LogNormal,
    Noise::OneSided,
];
const SIZES: [usize; 3] = [6, 10, 20];

/// The median of what is one-sided, before that is taken off, in standard deviations of what is normal of it.
const ONE_SIDED: f64 = 0.136_645;

impl Noise {
    fn draw(self, random: &mut ChaCha8Rng) -> f64 {
        match self {
            Self::Skewed => 0.05 * (std::f64::consts::LN_2 + random.random::<f64>().ln()),
            Self::Outliers if random.random_bool(1.0 / 7.0) => 0.5 * normal(random),
            Self::LogNormal => 0.05 * ((0.8 * normal(random)).exp() - 1.0),
            Self::OneSided if random.random_bool(0.1) => {
                0.05 * (10.0 * normal(random).abs() - ONE_SIDED)
            }
            Self::OneSided => 0.05 * (normal(random) - ONE_SIDED),
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
    stats::unpaired_ratio(&of, &over).unwrap().interval.unwrap()
}

#[test]
fn paired_intervals_contain_the_truth() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for noise in NOISES {
        for blocks in SIZES {
            let covered = share(20_000, &mut random, |random| {
                contains(paired(1.4, noise, blocks, random), 1.4)
            });
            println!("paired {noise:?} n={blocks}: {covered:.4}");
            assert!(covered >= 0.945, "{noise:?}, {blocks} blocks: {covered}");
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

/// How often a sample of so many is drawn: intervals of 6 to 8 cover with little more than they must.
fn times(values: usize) -> u32 {
    match values {
        6..=8 => 200_000,
        _ => 20_000,
    }
}

/// The interval that is printed of a figure by itself which scatters by 5 % of what is drawn, in logarithms as that.
fn printed_of_a_figure(blocks: usize, mut draw: impl FnMut() -> f64) -> (f64, f64) {
    let figures: Vec<f64> = (0..blocks).map(|_| (0.05 * draw()).exp()).collect();
    let (low, high) = stats::figure_estimate(&figures, stats::Confidence::USUAL)
        .unwrap()
        .interval
        .unwrap();
    (low.ln() / 0.05, high.ln() / 0.05)
}

/// What chooses the interval of [`stats::figure_estimate`]. It is of the median whatever the law, as the figures of one
/// variant need not scatter to both sides alike.
#[test]
fn what_is_printed_of_a_figure_covers_whatever_the_law() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for blocks in stats::PAIRS..=20 {
        let mut covers = |name: &str, least: f64, draw: &dyn Fn(&mut ChaCha8Rng) -> f64| {
            let covered = share(times(blocks), &mut random, |random| {
                contains(printed_of_a_figure(blocks, || draw(random)), 0.0)
            });
            println!("{name} n={blocks}: {covered:.4}");
            assert!(covered >= least, "{name}, {blocks} blocks: {covered}");
        };
        for law in Law::ALL {
            covers(&format!("{law:?}"), 0.945, &|random| law.draw(random));
        }
        // Student's, of fewer than six, is not of the median
        let least = match blocks {
            ..4 => 0.925,
            4..stats::FEWEST => 0.935,
            _ => 0.945,
        };
        for noise in [Noise::Skewed, Noise::LogNormal, Noise::OneSided] {
            covers(&format!("{noise:?}"), least, &|random| noise.draw(random));
        }
    }
}

#[test]
fn what_is_printed_of_a_figure_of_eight_blocks_is_narrow() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    for (blocks, most) in [(6, 2.15), (8, 1.8), (12, 1.5), (20, 1.16)] {
        let mut width = || {
            let (low, high) = printed_of_a_figure(blocks, || Law::Normal.draw(&mut random));
            high - low
        };
        let mean = (0..100_000).map(|_| width()).sum::<f64>() / 100_000.0;
        println!("{blocks} blocks: {mean:.3} standard deviations");
        assert!(mean <= most, "{blocks} blocks: {mean}");
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
        for (n, calm) in [6, 7, 8, 10, 20]
            .into_iter()
            .flat_map(|n| [(n, 1.0), (n, 0.1)])
        {
            let covered = share(times(n), &mut random, |random| {
                contains(unpaired(noise, calm, n, random), 1.4)
            });
            println!("unpaired {noise:?} n={n} calm={calm}: {covered:.4}");
            assert!(covered >= 0.945, "{noise:?}, {n} a side: {covered}");
        }
    }
}

#[test]
fn two_equal_things_are_seldom_told_apart() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for noise in NOISES {
        for blocks in SIZES {
            let told_apart = share(20_000, &mut random, |random| {
                !contains(paired(1.0, noise, blocks, random), 1.0)
            });
            println!("A/A {noise:?} n={blocks}: {told_apart:.4}");
            // 5 %, as Student's interval of six normal differences has it, and three standard errors
            assert!(
                told_apart <= 0.0546,
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
