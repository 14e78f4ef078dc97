//! `weir claims`: the plans of a folder, and what became of each of their claims.

mod pages;
mod schedule;

use std::time::Instant;

use ::report::claims::{ClaimRow, ClaimStanding, Claims, Evidence, FieldReport};
use experiment::{OpenClaim, Suite};
use record::Plan;
use store::Store;

use crate::args::ClaimsArgs;
use crate::commands::run::{begin, go};
use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;
use crate::output::{note, print, print_json};
use pages::Pages;
use schedule::{Job, Take};

/// The folder of the long plans, in that of the others.
const LONG: &str = "long";

pub(crate) fn run(args: &ClaimsArgs, invocation: &mut Invocation) -> Result<Exit> {
    let python = args.start.python.as_deref();
    let cores = invocation.host().cores;
    let mut suite = experiment::suite(&args.plans, python, cores)?;
    if args.long {
        // of reports that have long plans too
        let reports = std::mem::take(&mut suite.reports);
        let long = experiment::suite(&args.plans.join(LONG), python, cores)?;
        suite = Suite { reports, ..long };
    }
    check(&args.ids, &suite)?;
    let mut store = invocation.store()?;
    let asked = |plan: &&Plan| plan.claims.iter().any(|claim| wanted(&args.ids, &claim.id));
    let plans: Vec<_> = suite.plans.iter().filter(asked).cloned().collect();
    let machine = invocation.machine()?;
    let jobs = schedule::jobs(plans, args, &store, &machine, invocation.host())?;
    if args.which.estimate {
        return schedule::show(&jobs, invocation);
    }
    let mut whole = Whole {
        pages: Pages::new(args, invocation, &suite),
        args,
        invocation,
        claims: Claims::default(),
    };
    if args.which.stored {
        whole.look_up(&jobs, &store)?;
    } else {
        whole.carry_out(jobs, &mut store)?;
    }
    whole.tell(suite)
}

/// All plans together.
struct Whole<'a> {
    args: &'a ClaimsArgs,
    invocation: &'a Invocation,
    pages: Pages,
    claims: Claims,
}

