//! How long a run will take, by one look at how its app starts and answers.

use std::time::Instant;

use record::{Amount, Load, Plan, Shape, WarmUpPlan};
use stack::{Composition, Reference, StackError};

use crate::error::ExperimentError;
use crate::references::bare;
use crate::run::{Lab, News};

/// Looks at the app's answers; the first one after a start is often slow.
const LOOKS: usize = 3;

/// Seconds of a trial besides: the load engine's start and end, and often a front end's.
const BESIDES: f64 = 0.4;

/// Seconds that each further program of a stage takes to start and to stop.
const PROGRAM: f64 = 0.2;

/// What one stage of an app took.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Seconds to start it, compare its answers, and stop it.
    around: f64,
    /// Seconds for one answer.
    answer: f64,
}

impl Pace {
    /// Where nobody has looked: a small app in a scripting language.
    pub(crate) const GUESS: Self = Self {
        around: 0.6,
        answer: 0.005,
    };

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
        let (pace, _) = Self::and_reference(lab, &composition, plan.app.routes.len())?;
        Ok(pace)
    }

    /// Starts it, asks for its answers, which are looked at for their routes, and stops it.
    pub(crate) fn and_reference(
        lab: &Lab,
        composition: &Composition,
        routes: usize,
    ) -> Result<(Self, Reference), StackError> {
        let began = Instant::now();
        let running = stack::start(composition, &lab.options())?;
        let mut reference = running.reference()?;
        let mut fastest = f64::INFINITY;
        for _ in 1..LOOKS {
            let asked = Instant::now();
            reference = running.reference()?;
            fastest = fastest.min(asked.elapsed().as_secs_f64());
        }
        running.stop()?;
        // a reference asks for each route twice
        let answers = 2 * routes.max(1);
        let pace = Self {
            around: began.elapsed().as_secs_f64(),
            answer: fastest / answers as f64,
        };
        Ok((pace, reference))
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
        self.around + self.of_load(&plan.load)
    }

    /// Seconds that a trial of a stage will take, about: each program that there is beside the first takes some
    /// time too.
    pub(crate) fn of_stage(&self, plan: &Plan, stage: &record::Stage) -> f64 {
        let programs = stage.server.iter().chain(&stage.fronts);
        let programs: u32 = programs.map(|program| program.instances).sum();
        let beside = f64::from(programs.saturating_sub(1)) * PROGRAM;
        self.around + beside + self.of_load(plan.load_of(stage))
    }

    /// Seconds from a start to the end of a stop.
    pub(crate) fn of_start(&self) -> f64 {
        self.around
    }

    fn of_load(&self, load: &Load) -> f64 {
        let each = match &load.shape {
            Shape::Open(arrivals) if arrivals.mean_rate() > 0.0 => 1.0 / arrivals.mean_rate(),
            _ => self.answer,
        };
        let measured = match load.amount {
            Amount::Requests(requests) => requests as f64 * each,
            Amount::Seconds(seconds) => seconds,
        };
        let warm_up = match load.warm_up {
            WarmUpPlan::Requests(requests) => requests as f64 * each,
            WarmUpPlan::Seconds(seconds) | WarmUpPlan::Stationary(seconds) => seconds,
            WarmUpPlan::None => 0.0,
        };
        // the last answers are waited for: those of a server that works on one at a time come one by one
        let last = f64::from(load.connections) * self.answer;
        let drain = if load.shape.is_open() {
            0.0
        } else {
            last.min(load.timeout)
        };
        BESIDES + measured + warm_up + drain
    }
}
