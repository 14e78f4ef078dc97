//! Lua scripts as a source of requests: wrk's, and journeys of users.
//!
//! A [`Script`] reads one of wrk's scripts and is a [`load::RequestSource`]: the script's `setup()` and
//! `init()` run when it is opened, `delay()`, `request()` and `response()` while the load runs, and
//! `done()` in [`Script::finish`]. As in wrk, every thread has a Lua state of its own, and `setup()` and
//! `done()` run in another one.
//!
//! A script that defines `user(number)` is a journey: each connection is a user, which goes on from response to response
//! (`docs/scripts.md`).
//!
//! Where it differs from wrk, it says so:
//!
//! * A script that fails ends with its file and line instead of a crash: in `setup()` and `init()`
//!   before any load, in `delay()`, `request()` and `response()` as a request that failed.
//! * All threads load one address. A `thread.addr` that is set to another one is a
//!   [warning](Script::warnings). So is a function whose name is nearly one that is called, and a script that changes nothing.
//! * `latency` holds response times, one per request, pipelined ones too; wrk times a batch.
//! * `requests` in `done()` holds what the whole load answered per second in each slice of the window,
//!   divided by its threads; wrk looks at each thread by itself.
//! * `summary.requests` counts the answers of the window alone. A script's own counters see all:
//!   the warm-up's, if there is one, and those that came after the window.
//! * A call that has not come back after [`Options::INSTRUCTIONS`] is ended, and with it what its thread asks.
//!   For that LuaJIT interprets and does not compile.
//! * Chunks are text: bytecode is refused, as it could crash the engine. So is `os.exit()`, which would
//!   lose the result.
//! * Lua's `debug` library has nothing but `traceback`; `ffi` and C modules are refused with the reason,
//!   because they could crash the engine.

mod address;
mod budget;
mod environment;
mod error;
mod form;
mod journey;
mod json;
mod modules;
mod pieces;
mod source;
mod stream;
mod summary;
#[cfg(test)]
mod tests;
mod thread;
mod unused;
mod users;

pub use error::ScriptError;
pub use source::{Options, Prints, Script};
