//! What happens on the connections of a crowd.

use std::io;

use mio::{Interest, Token};
use record::{Cause, Habit};
use wire::{End, Session};

use super::background::Background;
use super::member::{Answer, Variant};
use crate::pending::is_beyond;
use crate::transport::{self, Stream};

/// Bytes read at once, and how many times in a row from one connection.
pub(super) const BUFFER: usize = 16 * 1024;
const READS: usize = 16;
/// First and longest pause before a connection is opened again, nanoseconds. One that lived longer
/// than the longest begins anew with the first.
const PAUSE: (u64, u64) = (100_000_000, 5_000_000_000);
/// How long a connection that will be reset stays open: long enough for a server to accept it and
/// to read what it sent.
const HOLD: u64 = 10_000_000;

impl<S: Session> Background<S> {
    /// The system has something to say about a connection.
    pub(super) fn happened(&mut self, at: usize) {
        let now = self.clock.now();
        let member = &self.members[at];
        let Some(line) = &member.line else {
            return;
        };
        if member.variant == Variant::Opening {
            match line.is_open() {
                Ok(true) => self.opened(at, now),
                Ok(false) => return,
                Err(error) => return self.failed(at, transport::cause(&error), now),
            }
        }
        let habit = self.members[at].habit;
        if habit != Habit::SlowWriter {
            self.write(at, usize::MAX);
        }
        // A slow reader looks when its time has come, and one that will be reset never does.
        if matches!(habit, Habit::Idle | Habit::SlowWriter) {
            self.read(at, BUFFER);
        }
    }

    fn opened(&mut self, at: usize, now: u64) {
        self.figures(at).opened += 1;
        let member = &mut self.members[at];
        member.opened = now;
        member.variant = Variant::Greeting;
        member.alarm = u64::MAX;
        if S::VARIABLES {
            let line = member.line.as_ref();
            self.setup.local = line.and_then(Stream::local_address);
        }
        member.session = Some(S::open(&self.setup, member.unsent.end()));
        self.ask(at, now);
        // Spread over one gap, as nobody's modem ticks with another's.
        let offset = self.pace.gap / self.members.len() as u64 * at as u64;
        match self.members[at].habit {
            Habit::SlowReader => self.set_alarm(at, now + offset),
            Habit::Reset => self.set_alarm(at, now + HOLD),
            Habit::Idle | Habit::SlowWriter => {}
        }
    }

    /// Asks, as soon as that is allowed.
    fn ask(&mut self, at: usize, now: u64) {
        let member = &mut self.members[at];
        let Some(session) = &mut member.session else {
            return;
        };
        if session.is_ready() && session.capacity() > 0 {
            member.variant = Variant::Asking;
            member.answer = Answer::default();
            session.send(0, &self.request.request, member.unsent.end());
            if member.habit == Habit::Reset {
                self.half = !self.half;
                let whole = member.unsent.len();
                let kept = if self.half { whole / 2 } else { whole };
                member.unsent.truncate(kept);
            }
        }
        if member.habit == Habit::SlowWriter {
            self.write_piece(at, now, now);
        } else {
            self.write(at, usize::MAX);
        }
    }

    /// Writes the next piece of a slow writer's request, which was due.
    pub(super) fn write_piece(&mut self, at: usize, due: u64, now: u64) {
        self.write(at, self.pace.piece);
        if !self.members[at].unsent.is_empty() {
            self.set_alarm(at, now.max(due + self.pace.gap));
        }
        self.settle(at);
    }

    /// Writes at most so many bytes of what is to be written. A failure shows when reading, after
    /// what the server had said before.
    fn write(&mut self, at: usize, most: usize) {
        let member = &mut self.members[at];
        let most = most.min(member.unsent.len());
        let Some(line) = member.line.as_mut().filter(|_| most > 0) else {
            return;
        };
        if let Ok(written) = line.write(&member.unsent.bytes()[..most]) {
            member.unsent.pass(written);
            self.figures(at).bytes_sent += written as u64;
        }
    }

