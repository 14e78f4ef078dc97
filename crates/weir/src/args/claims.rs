//! What `weir claims` understands.

use std::path::PathBuf;

use clap::Args;
use experiment::Blocks;

use super::StartArgs;
use super::value::some_time;

#[derive(Debug, Args)]
pub(crate) struct ClaimsArgs {
    /// Identifiers of claims (`A1`), or the first letters of several (`A`) [default: all]
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// Folder of plans
    #[arg(long, default_value = "claims", value_name = "DIR")]
    pub(crate) plans: PathBuf,
    /// Run the plans in the folder `long` of --plans instead: curves at every load of a report, which take a night, and
    /// what no claim is about
    #[arg(long)]
    pub(crate) long: bool,
    #[command(flatten)]
    pub(crate) which: WhichRuns,
    #[command(flatten)]
    pub(crate) extent: Extent,
    /// Print a Markdown document: the machine, a table, and each claim in detail
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
    /// Run nothing: use the newest finished run of each plan in the store, one with intervals if
    /// there is one
    #[arg(long)]
    pub(crate) stored: bool,
    /// Run nothing: print the estimated time
    #[arg(long, visible_alias = "dry-run", conflicts_with_all = ["stored", "markdown"])]
    pub(crate) estimate: bool,
    /// Resume an interrupted `weir claims`: use the finished runs of the last day (with `--long` of the last week), resume
    /// those begun, and run the rest
    #[arg(long, conflicts_with = "stored")]
    pub(crate) resume: bool,
    /// Store of an earlier `weir claims`: the document says what both took, and which verdicts are others than there
    #[arg(long, value_name = "FILE", requires = "markdown", conflicts_with_all = ["json", "estimate"])]
    pub(crate) before: Option<PathBuf>,
}

/// How much is run.
#[derive(Debug, Args)]
pub(crate) struct Extent {
    /// Time for all plans together; if it is short, expensive plans give figures without intervals, and curves of `--long`
    /// have fewer levels, to which another one with `--resume` adds
    #[arg(long, value_name = "TIME", value_parser = some_time, conflicts_with = "blocks")]
    pub(crate) budget: Option<f64>,
    /// The same as `--budget 20m`
    #[arg(long, conflicts_with_all = ["blocks", "budget"])]
    pub(crate) quick: bool,
    /// Blocks: how often each variant is started afresh and measured; `4..12` ends as soon as what is asked is decided
    /// [default: each plan's]
    #[arg(long, short, value_name = "N|N..M", value_parser = Blocks::read)]
    pub(crate) blocks: Option<Blocks>,
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
