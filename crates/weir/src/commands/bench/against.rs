//! A load beside an earlier one.

use experiment::Found;
use judge::{against, differences};
use record::{LoadFacts, Outcome, Run, Trial};
use report::load::Against;
use store::Store;

use super::plan::{NAME, url};
use crate::args::{BenchArgs, RunName};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::invocation::{Invocation, named};

/// An earlier load of one URL.
pub(super) struct Earlier {
    run: Run,
    load: LoadFacts,
}

/// The one that was asked for, before any load begins.
pub(super) fn earlier(args: &BenchArgs, invocation: &Invocation) -> Result<Option<Earlier>> {
    let Some(name) = args.output.against else {
        return Ok(None);
    };
    is_one_load(args)?;
    let store = invocation.store_to_read()?;
    let run = match name {
        RunName::Last(before) => last(&store, &url(args), before)?,
        RunName::Number(_) => named(&store, name)?,
    };
    let id = run.id;
    match kept_load(&run, &store)? {
        Some(load) => Ok(Some(Earlier { run, load })),
        None => Err(
            Error::new(Exit::Usage, format!("run {id} is not one load of one URL"))
                .hint("`weir list` shows the loads of `weir bench`".to_owned()),
        ),
    }
}

/// Refuses what is several loads: none of them is the one to compare.
fn is_one_load(args: &BenchArgs) -> Result<()> {
    let several = if args.is_survey() {
        "a survey"
    } else if args.points.is_given() {
        "a search for the highest rate" // clap refuses a sweep
    } else {
        return Ok(());
    };
    let message =
        format!("`--against` compares one load with an earlier one, and this is {several}");
    let hint = "give a load to compare: `-c 100 -d 30s`";
    Err(Error::new(Exit::Usage, message).hint(hint.to_owned()))
}

/// The last load of this URL, or so many of them before that.
fn last(store: &Store, url: &str, before: u32) -> Result<Run> {
    let mut before = before;
    for summary in store.runs()?.iter().filter(|run| run.name == NAME) {
        let run = store.run(summary.id)?;
        let variant = run.plan.one_load();
        if variant.is_none_or(|variant| variant.url.as_deref() != Some(url)) {
            continue;
        }
        if before == 0 {
            return Ok(run);
        }
        before -= 1;
    }
    let message = format!(
        "there is no earlier load of `{url}` to compare with: surveys and sweeps are several loads"
    );
    let hint = "load it once without --against (`-c 100 -d 30s`), or give the number of a run: `weir list`";
    Err(Error::new(Exit::Store, message).hint(hint.to_owned()))
}

impl Earlier {
    /// What can be said of a load and this one.
    pub(super) fn beside(&self, found: &Found) -> Option<Against> {
        Some(Against {
            run: self.run.id,
            started: self.run.started,
            figures: against(first_load(&found.trials)?, &self.load),
            differences: differences(&found.run, &self.run),
        })
    }
}

/// The load of a run that is one load of one URL.
///
/// # Errors
/// The store cannot be read, or the run is another kind.
pub(in crate::commands) fn kept_load(run: &Run, store: &Store) -> Result<Option<LoadFacts>> {
    if run.plan.one_load().is_none() {
        return Ok(None);
    }
    Ok(first_load(&store.trials(run.id)?).cloned())
}

fn first_load(trials: &[Trial]) -> Option<&LoadFacts> {
    trials.iter().find_map(|trial| match &trial.outcome {
        Outcome::Measured(measured) => Some(&measured.load),
        Outcome::Failed(_) => None,
    })
}
