//! How a script says what to ask: request by request, as wrk's do, or as users.

use std::sync::Arc;

use load::Request;
use mlua::Lua;

use crate::environment;
use crate::error::ScriptError;
use crate::journey::Journey;
use crate::pieces;
use crate::source::Options;

/// Longest wait before a request, in nanoseconds: some 30 years, so that a time of the load's clock and this wait fit 64 bits.
pub(crate) const LONGEST: u64 = 1_000_000_000_000_000_000;

/// Functions of wrk's that have no place beside `user()`.
const OF_WRK: [&str; 3] = ["request", "response", "delay"];

/// The form of a script, the same in all its threads.
#[derive(Debug)]
pub(crate) enum Form {
    Requests(Requests),
    Journey(Arc<Journey>),
}

/// What is known of a script whose functions are wrk's.
#[derive(Debug)]
pub(crate) struct Requests {
    /// One per thread, when the script asks the same again and again.
    pub(crate) same: Vec<Request>,
    pub(crate) delays: bool,
    pub(crate) reads: bool,
    /// How many it gives at once.
    pub(crate) depth: u32,
}

impl Form {
    /// The form of the script in these states, at least one. One of wrk's is asked for a request, as wrk does, to see what it
    /// asks.
    pub(crate) fn of(states: &[&Lua], options: &Options) -> Result<Self, ScriptError> {
        let first = states[0];
        let defines = |name: &str| environment::function(first, name).is_some();
        if defines("user") {
            return match OF_WRK.into_iter().find(|name| defines(name)) {
                Some(other) => Err(ScriptError::Both { other }),
                None => Ok(Self::Journey(Arc::new(Journey::of(first, options)?))),
            };
        }
        let (delays, reads, dynamic) = (defines("delay"), defines("response"), defines("request"));
        let depth = verify(first)?;
        let same = if dynamic {
            Vec::new()
        } else {
            repeated(states, &options.authority)?
        };
        Ok(Self::Requests(Requests {
            same,
            delays,
            reads,
            depth,
        }))
    }
}

/// How many requests the first call of `request()` gives.
fn verify(lua: &Lua) -> Result<u32, ScriptError> {
    let bytes = environment::request(lua);
    let bytes = bytes.map_err(|error| ScriptError::failed("in request()", &error))?;
    let bytes = bytes.as_bytes();
    let ends = pieces::ends(&bytes).map_err(|broken| {
        let (line, column) = broken.place(&bytes);
        ScriptError::Request {
            what: broken.what,
            line,
            column,
        }
    })?;
    Ok(ends.len() as u32)
}

/// The request of each thread, if all can be described: made ready once, it costs nothing to send.
fn repeated(states: &[&Lua], authority: &str) -> Result<Vec<Request>, ScriptError> {
    let mut requests = Vec::new();
    for lua in states {
        let bytes = environment::request(lua)
            .map_err(|error| ScriptError::failed("in wrk.request()", &error))?;
        match pieces::described(&bytes.as_bytes(), authority) {
            Some(request) => requests.push(request),
            None => return Ok(Vec::new()),
        }
    }
    Ok(requests)
}
