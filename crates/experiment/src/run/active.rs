//! The trials of a run that is under way: block by block, and what was put aside or lost once more.

use std::collections::BTreeSet;
use std::sync::Arc;

use record::{App, Cut, Outcome, Plan, Run, Trial};

use crate::error::ExperimentError;
use crate::run::again::may_pass;
use crate::run::budget::{Block, Course};
use crate::run::estimate;
use crate::run::groups;
use crate::run::lab::{Lab, News};
use crate::run::order::Slot;
use crate::run::progress::{Again, Done, RunProgress};
use crate::run::quiet::Quiet;
use crate::run::trials::{Taken, Trials};
use crate::search::refine::{added, is_open, refined};

/// A run under way.
pub(crate) struct ActiveRun<'a, 'lab, T> {
    pub(crate) lab: &'a mut Lab<'lab>,
    /// Its plan has rates once their capacity is known, and grows when points are added to its sweeps.
    pub(crate) run: Arc<Run>,
    pub(crate) progress: RunProgress,
    pub(crate) trials: T,
    pub(crate) course: Course,
    /// Seconds since it began.
    pub(crate) clock: Box<dyn Fn() -> f64>,
    /// Why a trial was lost that is to be taken again.
    pub(crate) lost: Option<ExperimentError>,
    /// Variants whose windows cannot be cut, as far as that was seen.
    pub(crate) whole: BTreeSet<String>,
    /// How quiet the machine was when that was last known, and how long that was waited for.
    pub(crate) quiet: Quiet,
}

impl<T: Trials> ActiveRun<'_, '_, T> {
    /// All blocks for which there is time; what was left out, if there was not time for all.
    pub(crate) fn blocks(
        &mut self,
        news: &mut dyn FnMut(&News),
    ) -> Result<Option<Cut>, ExperimentError> {
        self.know_capacity(news)?;
        self.tell(news);
        loop {
            let left = self.progress.left(&self.run.plan);
            let again = self.next_again(&left);
            if !again.is_empty() {
                self.wait_for_quiet(news)?;
                self.trials(&again, news)?;
                continue;
            }
            if left.first().is_none_or(|block| block.number > 0) && self.refine(news)? {
                continue;
            }
            if self.look(news)? {
                continue;
            }
            let plan = &self.run.plan;
            let Some(block) = left.first() else {
                return self.ended(None);
            };
            if !self.course.begins(plan, &left, self.spent()) {
                return self.ended(self.cut(&left));
            }
            if !self.block(block.number, news)? {
                let left = self.progress.left(&self.run.plan);
                return self.ended(self.cut(&left));
            }
        }
    }

    /// What is left of a block; whether there was time for all of it.
    fn block(&mut self, block: u32, news: &mut dyn FnMut(&News)) -> Result<bool, ExperimentError> {
        self.wait_for_quiet(news)?;
        loop {
            let plan = &self.run.plan;
            let left = self.progress.left(plan);
            let under_way = left.iter().find(|of| of.number == block);
            let rest = under_way.map_or_else(Vec::new, first_attempts);
            let group = groups::next(plan, &rest, &self.whole);
            if group.is_empty() {
                return Ok(true);
            }
            let slots = group.iter().map(|what| &what.slot);
            if !self.course.has_time_for(plan, &left, slots, self.spent()) {
                return Ok(false);
            }
            self.trials(&group, news)?;
        }
    }

    /// The trials that are to be taken again now: when their block has been through, unless a block would have to
    /// be left out for them. Then they wait until no block is left, or none fits.
    fn next_again(&self, left: &[Block]) -> Vec<Again> {
        let plan = &self.run.plan;
        let mut again = self.progress.again(plan);
        let Some(block) = again.first().map(|first| first.block) else {
            return again;
        };
        again.retain(|of| of.block == block);
        let again = groups::next(plan, &again, &self.whole);
        let under_way = left.first().is_some_and(|of| of.number == block);
        let slots = again.iter().map(|of| &of.slot);
        let time = self.course.has_time_besides(left, slots, self.spent());
        if under_way || !time {
            return Vec::new();
        }
        again
    }

    /// The end of a run. A trial that was lost and never taken again, as there was no time, is lost for good.
    fn ended(&mut self, cut: Option<Cut>) -> Result<Option<Cut>, ExperimentError> {
        let plan = &self.run.plan;
        let lost = self.lost.take_if(|_| !self.progress.again(plan).is_empty());
        let nothing = !plan
            .variants
            .iter()
            .any(|variant| self.progress.has_served(&variant.name));
        match lost {
            Some(error) if !plan.keep_going || nothing => Err(error),
            _ => Ok(cut),
        }
    }

    /// Adds to the plan the points that its sweeps leave to the first block, once that is whole; whether any were
    /// decided. Where there is no time for them they are left to whoever resumes the run.
    fn refine(&mut self, news: &mut dyn FnMut(&News)) -> Result<bool, ExperimentError> {
        let to_come = estimate::to_come(&self.run.plan);
        let time = self.course.has_time_for_more(&to_come, self.spent());
        if !is_open(&self.run.plan) || !time {
            return Ok(false);
        }
        let plan = refined(&self.run, &self.lab.store.trials(self.run.id)?);
        let trials = plan.trials() - self.run.plan.trials();
        self.replan(plan)?;
        news(&News::Refined {
            variants: added(&self.run.plan).map(str::to_owned).collect(),
            trials,
        });
        Ok(true)
    }

