//! The users of one thread at work.

use std::sync::Arc;

use load::{Asked, Heard, RequestStream};
use mlua::{Error, Function, Lua, Table, Thread as Coroutine, Value};

use crate::budget;
use crate::environment;
use crate::error::words;
use crate::journey::{BEGIN, Journey, Made, Parts};
use crate::thread::Thread;

/// A response that a user has not seen yet.
struct Answer {
    status: u16,
    right: bool,
    fields: Vec<u8>,
    body: Vec<u8>,
}

impl Answer {
    fn table(&self, lua: &Lua) -> mlua::Result<Table> {
        let table = lua.create_table_with_capacity(0, 4)?;
        table.raw_set("status", self.status)?;
        table.raw_set("right", self.right)?;
        table.raw_set("headers", environment::fields(lua, &self.fields)?)?;
        table.raw_set("body", lua.create_string(&self.body)?)?;
        Ok(table)
    }
}

/// The users of one thread.
pub(crate) struct UsersStream {
    lua: Lua,
    thread: Arc<Thread>,
    /// Makes the user of a number.
    create: Function,
    /// By connection, from 1. They are kept by Lua, as a state lends no more than some 65,000 values to Rust.
    users: Table,
    /// By connection.
    answers: Vec<Option<Answer>>,
    /// Which of how many threads.
    among: (usize, usize),
}

impl UsersStream {
    /// For the thread `among.0` of `among.1`, with so many connections.
    pub(crate) fn new(
        lua: Lua,
        thread: Arc<Thread>,
        journey: Arc<Journey>,
        among: (usize, usize),
        connections: usize,
    ) -> mlua::Result<Self> {
        budget::refill(&lua);
        let make = lua.create_function(move |_, parts: Parts| journey.make(parts))?;
        let begin: Function = lua.named_registry_value(BEGIN)?;
        Ok(Self {
            create: begin.call(make)?,
            users: lua.create_table()?,
            lua,
            thread,
            answers: std::iter::repeat_with(|| None).take(connections).collect(),
            among,
        })
    }

    /// From 1 on, and no other thread has it.
    fn number(&self, connection: usize) -> usize {
        let (worker, workers) = self.among;
        connection * workers + worker + 1
    }

    /// Lets the user of a connection run to its next request.
    fn go_on(&mut self, connection: usize) -> mlua::Result<Asked> {
        let answer = self.answers[connection].take();
        let answer = answer.map(|it| it.table(&self.lua)).transpose()?;
        let known: Option<Coroutine> = self.users.raw_get(connection + 1)?;
        let user = known.map_or_else(|| self.begin_user(connection), Ok)?;
        match user.resume(answer)? {
            Value::UserData(made) => Ok(made.take::<Made>()?.0),
            _ => Err(Error::runtime(
                "user() must not yield by itself: it asks with weir.get(), weir.post() or weir.request()",
            )),
        }
    }

    fn begin_user(&self, connection: usize) -> mlua::Result<Coroutine> {
        let user: Coroutine = self.create.call(self.number(connection))?;
        self.users.raw_set(connection + 1, &user)?;
        Ok(user)
    }
}

impl RequestStream for UsersStream {
    fn begin(&mut self, connection: usize, _due: u64) -> Result<Asked, String> {
        if self.thread.is_stopped() {
            return Err("the script has stopped this thread".to_owned());
        }
        budget::refill(&self.lua);
        self.go_on(connection).map_err(|error| {
            // the next request is the first one of a new user; a table takes every nil
            let _ = self.users.raw_set(connection + 1, Value::Nil);
            words(&error)
        })
    }

    fn begins(&self, _connection: usize) -> bool {
        !self.thread.is_stopped()
    }

    fn is_over(&self) -> bool {
        self.thread.is_stopped() || budget::is_over(&self.lua)
    }

    fn reads(&self) -> bool {
        true
    }

    fn heard(&mut self, connection: usize, heard: &Heard<'_>, _: &mut Vec<usize>) -> Option<u64> {
        self.answers[connection] = Some(Answer {
            status: heard.status,
            right: heard.right,
            fields: heard.fields.to_vec(),
            body: heard.body.to_vec(),
        });
        None
    }

    fn restart(&mut self) {
        let _ = self.users.clear(); // only tables of another kind of Lua refuse
        self.answers.fill_with(|| None);
    }
}