    /// Reads at most so many bytes, or all there are if it is a whole buffer.
    pub(super) fn read(&mut self, at: usize, most: usize) {
        let most = most.min(BUFFER);
        for _ in 0..READS {
            let Some(line) = &mut self.members[at].line else {
                return;
            };
            let outcome = line.read(&mut self.buffer[..most]);
            let now = self.clock.now();
            match outcome {
                Ok(0) => return self.ended(at, None, now),
                Ok(length) => self.received(at, length, now),
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock => return,
                    io::ErrorKind::Interrupted => {}
                    _ => return self.ended(at, Some(()), now),
                },
            }
            if most < BUFFER {
                return;
            }
        }
        let member = &self.members[at];
        let token = Token(at | (member.number as usize) << 32);
        if let Some(line) = &member.line {
            // If this fails the connection is silent until it ends, like many another here.
            let both = Interest::READABLE | Interest::WRITABLE;
            let _ = line.rewatch(self.poll.registry(), token, both);
        }
    }

    fn received(&mut self, at: usize, length: usize, now: u64) {
        let member = &mut self.members[at];
        let figures = self.seen.entry(member.habit).or_default();
        figures.bytes_received += length as u64;
        let Some(session) = &mut member.session else {
            return;
        };
        let answer = &mut member.answer;
        let outcome = session.receive(&self.buffer[..length], member.unsent.end(), |_, event| {
            answer.take(event, figures);
        });
        let begun = answer.begun && member.habit == Habit::SlowReader;
        if let Err(why) = outcome {
            let cause = if why.is_refusal() {
                Cause::Declined
            } else {
                Cause::Malformed
            };
            return self.failed(at, cause, now);
        }
        let asked = S::length(&self.request.request);
        if is_beyond(self.members[at].unsent.len(), [asked]) {
            return self.failed(at, Cause::Unread, now);
        }
        let member = &mut self.members[at];
        if let Some(keep) = member.answer.done.take() {
            self.answered(at, keep, now);
        } else if member.variant == Variant::Greeting {
            self.ask(at, now);
        } else if begun {
            self.settle(at);
        }
    }

    fn answered(&mut self, at: usize, keep: bool, now: u64) {
        self.settle(at);
        let member = &mut self.members[at];
        // An answer to half a request leaves the stream in the middle.
        if !keep || !member.unsent.is_empty() {
            return self.closed(at, now);
        }
        member.strikes = 0;
        if member.habit == Habit::Idle {
            member.variant = Variant::Silent;
        } else {
            self.ask(at, now);
        }
    }

    /// The server has ended a connection, in good order or with an error.
    fn ended(&mut self, at: usize, error: Option<()>, now: u64) {
        let member = &mut self.members[at];
        let figures = self.seen.entry(member.habit).or_default();
        let answer = &mut member.answer;
        let end = member.session.as_mut().map_or(End::Idle, |session| {
            session.close(|_, event| answer.take(event, figures))
        });
        let cause = match (end, error) {
            (End::Idle | End::Complete, _) => None,
            (End::BeforeAnswer, None) => Some(Cause::ClosedBeforeAnswer),
            (End::BeforeAnswer, Some(())) => Some(Cause::ResetBeforeAnswer),
            (End::Truncated, None) => Some(Cause::Truncated),
            (End::Truncated, Some(())) => Some(Cause::ResetInAnswer),
        };
        if let Some(cause) = cause {
            *figures.failed.entry(cause).or_default() += 1;
        }
        self.settle(at);
        self.closed(at, now);
    }

    /// The server does not want a connection any longer.
    fn closed(&mut self, at: usize, now: u64) {
        let lived = now - self.members[at].opened;
        let figures = self.figures(at);
        figures.closed_by_server += 1;
        figures.lifetimes.record(lived);
        if lived > PAUSE.1 {
            self.members[at].strikes = 0;
        }
        self.pause(at, now);
    }

    /// A connection could not be opened, or what came on it could not be read.
    pub(super) fn failed(&mut self, at: usize, cause: Cause, now: u64) {
        *self.figures(at).failed.entry(cause).or_default() += 1;
        self.settle(at);
        self.pause(at, now);
    }

    /// Drops a connection; another takes its place after a pause that grows from time to time, or
    /// a server that keeps nothing open would meet a flood of connections.
    fn pause(&mut self, at: usize, now: u64) {
        let member = &mut self.members[at];
        member.leave();
        if member.habit == Habit::Reset {
            self.free.push(at);
            return;
        }
        let pause = PAUSE.0 << member.strikes.min(16);
        member.strikes += 1;
        self.set_alarm(at, now + pause.min(PAUSE.1));
    }
}
