mod ends;

use std::collections::BTreeMap;

use record::{Cause, CheckFacts, Distribution, TimeLimit};

use crate::cost::ThreadCost;
use crate::flight::Flight;
use crate::segments::Segments;
use crate::slots::Slots;
use crate::slowest::Slowest;
use crate::timeline::Timeline;

/// What one worker saw in one phase. Owned by the worker; merged when the phase is over.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    /// When the window opened.
    pub(crate) start: u64,
    pub(crate) scheduled: u64,
    pub(crate) completed: u64,
    pub(crate) failed: BTreeMap<Cause, u64>,
    pub(crate) examples: BTreeMap<Cause, String>,
    pub(crate) timed_out: u64,
    pub(crate) time_limits: BTreeMap<TimeLimit, u64>,
    pub(crate) retries: u64,
    pub(crate) sent_again: u64,
    pub(crate) dropped: u64,
    pub(crate) in_flight: u64,
    pub(crate) drained: u64,
    /// Answered wrongly or not at all after the window had closed.
    pub(crate) failed_in_drain: BTreeMap<Cause, u64>,
    pub(crate) timed_out_in_drain: u64,
    /// Still under way, or not even sent, when nobody waited any longer.
    pub(crate) cut_off: u64,
    /// When the last of what was in flight had ended or was given up.
    pub(crate) drained_until: u64,
    /// Answers by status; the index is the status.
    pub(crate) statuses: Vec<u64>,
    pub(crate) bytes_sent: u64,
    pub(crate) bytes_received: u64,
    pub(crate) connects: u64,
    pub(crate) compared: u64,
    pub(crate) service: Distribution,
    pub(crate) light: Distribution,
    pub(crate) response: Distribution,
    pub(crate) connect: Distribution,
    pub(crate) tls: Distribution,
    pub(crate) first_byte: Distribution,
    pub(crate) body: Distribution,
    pub(crate) pages: Distribution,
    /// By name; empty when there is nothing to tell apart.
    pub(crate) named: Vec<Named>,
    /// By number of what is expected, and of the demand in it.
    pub(crate) checks: BTreeMap<(u32, usize), CheckFacts>,
    pub(crate) slowest: Slowest,
    pub(crate) lateness: Distribution,
    pub(crate) waited: Distribution,
    pub(crate) woken: Distribution,
    pub(crate) timeline: Timeline,
    pub(crate) segments: Segments,
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
    /// CPU seconds of the busiest worker.
    pub(crate) busiest: f64,
}

/// Requests of one name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Named {
    pub(crate) completed: u64,
    pub(crate) failed: u64,
    pub(crate) response: Distribution,
}

impl Recorder {
    /// `names` is how many of them are told apart.
    pub(crate) fn new(start: u64, length: Option<u64>, names: usize) -> Self {
        Self {
            start,
            scheduled: 0,
            completed: 0,
            failed: BTreeMap::new(),
            examples: BTreeMap::new(),
            timed_out: 0,
            time_limits: BTreeMap::new(),
            retries: 0,
            sent_again: 0,
            dropped: 0,
            in_flight: 0,
            drained: 0,
            failed_in_drain: BTreeMap::new(),
            timed_out_in_drain: 0,
            cut_off: 0,
            drained_until: start,
            statuses: vec![0; 1000],
            bytes_sent: 0,
            bytes_received: 0,
            connects: 0,
            compared: 0,
            service: Distribution::default(),
            light: Distribution::default(),
            response: Distribution::default(),
            connect: Distribution::default(),
            tls: Distribution::default(),
            first_byte: Distribution::default(),
            body: Distribution::default(),
            pages: Distribution::default(),
            named: vec![Named::default(); names],
            checks: BTreeMap::new(),
            slowest: Slowest::default(),
            lateness: Distribution::default(),
            waited: Distribution::default(),
            woken: Distribution::default(),
            timeline: Timeline::new(start, length),
            segments: Segments::default(),
            slots: Slots::default(),
            last_due: 0,
            begun: start,
            last: start,
            closed: start,
            cost: ThreadCost::default(),
            busiest: 0.0,
        }
    }

    /// A request falls due inside the window.
    #[inline]
    pub(crate) fn begun(&mut self, due: u64) {
        self.scheduled += 1;
        self.begun = self.begun.max(due);
    }

    #[inline]
    pub(crate) fn completed(&mut self, flight: &Flight, now: u64) {
        self.completed += 1;
        self.timeline.add(now);
        self.segments.completed(now);
        self.last = now;
        self.times(flight, now);
    }

    /// Answered after the window had closed: the time counts, or the slowest would vanish.
    pub(crate) fn drained(&mut self, flight: &Flight, now: u64) {
        self.drained += 1;
        self.slots.kept(flight.due, now, self.closed);
        self.times(flight, now);
    }

    #[inline]
    fn times(&mut self, flight: &Flight, now: u64) {
        self.service.record(now - flight.sent);
        if flight.light {
            self.light.record(now - flight.sent);
        }
        self.response.record(now - flight.due);
        self.segments.took(flight.due, now - flight.due);
        self.first_byte.record(flight.first_byte - flight.sent);
        self.body.record(now - flight.first_byte);
        if let Some(named) = self.named.get_mut(flight.name as usize) {
            named.completed += 1;
            named.response.record(now - flight.due);
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
        self.examples.entry(cause).or_insert_with(describe);
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.scheduled += other.scheduled;
        self.completed += other.completed;
        self.timed_out += other.timed_out;
        self.retries += other.retries;
        self.sent_again += other.sent_again;
        add(&mut self.time_limits, other.time_limits);
        self.dropped += other.dropped;
        self.in_flight += other.in_flight;
        self.drained += other.drained;
        self.timed_out_in_drain += other.timed_out_in_drain;
        self.cut_off += other.cut_off;
        self.drained_until = self.drained_until.max(other.drained_until);
        self.bytes_sent += other.bytes_sent;
        self.bytes_received += other.bytes_received;
        self.connects += other.connects;
        self.compared += other.compared;
        add(&mut self.failed, other.failed);
        add(&mut self.failed_in_drain, other.failed_in_drain);
        for (cause, example) in other.examples {
            self.examples.entry(cause).or_insert(example);
        }
        for (own, their) in self.statuses.iter_mut().zip(&other.statuses) {
            *own += their;
        }
        self.service.merge(&other.service);
        self.light.merge(&other.light);
        self.response.merge(&other.response);
        self.connect.merge(&other.connect);
        self.tls.merge(&other.tls);
        self.first_byte.merge(&other.first_byte);
        self.body.merge(&other.body);
        self.pages.merge(&other.pages);
        for (own, their) in self.named.iter_mut().zip(other.named) {
            own.completed += their.completed;
            own.failed += their.failed;
            own.response.merge(&their.response);
        }
        for (number, their) in other.checks {
            let own = self.checks.entry(number).or_default();
            own.looked_at += their.looked_at;
            own.failed += their.failed;
            own.example = own.example.take().or(their.example);
        }
        self.slowest.merge(other.slowest);
        self.lateness.merge(&other.lateness);
        self.waited.merge(&other.waited);
        self.woken.merge(&other.woken);
        self.timeline.merge(other.timeline);
        self.segments.merge(&other.segments);
        self.slots.merge(other.slots);
        self.start = self.start.min(other.start);
        self.last_due = self.last_due.max(other.last_due);
        self.begun = self.begun.max(other.begun);
        self.last = self.last.max(other.last);
        self.closed = self.closed.max(other.closed);
        self.cost.user += other.cost.user;
        self.cost.system += other.cost.system;
        self.busiest = self.busiest.max(other.busiest);
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
