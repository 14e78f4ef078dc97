//! What of a run is stored, what is left, and what is to be taken again.

use std::collections::{BTreeMap, BTreeSet};

use record::{Outcome, Plan, Run, Trial};
use store::Store;

use crate::error::ExperimentError;
use crate::run::again::AGAIN;
use crate::run::budget::Block;
use crate::run::looks::Looks;
use crate::run::order::{Slot, order};
use crate::search::refine::is_open;

/// Trials that are stored, by block.
pub(crate) type Done = BTreeSet<(u32, Slot)>;

/// What is stored so far.
#[derive(Debug, Default)]
pub(crate) struct RunProgress {
    done: Done,
    /// Variants of which a trial failed for good.
    broken: BTreeSet<String>,
    /// Variants of which a trial has been loaded.
    served: BTreeSet<String>,
    /// What is to be taken again, with the number of its next attempt.
    again: BTreeMap<(u32, Slot), u32>,
    /// Variants of which a trial was put aside each time: which is not transient.
    beyond_help: BTreeSet<String>,
    /// What looks have left out of later blocks.
    pub(super) looks: Looks,
}

/// A trial that is to be taken again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Again {
    pub(crate) block: u32,
    /// Its place in the block.
    pub(crate) position: u32,
    pub(crate) slot: Slot,
    pub(crate) attempt: u32,
}

impl RunProgress {
    pub(crate) fn open(store: &Store, run: &Run) -> Result<Self, ExperimentError> {
        let mut progress = Self::default();
        for trial in store.trials(run.id)? {
            // of a run that is taken up again, what failed is there only if it was to be taken again
            let lost = matches!(trial.outcome, Outcome::Failed(_));
            progress.note(&trial, lost || judge::transient(run, &trial).is_some());
        }
        Ok(progress)
    }

    /// Whether a run has all that it was to have: nothing of it was never tried, unless looks leave it out, and nothing is
    /// to be taken again or to be added.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub(crate) fn is_complete(store: &Store, run: &Run) -> Result<bool, ExperimentError> {
        let plan = &run.plan;
        let mut progress = Self::open(store, run)?;
        if progress.done.is_empty() || is_open(plan) {
            return Ok(false);
        }
        let trials = store.trials(run.id)?;
        while let Some(blocks) = progress.look_is_due(plan) {
            progress.look(run, &trials, blocks);
        }
        Ok(progress.left(plan).is_empty() && progress.again(plan).is_empty())
    }

    /// Notes a trial that is stored, and whether what kept it out may pass. Whether it is to be taken again.
    pub(crate) fn note(&mut self, trial: &Trial, may_pass: bool) -> bool {
        let slot = Slot {
            variant: trial.variant.clone(),
            again: trial.again,
            group: trial.group,
        };
        let place = (trial.block, slot);
        self.again.remove(&place);
        self.done.insert(place.clone());
        let lost = matches!(trial.outcome, Outcome::Failed(_));
        if !lost {
            self.served.insert(trial.variant.clone());
        }
        let again = may_pass && trial.attempt < AGAIN && !self.beyond_help.contains(&trial.variant);
        if again {
            self.again.insert(place, trial.attempt + 1);
        } else if lost {
            self.broken.insert(trial.variant.clone());
        } else if may_pass {
            self.beyond_help.insert(trial.variant.clone());
        }
        again
    }

    /// The blocks of which something is left that was never tried.
    pub(crate) fn left(&self, plan: &Plan) -> Vec<Block> {
        let of_block = |number| {
            let stress = plan.stress_in(number);
            Block {
                number,
                stress,
                for_reasons: stress.is_none() && self.looks.for_reasons(number),
                slots: self.slots(plan, number, &self.done),
            }
        };
        let blocks = (0..plan.all_blocks()).map(of_block);
        blocks.filter(|block| !block.slots.is_empty()).collect()
    }

    /// The trials that a block has beside those that are `done`, in order, each with its place: those of variants that work
    /// and that no look has left out. Behind them is the baseline, once for each group that they make and that has none.
    pub(crate) fn slots(&self, plan: &Plan, block: u32, done: &Done) -> Vec<(u32, Slot)> {
        let works = |slot: &Slot| !self.broken.contains(&slot.variant);
        let is_for = |(_, slot): &(u32, Slot)| {
            let is_open = taken(done, block, slot).next().is_none();
            is_open && works(slot) && self.looks.need(plan, block, slot)
        };
        let slots = (0..).zip(order(plan, block));
        let mut slots: Vec<(u32, Slot)> = slots.filter(is_for).collect();
        let more = more_baselines(plan, block, &slots, done).into_iter();
        let more = more.filter(works).filter_map(|slot| {
            let place = place(plan, block, &slot)?;
            Some((place, slot))
        });
        slots.extend(more);
        slots
    }

    /// What is to be taken again: block by block, what was tried least first, in the order of the block.
    pub(crate) fn again(&self, plan: &Plan) -> Vec<Again> {
        let wanted = self.again.iter();
        let wanted = wanted.filter(|((_, slot), _)| !self.broken.contains(&slot.variant));
        let mut again: Vec<Again> = wanted
            .filter_map(|((block, slot), attempt)| {
                Some(Again {
                    block: *block,
                    position: place(plan, *block, slot)?,
                    slot: slot.clone(),
                    attempt: *attempt,
                })
            })
            .collect();
        again.sort_by_key(|of| (of.block, of.attempt, of.position));
        again
    }

    pub(crate) fn all_broken(&self, plan: &Plan) -> bool {
        plan.variants
            .iter()
            .all(|variant| self.broken.contains(&variant.name))
    }

    /// How many trials are stored, one that was taken again once.
    pub(crate) fn done(&self) -> u64 {
        self.done.len() as u64
    }

    /// Whether a trial of this variant failed for good, so that it is left out.
    pub(crate) fn is_broken(&self, variant: &str) -> bool {
        self.broken.contains(variant)
    }

    /// Whether a trial of this variant has been loaded.
    pub(crate) fn has_served(&self, variant: &str) -> bool {
        self.served.contains(variant)
    }
}

