//! What `weir claims` has to do for each plan, and what that will take.

mod levels;

use ::report::terminal::{Due, schedule};
use ::report::words::{counted, shares};
use experiment::{Basis, Estimate, Need, enough};
use record::{Host, Plan};
use stack::Machine;
use store::Store;

use super::take::Take;
use crate::args::ClaimsArgs;
use crate::error::{Exit, Result};
use crate::invocation::Invocation;
use crate::output::note;
use crate::progress::about;

/// A plan and what becomes of it.
#[derive(Clone)]
pub(super) struct Job {
    /// As its file has it, with what the command line said.
    pub(super) plan: Plan,
    pub(super) take: Take,
    /// Blocks that will be run.
    pub(super) blocks: u32,
    /// Which levels of its curves, where there is no time for all.
    levels: Option<String>,
    /// The plan with all of them, where a run that is gone on with has fewer, and the trials that this has.
    whole: Option<(Plan, u32)>,
    estimate: Estimate,
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

    /// Seconds that it takes with as many blocks as an interval needs.
    fn for_verdicts(&self) -> f64 {
        match self.take {
            Take::Fresh => self.need().of(enough(&self.plan)),
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
            Take::Fresh => self.plan.trials_in(self.blocks),
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
        trials: plan.trials_in(blocks),
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

/// Says of rates that are shares of a capacity that they are not known before a run.
pub(crate) fn tell_rates(plan: &Plan) {
    if let Some(shares) = shares(plan).filter(|_| plan.open_capacity().is_some()) {
        note(format!("{}: rates are not known yet: {shares}", plan.name));
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
        let take = Take::of(&plan, args, store, host)?;
        let begun = take.run().map(|run| store.run(run)).transpose()?;
        let (mut levels, mut whole) = (None, None);
        if let Some(run) = &begun
            && let Some(fewer) = experiment::levels_of(&plan, &run.plan)
        {
            // a run is gone on with, and told of, as it was begun
            let all = std::mem::replace(&mut plan, fewer.plan);
            let mut runs = store.runs()?.into_iter();
            let done = runs.find(|of| of.id == run.id).map(|of| of.done);
            levels = Some(fewer.levels);
            whole = done.filter(|_| args.which.resume).map(|done| (all, done));
        }
        let estimate = match (take, &begun) {
            (Take::GoOn { done, .. }, Some(run)) => {
                experiment::estimate(&run.plan, store, machine)?.rest(done.into())
            }
            _ => experiment::estimate(&plan, store, machine)?,
        };
        jobs.push(Job {
            blocks: plan.blocks,
            plan,
            take,
            levels,
            whole,
            estimate,
        });
    }
    if let Some(budget) = args.extent.seconds() {
        if args.long {
            levels::fit(&mut jobs, budget, |plan| {
                experiment::estimate(plan, store, machine)
            })?;
        }
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

/// Prints what is to be done.
pub(super) fn show(jobs: &[Job], invocation: &Invocation) -> Result<Exit> {
    let due: Vec<Due> = jobs.iter().map(Job::due).collect();
    if !invocation.quiet() {
        levels::tell(jobs);
        let fresh = jobs.iter().filter(|job| job.take == Take::Fresh);
        fresh.for_each(|job| tell_rates(&job.plan));
    }
    invocation.show(&due, || schedule(&due, invocation.width()))
}

/// Says how long all will take, and what a short time costs.
pub(super) fn announce(jobs: &[Job], budget: Option<f64>) {
    levels::tell(jobs);
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
        let needed: f64 = jobs.iter().map(Job::for_verdicts).sum();
        note(format!(
            "for want of time, figures without intervals and no verdicts (`--budget {}` and more would do): {}",
            minutes(needed.max(budget)),
            short.join(", ")
        ));
    }
}

fn minutes(seconds: f64) -> String {
    format!("{:.0}m", (seconds / 60.0).ceil())
}
