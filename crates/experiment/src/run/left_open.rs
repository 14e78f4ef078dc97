//! A look at a run that is under way: what later blocks leave out, and what they will most likely leave open.

use crate::error::ExperimentError;
use crate::run::active::ActiveRun;
use crate::run::lab::News;
use crate::run::trials::Trials;

/// How many times the blocks of the run a question takes that is told before it is given up: what few blocks say of that number
/// is rough.
const BEYOND: u32 = 2;

impl<T: Trials> ActiveRun<'_, '_, T> {
    /// Leaves out of later blocks what the plan no longer asks for, when a look is due; whether one was.
    pub(super) fn look(&mut self, news: &mut dyn FnMut(&News)) -> Result<bool, ExperimentError> {
        let Some(blocks) = self.progress.look_is_due(&self.run.plan) else {
            return Ok(false);
        };
        let trials = self.lab.store.trials(self.run.id)?;
        let mut looked = self.progress.look(&self.run, &trials, blocks);
        looked.of = self.in_all();
        let beyond = looked.of.saturating_mul(BEYOND);
        looked.open.retain(|of| of.given_up || of.blocks > beyond);
        let changed = looked.settled || looked.for_reasons || !looked.without.is_empty();
        if changed || !looked.open.is_empty() {
            news(&News::Looked(looked));
        }
        Ok(true)
    }

    /// Blocks that the run comes to at most: those of the plan for which there is time. A run that is left for later goes on
    /// with all of them.
    fn in_all(&self) -> u32 {
        let plan = &self.run.plan;
        if self.course.until.is_some() {
            return plan.blocks;
        }
        let left = self.progress.left(plan);
        let outlook = self.course.outlook(plan, &left, &[], (self.clock)());
        outlook.blocks
    }
}
