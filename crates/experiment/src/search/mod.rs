//! What is loaded next, in the light of what was seen.
//!
//! A [`Strategy`] proposes loads of one URL, one at a time; [`search()`] applies each, watches the machine meanwhile, and
//! stores it as a trial of a run as soon as it ends. A new way to search is a file here. [`refine`] does the same for the
//! variants of a plan: it proposes points, and the plan's own runner takes them.

mod goal;
mod listed;
mod pooled;
pub(crate) mod refine;
mod survey;
mod time;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use judge::RingCost;
use load::{Event, Job, LoadError};
use observe::Watch;
use profile::Subject;
use record::{
    Host, Load, LoadFacts, Measured, Outcome, Plan, Run, RunStatus, StackFacts, Sweep, Timestamp,
    Trial, Variant, Verified,
};
use store::{Store, StoreError};

use crate::observed::observed;
use crate::settled::settled;

pub use goal::Goal;
pub use listed::Listed;
pub use pooled::Pooled;
pub use survey::Survey;
pub use time::LeftOut;

/// Decides which load comes next.
pub trait Strategy {
    /// The next load; nothing when there are to be no more.
    fn next(&mut self) -> Option<Proposal>;

    /// Takes note of what came of it: nothing where it was ended before its window opened. Whether it is kept.
    fn learn(&mut self, load: Option<&LoadFacts>) -> bool;
}

/// A load that is to be applied.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// What it is called among the loads of its run; unique there.
    pub name: String,
    /// Where it stands in a sweep, if it is a point of one.
    pub sweep: Option<Sweep>,
    /// The load.
    pub load: Load,
    /// When it is ended, with what there is by then.
    pub until: Option<Instant>,
    /// Whether it is measured rather than refused when everything in it fails.
    pub may_break: bool,
    /// Whether one that was ended before its first response is a result, too.
    pub may_be_empty: bool,
}

/// Loads of one URL.
pub struct Loads<'a> {
    /// Where, what is asked, and what counts as right; its load is the strategy's to say.
    pub job: &'a Job,
    /// What the run is, without variants.
    pub plan: Plan,
    /// What is loaded, as it may be shown.
    pub url: String,
    /// The machine.
    pub host: &'a Host,
    /// weir's own version.
    pub weir: &'a str,
    /// The packages of servers, for loads that ask for a profile.
    pub packages: Vec<String>,
    /// What is known of both event loops on this machine; empty where nobody has measured it.
    pub ring_costs: Vec<RingCost>,
    /// Set by the user's Ctrl-C.
    pub interrupted: &'a AtomicBool,
}

/// What came of a search.
#[derive(Debug)]
pub struct Found {
    /// The run; its number is 0 where it could not be kept.
    pub run: Run,
    /// At least one.
    pub trials: Vec<Trial>,
    /// The error for which there are no more.
    pub cut: Option<LoadError>,
    /// Why it is not, or not wholly, in the store.
    pub unkept: Option<StoreError>,
}

/// Applies what a strategy proposes, until it proposes no more, the user ends it, or a load fails. A store that
/// cannot be written spoils no result.
///
/// # Errors
/// As of [`load::run`], where no load came before; [`LoadError::Interrupted`] where there was none to apply.
pub fn search(
    what: &Loads,
    mut store: Option<Store>,
    strategy: &mut dyn Strategy,
    news: &mut dyn FnMut(&str, Event),
) -> Result<Found, LoadError> {
    let mut found: Option<Found> = None;
    let mut alone: Option<f64> = None;
    while let Some(next) = strategy.next() {
        if found.is_some() && what.is_interrupted() {
            break;
        }
        let started = record::now();
        let mut applied = what.apply(&next, news);
        if let Ok((load, _)) = &mut applied {
            alone = alone.or_else(|| one_at_a_time(&next.load, load));
            load.warm_up.alone = load.warm_up.alone.or(alone);
        }
        match applied {
            Ok((load, _)) if !strategy.learn(Some(&load)) => {}
            Ok((load, seen)) => {
                let found = found.get_or_insert_with(|| what.begin());
                what.keep(found, store.as_mut(), next, started, (load, seen));
                if found.unkept.is_some() {
                    store = None;
                }
            }
            Err(LoadError::Interrupted) if found.is_some() || !what.is_interrupted() => {
                strategy.learn(None);
            }
            Err(error) => match &mut found {
                Some(found) => {
                    found.cut = Some(error);
                    break;
                }
                None => return Err(error),
            },
        }
    }
    let mut found = found.ok_or(LoadError::Interrupted)?;
    found.run.status = if what.is_interrupted() {
        RunStatus::Stopped
    } else {
        RunStatus::Finished
    };
    if let Some(store) = &mut store {
        found.unkept = store.finish(found.run.id, found.run.status).err();
    }
    Ok(found)
}

