use record::LoadFacts;

use crate::Figure;

/// Into how many pieces a window is cut. Each is much longer than an answer takes, so that the pieces
/// are nearly independent (batch means: Law, "Simulation Modeling and Analysis", 5th ed. 2015, 9.5.3).
const PIECES: usize = 10;

/// Correct responses per second of one load, with the 95 % order-statistic interval of the median of the
/// window's tenths. It knows how much the rate moved within the window, not between starts of the
/// server.
pub fn throughput(load: &LoadFacts) -> Figure {
    Figure {
        value: load.throughput(),
        interval: stats::quantile_interval(&rates(load), 0.5),
    }
}

/// Correct responses per second in each tenth of the window; empty where it is too short to be cut.
pub(crate) fn rates(load: &LoadFacts) -> Vec<f64> {
    let slices = &load.intervals;
    if slices.len() < PIECES {
        return Vec::new();
    }
    let end = |piece: usize| piece * slices.len() / PIECES;
    let until = |slice: usize| slice.checked_sub(1).map_or(0.0, |last| slices[last].until);
    let rate = |piece| {
        let (from, to) = (end(piece), end(piece + 1));
        let completed: u64 = slices[from..to].iter().map(|slice| slice.completed).sum();
        completed as f64 / (until(to) - until(from))
    };
    (0..PIECES)
        .map(rate)
        .filter(|rate| rate.is_finite())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Interval;

    #[test]
    fn an_interval_holds_the_rates_of_the_pieces() {
        let slices = (1..=100_u64).map(|number| Interval {
            until: number as f64 / 100.0,
            completed: 10 + (number - 1) / 10, // 1,000 per second, then 1,100, …, 1,900
        });
        let mut load = LoadFacts {
            seconds: 1.0,
            completed: 1_450,
            intervals: slices.collect(),
            ..LoadFacts::default()
        };
        let figure = throughput(&load);
        let (low, high) = figure.interval.unwrap();
        // of ten values: from the second to the ninth
        assert!(
            (low - 1_100.0).abs() < 1e-6 && (high - 1_800.0).abs() < 1e-6,
            "{figure:?}"
        );
        load.intervals.truncate(9);
        assert_eq!(throughput(&load).interval, None);
    }
}
