//! How connections are lost, and what becomes of the requests on them.

use std::io;

use record::Cause;
use wire::{Malformed, Session, TlsFault};

use super::Worker;
use super::link::State;
use super::slot::Doing;
use crate::check::excerpt;
use crate::transport;

/// A connection that is to be failed as soon as nobody is in the middle of its slots.
#[derive(Debug)]
pub(super) enum Doomed {
    /// Its peer has been sent far more than it reads.
    Unread(usize),
    /// At this time it could not even begin to open.
    Refused(usize, u64, io::Error),
}

impl<S: Session> Worker<'_, S> {
    /// Fails the connections that are to be.
    #[inline]
    pub(super) fn fail_doomed(&mut self, now: u64) {
        if !self.doomed.is_empty() {
            self.drop_doomed(now);
        }
    }

    #[cold]
    fn drop_doomed(&mut self, now: u64) {
        while let Some(doomed) = self.doomed.pop() {
            match doomed {
                Doomed::Unread(c) => self.drop_unread(c, now),
                Doomed::Refused(c, since, error) => {
                    let link = &self.links[c];
                    // by now it may have been given up, or tried again
                    if link.state == State::Opening && link.opening_since == since {
                        self.broken(c, &error, now);
                    }
                }
            }
            self.wake(now);
        }
    }

    /// What arrived is no answer.
    pub(super) fn malformed(&mut self, c: usize, why: Malformed, now: u64) {
        self.done.clear();
        let bytes = self.reactor.received();
        let session = self.links[c].session.as_ref();
        let clear = || {
            let clear = session.map_or(bytes, |session| session.clear(bytes));
            format!(": `{}`", excerpt(clear))
        };
        let (cause, shown) = match why {
            Malformed::Tls(TlsFault::NotTls) => (Cause::Tls, clear()),
            Malformed::Tls(_) => {
                let detail = session.and_then(S::detail);
                let detail = detail.map(|detail| format!(": {detail}"));
                (Cause::Tls, detail.unwrap_or_default())
            }
            // The bytes say no more than the words.
            why if why.is_refusal() => (Cause::Declined, String::new()),
            _ => (Cause::Malformed, clear()),
        };
        self.gather(c);
        for &at in &self.affected {
            let complaint = self.slots[at].flight.progress.complaint();
            let words = || format!("{why}{shown}{complaint}");
            self.recorder.example(cause, words);
        }
        self.drop_socket(c);
        self.each_affected(c, now, |worker, at| worker.failed(at, cause, now));
    }

    /// The peer has closed the connection; the reactor has, too.
    pub(super) fn ended(&mut self, c: usize, now: u64) {
        let kept = self.links[c].answers > 0;
        let securing = self.links[c].state == State::Securing;
        let (slots, checks) = (&mut self.slots, self.config.checks);
        if let Some(mut session) = self.links[c].session.take() {
            // What that means is seen in each request, of which there may be several.
            let _ = session.close(|exchange, event| {
                let flight = &mut slots[exchange as usize].flight;
                flight.take(event, now, &checks[flight.expected as usize]);
            });
        }
        self.gather(c);
        self.drop_socket(c);
        self.each_affected(c, now, |worker, at| {
            let flight = &worker.slots[at].flight;
            if securing {
                let words = || "closed in the middle of it".to_owned();
                worker.recorder.example(Cause::Tls, words);
                worker.failed(at, Cause::Tls, now);
            } else if flight.done.is_some() {
                worker.answered(at, now);
            } else if flight.first_byte > 0 {
                let words = || flight.progress.describe_partial();
                worker.recorder.example(Cause::Truncated, words);
                worker.failed(at, Cause::Truncated, now);
            } else {
                worker.unanswered(at, Cause::ClosedBeforeAnswer, kept, now);
            }
        });
    }

    /// The connection failed; the reactor has closed it.
    pub(super) fn broken(&mut self, c: usize, error: &io::Error, now: u64) {
        let kept = self.links[c].answers > 0;
        let state = self.links[c].state;
        self.gather(c);
        self.drop_socket(c);
        self.each_affected(c, now, |worker, at| {
            let cause = match state {
                State::Opening => transport::cause(error),
                State::Securing => Cause::Tls,
                _ if worker.slots[at].flight.first_byte > 0 => Cause::ResetInAnswer,
                _ => return worker.unanswered(at, Cause::ResetBeforeAnswer, kept, now),
            };
            worker.recorder.example(cause, || error.to_string());
            worker.failed(at, cause, now);
        });
    }

    /// Finds the slots whose requests are lost with their connection.
    pub(super) fn gather(&mut self, c: usize) {
        self.affected.clear();
        for at in self.slots_of(c) {
            let doing = self.slots[at].doing;
            if matches!(doing, Doing::Waiting | Doing::Opening | Doing::Preparing) {
                self.affected.push(at);
            }
        }
    }

    /// Deals with those that were gathered, then with those that were queued behind them.
    pub(super) fn each_affected(
        &mut self,
        c: usize,
        now: u64,
        mut deal: impl FnMut(&mut Self, usize),
    ) {
        let affected = std::mem::take(&mut self.affected);
        for &at in &affected {
            if self.slots[at].doing != Doing::Preparing {
                deal(self, at);
            }
        }
        // last, as what they begin may open a connection at once, which takes all that wait for one
        for &at in &affected {
            if self.slots[at].doing == Doing::Preparing {
                self.next(at, now); // whether anybody minds, the next request will find out
            }
        }
        if self.affected.capacity() == 0 {
            self.affected = affected; // for its allocation
        }
        self.unqueue(c, now);
    }

    /// Not one byte came. A server may close an idle connection just as a request is on its way
    /// (RFC 9112, section 9.3.1): that is nobody's error, and is tried once more on a new one, unless that might do twice
    /// what was asked for once.
    fn unanswered(&mut self, at: usize, cause: Cause, kept: bool, now: u64) {
        if kept && self.is_harmless(at) && !self.slots[at].flight.again {
            self.slots[at].flight.again = true;
            self.send_again(at, now);
        } else {
            self.failed(at, cause, now);
        }
    }
}
