//! What of a run fits its time: whole blocks, as long as one more fits. No clock in here: time is handed in.

use record::{Cut, Plan, Stress};

use crate::run::forecast::Forecast;
use crate::run::order::Slot;

/// How a run stands to its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// Trials to come, as far as there is thought to be time for them.
    pub trials: u64,
    /// The same, with those of stress that come last and for which there may be no time: no more than that are taken,
    /// unless more blocks fit than is thought.
    pub most: u64,
    /// Seconds until the last of them has ended.
    pub left: f64,
    /// Blocks that will be run, those that are included.
    pub blocks: u32,
    /// Blocks that are wanted: the plan's, or those after which it is left for later.
    pub of: u32,
    /// Seconds of the whole run if all of these were run: what is spent among them, and no stress.
    pub all: f64,
    /// Whether it may end before its last block: as soon as what is asked of it is decided, or as its time is over.
    pub at_most: bool,
    /// Seconds that the whole run was given, if it was.
    pub budget: Option<f64>,
}

/// A block of which something is left.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Its number, 0-based.
    pub(crate) number: u32,
    /// What is left of it, in order, each with its place in the block.
    pub(crate) slots: Vec<(u32, Slot)>,
    /// What it adds to the usual load, if it is a block of stress: its windows have a length of their own.
    pub(crate) stress: Option<Stress>,
    /// Whether it is for nothing but the reasons of claims that do not hold.
    pub(crate) for_reasons: bool,
}

/// How many times as long as is thought trials may take.
const LONGER: f64 = 2.0;

/// How many times its budget a run may last for the rest of a block that was begun in time.
const OVERRUN: f64 = 1.1;

/// The time of a run: what its trials are thought to take, and what it was given.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) budget: Option<f64>,
    /// Seconds by which it may go beyond its budget, so that a slow trial at its end takes no block away.
    pub(crate) beyond: f64,
    /// Blocks after which it ends.
    pub(crate) until: Option<u32>,
    /// Whether it ends before blocks that are for reasons.
    pub(crate) without_reasons: bool,
    pub(crate) forecast: Forecast,
}

impl Course {
    /// How many of these blocks fit, one after the other, when so many seconds are spent.
    fn fitting(&self, blocks: &[Block], spent: f64) -> usize {
        let mut end = spent;
        let fits = |block: &&Block| {
            end += self.seconds(block);
            self.wants(block) && self.is_in_time(end)
        };
        blocks.iter().take_while(fits).count()
    }

    fn wants(&self, block: &Block) -> bool {
        let later = self.without_reasons && block.for_reasons;
        !later && self.until.is_none_or(|until| block.number < until)
    }

    fn seconds(&self, block: &Block) -> f64 {
        self.taking(block.stress, block.slots.iter().map(|(_, slot)| slot))
    }

