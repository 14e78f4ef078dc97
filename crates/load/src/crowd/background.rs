use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use mio::{Events, Interest, Poll, Token};
use record::{Cause, Crowd, CrowdFacts, CrowdFigures, Habit, Target};
use wire::{Session, Setup};

use crate::worker::Ready;

use super::exchange::BUFFER;
use super::member::{Member, Variant, connect};
use super::pace::{Beat, Trickle};
use crate::clock::{Clock, ThreadCost, nanoseconds, seconds};
use crate::timer::{Alarms, Timer};
use crate::{Job, LoadError, Result, transport};

/// How often the call to end is looked at, nanoseconds.
const GLANCE: u64 = 50_000_000;
/// Most connections under way that are to be reset.
const MOST_RESETS: f64 = 1_000.0;

/// A crowd: its connections, and the loop that drives them.
pub(super) struct Background<S: Session> {
    pub(super) poll: Poll,
    timer: Timer,
    target: Target,
    pub(super) setup: Setup,
    pub(super) request: Ready<S::Request>,
    pub(super) clock: Clock,
    /// Longest time for a connection to open, nanoseconds.
    patience: u64,
    pub(super) pace: Trickle,
    pub(super) members: Vec<Member<S>>,
    alarms: Alarms,
    resets: Option<Beat>,
    rate: f64,
    /// Places of connections that may be opened to be reset.
    pub(super) free: Vec<usize>,
    /// Reset after half a request, or after a whole one, in turn.
    pub(super) half: bool,
    unsettled: usize,
    pub(super) seen: BTreeMap<Habit, CrowdFigures>,
    pub(super) buffer: Vec<u8>,
}

/// How many connections of each habit there may be at once.
pub(super) fn places(crowd: &Crowd) -> [(Habit, u32); 4] {
    let resets = (crowd.resets * 0.1 + 8.0).min(MOST_RESETS) as u32;
    [
        (Habit::Idle, crowd.idle),
        (Habit::SlowReader, crowd.slow_readers),
        (Habit::SlowWriter, crowd.slow_writers),
        (Habit::Reset, if crowd.resets > 0.0 { resets } else { 0 }),
    ]
}

/// What everybody in the crowd asks: the first of the load's own requests.
fn request<S: Session>(job: &Job) -> Result<Ready<S::Request>> {
    let requests = crate::spawn::requests::<S>(job)?;
    requests.into_iter().next().ok_or_else(|| {
        let what =
            "a crowd asks the same as the load, which must have a request that is known beforehand";
        LoadError::invalid(what, "a script or a recording")
    })
}

impl<S: Session> Background<S> {
    pub(super) fn new(job: &Job) -> Result<Self> {
        let crowd = &job.load.crowd;
        // Even where the measured requests have a connection each, these stay.
        let mut kept = job.clone();
        kept.load.keep_alive = true;
        let mut members: Vec<Member<S>> = Vec::new();
        let mut seen = BTreeMap::new();
        for (habit, count) in places(crowd).into_iter().filter(|(_, count)| *count > 0) {
            members.extend((0..count).map(|_| Member::new(habit)));
            // A reset is wanted when its time has come.
            let wanted = u64::from(count) * u64::from(habit != Habit::Reset);
            let figures = CrowdFigures {
                wanted,
                ..CrowdFigures::default()
            };
            seen.insert(habit, figures);
        }
        let poll = Poll::new()?;
        let resets =
            |(at, member): (usize, &Member<S>)| (member.habit == Habit::Reset).then_some(at);
        let free = members.iter().enumerate().filter_map(resets).collect();
        Ok(Self {
            timer: Timer::new(poll.registry(), Token(members.len()))?,
            poll,
            target: job.target.clone(),
            setup: crate::spawn::setup(&kept)?,
            request: request::<S>(&kept)?,
            clock: Clock::start(),
            patience: nanoseconds(job.load.timeout),
            pace: Trickle::new(crowd.slow_rate),
            alarms: Alarms::default(),
            resets: None,
            rate: crowd.resets,
            free,
            half: false,
            unsettled: members.iter().filter(|member| !member.settled).count(),
            members,
            seen,
            buffer: vec![0; BUFFER],
        })
    }

