//! What `weir run` and `weir up` understand, and `weir try` as well.

use std::path::PathBuf;

use clap::Args;

use super::RunName;
use super::time::TimeArgs;
use super::value::seconds;

#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// The Python that the app runs in [default: the active virtual environment, the app's .venv, python3]
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
    /// Longest time for a server to give its first right answer
    #[arg(long, default_value = "30s", value_name = "TIME", value_parser = seconds)]
    pub(crate) ready_timeout: f64,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The plan file
    #[arg(required_unless_present = "resume")]
    pub(crate) plan: Option<PathBuf>,
    /// Go on with a run that was cut short
    #[arg(long, value_name = "RUN", conflicts_with_all = ["plan", "blocks", "seed", "quick", "python", "expect"])]
    pub(crate) resume: Option<RunName>,
    /// A condition that must surely hold (``p99 of `a` < 50ms``), else the run ends with 3; as often as
    /// needed
    #[arg(long, value_name = "CONDITION")]
    pub(crate) expect: Vec<String>,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    #[command(flatten)]
    pub(crate) how: HowArgs,
}

/// How often, in which order, and where the results go.
#[derive(Debug, Args)]
pub(crate) struct HowArgs {
    /// Fresh starts of each stage [default: the plan's]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(record::limits::BLOCKS)))]
    pub(crate) blocks: Option<u32>,
    /// Seed of the random order [default: the plan's]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// One block only: quick, and without any interval
    #[arg(long, conflicts_with = "blocks")]
    pub(crate) quick: bool,
    /// Folder for the HTML report and the JSON export [default: beside the store]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) start: StartArgs,
}