    /// Seconds of these trials of one block, which may be of stress.
    fn taking<'a>(&self, stress: Option<Stress>, slots: impl Iterator<Item = &'a Slot>) -> f64 {
        match stress {
            Some(stress) => self.forecast.under_stress(stress, slots.count()),
            None => self.forecast.seconds(slots),
        }
    }

    /// When it ends at the latest, in seconds since it began.
    fn limit(&self) -> Option<f64> {
        self.budget.map(|budget| budget + self.beyond)
    }

    /// Whether what ends then ends in time.
    fn is_in_time(&self, end: f64) -> bool {
        self.limit().is_none_or(|limit| end <= limit)
    }

    /// Whether the next of these blocks is begun. The first of a run always is, and is run whole: without it
    /// there is nothing to see.
    pub(crate) fn begins(&self, plan: &Plan, blocks: &[Block], spent: f64) -> bool {
        is_first(plan, blocks) || self.fitting(blocks, spent) > 0
    }

    /// Whether there is time for these trials, the next ones of the first of these blocks, or nearly. A block that was begun
    /// goes on as long as there is: the half of one is time for nothing.
    pub(crate) fn has_time_for<'a>(
        &self,
        plan: &Plan,
        blocks: &[Block],
        slots: impl Iterator<Item = &'a Slot>,
        spent: f64,
    ) -> bool {
        let stress = blocks.first().and_then(|block| block.stress);
        let end = spent + self.taking(stress, slots);
        let is_near = || self.budget.is_some_and(|budget| end <= budget * OVERRUN);
        is_first(plan, blocks) || self.is_in_time(end) || is_near()
    }

    /// Whether there is time for trials that the plan does not have yet, and may be given.
    pub(crate) fn has_time_for_more(&self, slots: &[Slot], spent: f64) -> bool {
        self.is_in_time(spent + self.forecast.seconds(slots))
    }

    /// Whether trials can be taken again and as many of these blocks fit as without them.
    pub(crate) fn has_time_besides<'a>(
        &self,
        blocks: &[Block],
        slots: impl IntoIterator<Item = &'a Slot>,
        spent: f64,
    ) -> bool {
        let after = spent + self.forecast.seconds(slots);
        let as_many = || self.fitting(blocks, after) == self.fitting(blocks, spent);
        self.budget.is_none() || (self.is_in_time(after) && as_many())
    }

    /// Seconds of all that is wanted of these blocks, but for stress, which has what they leave.
    fn wanted(&self, blocks: &[Block]) -> f64 {
        let counts = |block: &&Block| block.stress.is_none() && self.wants(block);
        let wanted = blocks.iter().filter(counts);
        wanted.map(|block| self.seconds(block)).sum()
    }

    /// What is to be expected when these blocks are left, the first of which is under way or next, and these
    /// trials are taken `again`.
    pub(crate) fn outlook(
        &self,
        plan: &Plan,
        blocks: &[Block],
        again: &[Slot],
        spent: f64,
    ) -> Outlook {
        let least = usize::from(blocks.first().is_some_and(|of| self.wants(of)));
        let fitting = self.fitting(blocks, spent).max(least).min(blocks.len());
        let run = &blocks[..fitting];
        let left: f64 = run.iter().map(|block| self.seconds(block)).sum();
        let again_left = self.forecast.seconds(again);
        let left = left + again_left;
        let wanted = self.wanted(blocks) + again_left;
        let ends = self
            .limit()
            .filter(|_| !is_first(plan, blocks) || fitting > 1);
        let of = self.until.unwrap_or(plan.blocks).min(plan.blocks);
        let count =
            |blocks: &[Block]| -> u64 { blocks.iter().map(|block| block.slots.len() as u64).sum() };
        // stress has the time that blocks leave: all of it may fit where all of these do
        let rest = &blocks[fitting..];
        let only_stress = rest.iter().all(|block| block.stress.is_some());
        let stress = if only_stress && self.until.is_none() {
            count(rest)
        } else {
            0
        };
        let trials = count(run) + again.len() as u64;
        Outlook {
            trials,
            most: trials + stress,
            left: ends.map_or(left, |end| left.min((end - spent).max(0.0))),
            blocks: of.min(plan.all_blocks() - (blocks.len() - fitting) as u32),
            of,
            all: spent + wanted,
            at_most: plan.looks().is_some_and(|at_least| at_least < of)
                || !self.is_in_time(spent + LONGER * wanted),
            budget: self.budget,
        }
    }

    /// What is left out when the run ends here, with these blocks left.
    pub(crate) fn cut(
        &self,
        plan: &Plan,
        blocks: &[Block],
        whole: &[Slot],
        spent: f64,
    ) -> Option<Cut> {
        let next = blocks.first().filter(|of| of.stress.is_none())?;
        let budget = self.budget.or(self.until.map(|_| spent))?;
        let trials = whole.len().saturating_sub(next.slots.len());
        Some(Cut {
            budget,
            spent,
            blocks: plan.all_blocks() - blocks.len() as u32,
            trials: trials as u32,
            block: self.forecast.seconds(whole),
        })
    }
}

/// Whether no block of the plan is whole yet.
fn is_first(plan: &Plan, blocks: &[Block]) -> bool {
    blocks.len() as u32 == plan.all_blocks()
}

#[cfg(test)]
mod tests;