    /// Goes on with this plan, which is stored.
    pub(super) fn replan(&mut self, plan: Plan) -> Result<(), ExperimentError> {
        self.lab.store.replan(self.run.id, &plan)?;
        let app_times = |app: &App| self.trials.app_times(app);
        let known = estimate::forecast(&plan, self.lab.store, self.lab.place.machine, app_times)?;
        self.course.forecast.learn(known);
        let run = Run::clone(&self.run);
        self.run = Arc::new(Run { plan, ..run });
        Ok(())
    }

    /// Takes these trials of one block, or the first of them if there is no room for all.
    fn trials(
        &mut self,
        group: &[Again],
        news: &mut dyn FnMut(&News),
    ) -> Result<(), ExperimentError> {
        let run = Arc::clone(&self.run);
        self.check_interrupted()?;
        let begun = self.spent();
        let taken = self.trials.take(&self.lab.place, &run, group, news);
        let seconds = self.spent() - begun;
        self.check_interrupted()?;
        for one in taken {
            let load = one.trial.measured().map(|of| &of.load);
            if group.len() > 1 && load.is_some_and(|load| load.slices.is_none()) {
                self.whole.insert(one.trial.variant.clone());
            }
            let took = one.seconds.unwrap_or(seconds);
            self.ended_trial(one, took, news)?;
        }
        Ok(())
    }

    fn ended_trial(
        &mut self,
        taken: Taken,
        seconds: f64,
        news: &mut dyn FnMut(&News),
    ) -> Result<(), ExperimentError> {
        let run = Arc::clone(&self.run);
        let plan = &run.plan;
        let (done, error) = (taken.trial, taken.error);
        self.lab.store.save(&done)?;
        let stress = plan.stress_in(done.block);
        let stressed = stress.is_some();
        if let Some(stress) = stress {
            self.course.forecast.stress_ended(stress, seconds);
        } else {
            self.course.forecast.ended(&done.variant, seconds);
        }
        self.quiet.note(&self.run, &done);
        let transient = self.transient(&done, error.as_ref());
        let was_broken = self.progress.is_broken(&done.variant);
        let again = self.progress.note(&done, transient.is_some());
        news(&News::Stored(Box::new(done)));
        if let Some(because) = transient.filter(|_| again) {
            let by = self.quiet.by.clone();
            news(&News::PutAside { because, by });
        }
        self.tell(news);
        match error {
            Some(error) if again => self.lost = Some(error),
            // that it was felled is what a trial under stress is for
            Some(_) if stressed => {}
            Some(error) if !plan.keep_going || self.progress.all_broken(plan) => return Err(error),
            Some(error) if !was_broken => {
                if let Some(hint) = error.hint() {
                    news(&News::LeftOut(hint));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What kept a trial out, if that may pass.
    fn transient(&self, trial: &Trial, error: Option<&ExperimentError>) -> Option<String> {
        match &trial.outcome {
            Outcome::Measured(_) => Some(judge::transient(&self.run, trial)?.because),
            Outcome::Failed(failure) => {
                let served = self.progress.has_served(&trial.variant);
                let passes = error.is_some_and(|error| may_pass(error, served));
                passes.then(|| failure.error.clone())
            }
        }
    }

    pub(super) fn check_interrupted(&self) -> Result<(), ExperimentError> {
        if self.lab.place.is_interrupted() {
            return Err(interrupted(&self.run, &self.progress));
        }
        Ok(())
    }

    fn tell(&self, news: &mut dyn FnMut(&News)) {
        let plan = &self.run.plan;
        let (left, again) = (self.progress.left(plan), self.progress.again(plan));
        let again: Vec<_> = again.into_iter().map(|of| of.slot).collect();
        if !left.is_empty() || !again.is_empty() {
            let outlook = self.course.outlook(plan, &left, &again, self.spent());
            news(&News::Outlook(outlook));
        }
    }

    fn cut(&self, left: &[Block]) -> Option<Cut> {
        let plan = &self.run.plan;
        let next = left.first()?;
        let slots = self.progress.slots(plan, next.number, &Done::new());
        let whole: Vec<_> = slots.into_iter().map(|(_, slot)| slot).collect();
        self.course.cut(plan, left, &whole, self.spent())
    }

    fn spent(&self) -> f64 {
        (self.clock)()
    }
}

/// What is left of a block, each to be tried for the first time.
fn first_attempts(block: &Block) -> Vec<Again> {
    let first = |(position, slot): &(u32, Slot)| Again {
        block: block.number,
        position: *position,
        slot: slot.clone(),
        attempt: 0,
    };
    block.slots.iter().map(first).collect()
}

/// The user ended the run.
pub(crate) fn interrupted(run: &Run, progress: &RunProgress) -> ExperimentError {
    ExperimentError::Interrupted {
        run: run.id,
        done: progress.done(),
        planned: run.plan.trials(),
    }
}

#[cfg(test)]
pub(crate) mod tests;
