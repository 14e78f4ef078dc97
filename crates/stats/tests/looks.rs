//! Whether runs that end as soon as they decide are right as often as those of a fixed number of blocks, and how many
//! blocks they take: seeded simulations.

mod laws;

use laws::Law;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use stats::{Confidence, Looks};

/// What came of many runs.
struct Came {
    /// The share of those that found a difference.
    told_apart: f64,
    /// Mean number of blocks.
    blocks: f64,
}

/// Runs of two variants that lie `effect` standard deviations apart, each until its interval excludes 1.
fn runs(
    times: u32,
    (at_least, at_most): (usize, usize),
    confidence: impl Fn(usize) -> Confidence,
    mut draw: impl FnMut() -> f64,
) -> Came {
    let (mut told_apart, mut blocks) = (0, 0);
    for _ in 0..times {
        let pairs: Vec<_> = (0..at_most).map(|_| (draw().exp(), 1.0)).collect();
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

#[test]
fn equal_things_are_seldom_told_apart_at_any_look() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for range in [(4, 8), (4, 12), (6, 20)] {
        for law in Law::ALL {
            let came = looked_at(8_000, range, || law.draw(&mut random));
            println!("{law:?} {range:?}: {:.4}", came.told_apart);
            // a standard error of 0.25 %
            assert!(
                came.told_apart <= 0.055,
                "{law:?} {range:?}: {}",
                came.told_apart
            );
        }
    }
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
    for (effect, most, least) in [(1.0, 9.4, 0.74), (2.0, 6.0, 0.99), (5.0, 4.2, 0.99)] {
        let came = looked_at(2_000, (4, 12), || effect + Law::Normal.draw(&mut random));
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
