mod draining;
mod leading;
mod limits;
mod link;
mod listening;
mod losing;
mod outcome;
mod pacing;
mod pending;
mod publishing;
mod sending;
mod slot;
mod source;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use record::Retry;
use wire::{Session, Setup};

use crate::check::Check;
use crate::clock::{Clock, ThreadCost};
use crate::drain::{Drain, Patience};
use crate::live::LiveStats;
use crate::reactor::Reactor;
use crate::recorder::Recorder;
use crate::schedule::Schedule;
use crate::timer::Alarms;
pub(crate) use limits::Limits;
use link::Link;
use losing::Doomed;
pub(crate) use pacing::AT_ONCE;
use pacing::{Nap, Opening};
use publishing::Published;
use slot::Slot;
pub(crate) use source::{Maker, Ready, Source};

/// How often figures are published and the call to halt is looked at, in nanoseconds.
const GLANCE: u64 = 200_000_000;
/// First and longest pause before a connection that keeps failing is opened again, nanoseconds.
const PAUSE: (u64, u64) = (1_000_000, 100_000_000);

/// What all workers of a load are told.
pub(crate) struct WorkerConfig<'a> {
    /// How connections are to be.
    pub(crate) setup: Setup,
    /// By number of what is expected; at least one.
    pub(crate) checks: &'a [Check],
    /// Ends of the stretches of a rate that changes, which are told apart.
    pub(crate) segments: &'a [u64],
    /// How many names are told apart.
    pub(crate) names: usize,
    /// In how many slices a window is told.
    pub(crate) slices: usize,
    /// Whether each slot is to carry one request after another at all times.
    pub(crate) held: bool,
    /// Requests that a connection carries.
    pub(crate) per_connection: u32,
    /// Whether the head and the body of a request are sent apart.
    pub(crate) split: bool,
    /// Whether it waits awake for what falls due soon.
    pub(crate) busy_wait: bool,
    pub(crate) limits: Limits,
    pub(crate) retry: Option<Retry>,
    pub(crate) clock: Clock,
    /// Set when the load is to end now.
    pub(crate) halt: &'a AtomicBool,
    /// Set when the phase may end before its time.
    pub(crate) enough: &'a AtomicBool,
}

/// A phase as a worker serves it.
pub(crate) struct Service<'a> {
    pub(crate) schedule: Schedule<'a>,
    /// When it begins; absent when it begins with its first request.
    pub(crate) start: Option<u64>,
    /// Nanoseconds of load after the start that lead in to the window, and are in no figure.
    pub(crate) lead: u64,
    /// Nanoseconds over which connections begin, one after the other.
    pub(crate) spread: u64,
    /// Nanoseconds of the window, if it goes by time.
    pub(crate) length: Option<u64>,
    /// Whether a closed loop goes on while what is under way at the end of the window is waited for.
    pub(crate) trails: bool,
    /// Whether connections are opened before there is a request for them.
    pub(crate) prepare: bool,
    /// How long what is under way at its end is waited for.
    pub(crate) patience: Patience,
}

/// A thread's connections, clock and recorder, and the loop that drives them.
pub(crate) struct Worker<'a, S: Session> {
    config: WorkerConfig<'a>,
    live: &'a LiveStats,
    reactor: Reactor,
    source: Source<'a, S>,
    links: Vec<Link<S>>,
    /// How many of them are open.
    open: u64,
    /// As many for each connection as it may carry requests at once, its own beside each other.
    slots: Vec<Slot<S::Request>>,
    /// Slots of a connection.
    depth: usize,
    /// Slots that have a request, or will look for one after a pause.
    active: usize,
    /// Those of them whose users sleep before their next requests.
    sleeping: usize,
    /// Those that rest, the one that has rested longest first, so that all of them carry the load.
    idle: VecDeque<usize>,
    /// Those that sleep and were given something to do.
    woken: Vec<usize>,
    /// Those whose answers have become whole in this turn.
    done: Vec<usize>,
    /// Those whose requests are lost with their connection.
    affected: Vec<usize>,
    /// Those whose answers have grown too long in this turn.
    too_long: Vec<usize>,
    /// Connections that are to be failed once what happened last is dealt with.
    doomed: Vec<Doomed>,
    deadlines: Alarms,
    pauses: Alarms,
    schedule: Schedule<'a>,
    recorder: Recorder,
    /// Requests carried so far.
    carried: u64,
    /// When the window opens that the load leads in to; `u64::MAX` when it is open.
    opens: u64,
    /// When the window closes; `u64::MAX` when it goes by count.
    end: u64,
    /// When the loop is to look up next: something falls due for an idle slot, or the window closes.
    moment: u64,
    nap: Nap,
    /// Nanoseconds of busy waiting so far.
    busy_waited: u64,
    opening: Opening,
    draining: bool,
    /// When the window closed.
    closed_at: u64,
    /// Whether load goes on after it.
    trails: bool,
    /// When the last request of the window had been answered, while load went on.
    settled_at: Option<u64>,
    patience: Patience,
    drain: Drain,
    cost: ThreadCost,
    published: Published,
    /// What is to be written next, to the connection of `batch` if there is one.
    out: Vec<u8>,
    batch: Option<usize>,
}

