//! `weir forget`: removes runs from the store, and their reports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use report::words::{counted, moment};
use schemars::JsonSchema;
use serde::Serialize;
use store::{Store, Summary};

use crate::args::{ForgetArgs, Runs};
use crate::error::{Error, Exit, Result};
use crate::files;
use crate::invocation::{Invocation, named};
use crate::output::note;
use crate::question;

/// A run in `weir forget --json`.
#[derive(JsonSchema, Serialize)]
pub(super) struct ForgottenRun {
    #[serde(flatten)]
    summary: Summary,
    /// The folder of its report beside the store, which is removed with it; absent where there is none.
    report: Option<PathBuf>,
    /// Whether it is removed; `--dry-run` removes nothing.
    removed: bool,
}

pub(crate) fn run(args: &ForgetArgs, invocation: &Invocation) -> Result<Exit> {
    let chosen = chosen(args, &invocation.store_to_read()?)?;
    let removed = !args.dry_run && !chosen.is_empty();
    if removed && !may_remove(&chosen, args, invocation)? {
        note("nothing is removed");
        return Ok(Exit::Done);
    }
    let forgotten = |summary: Summary| {
        let report = invocation.report_folder(summary.id, None);
        ForgottenRun {
            report: report.is_dir().then_some(report),
            summary,
            removed,
        }
    };
    let runs: Vec<ForgottenRun> = chosen.into_iter().map(forgotten).collect();
    let mut unremoved = None;
    if removed {
        let numbers: Vec<i64> = runs.iter().map(|of| of.summary.id).collect();
        invocation.store()?.forget(&numbers)?;
        unremoved = without_reports(&runs);
    }
    let shown = invocation.show(&runs, || match &runs[..] {
        [] => "no run began so long ago\n".to_owned(),
        runs => runs.iter().map(told).collect(),
    })?;
    unremoved.map_or(Ok(shown), Err)
}

/// The runs that are meant, the oldest first.
fn chosen(args: &ForgetArgs, store: &Store) -> Result<Vec<Summary>> {
    let mut all = store.runs()?;
    all.reverse();
    if let Some(seconds) = args.before {
        let now = record::now();
        all.retain(|of| now.duration_since(of.started).as_secs_f64() > seconds);
        return Ok(all);
    }
    let mut meant = BTreeSet::new();
    for runs in &args.runs {
        match *runs {
            Runs::One(name) => {
                meant.insert(named(store, name)?.id);
            }
            Runs::Between(first, last) => {
                let inside = all.iter().map(|of| of.id);
                let inside: Vec<i64> = inside.filter(|id| (first..=last).contains(id)).collect();
                if inside.is_empty() {
                    let problem = format!("the store has no run from {first} to {last}");
                    let hint = "`weir list` shows the runs".to_owned();
                    return Err(Error::new(Exit::Store, problem).hint(hint));
                }
                meant.extend(inside);
            }
        }
    }
    all.retain(|of| meant.contains(&of.id));
    Ok(all)
}

/// Whether so many runs may be removed: of one it was said, of several the user is asked on a terminal.
fn may_remove(runs: &[Summary], args: &ForgetArgs, invocation: &Invocation) -> Result<bool> {
    let (Some(first), Some(last)) = (runs.first(), runs.last()) else {
        return Ok(true);
    };
    if runs.len() == 1 || args.yes {
        return Ok(true);
    }
    let several = counted(runs.len() as u64, "run");
    if !question::is_possible(invocation) {
        let problem = format!("{several} would be removed");
        let hint = "`--yes` removes them, `--dry-run` says which they are".to_owned();
        return Err(Error::new(Exit::Usage, problem).hint(hint));
    }
    let asked = format!(
        "Remove {several}, from run {} of {} UTC to run {} of {} UTC?",
        first.id,
        moment(first.started),
        last.id,
        moment(last.started)
    );
    question::says_yes(&asked, "`--yes` asks nothing", invocation)
}

/// Removes the reports that weir wrote beside the store; what could not be removed.
fn without_reports(runs: &[ForgottenRun]) -> Option<Error> {
    let folders = runs.iter().filter_map(|of| of.report.as_deref());
    let failed = |folder: &Path| {
        let error = files::remove_folder(folder).err()?;
        let problem = format!(
            "the runs are removed, and the report `{}` cannot be: {error}",
            folder.display()
        );
        let hint = "remove the folder by hand".to_owned();
        Some(Error::new(Exit::Store, problem).hint(hint))
    };
    folders.filter_map(failed).reduce(Error::and)
}

/// What became of a run, in a line.
fn told(of: &ForgottenRun) -> String {
    let Summary {
        id,
        name,
        started,
        done,
        ..
    } = &of.summary;
    let outcome = if of.removed {
        "is removed"
    } else {
        "would be removed"
    };
    let report = of.report.as_ref().map(|_| ", with its report");
    format!(
        "run {id} of {} UTC (`{name}`, {}) {outcome}{}\n",
        moment(*started),
        counted(u64::from(*done), "trial"),
        report.unwrap_or_default()
    )
}
