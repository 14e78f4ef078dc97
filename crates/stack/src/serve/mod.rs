//! Programs become a stack that serves: started in order, awaited until ready, compared with the reference, stopped.

pub(crate) mod certificate;
pub(crate) mod check;
mod difference;
pub(crate) mod fetch;
pub(crate) mod ports;
mod prepare;
mod readiness;
pub(crate) mod running;
mod service;
pub(crate) mod setup;
pub(crate) mod start;
mod unexpected;
pub(crate) mod verify;
