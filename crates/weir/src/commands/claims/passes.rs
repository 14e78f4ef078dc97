//! The plans of `weir claims`, one after the other. In a limited time each is run far enough for a first look; what is
//! left of the time then goes to those whose claims are open, and to the reasons of claims that do not hold.

use std::collections::BTreeSet;
use std::time::Instant;

use experiment::{Allowance, enough};
use record::{Plan, Run};
use store::Store;

use super::open::{Open, What, in_turn};
use super::schedule::{self, Job};
use super::take::Take;
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
    store: &'a mut Store,
    began: Instant,
}

/// What became of a plan.
#[derive(Debug)]
pub(super) enum End {
    /// The number of its run.
    Run(i64),
    /// Why it has none.
    Failed(String),
    /// Nothing was run, and the store has no run of it.
    NotRun,
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
            ends.push(self.run(&job.plan, job.take.run(), time, after)?);
            thought += at_first.seconds();
        }
        Ok(jobs.into_iter().zip(ends).collect())
    }

    /// What is left of the time, to what is open: claims that it decides, and then reasons, first those that take least for
    /// each; then to what it most likely does not decide. What a plan leaves of what it was thought to take is left to
    /// them all again.
    fn second(&mut self, ended: &[(Job, End)]) -> Result<()> {
        let mut tried = BTreeSet::new();
        loop {
            let mut open = self.open(ended)?;
            open.retain(|of| !tried.contains(&of.state()));
            let open = in_turn(open);
            if open.is_empty() {
                return Ok(());
            }
            self.go_on_with(&open, ended, &mut tried)?;
        }
    }

    fn go_on_with(
        &mut self,
        open: &[Open],
        ended: &[(Job, End)],
        tried: &mut BTreeSet<(i64, u32, What)>,
    ) -> Result<()> {
        for (at, of) in open.iter().enumerate() {
            let left = self.left().unwrap_or_default();
            if !of.fits(left) {
                continue;
            }
            tried.insert(of.state());
            let plan = &ended[of.place].0.plan;
            self.say(|| {
                let (name, what, time) = (&plan.name, of.words(), about(of.seconds));
                format!("once more: {name} with {what}, about {time}")
            });
            let later: f64 = open[at + 1..].iter().map(|of| of.seconds).sum();
            let time = Allowance {
                budget: Some(left),
                until: of.until,
                without_reasons: of.what == What::Claims,
                ..Allowance::default()
            };
            // what fails now was run for its first look
            if let End::Failed(why) = self.run(plan, Some(of.run), time, later.min(left))? {
                note(format!("{} ended early: {why}", plan.name));
            }
        }
        Ok(())
    }

    /// What the runs that were cut short for want of time still may decide, as far as there is time for it.
    fn open(&self, ended: &[(Job, End)]) -> Result<Vec<Open>> {
        let left = self.left().unwrap_or_default();
        let mut open = Vec::new();
        for (place, (_, end)) in ended.iter().enumerate() {
            let End::Run(run) = end else { continue };
            let run = self.store.run(*run)?;
            if run.cut.is_none_or(|cut| cut.block > left) {
                continue;
            }
            let wanted = judge::wanted(&run, &self.store.trials(run.id)?);
            let of = |what, wanted: &[_]| Open::of(place, &run, what, wanted, left);
            open.extend(of(What::Claims, &wanted.claims));
            open.extend(of(What::Reasons, &wanted.reasons));
        }
        Ok(open)
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
            self.resumed(run, plan)?
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

    /// A run that is gone on with, with the levels that its plan has got.
    fn resumed(&mut self, run: i64, plan: &Plan) -> Result<Run> {
        self.store.resume(run)?;
        let run = self.store.run(run)?;
        let Some(plan) = experiment::grown(&run.plan, plan) else {
            return Ok(run);
        };
        self.store.replan(run.id, &plan)?;
        Ok(Run { plan, ..run })
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
