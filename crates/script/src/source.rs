//! A script from the outside: opened, asked for streams, finished.

use std::path::PathBuf;
use std::sync::Arc;

use load::{Expected, NewStream, Request, RequestSource};
use mlua::{Function, Lua, Table};
use record::{LoadFacts, Target};

use crate::address::Address;
use crate::budget;
use crate::environment;
use crate::error::{ScriptError, words};
use crate::form::Form;
use crate::stream::{Connection, ScriptStream};
use crate::summary;
use crate::thread::{Handle, Thread};
use crate::unused;
use crate::users::UsersStream;

/// Where what a script prints goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prints {
    /// To standard output, as in wrk.
    Out,
    /// To standard error, because standard output holds something else.
    Aside,
    /// Nowhere: it is only looked whether the script is sound.
    Nowhere,
}

/// What a script is told.
#[derive(Clone, Debug)]
pub struct Options {
    /// The script.
    pub file: PathBuf,
    /// The URL as the user typed it: `args[0]`.
    pub url: String,
    /// `http`.
    pub scheme: String,
    /// Host and port, as in the `Host` header.
    pub authority: String,
    /// Path and query, beginning with `/`.
    pub path: String,
    /// Headers of every request.
    pub headers: Vec<(String, String)>,
    /// Where the load goes.
    pub target: Target,
    /// What the script's `init()` is given, from `args[1]` on.
    pub args: Vec<String>,
    /// Worker threads of the load, at least 1: each has its own Lua state.
    pub threads: usize,
    /// The answer that counts as right.
    pub expected: Expected,
    /// Instructions of Lua that each call of the script's may take; see [`Options::INSTRUCTIONS`].
    pub instructions: u64,
    /// Where what the script prints goes.
    pub prints: Prints,
}

impl Options {
    /// What one call may take where nothing else is said: some seconds, which no call in a load has.
    pub const INSTRUCTIONS: u64 = budget::MOST;

    /// The host without an IPv6 address's brackets, and the port where one is named.
    pub(crate) fn host_and_port(&self) -> (&str, Option<&str>) {
        let (host, port) = wire::host_and_port(&self.authority);
        (host.trim_start_matches('[').trim_end_matches(']'), port)
    }
}

/// A thread's Lua state and what the other side knows of it.
#[derive(Debug)]
struct Worker {
    lua: Lua,
    thread: Arc<Thread>,
}

/// A script, ready to be loaded with.
#[derive(Debug)]
pub struct Script {
    /// The state of `setup()` and `done()`.
    main: Lua,
    workers: Vec<Worker>,
    name: String,
    expected: Expected,
    form: Form,
    warnings: Vec<String>,
}

impl Script {
    /// Reads the script; runs `setup()` and `init()` for each thread, and as wrk does `request()` once
    /// on the first thread, to see what it asks. Of a journey `user()` is not run before the load.
    ///
    /// # Errors
    /// When the file cannot be read, when the script fails, when what it asks is not a request, and when it is a
    /// journey that has functions of wrk's too, or no sound `names`.
    pub fn open(options: &Options) -> Result<Self, ScriptError> {
        let text = environment::read(&options.file)?;
        let main = environment::create(options, &text)?;
        let mut workers = Vec::new();
        for _ in 0..options.threads.max(1) {
            workers.push(Worker::begin(options, &text, &main)?);
        }
        let states: Vec<&Lua> = workers.iter().map(|worker| &worker.lua).collect();
        let form = Form::of(&states, options)?;
        let name = options.file.file_name().unwrap_or_default();
        environment::flush(&main);
        let mut warnings = elsewhere(&workers, options);
        warnings.extend(unused::warnings(&workers[0].lua, options)?);
        Ok(Self {
            warnings,
            name: name.to_string_lossy().into_owned(),
            expected: options.expected.clone(),
            main,
            workers,
            form,
        })
    }

    /// How many requests the script gives at once, to be pipelined on one connection.
    pub fn depth(&self) -> u32 {
        match &self.form {
            Form::Requests(requests) => requests.depth,
            Form::Journey(_) => 1,
        }
    }

    /// Whether each connection is a user of its own, whose next request waits for the response to the last one.
    pub fn is_journey(&self) -> bool {
        matches!(self.form, Form::Journey(_))
    }

