//! What `weir run` and `weir up` understand, and `weir try` as well.

use std::path::PathBuf;

use clap::Args;
use experiment::Blocks;

use super::RunName;
use super::value::{host, seconds, slice, some_time};

#[derive(Debug, Args)]
#[command(next_help_heading = "App")]
pub(crate) struct StartArgs {
    /// Python that runs the app [default: the active virtual environment, the app's .venv, python3]
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
    /// Longest time until the first correct response of a server
    #[arg(long, default_value = "30s", value_name = "TIME", value_parser = seconds)]
    pub(crate) ready_timeout: f64,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Plan file; see `weir help plan`
    #[arg(required_unless_present = "resume")]
    pub(crate) plan: Option<PathBuf>,
    /// Resume an interrupted run
    #[arg(long, value_name = "RUN", conflicts_with_all = ["plan", "blocks", "seed", "quick", "slice", "load_cpus", "own_network", "capture", "python", "expect"])]
    pub(crate) resume: Option<RunName>,
    /// Only these variants of the plan: names, families, or levels of a family (`a@connections=10..50`)
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        conflicts_with = "resume"
    )]
    pub(crate) variants: Vec<String>,
    /// Name by which every variant is asked, in place of the plan's and the app's own (the `Host` header)
    #[arg(long, value_name = "NAME", conflicts_with = "resume", value_parser = host)]
    pub(crate) host: Option<String>,
    /// Check the plan, say how long it takes, and run nothing
    #[arg(long, conflicts_with = "resume")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    #[command(flatten)]
    pub(crate) how: HowArgs,
}

/// How often, in which order, what must come of it, and where the results go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct HowArgs {
    /// Blocks: how often each variant is started afresh and measured; `4..12` ends as soon as what is asked is decided
    /// [default: the plan's; of `weir try` 4..6, or up to 4..12 where the budget allows]
    #[arg(long, short, value_name = "N|N..M", value_parser = Blocks::read)]
    pub(crate) blocks: Option<Blocks>,
    /// Length of the slices in which loads take turns; with 0 each variant is loaded alone, for its whole window [default: the plan's]
    #[arg(long, value_name = "TIME", value_parser = slice)]
    pub(crate) slice: Option<f64>,
    /// Cores for the load generator alone, and the stack has the rest; with 0 all share all [default: the plan's; else a quarter
    /// of the cores, where closed loops compare stacks on 3 and more]
    #[arg(long, value_name = "N")]
    pub(crate) load_cpus: Option<u32>,
    /// Give each trial a network namespace of its own, in which its connections, segments, bytes and resets are counted
    /// exactly; needs root, and nothing outside can be reached from it [default: the plan's]
    #[arg(long)]
    pub(crate) own_network: bool,
    /// Folder for the packets of each trial: a pcap file each, of 256 MiB at most. It implies --own-network, and costs speed
    #[arg(long, value_name = "DIR")]
    pub(crate) capture: Option<PathBuf>,
    /// Seed of the random order [default: the plan's]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Run one block only, and no stress: quick, and without intervals
    #[arg(long, conflicts_with = "blocks")]
    pub(crate) quick: bool,
    /// Condition that must hold with confidence (``p99 of `a` < 50ms``), or the run exits with code
    /// 3; repeatable
    #[arg(long, value_name = "CONDITION")]
    pub(crate) expect: Vec<String>,
    /// Folder for the HTML report and the JSON export [default: beside the store]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) start: StartArgs,
}

/// The time of a run.
#[derive(Debug, Args)]
pub(crate) struct TimeArgs {
    /// Time for the whole run; blocks that do not fit are left out [default: the plan's; none with `--resume`
    /// or with `weir explain --try`]
    #[arg(long, value_name = "TIME", value_parser = some_time)]
    pub(crate) budget: Option<f64>,
}
