//! Whether runs that end as soon as they decide are right as often as those of a fixed number of blocks, and how many
//! blocks they take: seeded simulations.

mod laws;

use laws::Law;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use stats::{Confidence, Looks};

/// What came of many runs.
struct Came {
    /// The share of those that found a difference.
    told_apart: f64,
    /// Mean number of blocks.
    blocks: f64,
}

/// Runs of two variants whose ratios scatter by 5 % of what is drawn, each until its interval excludes 1.
fn runs(
    times: u32,
    (at_least, at_most): (usize, usize),
    confidence: impl Fn(usize) -> Confidence,
    mut draw: impl FnMut() -> f64,
) -> Came {
    let (mut told_apart, mut blocks) = (0, 0);
    for _ in 0..times {
        let ratio = |_| ((0.05 * draw()).exp(), 1.0);
        let pairs: Vec<_> = (0..at_most).map(ratio).collect();
        let decides = |blocks: &usize| {
            let ratio = stats::paired_ratio(&pairs[..*blocks], confidence(*blocks)).unwrap();
            let (low, high) = ratio.interval.unwrap();
            low > 1.0 || high < 1.0
        };
        let end = (at_least..=at_most).find(decides);
        told_apart += u32::from(end.is_some());
        blocks += end.unwrap_or(at_most);
    }
    Came {
        told_apart: f64::from(told_apart) / f64::from(times),
        blocks: blocks as f64 / f64::from(times),
    }
}

fn looked_at(times: u32, (from, to): (usize, usize), draw: impl FnMut() -> f64) -> Came {
    let looks = Looks::new(from as u32, to as u32);
    runs(times, (from, to), |blocks| looks.after(blocks as u32), draw)
}

/// At most 5 %, with two standard errors of the simulation on top of what it counts.
fn are_seldom_told_apart(range: (usize, usize)) {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for law in Law::ALL {
        let times = match law {
            Law::Normal => 150_000, // of all, its share is the largest
            _ => 20_000,
        };
        let share = looked_at(times, range, || law.draw(&mut random)).told_apart;
        let error = (share * (1.0 - share) / f64::from(times)).sqrt();
        println!("{law:?} {range:?}: {share:.4}, a standard error of {error:.4}");
        assert!(share + 2.0 * error <= 0.05, "{law:?} {range:?}: {share}");
    }
}

#[test]
fn equal_things_are_seldom_told_apart_at_any_look() {
    are_seldom_told_apart((3, 12));
}

#[test]
fn equal_things_are_seldom_told_apart_at_few_looks() {
    are_seldom_told_apart((3, 6));
    are_seldom_told_apart((3, 8));
    are_seldom_told_apart((4, 8));
}

#[test]
fn equal_things_are_seldom_told_apart_at_many_looks() {
    are_seldom_told_apart((6, 20));
}

/// Of a figure by itself the interval is one of its median, but for Student's of the first looks where noise is skewed.
#[test]
fn a_figure_is_seldom_told_wrong_at_any_look() {
    let looks = Looks::new(3, 12);
    let mut random = ChaCha8Rng::seed_from_u64(14);
    let mut wrong = |draw: &dyn Fn(&mut ChaCha8Rng) -> f64| {
        let misses = |_: &u32| {
            let figure = |_| (0.05 * draw(&mut random)).exp();
            let figures: Vec<f64> = (0..12).map(figure).collect();
            (3..=12).any(|blocks: usize| {
                let of = stats::figure_estimate(&figures[..blocks], looks.after(blocks as u32));
                let (low, high) = of.unwrap().interval.unwrap();
                low > 1.0 || high < 1.0
            })
        };
        f64::from((0..20_000).filter(misses).count() as u32) / 20_000.0
    };
    let normal = wrong(&|random| Law::Normal.draw(random));
    let exponential = |random: &mut ChaCha8Rng| (1.0 - random.random::<f64>()).ln();
    let skewed = wrong(&|random| exponential(random) + std::f64::consts::LN_2);
    println!("normal {normal:.4}, exponential {skewed:.4}");
    assert!(normal <= 0.055 && skewed <= 0.065, "{normal} {skewed}");
}

/// Without an allowance for the looks, chance has a try at each.
#[test]
fn looks_without_an_allowance_mislead() {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let usual = |_| Confidence::USUAL;
    let came = runs(4_000, (4, 12), usual, || Law::Normal.draw(&mut random));
    println!("95 % at each of 9 looks: {:.4}", came.told_apart);
    assert!(came.told_apart > 0.12, "{}", came.told_apart);
}

#[test]
fn an_effect_takes_fewer_blocks_and_is_found_nearly_as_often() {
    let mut random = ChaCha8Rng::seed_from_u64(13);
    // effect in standard deviations, most blocks on average, least share that finds it
    for (effect, most, least) in [
        (1.0, 9.4, 0.72),
        (2.0, 6.0, 0.99),
        (3.0, 5.0, 0.99),
        (5.0, 4.1, 0.99),
        (10.0, 3.4, 0.99),
    ] {
        let came = looked_at(2_000, (3, 12), || effect + Law::Normal.draw(&mut random));
        let fixed = runs(
            2_000,
            (12, 12),
            |_| Confidence::USUAL,
            || effect + Law::Normal.draw(&mut random),
        );
        println!(
            "{effect}: {:.2} blocks find {:.3}, 12 find {:.3}",
            came.blocks, came.told_apart, fixed.told_apart
        );
        assert!(came.blocks <= most && came.told_apart >= least, "{effect}");
    }
}
