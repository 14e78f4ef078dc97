//! How long a run will take, by one look at how its app starts and answers.

use std::collections::BTreeSet;
use std::time::Instant;

use observe::Watch;
use record::{Amount, Load, Moment, Plan, Shape, Stress, Variant, WarmUpPlan};
use stack::{Composition, Reference, StackError};

use crate::error::ExperimentError;
use crate::network;
use crate::run::again::AGAIN;
use crate::run::at_once::{AtOnce, Slots};
use crate::run::bare::bare;
use crate::run::first_load::{self, Cost};
use crate::run::lab::{Lab, News};
use crate::run::slices;

/// Looks at the app's answers; the first one after a start is often slow.
const LOOKS: usize = 3;

/// Seconds of a trial besides: the load engine's start and end, and often a front end's.
const BESIDES: f64 = 0.4;

/// Seconds that each further program of a variant takes to start and to stop.
const PROGRAM: f64 = 0.2;

/// What one variant of an app took.
#[derive(Clone, Debug)]
pub struct AppTimes {
    /// The variant; empty where nobody has looked.
    variant: String,
    /// Seconds that the look took, which a run takes once more, to know what is right. The app stays set up.
    before: f64,
    /// Seconds to start it, compare its answers, and stop it.
    around: f64,
    /// Seconds for one answer, alone.
    answer: f64,
    /// Seconds of CPU time of its programs for one answer: the rest it waits, and may wait for many at once.
    cpu: f64,
    /// What was seen under load, over how many connections.
    loaded: Option<(u32, Cost)>,
}

impl AppTimes {
    /// Where nobody has looked: a small app in a scripting language.
    pub(crate) const GUESS: Self = Self {
        variant: String::new(),
        before: 0.0,
        around: 0.6,
        answer: 0.005,
        cpu: 0.005,
        loaded: None,
    };

    /// Sets the app up, starts the first app server of the plan that can be started, asks it, and stops
    /// it. What an app answers it answers behind every server, so that a wrong response ends it. A server that could
    /// not be started is not tried again with other knobs or fronts, and none when the lab's budget is spent.
    ///
    /// # Errors
    /// Trials cannot take place where the plan wants them; a setup command that fails; an answer that is not the expected one; when no app server starts, what the
    /// first one said.
    pub fn look(
        lab: &Lab,
        plan: &Plan,
        news: &mut dyn FnMut(&News),
    ) -> Result<Self, ExperimentError> {
        network::check(plan)?;
        let setting_up = Instant::now();
        if !plan.app.setup.is_empty() {
            news(&News::Setup {
                at_most: stack::SETUP_LIMIT.as_secs_f64(),
            });
            stack::setup(&plan.app, &lab.place.guard, lab.place.interrupted)?;
        }
        let began = Instant::now();
        let (mut failure, mut failed) = (None, BTreeSet::new());
        for variant in plan
            .variants
            .iter()
            .filter(|variant| variant.server.is_some())
        {
            let server = variant.server.as_ref().map(|of| &of.entry);
            if failed.contains(&server) {
                continue;
            }
            let spent = setting_up.elapsed().as_secs_f64();
            if failure.is_some() && lab.time.budget.is_some_and(|budget| spent > budget) {
                break;
            }
            news(&News::reference(lab, variant));
            match Self::of(lab, plan, variant, news) {
                Ok(app_times) => {
                    let before = began.elapsed().as_secs_f64();
                    return Ok(Self {
                        before,
                        ..app_times
                    });
                }
                // Ctrl-C shows up as whatever was under way
                Err(_) if lab.place.is_interrupted() => return Err(StackError::Interrupted.into()),
                Err(
                    error @ (StackError::WrongAnswer { .. }
                    | StackError::Prepare { .. }
                    | StackError::Elsewhere { .. }),
                ) => {
                    return Err(ExperimentError::of(variant)(error));
                }
                Err(error) => {
                    failed.insert(server);
                    failure.get_or_insert_with(|| ExperimentError::of(variant)(error));
                }
            }
        }
        Err(failure.unwrap_or_else(|| StackError::Interrupted.into()))
    }

