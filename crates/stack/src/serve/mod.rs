//! Programs become a stack that serves: started in order, awaited until ready, compared with the reference, stopped.

pub(crate) mod certificate;
pub(crate) mod check;
mod deploy;
mod difference;
mod elsewhere;
mod fetch;
mod kind;
mod login;
mod own;
pub(crate) mod ports;
mod prepare;
mod readiness;
mod redirect;
mod remote;
mod running;
mod service;
mod sign;
mod start;
mod strike;
mod unexpected;
mod verify;

pub use check::lacking;
pub use deploy::{Deployed, deploy};
pub use fetch::HOST;
pub(crate) use prepare::command;
pub use prepare::{SETUP_LIMIT, setup};
pub use remote::{Remote, RemoteAddress};
pub use running::Running;
pub use start::{Options, start};
pub use strike::Exposed;
pub use verify::Reference;
