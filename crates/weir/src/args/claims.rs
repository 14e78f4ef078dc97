//! What `weir claims` understands.

use std::path::PathBuf;

use clap::Args;

use super::StartArgs;
use super::value::some_time;

#[derive(Debug, Args)]
pub(crate) struct ClaimsArgs {
    /// Identifiers of claims (`A1`), or the first letters of several (`A`) [default: all]
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// The folder of plans
    #[arg(long, default_value = "claims", value_name = "DIR")]
    pub(crate) plans: PathBuf,
    #[command(flatten)]
    pub(crate) which: WhichRuns,
    #[command(flatten)]
    pub(crate) extent: Extent,
    /// Print a document in Markdown: what it was measured on, a table, and each claim in detail
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
    /// Folder for the pages of the claims, and for the report of each run [default: beside the store]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) start: StartArgs,
}

/// Which runs are made, and which are there already.
#[derive(Debug, Args)]
pub(crate) struct WhichRuns {
    /// Run nothing: take the newest finished run of each plan from the store, one with intervals if there is one
    #[arg(long)]
    pub(crate) stored: bool,
    /// Run nothing: print what running would take
    #[arg(long, conflicts_with_all = ["stored", "markdown"])]
    pub(crate) estimate: bool,
    /// Go on where an earlier `weir claims` was cut short: take what was finished in the last day, go on with
    /// what was begun, and run what is left
    #[arg(long, conflicts_with = "stored")]
    pub(crate) resume: bool,
}

/// How much is run.
#[derive(Debug, Args)]
pub(crate) struct Extent {
    /// Time for all plans together: where it is short, dear plans give figures without intervals
    #[arg(long, value_name = "TIME", value_parser = some_time, conflicts_with = "blocks")]
    pub(crate) budget: Option<f64>,
    /// The same as `--budget 20m`
    #[arg(long, conflicts_with_all = ["blocks", "budget"])]
    pub(crate) quick: bool,
    /// Fresh starts of each stage [default: each plan's]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) blocks: Option<u32>,
    /// Seed of the random order [default: each plan's]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

impl Extent {
    /// What `--quick` means, seconds.
    const QUICK: f64 = 1_200.0;

    /// Seconds for all plans together, if their time is limited.
    pub(crate) fn seconds(&self) -> Option<f64> {
        self.quick.then_some(Self::QUICK).or(self.budget)
    }
}
