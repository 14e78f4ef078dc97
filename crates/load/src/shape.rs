//! What a load's phases and its shape mean to the engine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;
use record::{Amount, Shape, WarmUpPlan};

use crate::arrivals::{Arrivals, Span, WorkerShare};
use crate::clock::nanoseconds;
use crate::quota::Quota;
use crate::schedule::{Queue, Recorded, Schedule, Think};

/// What is applied in one phase; with neither there is none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Phase {
    pub(crate) requests: Option<u64>,
    /// Nanoseconds of load before the window that lead in to it.
    pub(crate) lead: u64,
    /// Nanoseconds over which connections begin.
    pub(crate) spread: u64,
    /// Nanoseconds of the window.
    pub(crate) length: Option<u64>,
    /// Whether a closed loop goes on while what is under way at the end of the window is waited for.
    pub(crate) trails: bool,
}

impl Phase {
    pub(crate) fn warm_up(plan: WarmUpPlan) -> Self {
        match plan {
            WarmUpPlan::None => Self::default(),
            WarmUpPlan::Requests(requests) => Self::new(Some(requests), None),
            WarmUpPlan::Seconds(length) | WarmUpPlan::Stationary(length) => {
                Self::new(None, Some(length))
            }
        }
    }

    pub(crate) fn window(amount: Amount) -> Self {
        match amount {
            Amount::Requests(requests) => Self::new(Some(requests), None),
            Amount::Seconds(length) => Self {
                trails: true,
                ..Self::new(None, Some(length))
            },
        }
    }

    fn new(requests: Option<u64>, seconds: Option<f64>) -> Self {
        let length = seconds.map(nanoseconds);
        Self {
            requests,
            length,
            ..Self::default()
        }
    }

    pub(crate) fn span(self, start: u64) -> Span {
        let Self {
            requests, length, ..
        } = self;
        Span {
            start,
            length,
            requests,
        }
    }

    /// Nanoseconds from its start to the end of its window, if it goes by time.
    pub(crate) fn ends(self) -> Option<u64> {
        Some(self.lead + self.length?)
    }

    pub(crate) fn is_none(self) -> bool {
        self.requests.unwrap_or(0) == 0 && self.length.unwrap_or(0) == 0
    }
}

/// One worker's part of a phase.
#[derive(Debug)]
pub(crate) struct Share<'a> {
    pub(crate) span: Span,
    pub(crate) part: WorkerShare,
    /// Requests that its connections carry at once.
    pub(crate) slots: u64,
    /// When requests fall due, if that was written down, in nanoseconds from the beginning.
    pub(crate) times: Option<std::sync::Arc<[u64]>>,
    pub(crate) own: u64,
    pub(crate) shared: &'a std::sync::atomic::AtomicU64,
    /// Whether what happens is thrown away.
    pub(crate) warm_up: bool,
}

/// When this worker's requests fall due.
pub(crate) fn schedule<'a>(shape: &Shape, mine: &Share<'a>) -> Schedule<'a> {
    let quota = || Quota::new(mine.own, mine.shared, mine.part.workers);
    let quota = mine.span.requests.map(|_| quota());
    match shape {
        Shape::Recorded { .. } => Schedule::Queue(Box::new(Queue::recorded(recorded(mine)))),
        Shape::Open(plan) => {
            let (arrivals, most) = (arrivals(plan, mine), most_waiting(plan, mine));
            Schedule::Queue(Box::new(Queue::arrivals(arrivals, most)))
        }
        Shape::Closed { think, spread } if *think > 0.0 => {
            let think = Think {
                time: nanoseconds(*think),
                spread: *spread,
                random: ChaCha8Rng::seed_from_u64(mine.part.worker),
                quota,
                connections: mine.slots,
                begun: 0,
                thought: 0,
                dry: Vec::new(),
            };
            Schedule::Queue(Box::new(Queue::think(think)))
        }
        Shape::Closed { .. } => quota.map_or(Schedule::Endless, Schedule::Count),
    }
}

/// The `n`-th of a recording is begun by the worker `n % workers`.
fn recorded(mine: &Share) -> Recorded {
    let span = mine.span;
    let most = span.requests.unwrap_or(u64::MAX) as usize;
    let inside = |time: &u64| span.length.is_none_or(|length| *time < length);
    let all = mine.times.as_deref().unwrap_or_default().iter();
    let all = all.copied().take(most).take_while(inside);
    let own = all.skip(mine.part.worker as usize);
    let own = own.step_by(mine.part.workers as usize);
    Recorded {
        times: own.map(|time| span.start + time).collect(),
        last: span.start,
    }
}

/// The warm-up applies the mean rate, so that the server meets the window in the state in which
/// that rate keeps it.
fn arrivals(plan: &record::Arrivals, mine: &Share) -> Arrivals {
    if !mine.warm_up {
        return Arrivals::new(plan, 1, mine.span, mine.part);
    }
    let segments = record::Arrivals::steady(plan.mean_rate());
    let plan = record::Arrivals {
        segments,
        ..plan.clone()
    };
    Arrivals::new(&plan, 0, mine.span, mine.part)
}

/// A worker's part of what may wait while its connections are busy: in proportion to them, and
/// rounded so that all workers' parts together are exact.
fn most_waiting(plan: &record::Arrivals, share: &Share) -> usize {
    let WorkerShare {
        worker,
        workers,
        connections,
    } = share.part;
    let waiting = u64::from(plan.max_outstanding).saturating_sub(connections);
    let (each, rest) = (waiting / workers, waiting % workers);
    (each + u64::from(worker < rest)) as usize
}
