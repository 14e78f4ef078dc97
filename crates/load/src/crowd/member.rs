use std::io;

use record::{CrowdFigures, Habit, Target};
use wire::{Event, Session};

use crate::transport::Stream;
use crate::unsent::Unsent;

/// A receive buffer as small as the kernel allows, about: what a slow reader has not read must wait
/// at the server, as it would beyond a slow line.
const BUFFER: usize = 4096;
/// The segment of an Ethernet, bytes. Loopback's of 64 KiB lets a server's send buffer grow to
/// megabytes at once, in which most answers would disappear.
const SEGMENT: u32 = 1460;

/// Begins to connect, as one of so many.
pub(super) fn connect(target: &Target, habit: Habit, among: usize) -> io::Result<Stream> {
    Stream::connect(target, among as u64, |socket| {
        if habit != Habit::SlowReader {
            return Ok(());
        }
        // Both are agreed on while the connection opens.
        socket.set_recv_buffer_size(BUFFER)?;
        match target {
            Target::Tcp(_) => socket.set_tcp_mss(SEGMENT),
            Target::Unix(_) => Ok(()),
        }
    })
}

/// One connection of a crowd, and what it is at.
#[derive(Debug)]
pub(super) struct Member<S> {
    pub(super) habit: Habit,
    pub(super) variant: Variant,
    pub(super) line: Option<Stream>,
    pub(super) session: Option<S>,
    /// Tells an event of a closed socket from one of its successor.
    pub(super) number: u32,
    /// Nanoseconds of the load's clock.
    pub(super) opened: u64,
    /// What is still to be written.
    pub(super) unsent: Unsent,
    /// When it wants to be looked at; `u64::MAX` for never.
    pub(super) alarm: u64,
    /// Failures in a row.
    pub(super) strikes: u32,
    /// Whether it has come to do what it is there for, or has failed to.
    pub(super) settled: bool,
    pub(super) answer: Answer,
}

/// What a connection is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    /// It is not open; of a reset, its place is free.
    Closed,
    Opening,
    /// Open, and nothing asked: a handshake is under way.
    Greeting,
    /// Asked, and not answered to the last byte.
    Asking,
    /// Open and silent.
    Silent,
}

/// What has come of an answer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Answer {
    pub(super) begun: bool,
    status: u16,
    /// Whether it is whole, and the connection may be kept.
    pub(super) done: Option<bool>,
}

impl Answer {
    pub(super) fn take(&mut self, event: Event<'_>, figures: &mut CrowdFigures) {
        match event {
            Event::FirstByte => self.begun = true,
            Event::Head { status, .. } => self.status = status,
            Event::Body(_) | Event::Stderr(_) => {}
            Event::Done { keep } => {
                self.done = Some(keep);
                *figures.statuses.entry(self.status).or_default() += 1;
            }
            // Nobody measures it; it asks again on a fresh connection.
            Event::Failed(_) => self.done = Some(false),
        }
    }
}

impl<S: Session> Member<S> {
    pub(super) fn new(habit: Habit) -> Self {
        Self {
            habit,
            variant: Variant::Closed,
            line: None,
            session: None,
            number: 0,
            opened: 0,
            unsent: Unsent::default(),
            alarm: u64::MAX,
            strikes: 0,
            // A reset is over before anybody could wait for it.
            settled: habit == Habit::Reset,
            answer: Answer::default(),
        }
    }

    /// Forgets the connection; returns its socket.
    pub(super) fn leave(&mut self) -> Option<Stream> {
        self.variant = Variant::Closed;
        self.session = None;
        self.unsent.clear();
        self.alarm = u64::MAX;
        self.line.take()
    }
}
