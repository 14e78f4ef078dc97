//! How long a run will take, by one look at how its app starts and answers.

use std::time::Instant;

use observe::Watch;
use record::{Amount, Load, Moment, Plan, Shape, Variant, WarmUpPlan};
use stack::{Composition, Machine, Reference, StackError};

use crate::error::ExperimentError;
use crate::run::again::AGAIN;
use crate::run::bare::bare;
use crate::run::lab::{Lab, News};

/// Looks at the app's answers; the first one after a start is often slow.
const LOOKS: usize = 3;

/// Seconds of a trial besides: the load engine's start and end, and often a front end's.
const BESIDES: f64 = 0.4;

/// Seconds that each further program of a variant takes to start and to stop.
const PROGRAM: f64 = 0.2;

/// What one variant of an app took.
#[derive(Clone, Copy, Debug)]
pub struct AppTimes {
    /// Seconds to start it, compare its answers, and stop it.
    around: f64,
    /// Seconds for one answer, alone.
    answer: f64,
    /// Seconds of CPU time of its programs for one answer: the rest it waits, and may wait for many at once.
    cpu: f64,
}

/// What a variant's app server does at once.
#[derive(Clone, Copy, Debug)]
pub struct AtOnce {
    /// Requests that it works on; `None` where nothing bounds them.
    pub requests: Option<f64>,
    /// Cores that it has for them.
    pub cores: u32,
}

/// What each variant does at once.
pub type Slots<'a> = &'a dyn Fn(&Variant) -> AtOnce;

/// The same as the catalogue's entries say. A variant that cannot be composed is left to the check of its plan.
pub fn slots<'a>(plan: &'a Plan, machine: &'a Machine) -> impl Fn(&Variant) -> AtOnce + 'a {
    |variant| {
        let composition = machine.compose(variant, plan.app_of(variant)).ok();
        let slots = composition.and_then(|composition| stack::slots(&composition).ok()?);
        AtOnce {
            requests: slots,
            cores: machine.cores(),
        }
    }
}

impl AppTimes {
    /// Where nobody has looked: a small app in a scripting language.
    pub(crate) const GUESS: Self = Self {
        around: 0.6,
        answer: 0.005,
        cpu: 0.005,
    };

    /// Sets the app up, starts the first app server of the plan that can be started, asks it, and stops
    /// it. What an app answers it answers behind every server, so that a wrong response ends it; and no other server
    /// is started when the lab's budget is spent.
    ///
    /// # Errors
    /// A setup command that fails; an answer that is not the expected one; when no app server starts, what the
    /// first one said.
    pub fn look(
        lab: &Lab,
        plan: &Plan,
        news: &mut dyn FnMut(&News),
    ) -> Result<Self, ExperimentError> {
        if !plan.app.setup.is_empty() {
            news(&News::Setup);
            stack::setup(&plan.app, &lab.guard, lab.interrupted)?;
        }
        let began = Instant::now();
        let mut failure = None;
        for variant in plan
            .variants
            .iter()
            .filter(|variant| variant.server.is_some())
        {
            let spent = began.elapsed().as_secs_f64();
            if failure.is_some() && lab.budget.is_some_and(|budget| spent > budget) {
                break;
            }
            news(&News::Reference(variant.title.clone()));
            match Self::of(lab, plan, variant) {
                Ok(app_times) => return Ok(app_times),
                Err(StackError::Interrupted) => return Err(StackError::Interrupted.into()),
                Err(error @ StackError::WrongAnswer { .. }) => {
                    return Err(ExperimentError::of(variant)(error));
                }
                Err(error) => {
                    failure.get_or_insert_with(|| ExperimentError::of(variant)(error));
                }
            }
        }
        Err(failure.unwrap_or_else(|| StackError::Interrupted.into()))
    }

    fn of(lab: &Lab, plan: &Plan, variant: &Variant) -> Result<Self, StackError> {
        let composition = bare(lab, plan, variant)?;
        let (app_times, _) = Self::and_reference(lab, &composition, plan.app.routes.len())?;
        Ok(app_times)
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
        let mut watch = Watch::of_stack(running.guardians(), Vec::new());
        let mut fastest = f64::INFINITY;
        watch.open();
        for _ in 1..LOOKS {
            let asked = Instant::now();
            reference = running.reference()?;
            fastest = fastest.min(asked.elapsed().as_secs_f64());
        }
        watch.close();
        running.stop()?;
        // a reference asks for each route twice
        let answers = 2 * routes.max(1);
        let own = std::process::id();
        let costs = watch.seen(Moment::now()).processes;
        let cpu: f64 = costs
            .iter()
            .filter(|of| of.pid != own)
            .map(|of| of.cpu_user + of.cpu_system)
            .sum();
        let app_times = Self {
            around: began.elapsed().as_secs_f64(),
            answer: fastest / answers as f64,
            cpu: cpu / (answers * (LOOKS - 1)) as f64,
        };
        Ok((app_times, reference))
    }

    /// Seconds that a plan will take, about.
    pub fn of_run(&self, plan: &Plan, slots: Slots) -> f64 {
        let block: f64 = plan
            .variants
            .iter()
            .map(|variant| turns(plan, variant) * self.of_variant(plan, variant, slots))
            .sum();
        f64::from(plan.blocks) * block
    }

