//! Programs become a stack that serves: started in order, awaited until ready, compared with the reference, stopped.

mod address;
mod bodies;
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
mod stand_in;
mod start;
mod strike;
mod times;
mod unexpected;
mod verify;

pub use check::{lacking, lacking_for, lacking_for_any};
pub use deploy::{Deployed, deploy};
pub use fetch::HOST;
pub use prepare::{SETUP_LIMIT, setup};
pub(crate) use prepare::{command, undisturbed};
pub use remote::{Remote, RemoteAddress};
pub use running::Running;
pub use start::{Options, start};
pub use strike::Exposed;
pub use verify::Reference;