    fn of(
        lab: &Lab,
        plan: &Plan,
        variant: &Variant,
        news: &mut dyn FnMut(&News),
    ) -> Result<Self, StackError> {
        let composition = bare(lab, plan, variant)?;
        let load = first_load::wanted(plan, variant, &composition.app, &composition.route);
        let _network = network::of(plan)?;
        let (app_times, _) = Self::and_reference(lab, &composition, load, news)?;
        Ok(app_times)
    }

    /// Starts it, asks for its answers, which are looked at for their routes, loads it where a load is given, and
    /// stops it.
    pub(crate) fn and_reference(
        lab: &Lab,
        composition: &Composition,
        load: Option<&Load>,
        news: &mut dyn FnMut(&News),
    ) -> Result<(Self, Reference), StackError> {
        let began = Instant::now();
        let running = stack::start(composition, &lab.place.options())?;
        let mut reference = running.reference()?;
        let looks = Instant::now();
        let mut watch = Watch::of_stack(running.guardians());
        let mut fastest = f64::INFINITY;
        watch.open();
        for _ in 1..LOOKS {
            let asked = Instant::now();
            reference = running.reference()?;
            fastest = fastest.min(asked.elapsed().as_secs_f64());
        }
        watch.close();
        let (app, route) = (&composition.app, &composition.route);
        // a reference asks for each route twice
        let answers = 2 * app.routes.len().max(1);
        let answer = fastest / answers as f64;
        let own = std::process::id();
        let costs = watch.seen(Moment::now()).processes;
        let programs = costs.iter().filter(|of| of.pid != own);
        let cpu: f64 = programs.map(|of| of.cpu_user + of.cpu_system).sum();
        let cpu = cpu / (answers * (LOOKS - 1)) as f64;
        let loaded = match load {
            Some(load) => first_load::cost(lab, &running, route, load, answer, news)?
                .map(|cost| (load.connections, cost)),
            None => None,
        };
        let looking = looks.elapsed().as_secs_f64();
        running.stop()?;
        let app_times = Self {
            variant: composition.variant.clone(),
            before: 0.0,
            around: began.elapsed().as_secs_f64() - looking,
            answer,
            // the first answers cost more than later ones, and a server that thrashes under load is not every server
            cpu: loaded.map_or(cpu, |(_, cost)| cpu.min(cost.cpu)),
            loaded,
        };
        Ok((app_times, reference))
    }

    /// The variant that was looked at.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// Connections that carry so many requests per second, between `least` and 1,000.
    pub fn pool(&self, rate: f64, least: u32) -> u32 {
        pool(rate, self.answer).clamp(least, 1_000)
    }

    /// Requests that were answered in so many seconds when the app was loaded; none where it was not.
    pub fn requests_in(&self, seconds: f64) -> Option<f64> {
        let (_, cost) = self.loaded?;
        Some(seconds / cost.each)
    }

    /// Seconds that a plan will take, about.
    pub fn of_run(&self, plan: &Plan, slots: Slots) -> f64 {
        let block: f64 = plan
            .variants
            .iter()
            .map(|variant| turns(plan, variant) * self.of_variant(plan, variant, slots))
            .sum();
        let stressed = plan.variants.len() as f64 * self.under_stress(plan);
        self.before + f64::from(plan.blocks) * block + stressed
    }

    /// How many blocks of a plan fit into this many seconds, with its stress and time for a trial that is taken again.
    pub fn blocks_in(&self, plan: &Plan, slots: Slots, seconds: f64) -> u32 {
        let none = Plan {
            blocks: 0,
            ..plan.clone()
        };
        let one = Plan {
            blocks: 1,
            ..plan.clone()
        };
        let before = self.of_run(&none, slots);
        let block = self.of_run(&one, slots) - before;
        let variants = plan.variants.iter();
        let longest = variants.map(|variant| self.of_variant(plan, variant, slots));
        let again = f64::from(AGAIN) * longest.fold(0.0, f64::max);
        ((seconds - before - again) / block).max(0.0) as u32
    }

