mod ends;

use std::collections::BTreeMap;

use record::{Cause, CheckFacts, Distribution, Lengths, LoadFacts};

use crate::clock::ThreadCost;
use crate::flight::Flight;
use crate::segments::Segments;
use crate::silence::Silence;
use crate::slots::Slots;
use crate::slowest::Slowest;
use crate::timeline::Timeline;

/// What one worker saw in one phase. Owned by the worker; merged when the phase is over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    /// When the window opened.
    pub(crate) start: u64,
    /// What is told as it was counted; the rest of it is worked out at the end.
    pub(crate) facts: LoadFacts,
    /// Answered wrongly or not at all after the window had closed.
    pub(crate) failed_in_drain: BTreeMap<Cause, u64>,
    pub(crate) timed_out_in_drain: u64,
    /// Still under way, or not even sent, when nobody waited any longer.
    pub(crate) cut_off: u64,
    /// When the last of what was in flight had ended or was given up.
    pub(crate) drained_until: u64,
    /// Answers by status; the index is the status.
    pub(crate) statuses: Vec<u64>,
    pub(crate) compared: u64,
    /// Of the bodies that counted as right.
    pub(crate) lengths: Option<Lengths>,
    /// By name; empty when there is nothing to tell apart.
    pub(crate) named: Vec<Named>,
    /// By number of what is expected, and of the demand in it.
    pub(crate) checks: BTreeMap<(u32, usize), CheckFacts>,
    pub(crate) slowest: Slowest,
    pub(crate) timeline: Timeline,
    pub(crate) segments: Segments,
    pub(crate) silence: Silence,
    pub(crate) slots: Slots,
    /// When the last request of an open loop fell due; 0 in a closed one.
    pub(crate) last_due: u64,
    /// When the last request was begun that counts.
    begun: u64,
    /// When the last of them came to its end that did not time out.
    pub(crate) last: u64,
    /// When the window closed.
    pub(crate) closed: u64,
    /// CPU time of the window and of waiting for time limits after it, which takes next to none.
    pub(crate) cost: ThreadCost,
    /// Nanoseconds of busy waiting, which is not in it.
    pub(crate) busy_waited: u64,
    /// CPU seconds of the busiest worker.
    pub(crate) busiest: f64,
    /// Requests that ended while the window was not open yet, in a load that leads in to it.
    pub(crate) led: u64,
    /// Nanoseconds that the requests took which were under way at the end and then answered.
    pub(crate) cut_through: u64,
}

/// How requests ended that are told apart from others: those of one name, or of one stretch of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    pub(crate) completed: u64,
    pub(crate) failed: u64,
    pub(crate) response: Distribution,
}

impl Ends {
    pub(crate) fn merge(&mut self, other: &Self) {
        self.completed += other.completed;
        self.failed += other.failed;
        self.response.merge(&other.response);
    }
}

/// How the requests of one name ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Named {
    pub(crate) ends: Ends,
    /// Of the bodies of those that completed.
    pub(crate) bytes: u64,
    /// How many had a response with each status; most often there is one.
    pub(crate) statuses: Vec<(u16, u64)>,
}

impl Named {
    #[inline]
    fn completed(&mut self, flight: &Flight) {
        self.ends.completed += 1;
        self.bytes += flight.progress.length();
        self.answered(flight.progress.status, 1);
    }

    /// So many had a response with this status.
    #[inline]
    fn answered(&mut self, status: u16, times: u64) {
        match self.statuses.iter_mut().find(|of| of.0 == status) {
            Some(of) => of.1 += times,
            None => self.statuses.push((status, times)),
        }
    }
}

impl Recorder {
    /// `names` is how many of them are told apart, `slices` how many the window is told in.
    pub(crate) fn new(start: u64, length: Option<u64>, names: usize, slices: usize) -> Self {
        // what each request may add to finds its memory there
        let facts = LoadFacts {
            service: Distribution::with_room(),
            response: Distribution::with_room(),
            first_byte: Distribution::with_room(),
            body: Distribution::with_room(),
            connect: Distribution::with_room(),
            lateness: Distribution::with_room(),
            turns: Distribution::with_room(),
            woken: Distribution::with_room(),
            waited: Distribution::with_room(),
            ..LoadFacts::default()
        };
        Self {
            start,
            facts,
            drained_until: start,
            statuses: vec![0; 1000],
            named: vec![Named::default(); names],
            timeline: Timeline::new(start, length, slices),
            silence: Silence::since(start),
            begun: start,
            last: start,
            closed: start,
            ..Self::default()
        }
    }

    /// A request falls due inside the window.
    #[inline]
    pub(crate) fn begun(&mut self, due: u64) {
        self.facts.scheduled += 1;
        self.begun = self.begun.max(due);
    }

    #[inline]
    pub(crate) fn completed(&mut self, flight: &Flight, now: u64) {
        self.facts.completed += 1;
        self.timeline.add(now);
        self.segments.completed(now);
        self.last = now;
        self.silence.heard(now);
        let length = flight.progress.length();
        match &mut self.lengths {
            Some(all) => all.add(length),
            None => self.lengths = Some(Lengths::of(length)),
        }
        if flight.was_under_way() {
            self.carried(flight, now);
        } else {
            self.times(flight, now);
        }
    }

