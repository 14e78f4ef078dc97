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
        for told in [kept.quantile(q), kept.at_rank(rank as u64)] {
            let ratio = told.unwrap() / truth;
            assert!((ratio - 1.0).abs() <= 0.001, "seed {seed}, {q}: {ratio}");
        }
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
