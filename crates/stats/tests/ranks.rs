//! Whether the ratios of all pairs hold together, and the ranges of ranks with them, however unequally
//! rivals scatter.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use stats::{Pairwise, rank_ranges};

const BLOCKS: usize = 6;
const RUNS: u32 = 2_000;

/// How the logarithm of a figure scatters from one fresh start to the next; the mean is 0.
#[derive(Clone, Copy, Debug)]
enum Noise {
    Normal,
    /// Every seventh start is ten times as far off, to either side.
    Outliers,
    /// Now and then much slower (exponential).
    Skewed,
}

impl Noise {
    fn draw(self, random: &mut ChaCha8Rng) -> f64 {
        match self {
            Self::Skewed => 1.0 + (1.0 - random.random::<f64>()).ln(),
            Self::Outliers if random.random_bool(1.0 / 7.0) => 10.0 * normal(random),
            Self::Normal | Self::Outliers => normal(random),
        }
    }
}

fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (u, v) = (1.0 - random.random::<f64>(), random.random::<f64>());
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// How much more than others a rival scatters, by its place among so many.
type Scale = fn(usize, usize) -> f64;

const SCALES: [(&str, Scale); 6] = [
    ("equal", |_, _| 1.0),
    ("one is noisy", |own, _| if own == 0 { 20.0 } else { 1.0 }),
    ("two are noisy", |own, _| if own < 2 { 10.0 } else { 1.0 }),
    (
        "half are noisy",
        |own, of| if own < of / 2 { 5.0 } else { 1.0 },
    ),
    ("one is quiet", |own, _| if own == 0 { 0.1 } else { 1.0 }),
    ("from 1 to 10", |own, of| {
        10_f64.powf(own as f64 / (of - 1) as f64)
    }),
];

/// Figures whose logarithms scatter by 2 % about `truth`, under a drift that all rivals of a block share.
fn figures(truth: &[f64], noise: Noise, scale: Scale, random: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
    let drift: Vec<f64> = (0..BLOCKS).map(|_| 0.3 * normal(random)).collect();
    let of = truth.len();
    let rivals = truth.iter().enumerate();
    rivals
        .map(|(own, truth)| {
            let scatter = 0.02 * scale(own, of);
            drift
                .iter()
                .map(|drift| (drift + scatter * noise.draw(random)).exp() * truth)
                .collect()
        })
        .collect()
}

fn before(all: &Pairwise) -> impl Fn(usize, usize) -> bool + '_ {
    |of, over| all.ratio(of, over).interval.unwrap().0 > 1.0
}

/// Share of runs in which equal rivals are told apart anywhere.
fn told_apart(rivals: usize, noise: Noise, scale: Scale, random: &mut ChaCha8Rng) -> f64 {
    let truth = vec![400.0; rivals];
    let wrong = |_: &u32| {
        let all = Pairwise::new(
            &figures(&truth, noise, scale, random),
            1,
            stats::Confidence::USUAL,
        )
        .unwrap();
        let before = before(&all);
        (0..rivals).any(|of| (0..rivals).any(|over| of != over && before(of, over)))
    };
    f64::from((0..RUNS).filter(wrong).count() as u32) / f64::from(RUNS)
}

#[test]
fn equal_rivals_are_seldom_told_apart() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for rivals in [2, 3, 5, 8, 13, 15] {
        for (name, scale) in SCALES {
            for noise in [Noise::Normal, Noise::Outliers, Noise::Skewed] {
                let wrong = told_apart(rivals, noise, scale, &mut random);
                println!("{rivals} rivals, {name}, {noise:?}: {wrong:.3}");
                // skewed noise of one rival alone is what Student's t does not know about: with two or three
                // rivals there is no other pair to learn the scatter from
                let most = match (noise, rivals) {
                    (Noise::Skewed, 2) => 0.13,
                    (Noise::Skewed, 3) => 0.09,
                    _ => 0.065, // 5 % and three standard errors of 2,000 runs
                };
                assert!(wrong <= most, "{rivals}, {name}, {noise:?}: {wrong}");
            }
        }
    }
}

/// Thirteen rivals from 139 to 215 requests per second, as in a report of 2008.
fn thirteen() -> Vec<f64> {
    (0..13).map(|place| 215.0 * 0.965_f64.powi(place)).collect()
}

#[test]
fn ranges_of_ranks_hold_all_ranks_together() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let truth = thirteen();
    for (name, scale) in SCALES {
        for noise in [Noise::Normal, Noise::Skewed] {
            let wrong = |_: &u32| {
                let all = Pairwise::new(
                    &figures(&truth, noise, scale, &mut random),
                    1,
                    stats::Confidence::USUAL,
                )
                .unwrap();
                let ranges = rank_ranges(13, before(&all));
                let outside =
                    |(own, &(low, high)): (usize, &(usize, usize))| own + 1 < low || own + 1 > high;
                ranges.iter().enumerate().any(outside)
            };
            let wrong = f64::from((0..500).filter(wrong).count() as u32) / 500.0;
            println!("{name}, {noise:?}: {wrong:.3}");
            assert!(wrong <= 0.08, "{name}, {noise:?}: {wrong}");
        }
    }
}

#[test]
fn real_differences_are_found() {
    // ranges from first to last would pass the tests above
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let truth = thirteen();
    let mut widths = 0;
    for _ in 0..200 {
        let all = figures(&truth, Noise::Normal, |_, _| 1.0, &mut random);
        let all = Pairwise::new(&all, 1, stats::Confidence::USUAL).unwrap();
        let ranges = rank_ranges(13, before(&all));
        widths += ranges.iter().map(|(low, high)| high - low).sum::<usize>();
        assert!(before(&all)(0, 12), "55 % apart");
    }
    let mean = f64::from(widths as u32) / (200.0 * 13.0);
    println!("a range of ranks spans {mean:.1} places");
    assert!(mean < 6.0, "{mean}");
}