    /// Answered after the window had closed: the time counts, or the slowest would vanish.
    pub(crate) fn drained(&mut self, flight: &Flight, now: u64) {
        self.facts.drained += 1;
        self.cut_through += now - flight.due;
        if flight.was_under_way() {
            self.carried(flight, self.closed);
            return;
        }
        self.slots.kept(flight.due, now, self.closed);
        self.times(flight, now);
    }

    /// It was under way when the window opened, and to this time of it. Times are those of the requests that begin in the
    /// window. A moment meets a slow one more often than a quick one: with those that both its ends cut through, the slow
    /// ones would be too many (length-biased sampling, Cox 1969).
    #[cold]
    fn carried(&mut self, flight: &Flight, until: u64) {
        self.slots.carried(flight.due + flight.before, until);
        if let Some(named) = self.named.get_mut(flight.name as usize) {
            named.completed(flight);
        }
    }

    #[inline]
    fn times(&mut self, flight: &Flight, now: u64) {
        self.facts.service.record(now - flight.sent);
        if flight.light {
            self.facts.light.record(now - flight.sent);
        }
        self.facts.response.record(now - flight.due);
        self.segments.took(flight.due, now - flight.due);
        self.facts
            .first_byte
            .record(flight.first_byte - flight.sent);
        self.facts.body.record(now - flight.first_byte);
        if let Some(named) = self.named.get_mut(flight.name as usize) {
            named.completed(flight);
            named.ends.response.record(now - flight.due);
        }
    }

    /// What a demand found in one answer.
    pub(crate) fn found(&mut self, number: (u32, usize), verdict: Result<(), String>) {
        let check = self.checks.entry(number).or_default();
        check.looked_at += 1;
        if let Err(why) = verdict {
            check.failed += 1;
            check.example.get_or_insert(why);
        }
    }

    /// Keeps what the first request that failed for this cause saw.
    pub(crate) fn example(&mut self, cause: Cause, describe: impl FnOnce() -> String) {
        self.facts.examples.entry(cause).or_insert_with(describe);
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.merge_facts(other.facts);
        add(&mut self.failed_in_drain, other.failed_in_drain);
        self.timed_out_in_drain += other.timed_out_in_drain;
        self.cut_off += other.cut_off;
        self.drained_until = self.drained_until.max(other.drained_until);
        self.compared += other.compared;
        self.lengths = match (self.lengths, other.lengths) {
            (Some(own), Some(their)) => Some(own.and(their)),
            (own, their) => own.or(their),
        };
        for (own, their) in self.statuses.iter_mut().zip(&other.statuses) {
            *own += their;
        }
        for (own, their) in self.named.iter_mut().zip(&other.named) {
            own.ends.merge(&their.ends);
            own.bytes += their.bytes;
            for (status, times) in &their.statuses {
                own.answered(*status, *times);
            }
        }
        for (number, their) in other.checks {
            let own = self.checks.entry(number).or_default();
            own.looked_at += their.looked_at;
            own.failed += their.failed;
            own.example = own.example.take().or(their.example);
        }
        self.slowest.merge(other.slowest);
        self.timeline.merge(other.timeline);
        self.segments.merge(&other.segments);
        self.silence.merge(&other.silence);
        self.slots.merge(other.slots);
        self.start = self.start.min(other.start);
        self.last_due = self.last_due.max(other.last_due);
        self.begun = self.begun.max(other.begun);
        self.last = self.last.max(other.last);
        self.closed = self.closed.max(other.closed);
        self.cost.user += other.cost.user;
        self.cost.system += other.cost.system;
        self.busy_waited += other.busy_waited;
        self.busiest = self.busiest.max(other.busiest);
        self.led += other.led;
        self.cut_through += other.cut_through;
    }

    fn merge_facts(&mut self, their: LoadFacts) {
        let own = &mut self.facts;
        macro_rules! sum {
            ($($count:ident)*) => { $(own.$count += their.$count;)* };
        }
        macro_rules! merge {
            ($($times:ident)*) => { $(own.$times.merge(&their.$times);)* };
        }
        sum!(scheduled completed timed_out retries sent_again dropped in_flight drained trailed connects);
        sum!(bytes_sent bytes_received asleep slept sleeps);
        merge!(service light response connect tls first_byte body pages lateness turns waited woken);
        add(&mut own.time_limits, their.time_limits);
        add(&mut own.failed, their.failed);
        for (cause, example) in their.examples {
            own.examples.entry(cause).or_insert(example);
        }
    }
}

fn add<K: Ord>(own: &mut BTreeMap<K, u64>, their: BTreeMap<K, u64>) {
    for (key, count) in their {
        *own.entry(key).or_default() += count;
    }
}

#[cfg(test)]
#[path = "recorder_tests.rs"]
mod tests;
