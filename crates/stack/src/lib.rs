//! A stack becomes processes: composed, rendered, supervised, ready, verified.
//!
//! Describe, then do: [`Machine::compose`] decides what a stage of a plan means, [`render()`] turns that into
//! programs as values (argv, environment, files), and [`start()`] makes them processes, each under a
//! guardian that outlives weir by exactly as long as it takes to leave nothing behind. What servers
//! exist, and how each is started, asked to stop and configured, is data: the [`Catalogue`].
//!
//! Each folder is a room with one task, which its first line states. Rooms use those below them only, and a test
//! reads the sources and holds them to these lines. Any room may use `error` and `path`.
//!
//! * `rehearsal → app, serve, compose, probe, entry`
//! * `app → entry, process`
//! * `serve → compose, probe, process`
//! * `compose → probe, entry`
//! * `probe → entry, process`
//! * `entry → process`
//! * `process → nothing`

pub mod app;
mod compose;
mod entry;
mod error;
mod path;
mod probe;
mod process;
mod rehearsal;
mod serve;

pub use app::detect::Detected;
pub use app::recognise::{Recognised, Today, Wish, recognise};
pub use compose::advice::{Advice, advice};
pub use compose::machine::Machine;
pub use compose::render::{Program, render};
pub use compose::slots::slots;
pub use compose::workspace::Workspace;
pub use compose::{Composition, Part};
pub use entry::catalogue::Catalogue;
pub use entry::expression::constraint;
pub use entry::knob::{KnobKind, KnobSpec};
pub use entry::offers::{InsideTls, Offers, Spoken, words as offered};
pub use entry::{Candidate, Entry, Kind};
pub use error::StackError;
pub use probe::tools::{Tool, tools};
pub use probe::{Found, State, probe, require};
pub use process::capture::{GuardedCommands, guard_commands};
pub use process::descendants::{busiest_below, kill};
pub use process::guard_command::GuardCommand;
pub use process::guardian;
pub use process::kept::KeptFolder;
pub use rehearsal::example::able_behind;
pub use rehearsal::{Rehearsal, Scene, write_samples};
pub use serve::check::lacking;
pub use serve::fetch::HOST;
pub use serve::ports::free as free_ports;
pub use serve::running::Running;
pub use serve::setup::setup;
pub use serve::start::{Options, start};
pub use serve::verify::Reference;
