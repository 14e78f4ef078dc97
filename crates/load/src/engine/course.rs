//! The course of a load: its warm-up, then its window, whole or in slices.

use std::sync::atomic::{AtomicU64, Ordering};

use record::{Amount, Distribution, DrainFacts, LoadFacts, Moment, Shape, WarmUpPlan};

use super::Engine;
use crate::clock::nanoseconds;
use crate::drain::Patience;
use crate::recorder::Recorder;
use crate::schedule::Schedule;
use crate::shape::Phase;
use crate::stationary::Course;
use crate::turns::{Pace, Slice, Taken, Turn, Turns};
use crate::worker::{AT_ONCE, Service};
use crate::{Event, LoadError, Result, Tick, Traffic, facts};

/// Seconds for which a warm-up waits for its first answer at least.
const SILENT: f64 = 1.0;
/// Longest time for many connections to open before the load begins, nanoseconds.
const OPENING: u64 = 10_000_000_000;
/// Requests that are sent one after another before all connections send theirs, and the time in which each is to be answered, in
/// nanoseconds.
const ALONE: (u32, u64) = (3, 1_000_000_000);

impl<'a> Engine<'a> {
    pub(super) fn lead(
        &self,
        quotas: &'a [AtomicU64; 2],
        turns: Option<&mut dyn Turns>,
        events: &mut dyn FnMut(Event),
    ) -> Result<LoadFacts> {
        self.open_all()?;
        let (warm_up, pace) = self.warm_up(&quotas[0], events)?;
        let Some(turns) = turns else {
            return self.window(&quotas[1], warm_up, events);
        };
        match turns.next(pace) {
            Turn::Whole => self.window(&quotas[1], warm_up, events),
            Turn::Slice(first) => self.slices(&quotas[1], first, turns, warm_up, events),
            Turn::Over => Err(LoadError::Interrupted),
        }
    }

    /// Many connections of a closed loop are opened before the first request. A server that is busy with requests accepts
    /// few in the same time, and what its accept queue has no place for tries again after a second.
    fn open_all(&self) -> Result<()> {
        let load = &self.job.load;
        let many = self.shares.iter().any(|&lines| lines > AT_ONCE);
        let mix = matches!(self.job.traffic, Traffic::Mix(_));
        if !many || !mix || load.shape.is_open() || !load.keep_alive {
            return Ok(());
        }
        let phase = Phase {
            length: Some(OPENING),
            ..Phase::default()
        };
        for go in &self.go {
            // A worker that is gone has panicked; joining it will say so.
            let _ = go.send(Service {
                schedule: Schedule::Over,
                start: None,
                lead: phase.lead,
                spread: phase.spread,
                length: phase.length,
                trails: false,
                prepare: true,
                patience: Patience::of(true, None),
            });
        }
        self.watch(phase, self.clock.now(), &mut |_| ())?;
        // those that could not be opened try again with their requests, and say why
        self.halt.store(false, Ordering::Relaxed);
        if self.stop.load(Ordering::Relaxed) {
            return Err(LoadError::Interrupted);
        }
        Ok(())
    }

    /// What comes before the window, and how it went.
    fn warm_up(
        &self,
        quota: &'a AtomicU64,
        events: &mut dyn FnMut(Event),
    ) -> Result<(record::WarmUp, Pace)> {
        let plan = Phase::warm_up(self.job.load.warm_up);
        // A recording begins at its beginning.
        if plan.is_none() || self.job.traffic.times().is_some() {
            return Ok(Default::default());
        }
        let before = self.alone(quota, events)?;
        let asked = before.requests + before.failed;
        let plan = Phase {
            requests: plan.requests.map(|all| all.saturating_sub(asked)),
            ..plan
        };
        let mut course = match self.job.load.warm_up {
            WarmUpPlan::Stationary(_) => Some(Course::default()),
            _ => None,
        };
        let seen = self.send_into(plan, quota, true, &mut |tick| {
            let Some(tick) = tick else { return };
            if let Some(course) = &mut course {
                self.look(course, &tick);
            }
            events(Event::WarmUp(tick));
        })?;
        if self.stop.load(Ordering::Relaxed) {
            return Err(LoadError::Interrupted);
        }
        if self.halt.swap(false, Ordering::Relaxed) && !self.job.may_break {
            return Err(facts::nothing_right(self.job, &seen).unwrap_or(LoadError::Interrupted));
        }
        let stationary = course.map(|course| course.is_stationary());
        let after = facts::warm_up(&seen, stationary);
        let warm_up = record::WarmUp {
            requests: before.requests + after.requests,
            failed: before.failed + after.failed,
            seconds: before.seconds + after.seconds,
            alone: before.alone,
            ..after
        };
        Ok((warm_up, Pace::of(&seen)))
    }

