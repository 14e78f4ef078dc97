//! Processes that end with weir: a guardian for each program, the folder that they share, and logs that stay bounded.

pub(crate) mod bounded;
mod capture;
mod cpu;
mod descendants;
mod errand;
mod events;
pub(crate) mod folder;
pub mod guardian;
mod keeper;
mod kept;
mod launch;
mod leftovers;
mod order;
mod outcome;
pub(crate) mod owner;
mod printed;
mod supervisor;

pub use capture::{GuardedCommands, guard_commands};
pub use cpu::CpuTime;
pub(crate) use descendants::{birth, busiest_of, children, descendants as below};
pub use descendants::{busiest_below, cpu_below, kill};
pub use errand::{Errand, Ran};
pub use kept::{GuardCommand, KeptFolder};
pub use printed::printed;

pub(crate) use capture::{capture, capture_away};
pub(crate) use folder::Folder;
pub(crate) use order::{Exit, Spawn, StopSignal};
pub(crate) use outcome::{Captured, Unrun};
pub(crate) use printed::printed_in;
pub(crate) use supervisor::Supervised;
