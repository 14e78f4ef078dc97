//! A load plan becomes load: worker threads that own their connections, clock and recorder.
//!
//! [`run`] applies a warm-up, waits at a barrier, opens the measured window, drains what is still
//! in flight when it closes, and returns what happened as [`record::LoadFacts`]. Nothing is shared
//! between workers on the way of a request; they meet in a quota that is taken in batches and in
//! figures that are published a few times per second.
//!
//! How a request is timed, in nanoseconds of the monotonic clock:
//!
//! ```text
//!  due ──── ready ──── sent ──── first byte ──── done
//!   │         │          └──────────┴ first_byte   │
//!   │         │          └──────────────────────── ┴ service
//!   │         └ lateness ┘                         │
//!   └───────────────────────────────────────────── ┴ response
//! ```
//!
//! In a closed loop a request falls *due* when its connection's previous answer is whole (and the
//! think time is over), in an open loop when the schedule says so; where its user sleeps before it, by so much later. It is
//! *ready* when a connection is open for it and its thread awake. What lies between is told apart: *waited* for a
//! connection because all were busy (the server's doing) or their users asleep, *woken* late (the kernel's), or a
//! connection had to be opened. What comes after *ready* is the engine's own *lateness*.

mod arrivals;
mod check;
mod clock;
mod crowd;
mod descriptors;
mod drain;
mod engine;
mod error;
mod expected;
mod facts;
mod flight;
mod job;
mod live;
mod null;
mod pending;
mod ports;
mod pulse;
mod quota;
mod reactor;
mod recorder;
mod schedule;
mod segments;
mod shape;
mod silence;
mod silent;
mod slots;
mod slowest;
mod spawn;
mod stationary;
mod timeline;
mod timer;
mod tls;
mod traffic;
mod transport;
mod turns;
mod unsent;
mod worker;

use std::sync::atomic::AtomicBool;

use record::LoadFacts;
use wire::Session;

pub use check::MOST_BODY;
pub use descriptors::threads;
pub(crate) use error::Result;
pub use error::{LoadError, Trouble};
pub use expected::{Body, Check, Demand, Expected, Status, Text};
pub use facts::unreachable;
pub use job::{Cgi, Job};
pub use live::{Event, Tick};
pub use null::NullServer;
pub use pending::{MOST_PENDING, is_beyond};
pub use silent::Silent;
pub use tls::tls_settings;
pub use traffic::{
    Asked, Heard, NewStream, Part, Request, RequestSource, RequestStream, Traffic, What,
};
pub use turns::{Pace, Slice, Turn, Turns};

/// Whether [`record::Reactor::Ring`] can be had on this machine.
pub fn has_ring() -> bool {
    reactor::chosen(record::Reactor::Ring).is_ok()
}

/// Applies a load and says what happened.
///
/// `events` is called on the caller's thread. While it handles [`Event::Opened`] the workers wait,
/// with the connections that the warm-up has opened; when it is called with [`Event::Closed`] what
/// was in flight at the window's end has been answered or given up, and they are idle again. So
/// what a server did between the two calls, it did for `completed + drained` correct responses. Setting
/// `stop` ends the load early: what was measured until then is returned.
///
/// # Errors
/// Only when the load could not be applied at all: the job makes no sense, the system refuses what
/// it needs, it was interrupted before the window, or not one request was answered correctly (in a load
/// that was not interrupted). Other failures are facts.
pub fn run(job: &Job, stop: &AtomicBool, events: &mut dyn FnMut(Event)) -> Result<LoadFacts> {
    apply(job, stop, None, events)
}

/// The same in slices, when it is this load's turn among several. [`Event::Opened`] comes before the first slice and
/// [`Event::Closed`] after the last; between two of them it is told that it pauses, and goes on.
///
/// # Errors
/// As of [`run`]; a load that is not a closed loop of prepared requests without think time cannot be cut.
pub fn run_in_turns(
    job: &Job,
    stop: &AtomicBool,
    turns: &mut dyn Turns,
    events: &mut dyn FnMut(Event),
) -> Result<LoadFacts> {
    if !job.can_be_cut() {
        return Err(LoadError::invalid(error::NOT_CUT, "slices"));
    }
    apply(job, stop, Some(turns), events)
}

fn apply<'a>(
    job: &'a Job,
    stop: &'a AtomicBool,
    turns: Option<&'a mut (dyn Turns + 'a)>,
    events: &'a mut dyn FnMut(Event),
) -> Result<LoadFacts> {
    job.check()?;
    let apply = Apply {
        job,
        stop,
        turns,
        events,
    };
    job.protocol.dispatch(job.load.tls.is_some(), apply)?
}

/// A load, to be applied with the session that its protocol needs.
struct Apply<'a> {
    job: &'a Job,
    stop: &'a AtomicBool,
    turns: Option<&'a mut (dyn Turns + 'a)>,
    events: &'a mut dyn FnMut(Event),
}

impl wire::Visitor for Apply<'_> {
    type Output = Result<LoadFacts>;

    fn visit<S: Session + Send>(self) -> Self::Output {
        crowd::beside::<S>(self.job, self.stop, self.turns, self.events)
    }
}
