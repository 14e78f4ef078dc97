//! How a worker's requests end.

use std::io;

use record::Cause;
use wire::{End, Malformed, Session, TlsFault};

use super::line::{Doing, Line};
use super::{PAUSE, Worker};
use crate::check::excerpt;
use crate::transport;

impl<S: Session> Worker<'_, S> {
    #[inline]
    pub(super) fn received(&mut self, at: usize, length: usize, now: u64) {
        if !self.draining {
            self.recorder.bytes_received += length as u64;
        }
        let bytes = &self.buffer[..length];
        let Line {
            session: Some(session),
            flight,
            doing,
            ..
        } = &mut self.lines[at]
        else {
            return;
        };
        self.out.clear();
        let check = self.orders.check;
        let outcome = session.receive(bytes, &mut self.out, |_, event| {
            flight.take(event, now, check);
        });
        if let Err(why) = outcome {
            let clear = || format!(": `{}`", excerpt(session.clear(bytes)));
            let (cause, shown) = match why {
                Malformed::Tls(TlsFault::NotTls) => (Cause::Tls, clear()),
                Malformed::Tls(_) => {
                    let detail = session.detail().map(|detail| format!(": {detail}"));
                    (Cause::Tls, detail.unwrap_or_default())
                }
                // the bytes say no more than the words
                why if why.is_refusal() => (Cause::Declined, String::new()),
                _ => (Cause::Malformed, clear()),
            };
            if *doing == Doing::Waiting {
                self.recorder.example(cause, || {
                    format!("{why}{shown}{}", flight.progress.complaint())
                });
            }
            self.drop_socket(at);
            self.failed(at, cause, now);
        } else if flight.done.is_some() {
            self.answered(at, now);
        } else if !self.out.is_empty() {
            self.reactor.send(at, &self.out);
        }
    }

    /// A whole answer is here.
    #[inline]
    pub(super) fn answered(&mut self, at: usize, now: u64) {
        let Line {
            flight, answers, ..
        } = &mut self.lines[at];
        *answers += 1;
        let check = self.orders.check;
        let verdict = check.verdict(&flight.progress);
        let recorder = &mut self.recorder;
        if let Err(cause) = verdict {
            recorder.example(cause, || check.describe(&flight.progress));
        }
        if !self.draining {
            recorder.statuses[usize::from(flight.progress.status()).min(999)] += 1;
            recorder.compared += u64::from(verdict != Err(Cause::Status) && check.compares());
        }
        match verdict {
            Err(cause) => recorder.failed(cause, now, self.draining),
            Ok(()) if self.draining => recorder.drained(flight, now),
            Ok(()) => recorder.completed(flight, now),
        }
        // An answer that came before its request was sent whole leaves the stream in the middle.
        let keep = flight.done == Some(true) && self.orders.keep_alive;
        if !keep || self.reactor.has_unsent(at) {
            self.drop_socket(at);
        }
        self.lines[at].strikes = 0;
        self.next(at, now);
    }

    /// The peer has closed the connection; the reactor has, too.
    pub(super) fn ended(&mut self, at: usize, now: u64) {
        let check = self.orders.check;
        let Line {
            session, flight, ..
        } = &mut self.lines[at];
        let end = session.take().map_or(End::Idle, |mut session| {
            session.close(|_, event| flight.take(event, now, check))
        });
        match end {
            End::Idle => self.drop_socket(at),
            End::Complete => self.answered(at, now),
            End::BeforeAnswer => self.unanswered(at, Cause::ClosedBeforeAnswer, now),
            End::Truncated => {
                let flight = &self.lines[at].flight;
                self.recorder
                    .example(Cause::Truncated, || flight.progress.describe_partial());
                self.drop_socket(at);
                self.failed(at, Cause::Truncated, now);
            }
        }
    }

    /// The connection failed; the reactor has closed it.
    pub(super) fn broken(&mut self, at: usize, error: &io::Error, now: u64) {
        match self.lines[at].doing {
            Doing::Opening => self.unopened(at, error, now),
            Doing::Preparing => self.unprepared(at, now),
            Doing::Waiting if self.lines[at].flight.first_byte == 0 => {
                self.unanswered(at, Cause::ResetBeforeAnswer, now);
            }
            Doing::Waiting => {
                self.recorder
                    .example(Cause::ResetInAnswer, || error.to_string());
                self.drop_socket(at);
                self.failed(at, Cause::ResetInAnswer, now);
            }
            Doing::Resting | Doing::Pausing => self.drop_socket(at),
        }
    }

    pub(super) fn unopened(&mut self, at: usize, error: &io::Error, now: u64) {
        let cause = transport::cause(error);
        self.recorder.example(cause, || error.to_string());
        self.drop_socket(at);
        self.failed(at, cause, now);
    }

    /// Not one byte came. A server may close an idle connection just as a request is on its way
    /// (RFC 9112, section 9.3.1): that is nobody's error, and is tried once more on a new one.
    pub(super) fn unanswered(&mut self, at: usize, cause: Cause, now: u64) {
        let race = self.lines[at].answers > 0 && !self.lines[at].flight.again;
        self.drop_socket(at);
        if race {
            let flight = &mut self.lines[at].flight;
            flight.forget_sending();
            flight.again = true;
            self.open(at);
        } else {
            self.failed(at, cause, now);
        }
    }

    pub(super) fn timed_out(&mut self, at: usize, now: u64) {
        self.recorder
            .timed_out(&self.lines[at].flight, now, self.draining);
        self.drop_socket(at);
        self.next(at, now);
    }

    pub(super) fn drop_socket(&mut self, at: usize) {
        self.reactor.close(at);
        self.lines[at].session = None;
        self.lines[at].opened_in = None;
    }

    /// A request came to a bad end with its connection. One that fails again and again is given
    /// growing pauses, or a dead server would be hammered by a spinning client.
    pub(super) fn failed(&mut self, at: usize, cause: Cause, now: u64) {
        let line = &mut self.lines[at];
        if !line.is_busy() {
            return; // bytes out of the blue on a resting connection are nobody's answer
        }
        self.recorder.failed(cause, now, self.draining);
        let opened = line.doing == Doing::Waiting;
        line.strikes += 1;
        if opened && line.strikes == 1 {
            self.next(at, now);
            return;
        }
        line.doing = Doing::Pausing;
        let pause = PAUSE.0 << (line.strikes - 1).min(16);
        self.pauses.set(now + pause.min(PAUSE.1), at);
    }
}
