//! Protocols without sockets, one file each: bytes in, events out.
//!
//! A [`Session`] is one connection's protocol state without its socket and its clock, so that the
//! load engine, a readiness check, a fuzzer and a test drive the same code. [`http1`] is the only
//! protocol so far. [`Collector`] turns a session's events into one whole [`Answer`], for callers
//! that want to look at an answer and do not mind its allocations.

mod answer;
pub mod http1;
mod session;

pub use answer::{Answer, Collector, Incomplete};
pub use http1::Http1;
pub use session::{Ask, End, Event, Exchange, Malformed, Session, Unsendable};
