mod line;
mod outcome;
mod sending;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wire::Session;

use crate::alarms::Alarms;
use crate::check::Check;
use crate::clock::Clock;
use crate::cost::ThreadCost;
use crate::live::Board;
use crate::reactor::{Happening, Reactor};
use crate::recorder::Recorder;
use crate::schedule::Schedule;
use line::Line;

/// Bytes read at once; one buffer serves all connections of a worker.
const BUFFER: usize = 64 * 1024;
/// How often figures are published and the call to halt is looked at, in nanoseconds.
const GLANCE: u64 = 200_000_000;
/// First and longest pause before a connection that keeps failing is opened again, nanoseconds.
const PAUSE: (u64, u64) = (1_000_000, 100_000_000);

/// What all workers of a load are told.
pub(crate) struct Orders<'a, S: Session> {
    pub(crate) request: &'a S::Request,
    pub(crate) check: &'a Check,
    pub(crate) keep_alive: bool,
    /// Nanoseconds from the due time.
    pub(crate) timeout: u64,
    pub(crate) clock: Clock,
    /// Set when the load is to end now.
    pub(crate) halt: &'a AtomicBool,
}

/// A thread's connections, clock and recorder, and the loop that drives them.
pub(crate) struct Worker<'a, S: Session> {
    orders: Orders<'a, S>,
    board: &'a Board,
    reactor: Reactor,
    lines: Vec<Line<S>>,
    /// Lines that have a request, or will look for one after a pause.
    active: usize,
    deadlines: Alarms,
    pauses: Alarms,
    schedule: Schedule<'a>,
    recorder: Recorder,
    /// When the window closes; `u64::MAX` when it goes by count.
    end: u64,
    draining: bool,
    cost: ThreadCost,
    buffer: Vec<u8>,
    out: Vec<u8>,
}

impl<'a, S: Session> Worker<'a, S> {
    pub(crate) fn new(
        orders: Orders<'a, S>,
        board: &'a Board,
        reactor: Reactor,
        lines: usize,
    ) -> Self {
        Self {
            orders,
            board,
            reactor,
            lines: (0..lines).map(|_| Line::new()).collect(),
            active: 0,
            deadlines: Alarms::default(),
            pauses: Alarms::default(),
            schedule: Schedule::Over,
            recorder: Recorder::new(0, None),
            end: u64::MAX,
            draining: false,
            cost: ThreadCost::default(),
            buffer: vec![0; BUFFER],
            out: Vec::new(),
        }
    }

    /// Serves one phase, and the drain after it: a window of `length` that began at `start`, or a
    /// window by count that begins now.
    ///
    /// # Errors
    /// When the event loop itself fails, which is this machine's fault.
    pub(crate) fn serve(
        &mut self,
        schedule: Schedule<'a>,
        start: u64,
        length: Option<u64>,
    ) -> io::Result<Recorder> {
        self.schedule = schedule;
        // A window by count opens with its first request. Until this thread woke up there was none,
        // and on a busy machine that takes milliseconds: a twentieth of the shortest windows.
        let start = length.map_or_else(|| self.orders.clock.now(), |_| start);
        self.recorder = Recorder::new(start, length);
        self.end = length.map_or(u64::MAX, |length| start + length);
        self.draining = false;
        self.cost = ThreadCost::now();
        self.active = self.lines.len();
        for at in 0..self.lines.len() {
            if let Some(opened_in) = self.lines[at].opened_in {
                self.connected(opened_in);
            }
            // A closed loop has no schedule: a connection is free when its turn comes, and what the
            // others' first requests take is no lateness of this one.
            self.next(at, self.orders.clock.now());
        }
        let mut glance = start;
        while self.active > 0 {
            self.reactor.wait(self.patience(glance))?;
            self.listen();
            let now = self.orders.clock.now();
            self.ring(now);
            if now >= glance {
                glance = now + GLANCE;
                self.publish();
                if self.orders.halt.load(Ordering::Relaxed) {
                    break;
                }
            }
        }
        if !self.draining {
            self.close_window(self.orders.clock.now());
        }
        self.publish();
        Ok(std::mem::replace(
            &mut self.recorder,
            Recorder::new(0, None),
        ))
    }

    fn patience(&self, glance: u64) -> Duration {
        let end = if self.draining { u64::MAX } else { self.end };
        let until = glance
            .min(end)
            .min(self.deadlines.next())
            .min(self.pauses.next());
        Duration::from_nanos(until.saturating_sub(self.orders.clock.now()))
    }

    fn publish(&self) {
        let recorder = &self.recorder;
        self.board
            .publish(recorder.completed, recorder.hopeless(), &recorder.response);
    }

    /// Handles all that has happened. The clock is read for each thing apart: in a long turn the
    /// first and the last are far from each other.
    fn listen(&mut self) {
        while let Some((at, happening)) = self.reactor.next(&mut self.buffer) {
            let now = self.orders.clock.now();
            self.look(now);
            match happening {
                Happening::Received(length) => self.received(at, length, now),
                Happening::Opened => self.opened(at, now),
                Happening::Ended => self.ended(at, now),
                Happening::Failed(error) => self.broken(at, &error, now),
            }
        }
    }

    /// Has the window closed?
    #[inline]
    fn look(&mut self, now: u64) {
        if now > self.end && !self.draining {
            self.close_window(self.end);
        }
    }

    fn close_window(&mut self, now: u64) {
        self.draining = true;
        self.schedule = Schedule::Over;
        let recorder = &mut self.recorder;
        recorder.in_flight = self.lines.iter().filter(|line| line.is_busy()).count() as u64;
        recorder.closed = now;
        recorder.cost = ThreadCost::now().since(self.cost);
        let length = crate::clock::seconds(now.saturating_sub(recorder.start));
        recorder.busiest = if length > 0.0 {
            recorder.cost.total() / length
        } else {
            0.0
        };
    }

    /// Handles the time limits and pauses that are over.
    fn ring(&mut self, now: u64) {
        self.look(now);
        while let Some(at) = self.pauses.take(now) {
            self.next(at, now);
        }
        while let Some(at) = self.deadlines.take(now) {
            self.lines[at].limited = false;
            if !self.lines[at].is_busy() {
                continue;
            }
            if self.lines[at].flight.due + self.orders.timeout <= now {
                self.timed_out(at, now);
            } else {
                self.limit(at); // the alarm was a former request's
            }
        }
    }

    fn limit(&mut self, at: usize) {
        let line = &mut self.lines[at];
        if !line.limited {
            line.limited = true;
            self.deadlines
                .set(line.flight.due + self.orders.timeout, at);
        }
    }
}
