use std::sync::atomic::AtomicBool;
use std::time::Duration;

use load::Event;
use record::Trial;
use stack::{GuardCommand, Machine, Options};
use store::Store;

use crate::run::budget::Outlook;
use crate::run::order::Slot;

/// What a run works with.
pub struct Lab<'a> {
    /// Where trials are kept.
    pub store: &'a mut Store,
    /// What variants are composed for.
    pub machine: &'a Machine,
    /// How guardians are started.
    pub guard: GuardCommand,
    /// Longest time from the start of a program to its first correct response.
    pub ready_timeout: Duration,
    /// Set by the user's Ctrl-C.
    pub interrupted: &'a AtomicBool,
    /// Seconds that a run may take; blocks that do not fit are left out.
    pub budget: Option<f64>,
}

impl<'a> Lab<'a> {
    pub(crate) fn options(&self) -> Options<'a> {
        Options {
            guard: self.guard.clone(),
            ready_timeout: self.ready_timeout,
            ..Options::new(self.interrupted)
        }
    }
}

/// Something happened that a watching person wants to know.
#[derive(Debug)]
pub enum News {
    /// The run begins, or goes on where it was cut short.
    Begun {
        /// Trials in all.
        trials: u64,
        /// Trials already stored.
        done: u64,
    },
    /// The app's setup commands run.
    Setup,
    /// The reference responses are taken from this variant's app server.
    Reference(String),
    /// How long the rest will take, and how much of the plan that is: before the first trial, and after each.
    Outlook(Outlook),
    /// A trial begins.
    Trial {
        /// Its block, 0-based.
        block: u32,
        /// Blocks in all.
        blocks: u32,
        /// Its variant, and whether it is the A/A pair's second half.
        slot: Slot,
        /// How often it was tried before.
        attempt: u32,
    },
    /// A trial has come to this step.
    Step(&'static str),
    /// It serves and is about to be loaded: the main process of each program with the name of its entry,
    /// from the client's side inwards.
    Serving(Vec<(u32, String)>),
    /// The load goes on.
    Load(Event),
    /// The first block has shown where curves turn, and points were added there.
    Refined {
        /// Their variants.
        variants: Vec<String>,
        /// Trials that the run has more for it.
        trials: u64,
    },
    /// A trial is stored.
    Stored(Box<Trial>),
    /// The trial that was stored last is to be taken again, for this reason.
    PutAside(String),
}