    /// Is there until it is over; tells when everybody has come.
    pub(super) fn live(
        mut self,
        over: &AtomicBool,
        complete: &Sender<()>,
    ) -> io::Result<CrowdFacts> {
        let mut events = Events::with_capacity(1024);
        let start = self.clock.now();
        self.resets = (self.rate > 0.0).then(|| Beat::new(self.rate, start));
        for at in 0..self.members.len() {
            if self.members[at].habit != Habit::Reset {
                self.open(at, start);
            }
        }
        let mut told = false;
        while !over.load(Ordering::Relaxed) {
            self.wait(&mut events)?;
            for event in &events {
                let Token(token) = event.token();
                let (at, number) = (token as u32 as usize, (token >> 32) as u32);
                let current = self.members.get(at).is_some_and(|m| m.number == number);
                if current {
                    self.happened(at);
                }
            }
            self.ring();
            if self.unsettled == 0 && !told {
                told = true;
                let _ = complete.send(()); // nobody waits any more once the window is open
            }
        }
        Ok(CrowdFacts {
            seconds: seconds(self.clock.now() - start),
            complete: false, // who waited for it knows
            cpu: ThreadCost::now(0).total(),
            habits: self.seen,
        })
    }

    fn wait(&mut self, events: &mut Events) -> io::Result<()> {
        let now = self.clock.now();
        let due = self.resets.as_ref().map_or(u64::MAX, Beat::next);
        let moment = due.min(self.alarms.next());
        let mut patience = Duration::from_nanos(GLANCE);
        if moment <= now {
            patience = Duration::ZERO;
        } else if moment < now + GLANCE {
            self.timer.set(moment, now)?; // the poll's own limit is precise to a millisecond
        }
        match self.poll.poll(events, Some(patience)) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                events.clear();
                Ok(())
            }
            outcome => outcome,
        }
    }

    pub(super) fn figures(&mut self, at: usize) -> &mut CrowdFigures {
        self.seen.entry(self.members[at].habit).or_default()
    }

    pub(super) fn set_alarm(&mut self, at: usize, moment: u64) {
        self.members[at].alarm = moment;
        self.alarms.set(moment, at);
    }

    pub(super) fn settle(&mut self, at: usize) {
        let member = &mut self.members[at];
        self.unsettled -= usize::from(!member.settled);
        member.settled = true;
    }

    /// What is due by the clock.
    fn ring(&mut self) {
        let now = self.clock.now();
        while self.resets.as_mut().is_some_and(|beat| beat.take(now)) {
            let place = self.free.pop();
            let figures = self.seen.entry(Habit::Reset).or_default();
            figures.wanted += 1;
            match place {
                Some(at) => self.open(at, now),
                None => figures.skipped += 1,
            }
        }
        while let Some(at) = self.alarms.take(now) {
            let due = self.members[at].alarm;
            if due <= now {
                self.members[at].alarm = u64::MAX;
                self.moment(at, due, now);
            }
        }
    }

    /// The moment has come that a connection waited for.
    fn moment(&mut self, at: usize, due: u64, now: u64) {
        let member = &self.members[at];
        match (member.variant, member.habit) {
            (Variant::Closed, _) => self.open(at, now),
            (Variant::Opening, _) => self.failed(at, Cause::Backlog, now),
            (_, Habit::Reset) => {
                if let Some(line) = self.members[at].leave() {
                    line.reset();
                }
                self.free.push(at);
            }
            (_, Habit::SlowReader) => {
                self.set_alarm(at, now.max(due + self.pace.gap));
                self.read(at, self.pace.piece);
            }
            (_, Habit::SlowWriter) => self.write_piece(at, due, now),
            (_, Habit::Idle) => {}
        }
    }

    fn open(&mut self, at: usize, now: u64) {
        let among = self.members.len();
        let member = &mut self.members[at];
        member.number = member.number.wrapping_add(1);
        let token = Token(at | (member.number as usize) << 32);
        let line = connect(&self.target, member.habit, among).and_then(|line| {
            let both = Interest::READABLE | Interest::WRITABLE;
            line.watch(self.poll.registry(), token, both).map(|()| line)
        });
        match line {
            Ok(line) => {
                member.line = Some(line);
                member.variant = Variant::Opening;
                self.set_alarm(at, now + self.patience);
            }
            Err(error) => self.failed(at, transport::cause(&error), now),
        }
    }
}