    /// One request after another, before all connections send theirs: how long a response takes where none waits for another.
    fn alone(&self, quota: &'a AtomicU64, events: &mut dyn FnMut(Event)) -> Result<record::WarmUp> {
        let mut asked = record::WarmUp::default();
        if !self.asks_alone() {
            return Ok(asked);
        }
        let (requests, length) = ALONE;
        let phase = Phase {
            requests: Some(1),
            length: Some(length),
            ..Phase::default()
        };
        let mut times = Distribution::default();
        for _ in 0..requests {
            let seen = self.send_into(phase, quota, true, &mut |tick| {
                if let Some(tick) = tick {
                    events(Event::WarmUp(tick));
                }
            })?;
            if self.stop.load(Ordering::Relaxed) {
                return Err(LoadError::Interrupted);
            }
            // what fails so fails with all connections, too, and is told then
            self.halt.store(false, Ordering::Relaxed);
            let one = facts::warm_up(&seen, None);
            asked.requests += one.requests;
            asked.failed += one.failed;
            asked.seconds += one.seconds;
            if one.requests == 0 {
                break;
            }
            times.merge(&seen.facts.service);
        }
        asked.alone = times.quantile(0.5);
        Ok(asked)
    }

    /// Whether that is asked: of a server that nobody asked before, where one request is sent again and again by several at once,
    /// and the warm-up has enough for each of these beside.
    fn asks_alone(&self) -> bool {
        let load = &self.job.load;
        let enough = match load.warm_up {
            WarmUpPlan::Stationary(_) => true,
            WarmUpPlan::Requests(all) => all >= u64::from(ALONE.0) + load.slots(),
            WarmUpPlan::None | WarmUpPlan::Seconds(_) => false,
        };
        let busy = matches!(load.shape, Shape::Closed { think, .. } if think <= 0.0);
        enough && busy && !self.job.may_break && load.slots() > 1 && facts::asks_one(self.job)
    }

    /// The whole window.
    fn window(
        &self,
        quota: &'a AtomicU64,
        warm_up: record::WarmUp,
        events: &mut dyn FnMut(Event),
    ) -> Result<LoadFacts> {
        events(Event::Opened(Moment::now()));
        self.pulse.open();
        let plan = Phase::window(self.job.load.amount);
        let mut told = Distribution::default();
        let seen = self.send_into(plan, quota, false, &mut |tick| {
            if let Some(tick) = &tick {
                told.merge(&tick.recent);
            }
            events(tick.map_or(Event::Look, Event::Tick));
        })?;
        let paused = Some(self.pulse.close());
        events(Event::Closed(self.ended(seen.start, &told)));
        self.check(&seen)?;
        let opened = self.clock.moment(seen.start);
        let whole = !self.halt.load(Ordering::Relaxed);
        let facts = facts::facts(self.job, self.job.threads(), warm_up, seen, whole);
        Ok(self.finished(LoadFacts {
            opened: Some(opened),
            paused,
            ..facts
        }))
    }

    /// The window in slices, each in its turn.
    fn slices(
        &self,
        quota: &'a AtomicU64,
        first: Slice,
        turns: &mut dyn Turns,
        warm_up: record::WarmUp,
        events: &mut dyn FnMut(Event),
    ) -> Result<LoadFacts> {
        let mut taken = Taken::default();
        let mut turn = Turn::Slice(first);
        let opened = Moment::now();
        events(Event::Opened(opened));
        while let Turn::Slice(slice) = turn {
            self.pulse.open();
            let seen = self.send_into(slice.phase(), quota, false, &mut |tick| {
                events(tick.map_or(Event::Look, Event::Tick));
            })?;
            let pace = Pace::of(&seen);
            taken.add(slice, seen, self.pulse.close());
            events(Event::Paused(Moment::now()));
            events(Event::Tick(taken.tick(Moment::now(), pace)));
            let over = self.halt.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed);
            turn = turns.next(pace);
            if over {
                turn = Turn::Over;
            }
            if turn != Turn::Over {
                events(Event::Resumed(Moment::now()));
            }
        }
        events(Event::Closed(Tick {
            p50: None,
            lasted: Some(taken.seconds()),
            ..taken.tick(Moment::now(), Pace::default())
        }));
        if let Some(seen) = taken.seen() {
            self.check(seen)?;
        }
        let whole = !self.halt.load(Ordering::Relaxed);
        let facts = taken.told(self.job, warm_up, whole);
        Ok(self.finished(LoadFacts {
            opened: Some(opened),
            ..facts.unwrap_or_default()
        }))
    }

    /// Who ends a load wants to see what it came to, be it nothing.
    fn check(&self, seen: &Recorder) -> Result<()> {
        let nothing = || facts::nothing_right(self.job, seen);
        let stopped = self.stop.load(Ordering::Relaxed);
        if stopped || self.job.may_break {
            return Ok(());
        }
        nothing().map_or(Ok(()), Err)
    }

    fn finished(&self, facts: LoadFacts) -> LoadFacts {
        let interrupted = self.stop.load(Ordering::Relaxed);
        let drain = facts.drain.map(|drain| DrainFacts {
            interrupted,
            ..drain
        });
        LoadFacts { drain, ..facts }
    }

    /// Ends a warm-up that has become stationary, and one in which nobody has answered for as long as
    /// the window is to last: whoever wants two seconds need not wait for ten before them.
    fn look(&self, course: &mut Course, tick: &Tick) {
        let elapsed = nanoseconds(tick.elapsed);
        course.hear(elapsed, tick.completed, tick.p50);
        let silent = match self.job.load.amount {
            Amount::Seconds(window) => tick.completed == 0 && tick.elapsed >= window.max(SILENT),
            Amount::Requests(_) => false,
        };
        if silent || course.is_stationary() {
            self.enough.store(true, Ordering::Relaxed);
        }
    }
}
