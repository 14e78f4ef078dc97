//! Loads that share a machine, each applied in short slices in turn with the others'.

use record::{Interval, LoadFacts, Moment, PauseFacts, SliceFacts, SlotTime, WarmUp};

use crate::clock::{nanoseconds, seconds};
use crate::facts;
use crate::recorder::Recorder;
use crate::shape::Phase;
use crate::{Job, Tick};

/// Most intervals kept of a load in slices; beyond, neighbours are joined.
const INTERVALS: usize = 100;

/// Whose turn it is. Between two calls the load has the machine to itself; while a call lasts it is idle, its
/// connections open.
pub trait Turns {
    /// The warm-up, or the slice before, went at this pace. Returns when it is this load's turn, and says what to do.
    fn next(&mut self, pace: Pace) -> Turn;
}

/// What a load does when it is its turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// A slice of its window.
    Slice(Slice),
    /// All of its window at once, as its plan has it, and then its end. Not after a slice.
    Whole,
    /// Nothing more.
    Over,
}

/// How a load went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Correct responses per second.
    pub rate: f64,
    /// Median of the response time in seconds; 0 where nothing was answered.
    pub p50: f64,
    /// 90th percentile of the response time in seconds; 0 where nothing was answered.
    pub p90: f64,
    /// Mean response time in seconds of the requests that were under way at its end, 0 where none was: for how long a moment's
    /// requests are under way. More than the 90th percentile where the server lets few of its clients wait, and these for long.
    pub cut: f64,
    /// Seconds from its end until the last of these was answered.
    pub drain: f64,
}

/// A part of a window. What is under way at its end is waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// Seconds of load that lead in to the window, and are in no figure.
    pub lead: f64,
    /// Seconds of these over which a closed loop's connections begin, one after the other. All at once they would stay in
    /// step where responses take the same time, and how many of their waves fall into the window would be chance.
    pub spread: f64,
    /// Seconds of the window.
    pub length: f64,
    /// Whether load goes on, in no figure, while what is under way at its end is waited for. Of a server that serves some
    /// connections and lets the others wait these wait longer where nobody asks for anything any more.
    pub trails: bool,
}

impl Slice {
    pub(crate) fn phase(self) -> Phase {
        Phase {
            requests: None,
            lead: nanoseconds(self.lead),
            spread: nanoseconds(self.spread),
            length: Some(nanoseconds(self.length)),
            trails: self.trails,
        }
    }
}

impl Pace {
    pub(crate) fn of(seen: &Recorder) -> Self {
        let length = seconds(seen.closed.saturating_sub(seen.start));
        let response = &seen.facts.response;
        Self {
            rate: if length > 0.0 {
                seen.facts.completed as f64 / length
            } else {
                0.0
            },
            p50: response.quantile(0.5).unwrap_or(0.0),
            p90: response.quantile(0.9).unwrap_or(0.0),
            cut: seconds(seen.cut_through) / seen.facts.drained.max(1) as f64,
            drain: seen.drain().seconds,
        }
    }
}

/// The slices of a load so far: their counts and times in one recorder, and beside it what depends on when each began.
#[derive(Default)]
pub(crate) struct Taken {
    sum: Option<Recorder>,
    facts: SliceFacts,
    seconds: f64,
    drained: f64,
    busiest: f64,
    slot_time: Option<SlotTime>,
    intervals: Vec<Interval>,
    paused: PauseFacts,
    silent: PauseFacts,
}

impl Taken {
    /// Adds what all workers saw of a slice, and when weir itself stood still in it.
    pub(crate) fn add(&mut self, slice: Slice, mut seen: Recorder, paused: PauseFacts) {
        let length = seconds(seen.closed.saturating_sub(seen.start));
        let began = self.sum.as_ref().map_or(seen.start, |sum| sum.start);
        self.seconds += length;
        self.facts.count += 1;
        self.facts.lead = self.facts.lead.max(slice.lead);
        self.facts.led += seen.led;
        self.drained += seen.drain().seconds;
        self.busiest += seen.busiest;
        self.intervals.push(Interval {
            until: self.seconds,
            completed: seen.facts.completed,
        });
        if self.intervals.len() > INTERVALS {
            self.intervals = joined(&self.intervals);
        }
        self.slot_time = match (self.slot_time, seen.slots.told(seen.closed)) {
            (Some(sum), Some(more)) => Some(sum.plus(more)),
            (sum, more) => sum.or(more),
        };
        let after = seconds(seen.start.saturating_sub(began));
        self.paused.follow(paused, after);
        self.silent.follow(seen.silent(seen.closed), after);
        // what is told of it by now would only grow with each
        (seen.slots, seen.timeline, seen.silence) = Default::default();
        match &mut self.sum {
            Some(sum) => sum.merge(seen),
            None => self.sum = Some(seen),
        }
    }

    /// Everything in figures; nothing without a slice.
    pub(crate) fn told(self, job: &Job, warm_up: WarmUp, whole: bool) -> Option<LoadFacts> {
        let sum = self.sum?;
        let facts = facts::facts(job, job.threads(), warm_up, sum, whole);
        let share = self.busiest / self.seconds.max(f64::MIN_POSITIVE);
        let engine = record::EngineCost {
            busiest: share.min(1.0),
            ..facts.engine
        };
        Some(LoadFacts {
            seconds: self.seconds,
            slices: Some(self.facts),
            drain: facts.drain.map(|drain| record::DrainFacts {
                seconds: self.drained,
                ..drain
            }),
            slot_time: self.slot_time,
            intervals: self.intervals,
            engine,
            paused: Some(self.paused),
            silent: facts.silent.is_some().then_some(self.silent),
            ..facts
        })
    }

    /// How far it is, after a slice that went at this pace.
    pub(crate) fn tick(&self, at: Moment, pace: Pace) -> Tick {
        let (completed, failed) = self
            .sum
            .as_ref()
            .map_or((0, 0), |sum| (sum.facts.completed, sum.unanswered()));
        Tick {
            at,
            elapsed: self.seconds,
            reached: self.seconds,
            completed,
            rate: pace.rate,
            p50: Some(pace.p50),
            failed,
            ..Tick::default()
        }
    }

    /// Of all slices together.
    pub(crate) fn seconds(&self) -> f64 {
        self.seconds
    }

    pub(crate) fn seen(&self) -> Option<&Recorder> {
        self.sum.as_ref()
    }
}

/// Every two neighbours as one.
fn joined(intervals: &[Interval]) -> Vec<Interval> {
    let pair = |pair: &[Interval]| Interval {
        until: pair[pair.len() - 1].until,
        completed: pair.iter().map(|of| of.completed).sum(),
    };
    intervals.chunks(2).map(pair).collect()
}