    /// How many of these variants of a plan, the first ones, fit into this many seconds, with time for a trial that
    /// is taken again.
    pub fn fitting(&self, plan: &Plan, variants: &[&Variant], slots: Slots, budget: f64) -> usize {
        let mut spent = self.before;
        let fits = |variant: &&&Variant| {
            let trial = self.of_variant(plan, variant, slots);
            spent += f64::from(plan.blocks) * turns(plan, variant) * trial;
            spent += self.under_stress(plan);
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
        let load = plan.load_of(variant);
        let alone = variant.fronts.is_empty() && programs == 1;
        let own = alone && self.variant == variant.name;
        let seen = self
            .loaded
            .filter(|(connections, _)| own && *connections == load.connections);
        let seen = seen.map(|(_, cost)| cost);
        let cut = load.can_be_cut() && !plan.whole.contains(&variant.name);
        let slice = Some(plan.slice).filter(|slice| cut && *slice > 0.0);
        self.around + beside + self.of_load(load, slots(variant), seen, slice)
    }

    /// Seconds of a variant's trials under stress.
    fn under_stress(&self, plan: &Plan) -> f64 {
        let each = |stress: &Stress| self.around + stress.seconds() + Stress::BESIDES;
        plan.stress.iter().map(each).sum()
    }

    /// Seconds from a start to the end of a stop.
    pub(crate) fn of_start(&self) -> f64 {
        self.around
    }

    /// Seconds of a load; `seen` is what responses took on this very variant, and `slice` the seconds of the slices into
    /// which its window is cut.
    fn of_load(&self, load: &Load, slots: AtOnce, seen: Option<Cost>, slice: Option<f64>) -> f64 {
        let at_once = slots.requests.unwrap_or(f64::INFINITY).max(1.0);
        let at_once = at_once.min(f64::from(load.connections.max(1)));
        let each = match &load.shape {
            Shape::Open(arrivals) if arrivals.mean_rate() > 0.0 => 1.0 / arrivals.mean_rate(),
            _ => seen.map_or_else(|| self.each(at_once, slots), |cost| cost.each),
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
        BESIDES + measured + warm_up + waits(load, each, seen, slice)
    }

    /// Seconds from one answer to the next: what an answer waits for passes for as many `at_once`, and what it
    /// works for does so on as many cores as there are workers. Where nothing says how many, one works.
    fn each(&self, at_once: f64, slots: AtOnce) -> f64 {
        let workers = slots.requests.unwrap_or(1.0);
        let cores = workers.min(f64::from(slots.cores)).max(1.0);
        (self.answer / at_once).max(self.cpu / cores)
    }
}

/// Seconds in which the last answers are waited for: at the end of the warm-up and of the window, or of each of its
/// slices. Those of a server that works on one at a time come one by one, at this pace, and one that holds kept
/// connections back lets some wait for as long as was seen.
fn waits(load: &Load, each: f64, seen: Option<Cost>, slice: Option<f64>) -> f64 {
    if load.shape.is_open() {
        return 0.0;
    }
    let last = f64::from(load.connections) * each;
    let longest = seen.map_or(last, |cost| cost.longest.max(last));
    let wait = longest.min(load.timeout);
    let warm_ups = u32::from(load.warm_up != WarmUpPlan::None);
    let windows = slice.map_or(1, |slice| slices::fewest(slice, wait));
    f64::from(warm_ups + windows) * wait
}

/// Connections that carry so many requests per second: as many as are busy on average by the seconds that a response took
/// alone (Little's law), where it takes four times as long under load, and three standard deviations of a Poisson number
/// more.
pub(crate) fn pool(rate: f64, alone: f64) -> u32 {
    let busy = 4.0 * rate * alone;
    (busy + 3.0 * busy.sqrt()).ceil() as u32
}

/// How often a variant runs in a block.
fn turns(plan: &Plan, variant: &Variant) -> f64 {
    let twin = plan.noise_floor.as_ref() == Some(&variant.name);
    if twin { 2.0 } else { 1.0 }
}

#[cfg(test)]
mod tests;
