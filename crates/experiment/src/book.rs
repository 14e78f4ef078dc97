//! What of a run is stored, and what is left.

use std::collections::BTreeSet;

use record::{Outcome, Plan, Trial};
use store::Store;

use crate::budget::Block;
use crate::error::ExperimentError;
use crate::order::{Slot, order};

/// What is stored so far.
pub(crate) struct Book {
    done: BTreeSet<(u32, Slot)>,
    broken: BTreeSet<String>,
}

impl Book {
    pub(crate) fn open(store: &Store, run: i64) -> Result<Self, ExperimentError> {
        let mut book = Self {
            done: BTreeSet::new(),
            broken: BTreeSet::new(),
        };
        for trial in store.trials(run)? {
            book.note(&trial);
        }
        Ok(book)
    }

    pub(crate) fn note(&mut self, trial: &Trial) {
        let slot = Slot {
            stage: trial.stage.clone(),
            again: trial.again,
        };
        self.done.insert((trial.block, slot));
        if matches!(trial.outcome, Outcome::Failed(_)) {
            self.broken.insert(trial.stage.clone());
        }
    }

    /// The blocks of which something is left.
    pub(crate) fn left(&self, plan: &Plan) -> Vec<Block> {
        let of_block = |number| {
            let slots = (0..).zip(order(plan, number));
            let open = |(_, slot): &(u32, Slot)| {
                !self.done.contains(&(number, slot.clone())) && !self.broken.contains(&slot.stage)
            };
            Block {
                number,
                slots: slots.filter(open).collect(),
            }
        };
        let blocks = (0..plan.blocks).map(of_block);
        blocks.filter(|block| !block.slots.is_empty()).collect()
    }

    pub(crate) fn all_broken(&self, plan: &Plan) -> bool {
        plan.stages
            .iter()
            .all(|stage| self.broken.contains(&stage.name))
    }

    /// How many trials are stored.
    pub(crate) fn done(&self) -> u64 {
        self.done.len() as u64
    }

    /// Whether a trial of this stage failed, so that it is left out.
    pub(crate) fn is_broken(&self, stage: &str) -> bool {
        self.broken.contains(stage)
    }
}
