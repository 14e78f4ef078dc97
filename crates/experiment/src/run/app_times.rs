//! How long a run will take, by one look at how its app starts and answers.

mod expected;

use std::collections::BTreeSet;
use std::time::Instant;

use observe::Watch;
use record::{Load, Moment, NotTried, Plan, Variant};
use stack::{Composition, Reference, StackError};

use crate::error::ExperimentError;
use crate::network;
use crate::run::again;
use crate::run::bare::bare;
use crate::run::first_load::{self, Cost};
use crate::run::lab::{Lab, News};

/// Looks at the app's answers; the first one after a start is often slow.
const LOOKS: usize = 3;

/// App servers that do not get ready one after the other: then it is the app that does not, whatever serves it.
const ALIKE: usize = 2;

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
    /// not be started is not tried again with other knobs or fronts, and none when the lab's budget is spent, or two were waited
    /// for in vain. What a run need not start once more, as it would not come up, is `left_out`.
    ///
    /// # Errors
    /// Trials cannot take place where the plan wants them; a setup command that fails; an answer that is not the expected one; two app servers that do not get
    /// ready; when no app server starts, what the first one said.
    pub fn look(
        lab: &Lab,
        plan: &Plan,
        left_out: &mut Vec<NotTried>,
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
        let mut began = Instant::now();
        let (mut failure, mut failed, mut late) = (None, BTreeSet::new(), Vec::new());
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
            let started = Instant::now();
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
                Err(error @ (StackError::WrongAnswer { .. } | StackError::Prepare { .. })) => {
                    return Err(ExperimentError::of(variant)(error));
                }
                Err(error) => {
                    if let Some(of) = again::left_out(plan, variant, &error) {
                        left_out.push(of);
                        began += started.elapsed(); // which is not spent once more
                    }
                    failed.insert(server);
                    if matches!(error, StackError::NotReady { .. }) {
                        late.push(variant.name.clone());
                    }
                    if late.len() == ALIKE {
                        return Err(ExperimentError::NeverReady {
                            variants: late,
                            error: Box::new(error),
                        });
                    }
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
        let route = &composition.route;
        let answers = reference.requests().max(1);
        let answer = fastest / answers as f64;
        let own = std::process::id();
        let costs = watch.seen(Moment::now()).processes;
        let programs = costs.iter().filter(|of| of.pid != own);
        let cpu: f64 = programs.map(|of| of.cpu_user + of.cpu_system).sum();
        let cpu = cpu / (answers * (LOOKS - 1)) as f64;
        let loaded = match load {
            Some(load) => first_load::settled(lab, &running, route, load, answer, news)?
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
}

/// Connections that carry so many requests per second: as many as are busy on average by the seconds that a response took
/// alone (Little's law), where it takes four times as long under load, and three standard deviations of a Poisson number
/// more.
pub(crate) fn pool(rate: f64, alone: f64) -> u32 {
    let busy = 4.0 * rate * alone;
    (busy + 3.0 * busy.sqrt()).ceil() as u32
}

#[cfg(test)]
mod tests;
