//! `weir list`: what is in the store.

use std::collections::BTreeMap;

use record::{Plan, Run, RunStatus};
use report::terminal::ListedRun;
use schemars::JsonSchema;
use serde::Serialize;
use store::{Store, Summary};

use crate::error::Result;
use crate::exit::Exit;
use crate::invocation::Invocation;

/// Runs of which all trials are looked at for the best way, of those that compare something: there may be thousands.
const JUDGED: usize = 50;

/// A run in `weir list --json`.
#[derive(JsonSchema, Serialize)]
pub(super) struct KeptRun {
    #[serde(flatten)]
    summary: Summary,
    /// The folder of its app, or the URL that it loads; several are separated by commas.
    app: String,
    /// The variant that the run says to deploy, and what is as good, or those that surely lead where it does not say;
    /// looked for in the latest 50 runs that compare something.
    best: Option<String>,
    /// Whether no trial counts of a run of which that was looked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    nothing_counts: bool,
    /// Whether a process of this machine measures it now; of a run that has only begun and is not, weir was ended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    under_way: bool,
    /// The commit of each folder that its apps are served from, where it is known.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    revisions: BTreeMap<String, String>,
}

pub(crate) fn run(newest: Option<u32>, invocation: &Invocation) -> Result<Exit> {
    let store = invocation.store_to_read()?;
    let most = newest.map_or(usize::MAX, |newest| newest as usize);
    let mut judged = 0;
    let read = |summary: Summary| {
        let run = store.run(summary.id)?;
        let compares = run.plan.variants.len() > 1;
        judged += usize::from(compares);
        let (best, nothing_counts) = if compares && judged <= JUDGED {
            best(&store, &run)?
        } else {
            (None, false)
        };
        let listed = KeptRun {
            app: app(&run.plan),
            best,
            nothing_counts,
            under_way: run.status == RunStatus::Begun && store.is_measured(run.id),
            revisions: run.plan.revisions.clone(),
            summary,
        };
        Ok((run, listed))
    };
    let runs = store.runs()?.into_iter().take(most);
    let runs: Vec<_> = runs.map(read).collect::<Result<_>>()?;
    let (runs, listed): (Vec<Run>, Vec<KeptRun>) = runs.into_iter().unzip();
    invocation.show(&listed, || {
        let rows = runs.into_iter().zip(&listed).map(|(run, of)| ListedRun {
            run,
            app: of.app.clone(),
            trials: u64::from(of.summary.done),
            best: of.best.clone(),
            nothing_counts: of.nothing_counts,
            under_way: of.under_way,
        });
        report::terminal::runs(&rows.collect::<Vec<_>>(), invocation.width())
    })
}

/// What is best of a run, and whether none of its trials counts.
fn best(store: &Store, run: &Run) -> Result<(Option<String>, bool)> {
    let trials = store.trials(run.id)?;
    let judged = judge::judge(run, &trials);
    let nothing = !trials.is_empty() && judged.trials.iter().all(|of| !of.counts);
    Ok((report::words::best(&judged), nothing))
}

/// What its variants serve or load, each once.
fn app(plan: &Plan) -> String {
    let urls = plan.variants.iter().filter_map(|of| of.url.clone());
    let folders = plan
        .apps()
        .into_iter()
        .map(|app| app.dir.display().to_string());
    let clients = plan.variants.iter().filter_map(|of| of.client.as_ref());
    let commands = clients.map(|of| of.command.join(" "));
    let mut all: Vec<String> = folders.chain(urls).chain(commands).collect();
    all.sort();
    all.dedup();
    all.join(", ")
}
