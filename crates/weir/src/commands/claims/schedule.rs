//! What `weir claims` has to do for each plan, and what that will take.

use ::report::terminal::{Due, schedule};
use ::report::words::counted;
use experiment::{Basis, Estimate, Need, enough};
use record::{Host, Plan, RunStatus};
use stack::Machine;
use store::Store;

use crate::args::ClaimsArgs;
use crate::error::{Exit, Result};
use crate::invocation::{Invocation, VERSION};
use crate::output::note;
use crate::progress::about;

/// How long a finished run counts as one of a whole that was cut short: a day, in seconds.
const FRESH: f64 = 86_400.0;

/// A plan and what becomes of it.
#[derive(Clone)]
pub(super) struct Job {
    /// As its file has it, with what the command line said.
    pub(super) plan: Plan,
    pub(super) take: Take,
    /// Blocks that will be run.
    pub(super) blocks: u32,
    estimate: Estimate,
}

/// What is there already of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Take {
    /// A run that came to its end.
    Done(i64),
    /// A run that did not.
    GoOn {
        /// Its number.
        run: i64,
        /// Trials that it has.
        done: u32,
    },
    /// Nothing.
    Fresh,
}

impl Job {
    /// It, as far as it is run before all others have had their first look.
    pub(super) fn at_first(&self) -> Self {
        let blocks = match self.take {
            Take::Fresh => self.blocks.min(enough(&self.plan)),
            _ => self.blocks,
        };
        Self {
            blocks,
            ..self.clone()
        }
    }

    /// Seconds that it will take.
    pub(super) fn seconds(&self) -> f64 {
        match self.take {
            Take::Done(_) => 0.0,
            Take::GoOn { .. } => self.estimate.seconds,
            Take::Fresh => self.need().of(self.blocks),
        }
    }

    /// Seconds of the least that will be run of it.
    pub(super) fn least(&self) -> f64 {
        match self.take {
            Take::Fresh => self.need().of(1),
            _ => self.seconds(),
        }
    }

    /// `b-limits, 60 trials, about 5 min`.
    pub(super) fn words(&self) -> String {
        let trials = counted(self.trials(), "trial");
        let time = about(self.seconds());
        let at_most = match self.plan.looks() {
            Some(at_least) if at_least < self.blocks => "at most ",
            _ => "",
        };
        let blocks = if self.blocks < self.plan.blocks {
            let of = counted(u64::from(self.plan.blocks), "block");
            format!(" ({} of {of})", self.blocks)
        } else {
            String::new()
        };
        let of = match self.take {
            Take::GoOn { run, .. } => format!(" are left of run {run}"),
            _ => String::new(),
        };
        format!(
            "{}, {at_most}{trials}{blocks}{of}, about {time}",
            self.plan.name
        )
    }

    fn trials(&self) -> u64 {
        match self.take {
            Take::Done(_) => 0,
            Take::GoOn { .. } => self.estimate.trials,
            Take::Fresh => {
                self.plan.trials() / u64::from(self.plan.blocks) * u64::from(self.blocks)
            }
        }
    }

    fn need(&self) -> Need {
        let need = self.estimate.need(&self.plan);
        match self.take {
            Take::Fresh => need,
            // what is left of a run is left as a whole
            _ => Need {
                before: 0.0,
                block: self.seconds(),
                blocks: 1,
                ..need
            },
        }
    }

    fn due(&self) -> Due {
        let fresh = due(&self.plan, self.blocks, &self.estimate);
        let by = match self.take {
            Take::Done(_) => "it has run",
            _ => fresh.by,
        };
        Due {
            trials: self.trials(),
            blocks: (self.take == Take::Fresh).then_some(self.blocks),
            seconds: self.seconds(),
            by,
            ..fresh
        }
    }
}

/// What so many blocks of a plan that is begun anew will take.
pub(crate) fn due(plan: &Plan, blocks: u32, estimate: &Estimate) -> Due {
    let claims = plan.claims.iter();
    Due {
        plan: plan.name.clone(),
        claims: claims.map(|claim| claim.id.clone()).collect(),
        trials: plan.trials() / u64::from(plan.blocks) * u64::from(blocks),
        blocks: Some(blocks),
        of: plan.blocks,
        seconds: estimate.need(plan).of(blocks),
        by: match estimate.basis {
            Basis::Runs => "earlier runs",
            Basis::Windows => "its windows",
            Basis::Guess => "a guess",
        },
    }
}

