use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use judge::RingCost;
use load::Event;
use record::{Others, Plan, Stress, Trial, Variant};
use stack::{GuardCommand, Machine, Options};
use store::Store;

use crate::run::app_times::AppTimes;
use crate::run::budget::Outlook;
use crate::run::looks::Looked;
use crate::run::order::Slot;
use crate::run::progress::Again;

/// What a run works with.
pub struct Lab<'a> {
    /// Where trials are kept.
    pub store: &'a mut Store,
    /// Where their programs run.
    pub place: Place<'a>,
    /// The time that a run may take.
    pub time: Allowance,
}

/// Where and how programs are started: what trials that run at the same time share.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// What variants are composed for.
    pub machine: &'a Machine,
    /// How guardians are started.
    pub guard: GuardCommand,
    /// Longest time from the start of a program to its first correct response.
    pub ready_timeout: Duration,
    /// What is known of both event loops of the load engine on this machine; empty where nobody has measured it.
    pub ring_costs: Vec<RingCost>,
    /// Set by the user's Ctrl-C.
    pub interrupted: &'a AtomicBool,
}

/// The time that a run may take, and what is known of it before.
#[derive(Clone, Debug, Default)]
pub struct Allowance {
    /// Seconds; blocks that do not fit are left out.
    pub budget: Option<f64>,
    /// Seconds by which the run may go beyond its budget.
    pub beyond: f64,
    /// Blocks after which it ends, to be gone on with later.
    pub until: Option<u32>,
    /// Whether it ends, to be gone on with later, where only reasons of claims that do not hold are open.
    pub without_reasons: bool,
    /// Seconds of the budget that are spent when the run begins.
    pub spent: f64,
    /// What a first look at the app of the plan saw.
    pub seen: Option<AppTimes>,
}

impl From<Option<f64>> for Allowance {
    fn from(budget: Option<f64>) -> Self {
        Self {
            budget,
            ..Self::default()
        }
    }
}

impl<'a> Place<'a> {
    /// Whether the user pressed Ctrl-C.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    pub(crate) fn options(&self) -> Options<'a> {
        Options {
            guard: self.guard.clone(),
            ready_timeout: self.ready_timeout,
            ..Options::new(self.interrupted)
        }
    }
}

/// Something happened that a watching person wants to know.
#[derive(Clone, Debug)]
pub enum News {
    /// The run begins, or goes on where it was cut short.
    Begun {
        /// Trials in all.
        trials: u64,
        /// Trials already stored.
        done: u64,
    },
    /// It has all that it was to have: nothing is started.
    Complete {
        /// The run.
        run: i64,
        /// Trials that are stored, one that was taken again once.
        trials: u64,
    },
    /// Where trials take place, of a plan that leaves that to what weir may do: each in a network of its own, or in the
    /// machine's.
    Network {
        /// Why it is the machine's, if it is.
        refused: Option<String>,
    },
    /// The app's setup commands run.
    Setup {
        /// Seconds that each may take.
        at_most: f64,
    },
    /// The reference responses are taken.
    Reference {
        /// The title of the variant whose app server gives them.
        server: String,
        /// Seconds that it may take to start.
        at_most: f64,
    },
    /// What the rates of the plan are shares of is measured: what this variant does in a closed loop.
    Capacity {
        /// The variant.
        variant: String,
    },
    /// It is known, and so are the rates.
    Rates {
        /// The variant.
        variant: String,
        /// Its capacity, in requests per second.
        rate: f64,
    },
    /// How long the rest will take, and how much of the plan that is: before the first trial, and after each.
    Outlook(Outlook),
    /// A trial begins.
    Trial {
        /// Its block, 0-based.
        block: u32,
        /// Blocks in all.
        blocks: u32,
        /// What is added to the usual load there, if anything is.
        stress: Option<Stress>,
        /// Its variant, and whether it is the A/A pair's second half.
        slot: Slot,
        /// How often it was tried before.
        attempt: u32,
    },
    /// These trials of a block are up, and are loaded in slices, in turn.
    InTurn {
        /// Their variants.
        slots: Vec<Slot>,
        /// How many slices each of them has.
        rounds: u32,
    },
    /// A trial has come to this step.
    Step {
        /// What is done.
        doing: &'static str,
        /// Seconds that this may take, where there is a limit.
        at_most: Option<f64>,
    },
    /// It serves and is about to be loaded: the main process of each program with the name of its entry,
    /// from the client's side inwards.
    Serving(Vec<(u32, String)>),
    /// Other programs take more of the machine than a block bears: it waits for so many seconds at most until they end.
    Waiting {
        /// They.
        others: Others,
        /// Seconds.
        at_most: f64,
    },
    /// The load goes on.
    Load(Event),
    /// The first block has shown where curves turn, and points were added there.
    Refined {
        /// Their variants.
        variants: Vec<String>,
        /// Trials that the run has more for it.
        trials: u64,
    },
    /// There was no time to add points where curves turn.
    Unrefined {
        /// The run, which adds them when it is resumed.
        run: i64,
    },
    /// A look at the run leaves something out of later blocks, or tells what they will most likely leave open.
    Looked(Looked),
    /// A trial is stored.
    Stored(Box<Trial>),
    /// The trial that was stored last is to be taken again.
    PutAside {
        /// What kept it out.
        because: String,
        /// The names of the programs that disturbed it; none where it was something else.
        by: Vec<String>,
    },
    /// The run goes on without the variant of the trial that was stored last, which failed; what to do about it.
    LeftOut(String),
}

impl News {
    /// The reference responses are taken from this variant's app server.
    pub(crate) fn reference(lab: &Lab, variant: &Variant) -> Self {
        Self::Reference {
            server: variant.title.clone(),
            at_most: lab.place.ready_timeout.as_secs_f64(),
        }
    }

    /// A trial begins.
    pub(crate) fn trial(plan: &Plan, what: &Again) -> Self {
        Self::Trial {
            block: what.block,
            blocks: plan.blocks,
            stress: plan.stress_in(what.block),
            slot: what.slot.clone(),
            attempt: what.attempt,
        }
    }

    /// A trial has come to a step without a limit of its own.
    pub(crate) fn step(doing: &'static str) -> Self {
        Self::Step {
            doing,
            at_most: None,
        }
    }
}