    /// How many threads it was set up for.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// What the script wants and does not get, and what of it nobody calls, in words.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Writes out what the script has printed so far.
    pub fn flush(&self) {
        environment::flush(&self.main);
    }

    /// Runs the script's `done()`, if it has one, with what the load came to.
    ///
    /// # Errors
    /// When `done()` fails.
    pub fn finish(&self, facts: &LoadFacts) -> Result<(), ScriptError> {
        budget::refill(&self.main);
        let done = environment::function(&self.main, "done");
        let result = done.map_or(Ok(()), |done| {
            let (summary, latency, requests) = summary::of(&self.main, facts)?;
            done.call::<()>((summary, latency, requests))
        });
        environment::flush(&self.main);
        result.map_err(|error| ScriptError::failed("in done()", &error))
    }

    #[cfg(test)]
    pub(crate) fn main(&self) -> &Lua {
        &self.main
    }

    #[cfg(test)]
    pub(crate) fn state(&self, worker: usize) -> &Lua {
        &self.workers[worker].lua
    }
}

impl Worker {
    fn begin(options: &Options, text: &[u8], main: &Lua) -> Result<Self, ScriptError> {
        let lua = environment::create(options, text)?;
        let thread = Arc::new(Thread::new(Address(options.target.clone())));
        let handle = || Handle {
            lua: lua.weak(),
            thread: Arc::clone(&thread),
        };
        let setup = || -> mlua::Result<()> {
            lua.globals().get::<Table>("wrk")?.set("thread", handle())?;
            let setup: Function = main.globals().get::<Table>("wrk")?.get("setup")?;
            budget::refill(main);
            setup.call(handle())
        };
        setup().map_err(|error| ScriptError::failed("in setup()", &error))?;
        let init = || -> mlua::Result<()> {
            let args = lua.create_table()?;
            let given = [&options.url].into_iter().chain(&options.args);
            for (index, arg) in given.enumerate() {
                args.raw_set(index, arg.as_str())?;
            }
            let init: Function = lua.globals().get::<Table>("wrk")?.get("init")?;
            budget::refill(&lua);
            init.call(args)
        };
        init().map_err(|error| ScriptError::failed("in init()", &error))?;
        Ok(Self { lua, thread })
    }
}

fn elsewhere(workers: &[Worker], options: &Options) -> Vec<String> {
    let target = Address(options.target.clone());
    let mut wanted: Vec<Address> = Vec::new();
    for worker in workers {
        let address = worker.thread.address();
        if address != target && !wanted.contains(&address) {
            wanted.push(address);
        }
    }
    let warn = |address: &Address| {
        format!("the script sets a thread's address to `{address}`; all threads load `{target}`")
    };
    wanted.iter().map(warn).collect()
}

impl RequestSource for Script {
    fn called(&self) -> &'static str {
        "script"
    }

    fn names(&self) -> Vec<String> {
        match &self.form {
            Form::Journey(journey) if !journey.names.is_empty() => journey.names.clone(),
            Form::Journey(_) | Form::Requests(_) => vec![self.name.clone()],
        }
    }

    fn expected(&self) -> Vec<Expected> {
        vec![self.expected.clone()]
    }

    fn prepared(&self) -> Vec<Request> {
        match &self.form {
            Form::Requests(requests) => requests.same.clone(),
            Form::Journey(_) => Vec::new(),
        }
    }

    fn stream(&self, worker: usize, workers: usize, connections: usize) -> NewStream {
        let ready = self.workers.len();
        let own = self.workers.get(worker).filter(|_| workers == ready);
        let own =
            own.ok_or_else(|| format!("the script was set up for {ready} threads, not {workers}"))?;
        own.thread.run();
        let (lua, thread) = (own.lua.clone(), Arc::clone(&own.thread));
        match &self.form {
            Form::Requests(requests) => Ok(Box::new(ScriptStream {
                lua,
                thread,
                prepared: (worker < requests.same.len()).then_some(worker as u32),
                delays: requests.delays,
                reads: requests.reads,
                connections: std::iter::repeat_with(Connection::default)
                    .take(connections)
                    .collect(),
                failed: None,
            })),
            Form::Journey(journey) => {
                let (journey, among) = (Arc::clone(journey), (worker, workers));
                let stream = UsersStream::new(lua, thread, journey, among, connections);
                Ok(Box::new(stream.map_err(|error| words(&error))?))
            }
        }
    }
}
