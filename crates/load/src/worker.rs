mod line;
mod outcome;
mod pacing;
mod sending;

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use wire::Session;

use crate::alarms::Alarms;
use crate::check::Check;
use crate::clock::Clock;
use crate::cost::ThreadCost;
use crate::live::Board;
use crate::reactor::{Happening, Reactor};
use crate::recorder::Recorder;
use crate::schedule::Schedule;
use line::{Doing, Line};
use pacing::Nap;

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
    /// How each connection is to be; resumption is among the connections of a thread.
    pub(crate) setup: wire::Setup,
}

/// A phase as a worker serves it.
pub(crate) struct Service<'a> {
    pub(crate) schedule: Schedule<'a>,
    /// When it begins; absent when it begins with its first request.
    pub(crate) start: Option<u64>,
    /// Nanoseconds, if it goes by time.
    pub(crate) length: Option<u64>,
    /// Whether connections are opened before there is a request for them.
    pub(crate) prepare: bool,
}

/// A thread's connections, clock and recorder, and the loop that drives them.
pub(crate) struct Worker<'a, S: Session> {
    orders: Orders<'a, S>,
    board: &'a Board,
    reactor: Reactor,
    lines: Vec<Line<S>>,
    /// Lines that have a request, or will look for one after a pause.
    active: usize,
    /// The others, the one that has rested longest first, so that all of them carry the load.
    idle: VecDeque<usize>,
    deadlines: Alarms,
    pauses: Alarms,
    schedule: Schedule<'a>,
    recorder: Recorder,
    /// When the window closes; `u64::MAX` when it goes by count.
    end: u64,
    /// When the loop is to look up next: something falls due for an idle line, or the window closes.
    moment: u64,
    nap: Nap,
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
            idle: VecDeque::with_capacity(lines),
            deadlines: Alarms::default(),
            pauses: Alarms::default(),
            schedule: Schedule::Over,
            recorder: Recorder::new(0, None),
            end: u64::MAX,
            moment: u64::MAX,
            nap: Nap::NONE,
            draining: false,
            cost: ThreadCost::default(),
            buffer: vec![0; BUFFER],
            out: Vec::new(),
        }
    }

    /// Serves one phase, and the drain after it: one that begins at `start`, or now.
    ///
    /// # Errors
    /// When the event loop itself fails, which is this machine's fault.
    pub(crate) fn serve(&mut self, phase: Service<'a>) -> io::Result<Recorder> {
        self.schedule = phase.schedule;
        // A closed window by count opens with its first request. Until this thread woke up there was
        // none, and on a busy machine that takes milliseconds: a twentieth of the shortest windows.
        let start = phase.start.unwrap_or_else(|| self.orders.clock.now());
        self.recorder = Recorder::new(start, phase.length);
        self.end = phase.length.map_or(u64::MAX, |length| start + length);
        self.draining = false;
        self.cost = ThreadCost::now();
        self.begin(phase.prepare);
        let mut glance = start;
        while self.active > 0 || !self.schedule.is_over() {
            self.wait(glance)?;
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

    fn close_window(&mut self, now: u64) {
        self.draining = true;
        let rest = self.schedule.close(now);
        self.set_moment();
        let recorder = &mut self.recorder;
        let busy = self.lines.iter().filter(|line| line.is_busy()).count() as u64;
        recorder.in_flight = busy + rest.waiting;
        recorder.scheduled += rest.waiting + rest.shed;
        recorder.shed = rest.shed;
        recorder.last_due = rest.last;
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
            let over = self.lines[at].flight.due + self.orders.timeout <= now;
            match self.lines[at].doing {
                Doing::Resting | Doing::Pausing => {}
                Doing::Preparing if over => self.unprepared(at, now),
                Doing::Opening | Doing::Waiting if over => self.timed_out(at, now),
                _ => self.limit(at), // the alarm was a former request's
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
