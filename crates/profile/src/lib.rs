//! Where the time goes inside a program: the stacks of its threads, sampled from outside while it runs.
//!
//! A [`Sampler`] looks at each thread of each process below some roots, so many times a second, while it is told to. It
//! reads the memory of a process that goes on meanwhile: nothing is stopped, nothing is loaded into it, and a stack that
//! changed while it was read is counted as an error. Java's virtual machine is asked for names, when all is over. What
//! each thread does ([`record::Doing`]) is asked of the kernel, and whose code a stack is ([`record::CodeClass`]) follows
//! from where its files lie ([`Places`]).

mod clock;
mod cores;
mod error;
mod globals;
mod native;
mod places;
mod process;
mod python;
mod recognise;
mod ruby;
mod runnable;
mod runtime;
mod sampler;
mod stacks;
mod thread;
mod tree;
mod waits;
mod woken;

pub use error::{NotReadable, readable};
pub use places::Places;
pub use recognise::runtime_of;
pub use runtime::environment;
pub use sampler::{Sampler, Subject};