/// Seconds that a response takes where none waits for another, if this load asked so.
fn one_at_a_time(planned: &Load, load: &LoadFacts) -> Option<f64> {
    let median = load.service.quantile(0.5);
    median.filter(|_| planned.slots() == 1)
}

impl Loads<'_> {
    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn apply(
        &self,
        next: &Proposal,
        news: &mut dyn FnMut(&str, Event),
    ) -> Result<(LoadFacts, observe::Seen), LoadError> {
        let job = Job {
            load: Load {
                tls: self.job.load.tls.clone(),
                ..next.load.clone()
            },
            may_break: next.may_break,
            ..self.job.clone()
        };
        let job = settled(job, &self.ring_costs);
        let stop = AtomicBool::new(false);
        let server = observe::listening(&job.target);
        let subject = server.as_ref().map(|of| Subject {
            servers: self.packages.clone(),
            ..Subject::of_process(of.pid)
        });
        let watch = Watch::of_server(server);
        let (load, seen) = observed(&job, (watch, subject), &stop, None, &mut |event| {
            let late = next.until.is_some_and(|until| Instant::now() >= until);
            if late || self.is_interrupted() {
                stop.store(true, Ordering::Relaxed);
            }
            news(&next.name, event);
        })?;
        let stopped = stop.load(Ordering::Relaxed);
        if stopped && load.completed == 0 && !next.may_be_empty {
            return Err(LoadError::Interrupted);
        }
        load::unreachable(&job, &load).map_or(Ok((load, seen)), Err)
    }

    fn begin(&self) -> Found {
        let run = Run {
            id: 0,
            started: record::now(),
            plan: self.plan.clone(),
            host: self.host.clone(),
            weir: self.weir.to_owned(),
            status: RunStatus::Begun,
            cut: None,
        };
        Found {
            run,
            trials: Vec::new(),
            cut: None,
            unkept: None,
        }
    }

    /// Adds a load to what was found, and to the store: its variant first, as a trial is one of a variant.
    fn keep(
        &self,
        found: &mut Found,
        store: Option<&mut Store>,
        next: Proposal,
        started: Timestamp,
        (load, seen): (LoadFacts, observe::Seen),
    ) {
        let plan = &mut found.run.plan;
        if plan.variants.is_empty() {
            plan.load = next.load.clone();
            plan.baseline.clone_from(&next.name);
        }
        plan.variants.push(Variant {
            title: next.name.clone(),
            url: Some(self.url.clone()),
            route: plan.app.routes[0].name(),
            load: Some(next.load),
            sweep: next.sweep,
            name: next.name.clone(),
            ..Variant::default()
        });
        let mut trial = Trial {
            run: found.run.id,
            block: 0,
            position: found.trials.len() as u32,
            variant: next.name,
            again: false,
            group: 0,
            attempt: 0,
            started,
            outcome: Outcome::Measured(Box::new(Measured {
                stack: StackFacts {
                    servers: Vec::new(),
                    address: self.job.target.clone(),
                    ready_after: 0.0,
                    verified: Verified::default(),
                },
                stolen: load.stolen.map_or(0.0, |stolen| stolen.share),
                load,
                processes: seen.processes,
                observed: seen.observed,
            })),
        };
        if let Some(store) = store {
            found.unkept = self.store(store, &mut found.run, &mut trial).err();
        }
        found.trials.push(trial);
    }

    fn store(&self, store: &mut Store, run: &mut Run, trial: &mut Trial) -> Result<(), StoreError> {
        if run.id == 0 {
            let begun = store.begin_run(&run.plan, self.host, self.weir)?;
            (run.id, run.started, trial.run) = (begun.id, begun.started, begun.id);
        } else {
            store.replan(run.id, &run.plan)?;
        }
        store.save(trial)
    }
}