    /// How many of these variants of a plan, the first ones, fit into this many seconds, with time for a trial that
    /// is taken again.
    pub fn fitting(&self, plan: &Plan, variants: &[&Variant], slots: Slots, budget: f64) -> usize {
        let mut spent = 0.0;
        let fits = |variant: &&&Variant| {
            let trial = self.of_variant(plan, variant, slots);
            spent += f64::from(plan.blocks) * turns(plan, variant) * trial;
            spent + f64::from(AGAIN) * trial <= budget
        };
        variants.iter().take_while(fits).count()
    }

    /// Seconds that a trial of a variant will take, about: each program that there is beside the first takes some
    /// time too.
    pub(crate) fn of_variant(&self, plan: &Plan, variant: &Variant, slots: Slots) -> f64 {
        let programs = variant.server.iter().chain(&variant.fronts);
        let programs: u32 = programs.map(|program| program.instances).sum();
        let beside = f64::from(programs.saturating_sub(1)) * PROGRAM;
        self.around + beside + self.of_load(plan.load_of(variant), slots(variant))
    }

    /// Seconds from a start to the end of a stop.
    pub(crate) fn of_start(&self) -> f64 {
        self.around
    }

    fn of_load(&self, load: &Load, slots: AtOnce) -> f64 {
        let at_once = slots.requests.unwrap_or(f64::INFINITY).max(1.0);
        let at_once = at_once.min(f64::from(load.connections.max(1)));
        let each = match &load.shape {
            Shape::Open(arrivals) if arrivals.mean_rate() > 0.0 => 1.0 / arrivals.mean_rate(),
            _ => self.each(at_once, slots),
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
        let last = f64::from(load.connections) * self.each(at_once, slots);
        let drain = if load.shape.is_open() {
            0.0
        } else {
            last.min(load.timeout)
        };
        BESIDES + measured + warm_up + drain
    }

    /// Seconds from one answer to the next: what an answer waits for passes for as many `at_once`, and what it
    /// works for does so on as many cores as there are workers. Where nothing says how many, one works.
    fn each(&self, at_once: f64, slots: AtOnce) -> f64 {
        let workers = slots.requests.unwrap_or(1.0);
        let cores = workers.min(f64::from(slots.cores)).max(1.0);
        (self.answer / at_once).max(self.cpu / cores)
    }
}

/// How often a variant runs in a block.
fn turns(plan: &Plan, variant: &Variant) -> f64 {
    let twin = plan.noise_floor.as_ref() == Some(&variant.name);
    if twin { 2.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It sleeps for 50 ms in each answer, and works for one.
    const SLEEPER: AppTimes = AppTimes {
        around: 1.0,
        answer: 0.05,
        cpu: 0.001,
    };

    fn of_two_cores(requests: Option<f64>) -> AtOnce {
        AtOnce { requests, cores: 2 }
    }

    fn load() -> Load {
        Load {
            connections: 100,
            amount: Amount::Requests(1_000),
            warm_up: WarmUpPlan::Requests(200),
            ..crate::run::order::tests::plan(1, None, 6).load
        }
    }

    /// Predictions of a server that waits for one hundred at once, and what such loads took.
    #[test]
    fn an_app_that_waits_takes_as_long_as_its_server_lets_it_wait_at_once() {
        let near = |slots: Option<f64>, took: f64| {
            let thought = SLEEPER.of_load(&load(), of_two_cores(slots));
            assert!(
                (took / 1.5..took * 1.5).contains(&thought),
                "{slots:?}: {thought} s, and not {took} s"
            );
        };
        // 1,200 answers, 100 at once, each 50 ms: 0.6 s; the work of one core: 1.2 s
        near(None, 1.6);
        // four threads: 1,200 x 50 ms / 4
        near(Some(4.0), 16.0);
        // one at a time
        near(Some(1.0), 61.0);
        let few = Load {
            connections: 2,
            ..load()
        };
        let thought = SLEEPER.of_load(&few, of_two_cores(None));
        assert!(
            (30.0..33.0).contains(&thought),
            "its clients ask no faster: {thought} s"
        );
    }

    #[test]
    fn an_app_that_works_is_no_faster_for_many_at_once() {
        let worker = AppTimes {
            cpu: 0.05,
            ..SLEEPER
        };
        let thought = worker.of_load(&load(), of_two_cores(None));
        assert!(thought > 60.0, "{thought} s");
    }

    #[test]
    fn variants_fit_by_what_each_takes_with_time_to_take_one_again() {
        let mut plan = crate::run::order::tests::plan(1, Some("a"), 6);
        plan.load = load();
        let variants: Vec<&Variant> = plan.variants.iter().collect();
        let slots = |variant: &Variant| of_two_cores((variant.name == "c").then_some(1.0));
        // a and b: 2.7 s each, a twice in a block; c: 62 s
        let fitting = |budget| SLEEPER.fitting(&plan, &variants, &slots, budget);
        assert_eq!(
            fitting(36.0),
            0,
            "no time for its own twelve trials and two more"
        );
        assert_eq!(fitting(40.0), 1);
        assert_eq!(fitting(60.0), 2);
        assert_eq!(fitting(400.0), 2, "the third takes six minutes");
        assert_eq!(fitting(1_000.0), 4);
        let all = SLEEPER.of_run(&plan, &slots);
        assert!((400.0..450.0).contains(&all), "{all} s");
    }
}
