//! What each endpoint of a service costs: how often it is asked for, and for how long, from logs and timers of any server.
//!
//! The endpoint to make faster first is the one with the largest sum: its mean time times its number of requests. Memory
//! is bounded whatever the log holds: endpoints are routes, whose number has a bound, and a log is read once.
//!
//! What stands in a log is written by strangers: lines are bounded, and nothing of them is interpreted beyond its fields.

#[macro_use]
extern crate schemars;

mod costs;
mod entry;
mod figures;
mod format;
mod read;
mod route;
mod sample;
mod table;
mod time;
mod totals;
mod tree;

pub use costs::{Costs, Log, Together, Units};
pub use entry::Entry;
pub use figures::Figures;
pub use format::Format;
pub use read::{How, Odd, Read, ReadError, Reading, Unread, read, read_plain};
pub use route::{Pattern, PatternError};
pub use sample::Asked;
pub use table::{Endpoint, Endpoints, Sort};
pub use time::{Basis, LONGEST, Time, Unit};
pub use tree::{NOT_FOUND, OFTEN};
