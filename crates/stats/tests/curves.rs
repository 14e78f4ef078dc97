//! Whether what is said of curves is so: seeded simulations of sweeps with known laws.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use stats::{Curve, Law, Usl, collapse, summit};

const LEVELS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];

fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (u, v) = (1.0 - random.random::<f64>(), random.random::<f64>());
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// Each point 5 % off by itself, and each block as a whole by another 5 %.
fn sweep(
    of: impl Fn(f64) -> f64,
    levels: &[f64],
    blocks: usize,
    random: &mut ChaCha8Rng,
) -> Vec<(f64, Vec<Option<f64>>)> {
    let shared: Vec<f64> = (0..blocks).map(|_| 0.05 * normal(random)).collect();
    let point = |&level: &f64| {
        let figures = shared.iter().map(|shared| {
            let off: f64 = shared + 0.05 * normal(random);
            Some(of(level) * off.exp())
        });
        (level, figures.collect())
    };
    levels.iter().map(point).collect()
}

fn curve(of: impl Fn(f64) -> f64, blocks: usize, random: &mut ChaCha8Rng) -> Curve {
    Curve::new(&sweep(of, &LEVELS, blocks, random)).unwrap()
}

fn law(contention: f64, coherency: f64) -> Law {
    Law {
        alone: 100.0,
        contention,
        coherency,
    }
}

fn holds(estimate: stats::Estimate, truth: f64) -> bool {
    let (low, high) = estimate.interval.unwrap();
    assert!(low <= high && low >= 0.0, "{estimate:?}");
    // a coefficient that is zero is found to be zero but for rounding
    low <= truth + 1e-12 && truth <= high
}

#[test]
fn intervals_of_a_law_contain_the_truth() {
    let mut random = ChaCha8Rng::seed_from_u64(21);
    for truth in [
        law(0.03, 0.0005),
        law(0.2, 0.0),
        law(0.0, 0.001),
        law(0.0, 0.0),
    ] {
        for blocks in [6, 12] {
            let times = 250;
            let mut covered = [0; 3];
            for _ in 0..times {
                let curve = curve(|n| truth.at(n), blocks, &mut random);
                let usl = Usl::fit(&curve, random.random()).unwrap();
                covered[0] += u32::from(holds(usl.alone, truth.alone));
                covered[1] += u32::from(holds(usl.contention, truth.contention));
                covered[2] += u32::from(holds(usl.coherency, truth.coherency));
            }
            let covered = covered.map(|covered| f64::from(covered) / f64::from(times));
            println!("{truth:?} n={blocks}: {covered:.3?}");
            assert!(
                covered.iter().all(|covered| *covered >= 0.93),
                "{truth:?}: {covered:?}"
            );
        }
    }
}

#[test]
fn a_law_is_near_the_truth_and_its_intervals_say_something() {
    let mut random = ChaCha8Rng::seed_from_u64(22);
    let truth = law(0.05, 0.0005);
    let (mut widths, mut peaks) = (Vec::new(), Vec::new());
    for _ in 0..100 {
        let usl = Usl::fit(&curve(|n| truth.at(n), 8, &mut random), random.random()).unwrap();
        let (low, high) = usl.contention.interval.unwrap();
        widths.push(high - low);
        let peak = usl.peak.expect("it lies at 44, among the levels");
        peaks.push(peak.value);
    }
    assert!(stats::median(&widths).unwrap() < 0.06, "{widths:?}");
    let peak = stats::median(&peaks).unwrap() / truth.peak().unwrap();
    assert!((peak - 1.0).abs() < 0.05, "{peak}");
}

#[test]
fn what_scales_better_than_any_law_has_no_negative_coefficient() {
    let mut random = ChaCha8Rng::seed_from_u64(23);
    for _ in 0..100 {
        let better = |n: f64| 100.0 * n.powf(1.1);
        let Some(usl) = Usl::fit(&curve(better, 6, &mut random), 1) else {
            continue;
        };
        let all = [usl.alone, usl.contention, usl.coherency];
        for of in all {
            let (low, _) = of.interval.unwrap();
            assert!(of.value >= 0.0 && low >= 0.0, "{usl:?}");
        }
    }
}

/// The throughput of a closed loop in front of `places` equal servers of 20 ms, in asymptotes.
fn saturating(n: f64) -> f64 {
    (50.0 * n).min(50.0 * 11.0)
}

#[test]
fn a_knee_lies_in_its_interval() {
    let mut random = ChaCha8Rng::seed_from_u64(24);
    let times = 500;
    let within = (0..times)
        .filter(|_| {
            let power = curve(|n| saturating(n).powi(2) / n, 6, &mut random);
            let (low, high) = summit(&power).unwrap().interval.unwrap();
            (low..=high).contains(&11.0)
        })
        .count();
    let share = within as f64 / f64::from(times);
    println!("knee: {share:.3}");
    assert!(share >= 0.95, "{share}");
}

#[test]
fn a_collapse_is_found_where_it_is_and_nowhere_else() {
    let mut random = ChaCha8Rng::seed_from_u64(25);
    let collapsing = |n: f64| if n > 40.0 { 150.0 } else { saturating(n) };
    let flat = |n: f64| if n > 40.0 { 275.0 } else { saturating(n) };
    let times = 500;
    let (mut found, mut invented) = (0, 0);
    for _ in 0..times {
        let there = collapse(&curve(collapsing, 6, &mut random));
        found += u32::from(there.is_some_and(|of| (of.after, of.level) == (32.0, 64.0)));
        // exactly half is left: one in twenty may be taken for less, at each of two levels
        let not = collapse(&curve(flat, 6, &mut random));
        invented += u32::from(not.is_some());
    }
    println!("found {found}, invented {invented} of {times}");
    assert!(found >= 490, "{found}");
    assert!(f64::from(invented) <= 0.1 * f64::from(times), "{invented}");
}
