//! The time of a survey, and what it is spent on.

use std::time::{Duration, Instant};

/// Of the survey's length, what a step of the sweep, an open loop, and the warm-up before the first
/// step take: all in all one, with as many steps as there can be.
const STEP: f64 = 0.034;
const OPEN: f64 = 0.13;
/// Share of an open loop's length that is its warm-up.
pub(super) const OPEN_WARM_UP: f64 = 0.08;
const WARM_UP: f64 = 0.05;
/// When a sweep that is not over by itself begins no further step.
const SWEEP: f64 = 0.42;
/// When no further open loop would end in time.
const WHOLE: f64 = 1.15;
/// When whatever is under way is ended.
const END: f64 = 1.25;
/// What may be waited for answers after a window.
const DRAIN: f64 = 0.05;
/// A window is so many times as long as the slowest answer: two of them, and what chance adds.
const ANSWERS: f64 = 2.2;

/// What a survey had no time for.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// The slowest answer, in seconds.
    pub slowest: f64,
    /// The length of the survey, in seconds.
    pub whole: f64,
    /// The loads, in words.
    pub what: String,
}

/// How long a survey may take and has taken, and how slow its server is.
#[derive(Debug)]
pub(super) struct Time {
    began: Instant,
    /// Seconds.
    whole: f64,
    /// The slowest answer so far, in seconds.
    slow: f64,
    /// What there was no time for.
    left_out: Vec<String>,
}

impl Time {
    /// A survey of so many seconds begins now.
    pub(super) fn new(whole: f64) -> Self {
        Self {
            began: Instant::now(),
            whole,
            slow: 0.0,
            left_out: Vec::new(),
        }
    }

    /// An answer may take so long, as far as is known.
    pub(super) fn slow(&self) -> f64 {
        self.slow
    }

    pub(super) fn answered_within(&mut self, longest: Option<f64>) {
        self.slow = self.slow.max(longest.unwrap_or(0.0));
    }

    pub(super) fn warm_up(&self) -> f64 {
        self.whole * WARM_UP
    }

    /// Length of the next step in seconds; nothing where there is no time for it. Without one step that tells
    /// something there is nothing to look at afterwards, so that it has the whole survey.
    pub(super) fn step(&mut self, connections: u32, is_known: bool) -> Option<f64> {
        let share = if is_known { SWEEP } else { 1.0 };
        if self.passed() > self.whole * share {
            let beyond = format!("closed loops with {connections} connections and more");
            self.left_out.push(beyond);
            return None;
        }
        Some(self.long_enough(self.whole * STEP))
    }

    /// How many times as many connections the next step has.
    pub(super) fn factor(&self) -> u32 {
        let step = self.whole * STEP;
        if self.long_enough(step) > 2.0 * step {
            8
        } else {
            2
        }
    }

    /// Those of the shares for which there is time, and how long each takes in seconds. Where there
    /// is not time for all it is the middle that is looked at first.
    pub(super) fn shares(&mut self, all: &[f64]) -> (Vec<f64>, f64) {
        let length = self.long_enough(self.whole * OPEN);
        let drain = if length > self.whole * OPEN {
            DRAIN
        } else {
            0.0
        };
        let each = length * (1.0 + OPEN_WARM_UP) + self.whole * drain;
        let room = ((self.whole * WHOLE - self.passed()) / each).max(0.0) as usize;
        let first = all.len().saturating_sub(room) / 2;
        let taken = first..(first + room).min(all.len());
        let out = |share: usize| !taken.contains(&share);
        let out: Vec<_> = (0..all.len()).filter(|share| out(*share)).collect();
        let words = out
            .iter()
            .map(|share| format!("{:.1} %", all[*share] * 100.0));
        let words: Vec<_> = words.collect();
        if !words.is_empty() {
            let words = format!("open loops at {} of the capacity", words.join(", "));
            self.left_out.push(words);
        }
        (all[taken].to_vec(), length)
    }

    /// When a load that begins now, with a window so long, is ended: after a drain with limits, and with
    /// the survey. The first load tells how slow the server is, and is waited for.
    pub(super) fn until(&self, length: f64) -> Instant {
        let drain = self.whole * if self.slow > 0.0 { DRAIN } else { END };
        let own = self.passed() + length + self.whole * WARM_UP + drain;
        self.began + Duration::from_secs_f64(own.min(self.whole * END))
    }

    /// What there was no time for.
    pub(super) fn left_out(&self) -> Option<LeftOut> {
        (!self.left_out.is_empty()).then(|| LeftOut {
            slowest: self.slow,
            whole: self.whole,
            what: self.left_out.join(" and "),
        })
    }

    fn long_enough(&self, length: f64) -> f64 {
        length.max(self.slow * ANSWERS)
    }

    pub(super) fn passed(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }
}
