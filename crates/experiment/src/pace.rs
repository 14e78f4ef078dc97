//! How long a run will take, by one look at how its app starts and answers.

use std::time::Instant;

use record::{Amount, Plan, WarmUpPlan};
use stack::StackError;

use crate::error::ExperimentError;
use crate::references::bare;
use crate::run::{Lab, News};

/// Looks at the app's answers; the first one after a start is often slow.
const LOOKS: usize = 3;

/// Seconds of a trial besides: the load engine's start and end, and often a front end's.
const BESIDES: f64 = 0.4;

/// What one stage of an app took.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Seconds to start it, compare its answers, and stop it.
    around: f64,
    /// Seconds for one answer.
    answer: f64,
}

impl Pace {
    /// Sets the app up, starts the first app server of the plan that can be started, asks it, and stops
    /// it.
    ///
    /// # Errors
    /// A setup command that fails; when no app server starts, what the first one said.
    pub fn look(
        lab: &Lab,
        plan: &Plan,
        news: &mut dyn FnMut(&News),
    ) -> Result<Self, ExperimentError> {
        if !plan.app.setup.is_empty() {
            news(&News::Setup);
            stack::setup(&plan.app, &lab.guard, lab.interrupted)?;
        }
        let mut failure = None;
        for stage in plan.stages.iter().filter(|stage| stage.server.is_some()) {
            news(&News::Reference(stage.title.clone()));
            match Self::of(lab, plan, stage) {
                Ok(pace) => return Ok(pace),
                Err(StackError::Interrupted) => return Err(StackError::Interrupted.into()),
                Err(error) => {
                    failure.get_or_insert_with(|| crate::at(stage)(error));
                }
            }
        }
        Err(failure.unwrap_or_else(|| StackError::Interrupted.into()))
    }

    fn of(lab: &Lab, plan: &Plan, stage: &record::Stage) -> Result<Self, StackError> {
        let composition = bare(lab, plan, stage)?;
        let began = Instant::now();
        let running = stack::start(&composition, &lab.options())?;
        let mut fastest = f64::INFINITY;
        for _ in 0..LOOKS {
            let asked = Instant::now();
            running.reference()?;
            fastest = fastest.min(asked.elapsed().as_secs_f64());
        }
        running.stop()?;
        // a reference asks for each route twice
        let answers = 2 * plan.app.routes.len().max(1);
        Ok(Self {
            around: began.elapsed().as_secs_f64(),
            answer: fastest / answers as f64,
        })
    }

    /// Seconds that this many stages of a plan will take, about.
    pub fn of_run(&self, plan: &Plan, stages: usize) -> f64 {
        let twin = usize::from(plan.noise_floor.is_some());
        (stages + twin) as f64 * f64::from(plan.blocks) * self.of_trial(plan)
    }

    /// Stages of a plan that fit into this many seconds.
    pub fn fitting(&self, plan: &Plan, budget: f64) -> usize {
        let twin = usize::from(plan.noise_floor.is_some());
        let slots = budget / (f64::from(plan.blocks) * self.of_trial(plan));
        (slots as usize).saturating_sub(twin)
    }

    fn of_trial(&self, plan: &Plan) -> f64 {
        let measured = match plan.load.amount {
            Amount::Requests(requests) => requests as f64 * self.answer,
            Amount::Seconds(seconds) => seconds,
        };
        let warm_up = match plan.load.warm_up {
            WarmUpPlan::Requests(requests) => requests as f64 * self.answer,
            WarmUpPlan::Seconds(seconds) | WarmUpPlan::Stationary(seconds) => seconds,
            WarmUpPlan::None => 0.0,
        };
        self.around + BESIDES + measured + warm_up
    }
}