impl Whole<'_> {
    /// What the store has of each plan.
    fn look_up(&mut self, jobs: &[Job], store: &Store) -> Result<()> {
        for job in jobs {
            match job.take {
                Take::Done(run) => self.judged(run, &job.plan, store)?,
                _ => self.undecided(&job.plan, |plan| ClaimStanding::NotRun { plan })?,
            }
        }
        Ok(())
    }

    /// Runs what is to be run. What fails is a row of its own: the plans that come after it are run all the same.
    fn carry_out(&mut self, mut jobs: Vec<Job>, store: &mut Store) -> Result<()> {
        let began = Instant::now();
        let quiet = self.invocation.quiet();
        if !quiet {
            schedule::announce(&jobs, self.args.extent.seconds());
        }
        let mut thought = 0.0;
        for at in 0..jobs.len() {
            let spent = began.elapsed().as_secs_f64();
            let left = self.args.extent.seconds().map(|budget| budget - spent);
            if let Some(left) = left {
                schedule::share_out(&mut jobs[at..], left);
            }
            let (job, later) = jobs[at..]
                .split_first()
                .expect("the loop ends with the jobs");
            // what was wrong about the plans so far is likely to be wrong about the others
            let drift = if thought > 0.0 { spent / thought } else { 1.0 };
            let after = later.iter().map(Job::seconds).sum::<f64>() * drift;
            if let Take::Done(run) = job.take {
                self.judged(run, &job.plan, store)?;
                continue;
            }
            if !quiet {
                let (number, all) = (at + 1, jobs.len());
                note(format!("plan {number} of {all}: {}", job.words()));
            }
            // this plan may take what the others do not need for the least
            let least: f64 = later.iter().map(Job::least).sum();
            let budget = left.map(|left| (left - least).max(1.0)).or(job.plan.budget);
            match self.run(job, budget, after, store) {
                Ok(run) => self.judged(run, &job.plan, store)?,
                Err(error) if error.exit() == Exit::Interrupted => {
                    return Err(error.hint("go on with the same command and `--resume`".to_owned()));
                }
                Err(error) => {
                    let why = error.to_string();
                    self.undecided(&job.plan, |plan| ClaimStanding::Failed {
                        plan,
                        why: why.clone(),
                    })?;
                }
            }
            thought += job.seconds();
        }
        Ok(())
    }

    /// Runs a plan, or what is left of it, as often as it was given time for.
    fn run(&self, job: &Job, budget: Option<f64>, after: f64, store: &mut Store) -> Result<i64> {
        let run = if let Take::GoOn { run, .. } = job.take {
            store.resume(run)?;
            store.run(run)?
        } else {
            let plan = Plan {
                blocks: job.blocks,
                ..job.plan.clone()
            };
            begin(&plan, self.invocation, store)?
        };
        let mut progress = self.invocation.progress().before(after);
        let start = &self.args.start;
        go(
            &run,
            budget.into(),
            store,
            self.invocation,
            start,
            &mut progress,
        )?;
        Ok(run.id)
    }

    /// The claims of a plan as a run of it is judged today, and their pages.
    fn judged(&mut self, run: i64, plan: &Plan, store: &Store) -> Result<()> {
        let (mut rows, evidence): (Vec<ClaimRow>, Evidence) =
            self.pages.of_run(run, plan, store)?;
        rows.retain(|row| wanted(&self.args.ids, &row.id));
        self.claims.rows.extend(rows);
        self.claims.evidence.push(evidence);
        Ok(())
    }

    fn undecided(&mut self, plan: &Plan, standing: impl Fn(String) -> ClaimStanding) -> Result<()> {
        for claim in &plan.claims {
            let row = ClaimRow {
                id: claim.id.clone(),
                text: claim.text.clone(),
                reported: claim.reported.clone(),
                since: claim.since.clone(),
                differs: ::report::words::differs(plan, claim),
                standing: standing(plan.name.clone()),
            };
            if wanted(&self.args.ids, &row.id) {
                self.pages.without_run(&row, Some(plan))?;
                self.claims.rows.push(row);
            }
        }
        Ok(())
    }

    /// Prints the table, and writes the pages that lead to all others.
    fn tell(mut self, of: Suite) -> Result<Exit> {
        let open = of.open.into_iter().map(not_yet);
        for row in open.filter(|row| wanted(&self.args.ids, &row.id)) {
            self.pages.without_run(&row, None)?;
            self.claims.rows.push(row);
        }
        let claims = &mut self.claims;
        claims.rows.sort_by_key(|row| by_number(&row.id));
        claims.reports = of.reports.into_iter().map(source).collect();
        let index = self.pages.index(claims)?;
        if self.invocation.json() {
            print_json(&claims.rows)?;
        } else if self.args.markdown {
            print(&::report::claims::markdown(claims))?;
        } else {
            let width = self.invocation.width();
            print(&::report::terminal::claims(&claims.rows, width))?;
            if let Some(index) = index {
                print(&format!("pages  {}\n", index.display()))?;
            }
        }
        let failed = |row: &ClaimRow| matches!(row.standing, ClaimStanding::Failed { .. });
        let any = claims.rows.iter().any(failed);
        Ok(if any { Exit::Invalid } else { Exit::Done })
    }
}

fn not_yet(open: OpenClaim) -> ClaimRow {
    ClaimRow {
        id: open.id,
        text: open.text,
        reported: open.reported,
        since: None,
        differs: Vec::new(),
        standing: ClaimStanding::NotYet {
            missing: open.missing,
        },
    }
}

fn source(report: experiment::Report) -> FieldReport {
    FieldReport {
        id: report.id,
        title: report.title,
        about: report.about,
        absent: report
            .absent
            .into_iter()
            .map(|of| (of.name, of.why))
            .collect(),
    }
}

/// Whether a claim was asked for: by its name, or by the letters that it begins with.
fn wanted(ids: &[String], id: &str) -> bool {
    let letters = |asked: &str| asked.chars().all(char::is_alphabetic);
    let is = |asked: &String| asked == id || (letters(asked) && id.starts_with(asked.as_str()));
    ids.is_empty() || ids.iter().any(is)
}

fn check(ids: &[String], suite: &Suite) -> Result<()> {
    for asked in ids {
        let is = |id: &str| wanted(std::slice::from_ref(asked), id);
        if !suite.ids().any(is) {
            let mut known: Vec<_> = suite.ids().collect();
            known.sort_by_key(|id| by_number(id));
            let hint = format!("there are {}", known.join(", "));
            let message = format!("no claim is called `{asked}`");
            return Err(Error::new(Exit::File, message).hint(hint));
        }
    }
    Ok(())
}

/// `A2` before `A10`.
fn by_number(id: &str) -> (String, u32) {
    let digits = id.find(|c: char| c.is_ascii_digit()).unwrap_or(id.len());
    (id[..digits].to_owned(), id[digits..].parse().unwrap_or(0))
}