/// The baseline once for each group into which trials of a block are divided, but for those that have it: the first has the
/// usual one, if that is among them, and needs none if there is no other.
fn more_baselines(plan: &Plan, block: u32, slots: &[(u32, Slot)], done: &Done) -> Vec<Slot> {
    let usual = Slot {
        variant: plan.baseline.clone(),
        again: false,
        group: 0,
    };
    let takes_turns = |(_, slot): &&(u32, Slot)| {
        let variant = plan.variant(&slot.variant);
        !slot.is_baseline(plan) && variant.is_some_and(|of| plan.can_be_cut(of))
    };
    let groups = match plan.stress_in(block) {
        Some(_) => 0,
        None => plan.groups_of(slots.iter().filter(takes_turns).count()),
    };
    let last = taken(done, block, &usual).next_back();
    let next = last.map_or(0, |(_, last)| last.group + 1);
    let has_usual = slots.iter().any(|(_, slot)| *slot == usual);
    let first_is_there = next == 0 && (has_usual || groups == 1);
    let numbers = next + u32::from(first_is_there)..next + groups;
    let of_group = |group| Slot {
        group,
        ..usual.clone()
    };
    numbers.map(of_group).collect()
}

/// The trials of a block that are done and have this slot, in whatever group.
fn taken<'a>(
    done: &'a Done,
    block: u32,
    slot: &Slot,
) -> impl DoubleEndedIterator<Item = &'a (u32, Slot)> {
    let in_group = |group| {
        let slot = slot.clone();
        (block, Slot { group, ..slot })
    };
    done.range(in_group(0)..=in_group(u32::MAX))
}

/// The place of a trial in the order of a block; that of a further instance of the baseline is behind it.
fn place(plan: &Plan, block: u32, slot: &Slot) -> Option<u32> {
    let order = order(plan, block);
    if slot.is_baseline(plan) && slot.group > 0 {
        return Some(order.len() as u32 + slot.group - 1);
    }
    let same = |of: &Slot| of.variant == slot.variant && of.again == slot.again;
    Some(order.iter().position(same)? as u32)
}

#[cfg(test)]
mod tests;
