//! `weir show`: a run as its facts are judged today.

use std::path::{Path, PathBuf};

use ::report::Findings;
use judge::{ClaimVerdict, Holds, Judged};
use record::{Run, Trial};
use store::Store;

use crate::args::RunName;
use crate::commands::report;
use crate::error::Result;
use crate::exit::Exit;
use crate::output::{print, print_json};
use crate::session::{Session, named, width};

pub(crate) fn run(name: RunName, session: &Session) -> Result<Exit> {
    let store = session.store()?;
    let run = named(&store, name)?;
    present(run.id, &store, session, None)
}

/// Prints a run; with `reports`, writes its files into that folder first.
pub(crate) fn present(
    run: i64,
    store: &Store,
    session: &Session,
    reports: Option<&Path>,
) -> Result<Exit> {
    let (run, trials, judged) = judged(run, store)?;
    let calibration = store.calibration(&run.host, &run.weir)?;
    let findings = Findings {
        run: &run,
        trials: &trials,
        judged: &judged,
        calibration: calibration.as_ref(),
    };
    let files = reports
        .map(|folder| report::write(&findings, folder))
        .transpose()?
        .unwrap_or_default();
    if session.json() {
        print_json(&::report::json::export(&run, &trials, &judged))?;
    } else {
        let text = ::report::terminal::run(&findings, &borrowed(&files), width());
        print(&text)?;
    }
    Ok(verdict(&judged))
}

fn borrowed<'a>(files: &'a [(&'static str, PathBuf)]) -> Vec<(&'static str, &'a Path)> {
    files
        .iter()
        .map(|(what, path)| (*what, path.as_path()))
        .collect()
}

/// Reads a run and judges it.
pub(crate) fn judged(run: i64, store: &Store) -> Result<(Run, Vec<Trial>, Judged)> {
    let run = store.run(run)?;
    let trials = store.trials(run.id)?;
    let judged = judge::judge(&run, &trials);
    Ok((run, trials, judged))
}

/// A run in which nothing counts is not a success, nor is one that does not surely meet what it must.
fn verdict(judged: &Judged) -> Exit {
    let unmet = |claim: &ClaimVerdict| claim.required && claim.holds != Holds::Holds;
    if judged.stages.iter().all(|stage| stage.counted == 0) {
        Exit::Invalid
    } else if judged.claims.iter().any(unmet) {
        Exit::Threshold
    } else {
        Exit::Done
    }
}
