//! What requests wait for where cores are idle.

use record::{Doing, QueueFacts};

use super::facts::Facts;
use super::front_queues::Queue;
use super::idle_connections::Held;
use super::pauses;
use crate::doubt::{seen_full, stalls};

/// Share of servers' open connections, over all looks at them, that had bytes which were not acknowledged. On one machine
/// an acknowledgement takes microseconds.
const HELD: f64 = 0.2;
/// Acknowledgements that were delayed, for each response.
const DELAYED: f64 = 0.2;
/// The most for each response that a load can cause at each program that it passes: of the request, and of the response.
const CAUSED: f64 = 2.0;
/// Seconds from a response's head to the end of its body where that waits for an acknowledgement (40 ms, and what it takes to
/// be sent then).
const DELAY: (f64, f64) = (0.038, 0.06);
/// Bytes of a response above which bytes may well be under way.
const SMALL: f64 = 16_384.0;
/// Seconds that a response takes at least where it waits for an acknowledgement that is delayed by 40 ms, now and then.
const LONG: f64 = 0.03;
/// Share of a response's time from which on busy cores are not what makes it long.
const MOST: f64 = 0.5;
/// Share of the window in which some program waited for storage.
const STORAGE: f64 = 0.2;
/// Attempts to connect that met a full accept queue, for each connection; and where nobody counts these, requests without a
/// correct response, of all.
const TURNED_AWAY: f64 = 0.01;
/// Requests to open a connection that were sent again, for each connection.
const ASKED_AGAIN: f64 = 0.01;
/// Seconds after which they are sent again at the earliest, a second less what times are inexact by.
const AGAIN_AFTER: f64 = 0.95;
/// How many times as long as alone a response takes where requests wait for each other.
const LONGER: f64 = 2.0;
/// Requests in progress on average up to which hardly two of them met.
pub(super) const APART: f64 = 1.0;

/// Requests in progress for each slot from which on others wait for one.
const FULL: f64 = 1.1;
/// Share of the window in which everything stood still, in a closed loop. What falls due at a rate, or after users thought, waits
/// through all of it, so that there a pause is told alone from where it is told at all.
const STILL: f64 = 0.2;

/// What is waited for, as far as the kernel and the programs themselves tell.
pub(super) enum WaitsFor<'a> {
    /// Room in an accept queue.
    Accept {
        /// Attempts to connect that had none, as far as they are counted: not over Unix sockets.
        full: u64,
        /// The queue of the stack that turned most away, or was full in most looks, if one did or was.
        queue: Option<&'a QueueFacts>,
    },
    /// An answer to the request to open a connection.
    Connect {
        /// Such requests that the kernel sent again.
        retries: u64,
    },
    /// Memory, to be freed or to be read back.
    Memory,
    /// Acknowledgements that the other end delays.
    Acknowledgements {
        /// Share of servers' open connections that had bytes which were not acknowledged, 0 to 1.
        held: f64,
        /// Acknowledgements that were delayed, for each response.
        delayed: f64,
        /// Whether these are more than the load can cause, so that others' are among them.
        of_others: bool,
        /// Seconds from the head of a response to the end of its body, the median, if that is about such a delay.
        body: Option<f64>,
    },
    /// Storage.
    Storage {
        /// Share of the window, 0 to 1.
        share: f64,
    },
    /// A worker that a connection holds which asks for nothing.
    Worker(Held),
    /// A server behind a front end, which hands it fewer requests than it works on.
    Front(Queue<'a>),
    /// Another thread of the app: a lock, a pool.
    Thread {
        /// Requests that do, on average.
        waiting: f64,
    },
}

impl<'a> Facts<'a> {
    /// Whether more requests are in progress than the app server works on at once, so that some wait for a slot.
    pub(super) fn slots_are_full(&self) -> bool {
        let slots = self.slots();
        slots.is_some_and(|slots| self.in_progress() >= FULL * slots)
    }

    /// Whether no core sets the pace: some are idle, no process has one to itself, and not everything stands still.
    pub(super) fn has_cores_left(&self) -> bool {
        let hot = !self.with_a_whole_core().is_empty();
        let still = if self.is_closed_loop() {
            STILL
        } else {
            pauses::TOLD
        };
        !self.every_core_is_busy() && !hot && self.stands_still() < still
    }

    /// Whether requests that wait do so for something else than a core. In a closed loop cores are idle only while they wait.
    /// At a rate, and of clients that think, requests come at random, and some wait for a core that is idle at other times:
    /// no core may be busy for long enough that they do so for as long as it works on them.
    pub(super) fn requests_wait(&self) -> bool {
        self.has_cores_left() && (self.is_closed_loop() || !self.random_requests_queue_for_cores())
    }

    /// Whether requests wait, and for nothing that is known: who works on them, or what they ask for, makes them wait. For a delayed
    /// acknowledgement a response waits once, so that what it waits for longer is something else.
    pub(super) fn waits_inside(&self) -> bool {
        let known = match self.waits_for() {
            None => false,
            Some(WaitsFor::Acknowledgements { .. }) => self.waits_once(),
            Some(_) => true,
        };
        self.requests_wait() && !known
    }