/// What is to be done for these plans.
pub(super) fn jobs(
    plans: Vec<Plan>,
    args: &ClaimsArgs,
    store: &Store,
    machine: &Machine,
    host: &Host,
) -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    for mut plan in plans {
        if let Some(blocks) = args.extent.blocks {
            blocks.of(&mut plan);
        }
        plan.seed = args.extent.seed.unwrap_or(plan.seed);
        let take = if args.which.stored {
            newest(&plan, store)?
        } else if args.which.resume {
            begun(&plan, args.extent.seconds().is_some(), store, host)?
        } else {
            Take::Fresh
        };
        let mut estimate = experiment::estimate(&plan, store, machine)?;
        if let Take::GoOn { run, done } = take {
            let run = store.run(run)?;
            estimate = experiment::estimate(&run.plan, store, machine)?.rest(done.into());
        }
        jobs.push(Job {
            blocks: plan.blocks,
            plan,
            take,
            estimate,
        });
    }
    if let Some(budget) = args.extent.seconds() {
        share_out(&mut jobs, budget);
    }
    Ok(jobs)
}

/// Gives each plan as many blocks as there is time for.
pub(super) fn share_out(jobs: &mut [Job], budget: f64) {
    let needs: Vec<Need> = jobs.iter().map(Job::need).collect();
    let blocks = experiment::shares(&needs, budget);
    let jobs = jobs.iter_mut().zip(blocks);
    for (job, blocks) in jobs.filter(|(job, _)| job.take == Take::Fresh) {
        job.blocks = blocks;
    }
}

/// The newest run of a plan of this name that came to its end: of those with blocks enough for intervals, if
/// there are such, as a short look takes no verdict away. One of some of its variants is none.
fn newest(plan: &Plan, store: &Store) -> Result<Take> {
    let mut short = Take::Fresh;
    for summary in store.runs()? {
        if summary.name != plan.name || summary.status != RunStatus::Finished {
            continue;
        }
        let run = store.run(summary.id)?;
        if !run.plan.not_tried.is_empty() {
            continue;
        }
        let blocks = run.cut.map_or(run.plan.blocks, |cut| cut.blocks);
        if blocks >= enough(plan) {
            return Ok(Take::Done(run.id));
        }
        if short == Take::Fresh {
            short = Take::Done(run.id);
        }
    }
    Ok(short)
}

/// The newest run of this very plan, by this weir on this machine, if it can be gone on with or has just ended.
/// With a budget its blocks do not matter; else it has to have as many as the plan.
fn begun(plan: &Plan, limited: bool, store: &Store, host: &Host) -> Result<Take> {
    let runs = store.runs()?.into_iter();
    for summary in runs.filter(|run| run.name == plan.name) {
        let run = store.run(summary.id)?;
        let same = run.weir == VERSION && run.host == *host && experiment::same(&run.plan, plan);
        if !same || (!limited && run.plan.blocks < plan.blocks) {
            continue;
        }
        let age = record::now().duration_since(run.started).as_secs_f64();
        return Ok(match run.status {
            RunStatus::Finished if age > FRESH => Take::Fresh,
            RunStatus::Finished if limited || run.cut.is_none() => Take::Done(run.id),
            _ => Take::GoOn {
                run: run.id,
                done: summary.done,
            },
        });
    }
    Ok(Take::Fresh)
}

/// Prints what is to be done.
pub(super) fn show(jobs: &[Job], invocation: &Invocation) -> Result<Exit> {
    let due: Vec<Due> = jobs.iter().map(Job::due).collect();
    invocation.show(&due, || schedule(&due, invocation.width()))
}

/// Says how long all will take, and what a short time costs.
pub(super) fn announce(jobs: &[Job], budget: Option<f64>) {
    let due = |job: &&Job| !matches!(job.take, Take::Done(_));
    let due: Vec<&Job> = jobs.iter().filter(due).collect();
    if due.is_empty() && budget.is_some() {
        note("all plans have run: the time goes to claims that more blocks may decide");
        return;
    }
    let trials = counted(due.iter().map(|job| job.trials()).sum(), "trial");
    let time = about(due.iter().map(|job| job.seconds()).sum());
    let plans = counted(due.len() as u64, "plan");
    let at_most = if due.iter().any(|job| job.plan.looks().is_some()) {
        "at most "
    } else {
        ""
    };
    note(format!("{plans}, {at_most}{trials}: about {time}"));
    let short = |job: &&&Job| job.blocks < enough(&job.plan);
    let short = due.iter().filter(short).map(|job| job.plan.name.as_str());
    let short: Vec<_> = short.collect();
    if let (Some(budget), false) = (budget, short.is_empty()) {
        note(format!(
            "for want of time, figures without intervals and no verdicts (`--budget {}` and more would do): {}",
            minutes(needed(jobs).max(budget)),
            short.join(", ")
        ));
    }
}

/// Seconds in which each plan gets as many blocks as an interval needs.
fn needed(jobs: &[Job]) -> f64 {
    let each = jobs.iter().map(|job| match job.take {
        Take::Fresh => job.need().of(enough(&job.plan)),
        _ => job.seconds(),
    });
    each.sum()
}

fn minutes(seconds: f64) -> String {
    format!("{:.0}m", (seconds / 60.0).ceil())
}
