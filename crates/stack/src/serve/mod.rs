//! Programs become a stack that serves: started in order, awaited until ready, compared with the reference, stopped.

pub(crate) mod certificate;
pub(crate) mod check;
mod difference;
mod fetch;
pub(crate) mod ports;
mod prepare;
mod readiness;
mod remote;
mod running;
mod service;
mod start;
mod unexpected;
mod verify;

pub use check::lacking;
pub use fetch::HOST;
pub use prepare::setup;
pub use remote::{Remote, RemoteAddress};
pub use running::Running;
pub use start::{Options, start};
pub use verify::Reference;
