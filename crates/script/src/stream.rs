//! One thread's script at work.

use std::collections::VecDeque;
use std::sync::Arc;

use load::{Asked, Heard, What};
use mlua::{Lua, Value};

use crate::budget;
use crate::environment;
use crate::error::words;
use crate::form::LONGEST;
use crate::pieces;
use crate::thread::Thread;

/// The script of one thread, which speaks for all its connections.
pub(crate) struct ScriptStream {
    pub(crate) lua: Lua,
    pub(crate) thread: Arc<Thread>,
    /// The request that is asked again and again.
    pub(crate) prepared: Option<u32>,
    pub(crate) delays: bool,
    pub(crate) reads: bool,
    pub(crate) connections: Vec<Connection>,
    /// What `response()` failed with: the next request fails with it.
    pub(crate) failed: Option<String>,
}

/// What one connection has yet to do of what `request()` gave it at once.
#[derive(Default)]
pub(crate) struct Connection {
    /// Not yet asked.
    queue: VecDeque<Vec<u8>>,
    /// Not yet ended, those in the queue included.
    pending: usize,
    /// Whether there were several: then the connection sleeps, and is woken after the last.
    several: bool,
}

impl ScriptStream {
    /// What `delay()` says, in nanoseconds. wrk knows whole milliseconds.
    fn delay(&self) -> Result<u64, String> {
        let delay = environment::function(&self.lua, "delay").filter(|_| self.delays);
        let Some(delay) = delay else { return Ok(0) };
        budget::refill(&self.lua);
        let told: Value = delay.call(()).map_err(|error| words(&error))?;
        let milliseconds = match told {
            Value::Nil => 0.0,
            told => told
                .as_f64()
                .or_else(|| told.to_string().ok()?.trim().parse().ok())
                .ok_or_else(|| {
                    format!("delay() must return a number, not a {}", told.type_name())
                })?,
        };
        // a cast saturates: below zero and no number at all are no delay
        Ok((milliseconds as u64).saturating_mul(1_000_000).min(LONGEST))
    }

    /// What `request()` says: the first request now, the others to follow.
    fn ask(&self) -> Result<(What, VecDeque<Vec<u8>>), String> {
        if let Some(number) = self.prepared {
            return Ok((What::Prepared(number), VecDeque::new()));
        }
        let told = environment::request(&self.lua).map_err(|error| words(&error))?;
        let bytes = told.as_bytes();
        let ends = pieces::ends(&bytes).map_err(|broken| {
            let ((line, column), what) = (broken.place(&bytes), &broken.what);
            format!("what request() returned is no request: {what} at {line}:{column}")
        })?;
        let piece = |from: usize, to: usize| pieces::begun(&bytes[from..to]).to_vec();
        let rest = ends.windows(2).map(|at| piece(at[0], at[1]));
        let rest = rest.collect();
        Ok((What::Verbatim(piece(0, ends[0])), rest))
    }

    fn respond(&self, answer: &Heard<'_>) -> mlua::Result<()> {
        let Some(response) = environment::function(&self.lua, "response") else {
            return Ok(());
        };
        let fields = environment::fields(&self.lua, answer.fields)?;
        let body = self.lua.create_string(answer.body)?;
        budget::refill(&self.lua);
        response.call((answer.status, fields, body))
    }

    fn connection(&mut self, number: usize) -> &mut Connection {
        if number >= self.connections.len() {
            self.connections
                .resize_with(number + 1, Connection::default);
        }
        &mut self.connections[number]
    }
}

fn asked(what: What, delay: u64) -> Asked {
    Asked {
        what,
        name: 0,
        expected: 0,
        delay,
    }
}

impl load::RequestStream for ScriptStream {
    fn begin(&mut self, connection: usize, _due: u64) -> Result<Asked, String> {
        if let Some(failed) = self.failed.take() {
            return Err(failed);
        }
        if self.thread.is_stopped() {
            return Err("the script has stopped this thread".to_owned());
        }
        let delay = self.delay()?;
        let (what, queue) = self.ask()?;
        *self.connection(connection) = Connection {
            pending: 1 + queue.len(),
            several: !queue.is_empty(),
            queue,
        };
        Ok(asked(what, delay))
    }

    fn follow(&mut self, connection: usize) -> Option<Asked> {
        let next = self.connection(connection).queue.pop_front()?;
        Some(asked(What::Verbatim(next), 0))
    }

    fn begins(&self, connection: usize) -> bool {
        let own = self.connections.get(connection);
        let busy = own.is_some_and(|own| own.pending > 0);
        !busy && !self.thread.is_stopped()
    }

    fn is_over(&self) -> bool {
        self.thread.is_stopped() || budget::is_over(&self.lua)
    }

    fn reads(&self) -> bool {
        self.reads
    }

    fn heard(
        &mut self,
        connection: usize,
        answer: &Heard<'_>,
        wake: &mut Vec<usize>,
    ) -> Option<u64> {
        let own = self.connection(connection);
        own.pending = own.pending.saturating_sub(1);
        if answer.status == 0 {
            // the connection is lost, and with it what was to follow on it
            own.pending = own.pending.saturating_sub(own.queue.len());
            own.queue.clear();
        }
        if own.pending == 0 && own.several {
            wake.push(connection);
        }
        if self.reads
            && answer.status != 0
            && let Err(error) = self.respond(answer)
        {
            self.failed = Some(words(&error));
        }
        None
    }

    fn restart(&mut self) {
        self.connections.fill_with(Connection::default);
    }
}
