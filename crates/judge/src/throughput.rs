use record::LoadFacts;

use crate::Figure;

/// Into how many pieces a window is cut. Each is much longer than an answer takes, so that the pieces
/// are nearly independent (batch means: Law, "Simulation Modeling and Analysis", 5th ed. 2015, 9.5.3).
const PIECES: usize = 10;
/// The least that has a scatter worth the name.
const FEWEST: usize = 4;

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
fn rates(load: &LoadFacts) -> Vec<f64> {
    in_pieces(load, PIECES)
}

/// The same, or in each slice of a window that has fewer slices: each is at least four times as long as most answers take.
pub(crate) fn rates_of_pieces(load: &LoadFacts) -> Vec<f64> {
    let slices = load.slices.map(|slices| slices.count as usize);
    let pieces = slices.map_or(PIECES, |slices| slices.min(PIECES));
    if pieces < FEWEST {
        return Vec::new();
    }
    in_pieces(load, pieces)
}

fn in_pieces(load: &LoadFacts, pieces: usize) -> Vec<f64> {
    let intervals = &load.intervals;
    if intervals.len() < pieces {
        return Vec::new();
    }
    let end = |piece: usize| piece * intervals.len() / pieces;
    let until = |count: usize| {
        let last = count.checked_sub(1);
        last.map_or(0.0, |last| intervals[last].until)
    };
    let rate = |piece| {
        let (from, to) = (end(piece), end(piece + 1));
        let completed: u64 = intervals[from..to].iter().map(|of| of.completed).sum();
        completed as f64 / (until(to) - until(from))
    };
    (0..pieces)
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
        let in_slices = |count| {
            let slices = Some(record::SliceFacts {
                count,
                ..record::SliceFacts::default()
            });
            let intervals = load.intervals[..count as usize].to_vec();
            let load = LoadFacts {
                slices,
                intervals,
                ..load.clone()
            };
            rates_of_pieces(&load).len()
        };
        assert_eq!([in_slices(3), in_slices(4), in_slices(9)], [0, 4, 9]);
    }
}
