//! The plans of `weir claims`, one after the other. In a limited time each is run far enough for a first look; what is
//! left of the time then goes to those whose claims are open.

use std::time::Instant;

use ::report::words::counted;
use experiment::{Allowance, enough};
use record::Plan;
use store::Store;

use super::schedule::{self, Job, Take};
use crate::args::ClaimsArgs;
use crate::commands::run::{begin, go};
use crate::error::{Exit, Result};
use crate::invocation::Invocation;
use crate::output::note;
use crate::progress::about;

/// What runs the plans.
pub(super) struct Passes<'a> {
    args: &'a ClaimsArgs,
    invocation: &'a Invocation,
    pub(super) store: &'a mut Store,
    began: Instant,
}

/// What became of a plan.
#[derive(Debug)]
pub(super) enum End {
    /// The number of its run.
    Run(i64),
    /// Why it has none.
    Failed(String),
}

/// A plan of which blocks are left that may decide what is open of it.
struct Open {
    /// Its place among all.
    place: usize,
    /// The number of the run that is gone on with.
    run: i64,
    /// Whole blocks that it has.
    blocks: u32,
    /// Claims that may be decided.
    claims: u32,
    /// Seconds that this will most likely take, and those of one block.
    seconds: f64,
    block: f64,
}

impl<'a> Passes<'a> {
    pub(super) fn new(
        args: &'a ClaimsArgs,
        invocation: &'a Invocation,
        store: &'a mut Store,
    ) -> Self {
        Self {
            args,
            invocation,
            store,
            began: Instant::now(),
        }
    }

    /// Runs all that is to be run; what became of each plan, in order.
    pub(super) fn all(&mut self, jobs: Vec<Job>) -> Result<Vec<(Job, End)>> {
        if !self.invocation.quiet() {
            schedule::announce(&jobs, self.args.extent.seconds());
        }
        let ended = self.first(jobs)?;
        if self.args.extent.seconds().is_some() {
            self.second(&ended)?;
        }
        Ok(ended)
    }

    /// Each plan as far as its first look where time is limited, else as far as it goes.
    fn first(&mut self, mut jobs: Vec<Job>) -> Result<Vec<(Job, End)>> {
        let mut ends = Vec::new();
        let mut thought = 0.0;
        for at in 0..jobs.len() {
            let left = self.left();
            // what was wrong about the plans so far is likely to be wrong about the others
            let spent = self.began.elapsed().as_secs_f64();
            let drift = if thought > 0.0 { spent / thought } else { 1.0 };
            // those that ended early tell nothing of the others, and what they leave goes to open claims
            let slower = drift.max(1.0);
            if let Some(left) = left {
                schedule::share_out(&mut jobs[at..], left / slower);
            }
            let (job, later) = jobs[at..]
                .split_first()
                .expect("the loop ends with the jobs");
            let after = later.iter().map(Job::seconds).sum::<f64>() * drift;
            let after = left.map_or(after, |left| after.min(left));
            if let Take::Done(run) = job.take {
                ends.push(End::Run(run));
                continue;
            }
            let at_first = left.map_or_else(|| job.clone(), |_| job.at_first());
            let (number, all) = (at + 1, jobs.len());
            self.say(|| format!("plan {number} of {all}: {}", at_first.words()));
            // this plan may take what the others do not need for the least
            let least = later.iter().map(Job::least).sum::<f64>() * slower;
            let time = Allowance {
                budget: left.map(|left| (left - least).max(1.0)).or(job.plan.budget),
                until: left.map(|_| at_first.blocks.min(enough(&job.plan))),
                ..Allowance::default()
            };
            let begun = match job.take {
                Take::GoOn { run, .. } => Some(run),
                _ => None,
            };
            ends.push(self.run(&job.plan, begun, time, after)?);
            thought += at_first.seconds();
        }
        Ok(jobs.into_iter().zip(ends).collect())
    }

