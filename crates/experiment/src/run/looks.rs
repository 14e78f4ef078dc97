//! What the looks at a run have left out of its later blocks. It follows from stored trials, so a run that is resumed
//! goes on as it was begun.

use std::collections::{BTreeMap, BTreeSet};

use judge::Look;
use record::{Plan, Run, Trial};

use crate::run::order::Slot;
use crate::run::progress::RunProgress;

/// The looks that were taken, each by the number of whole blocks before it.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    taken: BTreeMap<u32, Look>,
}

/// What a look changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// Whole blocks.
    pub blocks: u32,
    /// Variants that later blocks leave out from here on.
    pub without: BTreeSet<String>,
    /// Whether there are no later blocks, but for those of stress.
    pub settled: bool,
}

impl Looks {
    /// Whether a block needs a trial that its plan has there.
    pub(crate) fn need(&self, plan: &Plan, block: u32, slot: &Slot) -> bool {
        let needs =
            |look: &Look| look.needed.contains(&slot.variant) && (look.noise_floor || !slot.again);
        let mut before = self.taken.range(..=block).map(|(_, look)| look);
        plan.stress_in(block).is_some() || before.all(needs)
    }

    fn still_needed(&self, plan: &Plan, block: u32) -> BTreeSet<String> {
        let names = plan.variants.iter().map(|variant| variant.name.clone());
        let slot = |variant: &String| Slot {
            variant: variant.clone(),
            again: false,
        };
        names
            .filter(|of| self.need(plan, block, &slot(of)))
            .collect()
    }
}

impl RunProgress {
    /// The number of whole blocks after which the next look is due, if it is due now.
    pub(crate) fn look_is_due(&self, plan: &Plan) -> Option<u32> {
        let last = self.looks.taken.keys().next_back();
        let next = last.map_or(plan.looks()?, |last| last + 1);
        let mut left = self.left(plan).into_iter().map(|block| block.number);
        let whole = left.next().unwrap_or_else(|| plan.all_blocks());
        let over = last.is_some_and(|last| self.looks.still_needed(plan, *last).is_empty());
        (next < plan.blocks && next <= whole && !over).then_some(next)
    }

    /// Looks at the run's trials as they were after so many blocks.
    pub(crate) fn look(&mut self, run: &Run, trials: &[Trial], blocks: u32) -> Looked {
        let plan = &run.plan;
        let before = self.looks.still_needed(plan, blocks);
        let earlier = trials.iter().filter(|trial| trial.block < blocks);
        let earlier: Vec<Trial> = earlier.cloned().collect();
        self.looks.taken.insert(blocks, judge::look(run, &earlier));
        let needed = self.looks.still_needed(plan, blocks);
        Looked {
            blocks,
            settled: needed.is_empty(),
            without: before.difference(&needed).cloned().collect(),
        }
    }
}