impl<'a, S: Session> Worker<'a, S> {
    pub(crate) fn new(
        config: WorkerConfig<'a>,
        live: &'a LiveStats,
        reactor: Reactor,
        source: Source<'a, S>,
        connections: usize,
    ) -> Self {
        let depth = config.setup.depth as usize;
        let slots = connections * depth;
        Self {
            recorder: Recorder::default(),
            config,
            live,
            reactor,
            source,
            links: (0..connections).map(|_| Link::new()).collect(),
            open: 0,
            slots: (0..slots).map(|_| Slot::new()).collect(),
            depth,
            active: 0,
            sleeping: 0,
            idle: VecDeque::with_capacity(slots),
            woken: Vec::new(),
            done: Vec::new(),
            affected: Vec::new(),
            too_long: Vec::new(),
            doomed: Vec::new(),
            deadlines: Alarms::default(),
            pauses: Alarms::default(),
            schedule: Schedule::Over,
            carried: 0,
            opens: u64::MAX,
            end: u64::MAX,
            moment: u64::MAX,
            nap: Nap::NONE,
            busy_waited: 0,
            opening: Opening::OVER,
            draining: false,
            closed_at: u64::MAX,
            trails: false,
            settled_at: None,
            patience: Patience::default(),
            drain: Drain::NONE,
            cost: ThreadCost::default(),
            published: Published::default(),
            out: Vec::new(),
            batch: None,
        }
    }

    /// Serves one phase, and the drain after it: one that begins at `start`, or now.
    /// Errors: when the event loop itself fails, which is this machine's fault.
    pub(crate) fn serve(&mut self, phase: Service<'a>) -> io::Result<Recorder> {
        self.schedule = phase.schedule;
        // A closed window by count opens with its first request. Until this thread woke up there was
        // none, and on a busy machine that takes milliseconds: a twentieth of the shortest windows.
        let start = phase.start.unwrap_or_else(|| self.config.clock.now());
        self.recorder = self.recorder(start, phase.length);
        let opens = start + phase.lead;
        self.opens = if phase.lead > 0 { opens } else { u64::MAX };
        self.end = phase.length.map_or(u64::MAX, |length| opens + length);
        self.draining = false;
        self.closed_at = u64::MAX;
        self.trails = phase.trails && matches!(self.schedule, Schedule::Endless);
        self.settled_at = None;
        (self.patience, self.drain) = (phase.patience, Drain::NONE);
        self.cost = ThreadCost::now(self.busy_waited);
        self.published = Published::at(start, self.busy_waited);
        self.pauses.clear(); // those of requests of the phase before
        self.begin(start, phase.spread, phase.prepare);
        let mut glance = start;
        while self.active > 0 || !self.schedule.is_over() {
            self.wait(glance)?;
            let now = self.listen();
            if now >= self.opening.next {
                self.begin_more();
            }
            self.ring(now);
            self.fail_doomed(now);
            if self.source.is_over() {
                self.cut_short(now);
            }
            if self.draining && self.trails {
                self.look_behind(now);
            }
            if self.drain.is_over(now) {
                break;
            }
            if now >= glance {
                glance = now + GLANCE;
                self.publish(now);
                if self.config.halt.load(Ordering::Relaxed) {
                    break;
                }
                if self.config.enough.load(Ordering::Relaxed) && !self.draining {
                    self.close_window(now);
                }
            }
        }
        let now = self.config.clock.now();
        if !self.draining {
            self.close_window(now);
        }
        self.cut_off(now);
        self.recorder.drained_until = self.settled_at.unwrap_or(now);
        if phase.lead > 0 {
            self.forget_connections();
        }
        self.publish(self.config.clock.now());
        Ok(std::mem::take(&mut self.recorder))
    }
}
