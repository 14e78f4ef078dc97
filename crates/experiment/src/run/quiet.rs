//! Waiting for the machine to be quiet, before a block and within bounds.

use judge::DoubtKind;
use record::{Others, Run, Trial};

use crate::error::ExperimentError;
use crate::run::active::ActiveRun;
use crate::run::lab::News;
use crate::run::trials::Trials;

/// Seconds of a look at what other programs take.
const LOOK: f64 = 0.5;
/// Share of the machine that they may take when a block begins.
const BEARABLE: f64 = 0.1;
/// Seconds that each is put off at most, and all of a run.
const BLOCK: f64 = 20.0;
const RUN: f64 = 60.0;
/// Share of a budget that is spent on it at most.
const OF_BUDGET: f64 = 0.05;

/// How quiet the machine is, as far as the last trial has shown it.
#[derive(Debug, Default)]
pub(crate) struct Quiet {
    /// Whether the last trial was disturbed.
    disturbed: bool,
    /// Seconds that were waited.
    waited: f64,
}

impl Quiet {
    /// Notes how a trial was disturbed.
    pub(crate) fn note(&mut self, run: &Run, trial: &Trial) {
        let doubt = judge::transient(run, trial);
        self.disturbed = doubt.is_some_and(|doubt| doubt.kind == DoubtKind::Disturbed);
    }
}

impl<T: Trials> ActiveRun<'_, '_, T> {
    /// Puts a block, or a trial that is taken again, off while other programs take more than it bears, where the last
    /// trial was disturbed.
    pub(crate) fn wait_for_quiet(
        &mut self,
        news: &mut dyn FnMut(&News),
    ) -> Result<(), ExperimentError> {
        if self.run.plan.shared || !self.quiet.disturbed {
            return Ok(());
        }
        let most = self
            .course
            .budget
            .map_or(RUN, |budget| OF_BUDGET * budget)
            .min(RUN);
        let until = (self.quiet.waited + BLOCK).min(most);
        while self.quiet.waited + LOOK <= until {
            self.check_interrupted()?;
            let Some(others) = self.trials.others(LOOK).filter(is_loud) else {
                self.quiet.disturbed = false;
                break;
            };
            self.quiet.waited += LOOK;
            let at_most = until - self.quiet.waited;
            news(&News::Waiting { others, at_most });
        }
        Ok(())
    }
}

fn is_loud(others: &Others) -> bool {
    others.share > BEARABLE
}