    /// Whether a delay of acknowledgements is nearly all for which a response waits, or nobody knows.
    fn waits_once(&self) -> bool {
        let times = self.wait_for_each_other();
        times.is_none_or(|(alone, mean)| mean - DELAY.1 < LONGER * alone)
    }

    /// Share of the window in which no response came on any connection, 0 to 1.
    pub(super) fn stands_still(&self) -> f64 {
        let stalls = stalls(self.load).unwrap_or_default();
        stalls.iter().sum::<f64>() / self.load.seconds
    }

    /// What is waited for; where no core is idle only what takes its time whoever has them.
    pub(super) fn waits_for(&self) -> Option<WaitsFor<'a>> {
        if self.every_core_is_busy() {
            return self
                .acknowledgements()
                .filter(|of| self.is_most_of_a_response(of));
        }
        self.accept()
            .or_else(|| self.connect())
            .or_else(|| self.share_without_memory().map(|_| WaitsFor::Memory))
            .or_else(|| self.acknowledgements())
            .or_else(|| self.storage())
            .or_else(|| self.held_by_connections().map(WaitsFor::Worker))
            .or_else(|| self.queue_in_front().map(WaitsFor::Front))
            .or_else(|| self.thread())
    }

    /// Seconds that a response took alone and under load, where the latter is much longer and requests met: what is slow by
    /// itself waits for no other.
    pub(super) fn wait_for_each_other(&self) -> Option<(f64, f64)> {
        let alone = self.alone()?;
        let mean = self.load.service.mean()?;
        let met = self.in_progress() > APART;
        (met && mean >= LONGER * alone).then_some((alone, mean))
    }

    fn accept(&self) -> Option<WaitsFor<'a>> {
        let observed = &self.measured.observed;
        let full = seen_full(self.load, observed.turned_away()).unwrap_or(0);
        let share = full as f64 / self.load.connects.max(1) as f64;
        let counted = share >= TURNED_AWAY;
        let most = |of: &&QueueFacts| (of.dropped.unwrap_or(0), of.full);
        // what was turned away over TCP would have been counted
        let queues = observed.queues.iter().filter(|of| counted || of.is_unix());
        let queue = queues.filter(|of| most(of) > (0, 0)).max_by_key(most);
        let failed = self.load.error_share() >= Some(TURNED_AWAY);
        let uncounted = failed && queue.is_some();
        (counted || uncounted).then_some(WaitsFor::Accept { full, queue })
    }

    /// The connections of the stack are among it only where nobody else's are.
    fn connect(&self) -> Option<WaitsFor<'a>> {
        let network = self.load.network?;
        let retries = network.syn_retries;
        let waited = network.own || self.load.connect.max() >= Some(AGAIN_AFTER);
        let all = network.opened.max(self.load.connects).max(1);
        let often = retries as f64 >= ASKED_AGAIN * all as f64;
        (waited && often && retries > 0).then_some(WaitsFor::Connect { retries })
    }

    fn thread(&self) -> Option<WaitsFor<'a>> {
        let waiting = self.waiting_in_app(Doing::WaitsForThread)?;
        Some(WaitsFor::Thread { waiting })
    }

    /// Where clients see that a body follows its head at once, none waits for what acknowledges the head: bytes that are not
    /// acknowledged are then of responses that came.
    fn acknowledgements(&self) -> Option<WaitsFor<'a>> {
        let sockets = self.measured.observed.sockets.unwrap_or_default();
        let network = self.load.network?;
        let responses = (self.load.completed + self.load.drained).max(1) as f64;
        let held = sockets.unacknowledged as f64 / sockets.open.max(1) as f64;
        let delayed = self.load.per_response(network.delayed)?;
        let of_others = !network.own && delayed > CAUSED * self.programs();
        let small = self.load.bytes_received as f64 / responses <= SMALL;
        let long = self.load.service.mean()? >= LONG;
        let body = self.load.body.quantile(0.5);
        let unseen = body.is_none() || self.is_behind_a_front();
        let body = body.filter(|after| (DELAY.0..DELAY.1).contains(after));
        let held_up = held >= HELD && unseen && !of_others;
        let all = (held_up || body.is_some()) && delayed >= DELAYED && small && long;
        all.then_some(WaitsFor::Acknowledgements {
            held,
            delayed,
            of_others,
            body,
        })
    }

    /// Programs that a load passes or makes work, one at least.
    fn programs(&self) -> f64 {
        self.measured.stack.servers.len().max(1) as f64
    }

    /// Whether what clients saw a response wait for is most of its time: other programs that have the cores do not make all bodies
    /// as late as that.
    fn is_most_of_a_response(&self, of: &WaitsFor) -> bool {
        let WaitsFor::Acknowledgements {
            body: Some(body), ..
        } = of
        else {
            return false;
        };
        let mean = self.load.service.mean();
        mean.is_some_and(|mean| *body >= MOST * mean)
    }

    fn storage(&self) -> Option<WaitsFor<'a>> {
        // of a window in slices that of their lead-ins is among it
        let waited = self.load.pressure?.storage? * self.load.counted_share();
        let share = waited / self.load.seconds;
        (share >= STORAGE).then_some(WaitsFor::Storage { share })
    }
}
