//! Quantiles are those of the sorted values, to three significant digits.

use record::Distribution;

/// A linear congruential generator (Knuth, "The Art of Computer Programming", vol. 2, 3.3.4).
fn random(state: &mut u64) -> f64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// Over seven magnitudes from 10 to this power of nanoseconds on, all of them alike.
fn are_exact_from(magnitude: f64, seed: u64) {
    let mut state = seed;
    let mut kept = Distribution::default();
    let mut exact: Vec<u64> = (0..20_000)
        .map(|_| 10_f64.powf(magnitude + 7.0 * random(&mut state)) as u64)
        .collect();
    for nanoseconds in &exact {
        kept.record(*nanoseconds);
    }
    exact.sort_unstable();
    for q in [0.0001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999] {
        let rank = (q * exact.len() as f64).ceil() as usize;
        let truth = exact[rank - 1] as f64 / 1e9;
        let ratio = kept.quantile(q).unwrap() / truth;
        assert!((ratio - 1.0).abs() <= 0.001, "seed {seed}, {q}: {ratio}");
        assert_eq!(kept.rank(q), rank as u64);
        let (low, high) = kept.at_rank(rank as u64).unwrap();
        assert!(low <= truth && truth <= high, "seed {seed}, {q}: {truth}");
        assert!(high / low <= 1.001, "seed {seed}, {q}: {low} to {high}");
    }
    assert_eq!(kept.count(), 20_000);
}

#[test]
fn they_are_exact_within_the_resolution() {
    for seed in 1..=20 {
        are_exact_from(3.0, seed); // from a microsecond to ten seconds
        are_exact_from(4.5, seed); // to five minutes
    }
}

type Draw = fn(&mut u64) -> f64;

/// In milliseconds.
const LAWS: [(&str, Draw); 3] = [
    ("uniform", |state| 100.0 + 40.0 * random(state)),
    ("exponential", |state| {
        100.0 - 10.0 * (1.0 - random(state)).ln()
    }),
    ("triangular", |state| {
        100.0 + 20.0 * (random(state) + random(state))
    }),
];

/// So many durations of a law, ascending, in nanoseconds.
fn drawn(law: Draw, count: usize) -> Vec<u64> {
    let mut state = 1;
    let mut all: Vec<u64> = (0..count).map(|_| (law(&mut state) * 1e6) as u64).collect();
    all.sort_unstable();
    all
}

fn kept(all: &[u64]) -> Distribution {
    let mut kept = Distribution::default();
    for nanoseconds in all {
        kept.record(*nanoseconds);
    }
    kept
}

/// The middle of a cell would be off by a quarter of it on average, and its end by a half.
#[test]
fn among_many_in_a_cell_they_are_told_by_rank() {
    for (name, law) in LAWS {
        let exact = drawn(law, 30_000);
        let kept = kept(&exact);
        let mut off = Vec::new();
        for q in (1..1_000).map(|thousandth| f64::from(thousandth) / 1_000.0) {
            let rank = kept.rank(q);
            let truth = exact[rank as usize - 1] as f64 / 1e9;
            let (low, high) = kept.at_rank(rank).unwrap();
            let up_to = |seconds: f64| exact.partition_point(|of| *of as f64 / 1e9 <= seconds);
            if up_to(high) - up_to(low) >= 20 {
                off.push((kept.quantile(q).unwrap() - truth).abs() / (high - low));
            }
        }
        let mean = off.iter().sum::<f64>() / off.len() as f64;
        let most = off.iter().copied().fold(0.0, f64::max);
        assert!(off.len() > 800, "{name}: {}", off.len());
        assert!(mean < 0.1 && most < 0.5, "{name}: {mean}, {most} at most");
    }
}

#[test]
fn a_larger_share_is_never_told_shorter_and_none_beyond_the_ends() {
    for (name, law) in LAWS {
        for count in [1, 2, 7, 3_000] {
            let kept = kept(&drawn(law, count));
            let mut before = kept.min().unwrap();
            for q in (0..=1_000).map(|thousandth| f64::from(thousandth) / 1_000.0) {
                let told = kept.quantile(q).unwrap();
                assert!(before <= told, "{count} {name}, {q}: {told} < {before}");
                before = told;
            }
            assert!(before <= kept.max().unwrap(), "{count} {name}: {before}");
        }
    }
}

#[test]
fn those_of_merged_halves_are_those_of_the_whole() {
    for (name, law) in LAWS {
        let all = drawn(law, 2_001);
        let parts: [Vec<u64>; 2] =
            [0, 1].map(|odd| all.iter().skip(odd).step_by(2).copied().collect());
        let [mut merged, other] = parts.map(|part| kept(&part));
        merged.merge(&other);
        let whole = kept(&all);
        for q in [0.0, 0.001, 0.5, 0.9, 0.99, 1.0] {
            assert_eq!(merged.quantile(q), whole.quantile(q), "{name}, {q}");
        }
    }
}

#[test]
fn one_alone_is_told_by_the_middle_of_its_cell_as_a_mean_is() {
    for nanoseconds in [0, 1, 2_047, 2_048, 50_001, 100_930_000, 3_600_000_000_000] {
        let one = kept(&[nanoseconds]);
        for q in [0.0, 0.5, 0.99, 1.0] {
            assert_eq!(one.quantile(q), one.mean(), "{nanoseconds} ns, {q}");
        }
    }
}

#[test]
fn what_is_kept_to_the_nanosecond_is_told_so() {
    let few = kept(&[5, 5, 5, 700, 700, 2_047]);
    let told = [0.1, 0.5, 0.6, 0.8, 0.9].map(|q| few.quantile(q));
    assert_eq!(told, [5e-9, 5e-9, 700e-9, 700e-9, 2_047e-9].map(Some));
}
