//! A stack becomes processes: composed, rendered, supervised, ready, verified.
//!
//! Describe, then do: [`compose()`] decides what a stage of a plan means, [`render()`] turns that into
//! programs as values (argv, environment, files), and [`start()`] makes them processes, each under a
//! guardian that outlives weir by exactly as long as it takes to leave nothing behind. What servers
//! exist, and how each is started, asked to stop and configured, is data: the [`Catalogue`].

mod advice;
pub mod app;
mod ask;
mod bounded;
mod capture;
mod catalogue;
mod certificate;
mod compose;
#[cfg(test)]
mod contract;
mod debris;
mod descendants;
mod detect;
mod difference;
mod entry;
mod error;
mod example;
mod expression;
mod fetch;
mod folder;
pub mod guardian;
mod keeper;
mod kept;
mod knob;
mod launch;
mod leftovers;
mod log;
mod nearest;
mod offers;
mod order;
mod owner;
mod path;
mod ports;
mod prepare;
mod probe;
mod readiness;
mod recognise;
mod rehearsal;
mod render;
mod running;
mod service;
mod settle;
mod setup;
mod shortage;
mod slots;
mod start;
mod supervisor;
mod tools;
mod unexpected;
mod verify;
mod workspace;

pub use self::catalogue::Catalogue;
pub use advice::{Advice, advice};
pub use capture::{GuardedCommands, guard_commands};
pub use compose::{Composition, Part, compose};
pub use descendants::{busiest_below, kill};
pub use detect::Detected;
pub use entry::{Candidate, Counters, Entry, Kind};
pub use error::StackError;
pub use example::able_behind;
pub use expression::constraint;
pub use fetch::HOST;
pub use kept::KeptFolder;
pub use knob::{KnobKind, KnobSpec};
pub use offers::{InsideTls, Offers, Spoken, words as offered};
pub use ports::free as free_ports;
pub use probe::{Found, State, probe, require};
pub use recognise::{Recognised, Today, Wish, recognise};
pub use rehearsal::{Rehearsal, Scene, write_samples};
pub use render::{Program, render};
pub use running::Running;
pub use setup::setup;
pub use slots::slots;
pub use start::{Options, lacking, start};
pub use supervisor::GuardCommand;
pub use tools::{Tool, tools};
pub use verify::Reference;
pub use workspace::Workspace;
