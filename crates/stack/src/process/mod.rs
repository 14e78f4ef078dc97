//! Processes that end with weir: a guardian for each program, the folder that they share, and logs that stay bounded.

pub(crate) mod bounded;
pub(crate) mod capture;
mod debris;
pub(crate) mod descendants;
pub(crate) mod folder;
pub(crate) mod guard_command;
pub mod guardian;
mod keeper;
pub(crate) mod kept;
mod launch;
mod leftovers;
pub(crate) mod order;
pub(crate) mod owner;
pub(crate) mod supervisor;
