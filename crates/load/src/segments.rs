//! What became of the requests of each stretch of a rate that changes.

use record::SegmentFacts;

use crate::Job;
use crate::arrivals::{Arrivals, Span, WorkerShare};
use crate::clock::{nanoseconds, seconds};
use crate::recorder::Ends;

/// Ends of the stretches, nanoseconds since the window opened; none where nothing is told apart.
pub(crate) fn ends(job: &Job) -> Vec<u64> {
    let arrivals = job.load.shape.arrivals();
    let segments = arrivals.map_or_else(Vec::new, record::Arrivals::stretches);
    let sum = |end: &mut f64, segment: &record::Segment| {
        *end += segment.seconds;
        Some(nanoseconds(*end))
    };
    segments.iter().scan(0.0, sum).collect()
}

/// One worker's part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Segments {
    start: u64,
    ends: Vec<u64>,
    seen: Vec<Ends>,
}

impl Segments {
    pub(crate) fn new(start: u64, ends: &[u64]) -> Self {
        Self {
            start,
            ends: ends.to_vec(),
            seen: vec![Ends::default(); ends.len()],
        }
    }

    /// A correct response came.
    #[inline]
    pub(crate) fn completed(&mut self, now: u64) {
        if let Some(seen) = self.at(now) {
            seen.completed += 1;
        }
    }

    /// A request that fell due then took so long.
    #[inline]
    pub(crate) fn took(&mut self, due: u64, response: u64) {
        if let Some(seen) = self.at(due) {
            seen.response.record(response);
        }
    }

    /// A request that fell due then failed.
    pub(crate) fn failed(&mut self, due: u64) {
        if let Some(seen) = self.at(due) {
            seen.failed += 1;
        }
    }

    /// The last stretch goes on for as long as the window is open.
    #[inline]
    fn at(&mut self, time: u64) -> Option<&mut Ends> {
        if self.seen.is_empty() {
            return None;
        }
        let after = time.saturating_sub(self.start);
        let segment = self.ends.partition_point(|end| *end <= after);
        self.seen.get_mut(segment.min(self.ends.len() - 1))
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (own, their) in self.seen.iter_mut().zip(&other.seen) {
            own.merge(their);
        }
    }

    /// In figures, of a window of so many seconds. What fell due is drawn once more: the seed gives
    /// the same arrivals, and no request had to be counted for it.
    pub(crate) fn told(self, job: &Job, length: f64) -> Vec<SegmentFacts> {
        let Some(plan) = job.load.shape.arrivals().filter(|_| !self.seen.is_empty()) else {
            return Vec::new();
        };
        let mut scheduled = vec![0; self.ends.len()];
        for due in all(plan, nanoseconds(length)) {
            let segment = self.ends.partition_point(|end| *end <= due);
            scheduled[segment.min(self.ends.len() - 1)] += 1;
        }
        let from = [0].into_iter().chain(self.ends.iter().copied());
        let last = self.ends.len() - 1;
        let told = |(number, ((from, seen), segment)): (usize, ((u64, Ends), record::Segment))| {
            SegmentFacts {
                from: seconds(from),
                until: if number == last {
                    length
                } else {
                    seconds(self.ends[number]).min(length)
                },
                planned: (segment.from, segment.to),
                scheduled: scheduled[number],
                completed: seen.completed,
                failed: seen.failed,
                response: seen.response,
            }
        };
        let parts = from.zip(self.seen).zip(plan.stretches());
        let told = parts.enumerate().map(told);
        // a window that was cut short never came to the rest
        told.filter(|segment| segment.from < segment.until)
            .collect()
    }
}

/// Every due time of a window of so many nanoseconds, from its begin.
fn all(plan: &record::Arrivals, length: u64) -> impl Iterator<Item = u64> {
    let span = Span {
        start: 0,
        length: Some(length),
        requests: None,
    };
    let whole = WorkerShare {
        worker: 0,
        workers: 1,
        connections: 1,
    };
    let mut arrivals = Arrivals::new(plan, 1, span, whole);
    std::iter::from_fn(move || arrivals.take(u64::MAX - 1))
}