    /// What is left of the time, to the plans with open claims: first to those that take least for each. What a plan
    /// leaves of what it was thought to take is left to them all again.
    fn second(&mut self, ended: &[(Job, End)]) -> Result<()> {
        let mut before = Vec::new();
        loop {
            let mut open = Vec::new();
            for (place, (_, end)) in ended.iter().enumerate() {
                if let End::Run(run) = end {
                    open.extend(self.open(place, *run)?);
                }
            }
            let price = |of: &Open| of.seconds / f64::from(of.claims);
            open.sort_by(|one, other| price(one).total_cmp(&price(other)));
            let reached: Vec<_> = open.iter().map(|of| (of.run, of.blocks)).collect();
            if open.is_empty() || self.left().unwrap_or_default() <= 0.0 || reached == before {
                return Ok(());
            }
            before = reached;
            self.go_on_with(&open, ended)?;
        }
    }

    fn go_on_with(&mut self, open: &[Open], ended: &[(Job, End)]) -> Result<()> {
        for (at, of) in open.iter().enumerate() {
            let left = self.left().unwrap_or_default();
            if left < of.block {
                continue; // a start of it would bring nothing
            }
            let plan = &ended[of.place].0.plan;
            self.say(|| {
                let claims = counted(of.claims.into(), "open claim");
                let (name, time) = (&plan.name, about(of.seconds));
                format!("once more: {name} with {claims}, about {time}")
            });
            let later: f64 = open[at + 1..].iter().map(|of| of.seconds).sum();
            let time = Some(left).into();
            // what fails now was run for its first look
            if let End::Failed(why) = self.run(plan, Some(of.run), time, later.min(left))? {
                note(format!("{} ended early: {why}", plan.name));
            }
        }
        Ok(())
    }

    /// What a run that was cut short for want of time still may decide.
    fn open(&self, place: usize, run: i64) -> Result<Option<Open>> {
        let run = self.store.run(run)?;
        let Some(cut) = run.cut else {
            return Ok(None);
        };
        let wanted = judge::wanted(&run, &self.store.trials(run.id)?);
        let blocks = wanted
            .iter()
            .max()
            .map(|all| all.saturating_sub(cut.blocks));
        Ok(blocks.map(|blocks| Open {
            place,
            run: run.id,
            blocks: cut.blocks,
            claims: wanted.len() as u32,
            seconds: cut.block * f64::from(blocks.max(1)),
            block: cut.block,
        }))
    }

    /// Runs a plan, or what is left of a run of it that was begun, in the time that it is given. What ends all plans is an
    /// error.
    fn run(&mut self, plan: &Plan, begun: Option<i64>, time: Allowance, after: f64) -> Result<End> {
        match self.attempt(plan, begun, time, after) {
            Ok(run) => Ok(End::Run(run)),
            Err(error) if error.exit() == Exit::Interrupted => {
                Err(error.hint("go on with the same command and `--resume`".to_owned()))
            }
            Err(error) => Ok(End::Failed(error.to_string())),
        }
    }

    fn attempt(
        &mut self,
        plan: &Plan,
        begun: Option<i64>,
        time: Allowance,
        after: f64,
    ) -> Result<i64> {
        let run = if let Some(run) = begun {
            self.store.resume(run)?;
            self.store.run(run)?
        } else {
            begin(plan, self.invocation, self.store)?
        };
        let mut progress = self.invocation.progress().before(after);
        let start = &self.args.start;
        go(
            &run,
            time,
            self.store,
            self.invocation,
            start,
            &mut progress,
        )?;
        Ok(run.id)
    }

    /// Seconds that are left, where time is limited.
    fn left(&self) -> Option<f64> {
        let spent = self.began.elapsed().as_secs_f64();
        self.args.extent.seconds().map(|budget| budget - spent)
    }

    fn say(&self, what: impl FnOnce() -> String) {
        if !self.invocation.quiet() {
            note(what());
        }
    }
}
