//! `weir claims`: the plans of a folder, and what became of each of their claims.

use ::report::terminal::{ClaimRow, Standing};
use experiment::Shelf;
use record::{Plan, RunStatus};
use store::Store;

use crate::args::ClaimsArgs;
use crate::commands::run::{apply, begin, go};
use crate::commands::{report, show};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::output::{print, print_json};
use crate::session::{Session, width};

pub(crate) fn run(args: &ClaimsArgs, session: &mut Session) -> Result<Exit> {
    let shelf = experiment::shelf(&args.plans, args.how.start.python.as_deref())?;
    check(&args.ids, &shelf)?;
    let mut store = session.store()?;
    let mut rows = Vec::new();
    for plan in &shelf.plans {
        if plan.claims.iter().any(|claim| wanted(&args.ids, &claim.id)) {
            rows.extend(of_plan(plan.clone(), args, session, &mut store)?);
        }
    }
    rows.extend(shelf.open.into_iter().map(|open| ClaimRow {
        id: open.id,
        text: open.text,
        reported: open.reported,
        standing: Standing::NotYet {
            missing: open.missing,
        },
    }));
    rows.retain(|row| wanted(&args.ids, &row.id));
    rows.sort_by_key(|row| by_number(&row.id));
    if session.json() {
        print_json(&rows)?;
    } else if args.markdown {
        print(&::report::terminal::claims_markdown(&rows))?;
    } else {
        print(&::report::terminal::claims(&rows, width()))?;
    }
    let failed = |row: &ClaimRow| matches!(row.standing, Standing::Failed { .. });
    Ok(if rows.iter().any(failed) {
        Exit::Invalid
    } else {
        Exit::Done
    })
}

/// All claims of a plan, run now or taken from the store. What fails is a row of its own: the plans that
/// come after it are run all the same.
fn of_plan(
    mut plan: Plan,
    args: &ClaimsArgs,
    session: &Session,
    store: &mut Store,
) -> Result<Vec<ClaimRow>> {
    let run = if args.stored {
        newest(&plan, store)?
    } else {
        apply(&args.how, &mut plan);
        let begun = begin(&plan, session, store);
        let ended = begun.and_then(|run| {
            go(&run, store, session, &args.how)?;
            let out = args.how.out.as_ref().map(|out| out.join(&plan.name));
            report::of(
                run.id,
                store,
                &session.report_folder(run.id, out.as_deref()),
            )?;
            Ok(run.id)
        });
        match ended {
            Ok(run) => Some(run),
            Err(error) if error.exit() == Exit::Interrupted => return Err(error),
            Err(error) => {
                let why = error.to_string();
                let standing = |name: &str| Standing::Failed {
                    plan: name.to_owned(),
                    why: why.clone(),
                };
                return Ok(undecided(&plan, standing));
            }
        }
    };
    let Some(run) = run else {
        return Ok(undecided(&plan, |name| Standing::NotRun {
            plan: name.to_owned(),
        }));
    };
    let (run, _, judged) = show::judged(run, store)?;
    let rows = judged.claims.iter();
    Ok(rows
        .map(|verdict| ClaimRow::judged(&run, verdict))
        .collect())
}

/// The newest run of a plan that came to its end.
fn newest(plan: &Plan, store: &Store) -> Result<Option<i64>> {
    for summary in store.runs()? {
        let run = store.run(summary.id)?;
        if run.plan.name == plan.name && run.status == RunStatus::Finished {
            return Ok(Some(run.id));
        }
    }
    Ok(None)
}

fn undecided(plan: &Plan, standing: impl Fn(&str) -> Standing) -> Vec<ClaimRow> {
    let rows = plan.claims.iter().map(|claim| ClaimRow {
        id: claim.id.clone(),
        text: claim.text.clone(),
        reported: claim.reported.clone(),
        standing: standing(&plan.name),
    });
    rows.collect()
}

/// Whether a claim was asked for: by its name, or by the letters that it begins with.
fn wanted(ids: &[String], id: &str) -> bool {
    let letters = |asked: &str| asked.chars().all(char::is_alphabetic);
    let is = |asked: &String| asked == id || (letters(asked) && id.starts_with(asked.as_str()));
    ids.is_empty() || ids.iter().any(is)
}

fn check(ids: &[String], shelf: &Shelf) -> Result<()> {
    for asked in ids {
        if !shelf
            .ids()
            .any(|id| wanted(std::slice::from_ref(asked), id))
        {
            let mut known: Vec<_> = shelf.ids().collect();
            known.sort_by_key(|id| by_number(id));
            let message = format!("no claim is called `{asked}`");
            return Err(
                Error::new(Exit::File, message).hint(format!("there are {}", known.join(", ")))
            );
        }
    }
    Ok(())
}

/// `A2` before `A10`.
fn by_number(id: &str) -> (String, u32) {
    let digits = id.find(|c: char| c.is_ascii_digit()).unwrap_or(id.len());
    (id[..digits].to_owned(), id[digits..].parse().unwrap_or(0))
}
