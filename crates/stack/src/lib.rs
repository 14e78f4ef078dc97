//! A stack becomes processes: composed, rendered, supervised, ready, verified.
//!
//! Describe, then do: [`Machine::compose`] decides what a variant of a plan means, [`render()`] turns that into
//! programs as values (argv, environment, files), and [`start()`] makes them processes, each under a
//! guardian that outlives weir by exactly as long as it takes to leave nothing behind. What servers
//! exist, and how each is started, asked to stop and configured, is data: the [`Catalogue`].
//!
//! Each folder is a room with one task, which its first line states. Rooms use those below them only, and a test
//! reads the sources and holds them to these lines. Any room may use `error` and `path`.
//!
//! * `install → serve, probe, entry, process`
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
mod install;
mod path;
mod probe;
mod process;
mod rehearsal;
mod serve;

pub use app::{Detected, Recognised, Today, Wish, declared, defaulted, needs, recognise, revision};
pub use compose::{
    Advice, Composition, Machine, Part, Program, Workspace, advice, is_served, render, served_file,
    slots,
};
pub use entry::expression::constraint;
pub use entry::offers::words as offered;
pub use entry::{Candidate, Catalogue, Entry, InsideTls, Kind, KnobKind, KnobSpec, Offers, Spoken};
pub use error::{AppError, Remedy, StackError};
pub use install::{Debian, Installs, Overlay};
pub use path::is_plain;
pub use probe::tools::{Tool, tools};
pub use probe::{Found, State, is_there, probe, require};
pub use process::{
    CpuTime, Errand, GuardCommand, GuardedCommands, KeptFolder, Ran, busiest_below, cpu_below,
    guard_commands, guardian, kill, printed,
};
pub use rehearsal::{Rehearsal, Scene, able_behind, write_samples};
pub use serve::ports::free as free_ports;
pub use serve::{
    Deployed, Exposed, HOST, Options, Reference, Remote, RemoteAddress, Running, SETUP_LIMIT,
    deploy, lacking, lacking_for, lacking_for_any, setup, start,
};
