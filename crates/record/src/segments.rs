use serde::{Deserialize, Serialize};

use crate::{Arrivals, Distribution, Segment};

/// One stretch of an open loop whose rate changes.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct SegmentFacts {
    /// Its begin, seconds since the window opened.
    pub from: f64,
    /// Its end, seconds since the window opened.
    pub until: f64,
    /// Requests per second that were planned at its begin and at its end.
    pub planned: (f64, f64),
    /// Requests that fell due in it, those that were dropped among them.
    pub scheduled: u64,
    /// Correct responses that came in it, whenever their requests had fallen due.
    pub completed: u64,
    /// Of those that fell due in it: failed or timed out inside the window.
    pub failed: u64,
    /// Response times of those that fell due in it.
    pub response: Distribution,
}

impl SegmentFacts {
    /// Requests per second that fell due in it.
    pub fn offered(&self) -> f64 {
        self.per_second(self.scheduled)
    }

    /// Correct responses per second that came in it.
    pub fn achieved(&self) -> f64 {
        self.per_second(self.completed)
    }

    /// Failed and timed-out share (0 to 1) of what fell due in it.
    pub fn errors(&self) -> f64 {
        self.failed as f64 / self.scheduled.max(1) as f64
    }

    fn per_second(&self, requests: u64) -> f64 {
        let seconds = self.until - self.from;
        let some = seconds > 0.0;
        if some { requests as f64 / seconds } else { 0.0 }
    }
}

/// Most stretches that are told apart: each keeps a distribution.
const MOST: usize = 40;
/// Into how many a sloping segment is cut, where there are few segments.
const PIECES: usize = 4;
/// What few segments are.
const FEW: usize = 4;

impl Arrivals {
    /// The stretches of a rate that changes, which are told apart: its segments, sloping ones in pieces.
    /// None where the rate is the same all the time, or there are too many to be told apart.
    pub fn stretches(&self) -> Vec<Segment> {
        let few = self.segments.len() <= FEW;
        let pieces = if few { PIECES } else { 1 };
        let cut = |segment: &Segment| {
            let parts = if segment.is_steady() { 1 } else { pieces };
            let (segment, each) = (*segment, 1.0 / parts as f64);
            let at =
                move |part: usize| segment.from + (segment.to - segment.from) * part as f64 * each;
            let seconds = segment.seconds * each;
            (0..parts).map(move |part| Segment::line(at(part), at(part + 1), seconds))
        };
        let timed = self.segments.iter().filter(|of| of.seconds > 0.0);
        let all: Vec<Segment> = timed.flat_map(cut).collect();
        let told_apart = (2..=MOST).contains(&all.len());
        if told_apart { all } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretches(segments: Vec<Segment>) -> Vec<(f64, f64, f64)> {
        let arrivals = Arrivals {
            process: crate::Process::Constant,
            segments,
            max_outstanding: 1,
            seed: 1,
        };
        let all = arrivals.stretches();
        all.iter()
            .map(|segment| (segment.from, segment.to, segment.seconds))
            .collect()
    }

    #[test]
    fn a_ramp_is_cut_and_steps_are_not() {
        assert_eq!(
            stretches(Arrivals::ramp(&[100.0, 500.0], 8.0)),
            [
                (100.0, 200.0, 2.0),
                (200.0, 300.0, 2.0),
                (300.0, 400.0, 2.0),
                (400.0, 500.0, 2.0)
            ]
        );
        assert_eq!(
            stretches(Arrivals::steps(&[100.0, 50.0], 2.0)),
            [(100.0, 100.0, 1.0), (50.0, 50.0, 1.0)]
        );
        assert_eq!(stretches(Arrivals::steady(100.0)), []);
        assert_eq!(stretches(Arrivals::steps(&[1.0; 41], 41.0)), []);
    }
}
