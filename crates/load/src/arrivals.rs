use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use record::{Process, Segment};

/// The due times of one worker's requests in an open loop, in nanoseconds of the engine's clock.
///
/// All workers draw the same sequence of arrivals and each keeps its own part of it, so that the
/// union is exactly the wanted process (equal gaps stay equal gaps, Poisson stays Poisson), a
/// number of requests is met exactly, and the times depend on the seed alone.
///
/// An arrival is drawn as the number of arrivals that were expected before it: 0, 1, 2 and so on,
/// or the running sum of exponential gaps of mean 1 for a Poisson process. The inverse of the
/// rate's integral turns that number into a time (inversion of the cumulative intensity: Çınlar,
/// "Introduction to Stochastic Processes", 1975, chapter 4), whatever the rate does meanwhile.
#[derive(Debug)]
pub(crate) struct Arrivals {
    gaps: Gaps,
    course: Course,
    part: WorkerShare,
    start: u64,
    /// Length of the window in nanoseconds, if it goes by time; arrivals at or after its end are
    /// nobody's.
    length: Option<u64>,
    /// Arrivals that nobody has drawn yet, if the window goes by count.
    left: u64,
    /// Number of the next arrival, all workers' together.
    number: u64,
    /// The next due time; `u64::MAX` when there is none any more.
    pub(crate) next: u64,
    /// The due time of the last arrival that was taken; the start before there was one.
    pub(crate) last: u64,
}

/// Which arrivals are a worker's: arrival `k` belongs to connection `k mod connections`, and that
/// one to worker `connection mod workers`. Each worker so gets arrivals in proportion to its
/// connections, and evenly spaced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkerShare {
    pub(crate) worker: u64,
    pub(crate) workers: u64,
    pub(crate) connections: u64,
}

impl WorkerShare {
    fn has(self, arrival: u64) -> bool {
        arrival % self.connections % self.workers == self.worker
    }
}

/// When a phase begins and how it ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: u64,
    /// Nanoseconds, if it goes by time.
    pub(crate) length: Option<u64>,
    /// All workers' requests, if it goes by count.
    pub(crate) requests: Option<u64>,
}

impl Arrivals {
    /// `stream` tells the phases of one load apart, which are to have different arrivals.
    pub(crate) fn new(plan: &record::Arrivals, stream: u64, span: Span, part: WorkerShare) -> Self {
        let mut arrivals = Self {
            gaps: Gaps::new(plan.process, plan.seed, stream),
            course: Course::new(plan.segments.clone()),
            part,
            start: span.start,
            length: span.length,
            left: span.requests.unwrap_or(u64::MAX),
            number: 0,
            next: 0,
            last: span.start,
        };
        arrivals.next = arrivals.draw();
        arrivals
    }

    /// Takes the next arrival if it is due.
    #[inline]
    pub(crate) fn take(&mut self, now: u64) -> Option<u64> {
        if self.next > now || self.next == u64::MAX {
            return None;
        }
        self.last = self.next;
        self.next = self.draw();
        Some(self.last)
    }

    /// Whether nothing will fall due in this phase any more. One that goes by time is only over
    /// when its time is.
    pub(crate) fn are_over(&self) -> bool {
        self.next == u64::MAX && self.length.is_none()
    }

    fn draw(&mut self) -> u64 {
        while self.left > 0 {
            self.left -= 1;
            let expected = self.gaps.next();
            self.number += 1;
            if self.part.has(self.number - 1) {
                return self.time(expected).unwrap_or_else(|| {
                    self.left = 0;
                    u64::MAX
                });
            }
        }
        u64::MAX
    }

    fn time(&mut self, expected: f64) -> Option<u64> {
        let after = self.course.when(expected)? * 1e9;
        let after = after.round() as u64;
        let inside = self.length.is_none_or(|length| after < length);
        inside.then_some(self.start.saturating_add(after))
    }
}

/// How many arrivals were to be expected before each.
#[derive(Debug)]
enum Gaps {
    Equal(u64),
    Exponential(Box<ChaCha8Rng>, f64),
}

impl Gaps {
    fn new(process: Process, seed: u64, stream: u64) -> Self {
        match process {
            Process::Constant => Self::Equal(0),
            Process::Poisson => {
                let mut random = ChaCha8Rng::seed_from_u64(seed);
                random.set_stream(stream);
                Self::Exponential(Box::new(random), 0.0)
            }
        }
    }

    fn next(&mut self) -> f64 {
        match self {
            Self::Equal(number) => {
                *number += 1;
                (*number - 1) as f64
            }
            Self::Exponential(random, sum) => {
                // 53 random bits: uniform in [0, 1), so that the logarithm is of (0, 1]
                let uniform = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                *sum -= (1.0 - uniform).ln();
                *sum
            }
        }
    }
}

/// The inverse of the rate's integral; asked with growing numbers only.
#[derive(Debug)]
struct Course {
    segments: Vec<Segment>,
    /// The segment that was reached, the arrivals expected before it and the seconds before it.
    segment: usize,
    before: f64,
    began: f64,
}

impl Course {
    fn new(segments: Vec<Segment>) -> Self {
        Self {
            segments,
            segment: 0,
            before: 0.0,
            began: 0.0,
        }
    }

    /// Seconds until so many arrivals are to be expected; `None` if they never are.
    fn when(&mut self, expected: f64) -> Option<f64> {
        while let Some(segment) = self.segments.get(self.segment) {
            let inside = f64::midpoint(segment.from, segment.to) * segment.seconds;
            let missing = expected - self.before;
            if missing < inside {
                return Some(self.began + into(segment, missing));
            }
            self.before += inside;
            self.began += segment.seconds;
            self.segment += 1;
        }
        let rate = self.segments.last()?.to;
        (rate > 0.0).then(|| self.began + (expected - self.before) / rate)
    }
}

/// How far into a segment so many arrivals are expected: the root of `from t + (to - from) t² / (2
/// seconds) = missing` that lies inside, in the form that loses no digits when the rates are equal.
fn into(segment: &Segment, missing: f64) -> f64 {
    if missing <= 0.0 {
        return 0.0;
    }
    let slope = (segment.to - segment.from) / segment.seconds;
    let root = (segment.from * segment.from + 2.0 * slope * missing)
        .max(0.0)
        .sqrt();
    2.0 * missing / (segment.from + root)
}

#[cfg(test)]
#[path = "arrivals_tests.rs"]
mod tests;
