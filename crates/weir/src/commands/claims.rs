//! `weir claims`: the plans of a folder, and what became of each of their claims.

mod before;
mod open;
mod pages;
mod passes;
pub(crate) mod schedule;
mod take;

use ::report::claims::{ClaimRow, ClaimStanding, Claims, Evidence, FieldReport};
use experiment::{OpenClaim, Suite};
use record::Plan;
use store::Store;

use crate::args::ClaimsArgs;
use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;
use crate::output::{print, print_json};
use pages::Pages;
use passes::{End, Passes};
use schedule::Job;

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
    // a plan that ranks without a claim goes with all of them
    let whole = |plan: &Plan| plan.claims.is_empty() && args.ids.is_empty();
    let by_claim = |plan: &Plan| plan.claims.iter().any(|claim| wanted(&args.ids, &claim.id));
    let asked = |plan: &&Plan| whole(plan) || by_claim(plan);
    let plans: Vec<_> = suite.plans.iter().filter(asked).cloned().collect();
    let before = args.which.before.as_deref();
    let before = before.map(|file| before::read(file, &plans, &args.ids));
    let before = before.transpose()?;
    let machine = invocation.machine()?;
    let jobs = schedule::jobs(plans, args, &store, &machine, invocation.host())?;
    if args.which.estimate {
        return schedule::show(&jobs, invocation);
    }
    let ended: Vec<(Job, End)> = if args.which.stored {
        jobs.into_iter().map(looked_up).collect()
    } else {
        Passes::new(args, invocation, &mut store).all(jobs)?
    };
    let mut whole = Whole {
        pages: Pages::new(args, invocation, &suite),
        args,
        invocation,
        claims: Claims {
            before,
            ..Claims::default()
        },
    };
    whole.take_in(&ended, &store)?;
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
    /// The claims of all plans, each as it ended.
    fn take_in(&mut self, ended: &[(Job, End)], store: &Store) -> Result<()> {
        let runs = ended.iter().filter_map(|(_, end)| match end {
            End::Run(run) => Some(*run),
            End::Failed(_) | End::NotRun => None,
        });
        let lost = lost(runs, store)?;
        for (job, end) in ended {
            let plan = &job.plan;
            match end {
                End::Run(run) => self.judged(*run, plan, lost.as_deref(), store)?,
                End::Failed(why) => self.undecided(plan, |plan| ClaimStanding::Failed {
                    plan,
                    why: why.clone(),
                })?,
                End::NotRun => self.undecided(plan, |plan| ClaimStanding::NotRun { plan })?,
            }
        }
        Ok(())
    }

    /// The claims of a plan as a run of it is judged today, and their pages. `lost` is what other programs cost all plans.
    fn judged(&mut self, run: i64, plan: &Plan, lost: Option<&str>, store: &Store) -> Result<()> {
        let (mut rows, evidence): (Vec<ClaimRow>, Evidence) =
            self.pages.of_run(run, plan, lost, store)?;
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
                long: self.args.long,
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

/// What the store has of a plan.
fn looked_up(job: Job) -> (Job, End) {
    let end = job.take.run().map_or(End::NotRun, End::Run);
    (job, end)
}

/// What other programs cost these runs together, in words.
fn lost(runs: impl Iterator<Item = i64>, store: &Store) -> Result<Option<String>> {
    let mut twice = judge::TakenTwice::default();
    for run in runs {
        twice.add(&store.run(run)?, &store.trials(run)?);
    }
    Ok(twice.words())
}

fn not_yet(open: OpenClaim) -> ClaimRow {
    ClaimRow {
        id: open.id,
        text: open.text,
        reported: open.reported,
        since: None,
        differs: Vec::new(),
        long: false,
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
