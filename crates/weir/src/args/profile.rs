//! What `weir profile` understands.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::Args;
use record::limits;

use super::Side;
use super::run::StartArgs;
use super::value::seconds;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weir profile last                     a run whose load was profiled
  weir profile plan.toml one-worker --out profile
  weir profile last:one-worker --diff last:two-workers
  weir profile --pid 4711 --seconds 30 --out before
  weir profile --pid 4711 --seconds 30 --out after --diff before")]
pub(crate) struct ProfileArgs {
    /// RUN or RUN:VARIANT whose load asked for a `profile`; or a plan file, of which VARIANT is run once
    #[arg(
        value_name = "RUN|PLAN",
        required_unless_present = "pid",
        conflicts_with = "pid"
    )]
    pub(crate) of: Option<RunOrPath>,
    /// The variant of the plan
    #[arg(value_name = "VARIANT", requires = "of")]
    pub(crate) variant: Option<String>,
    /// Instead of a run or a plan: a running process, with all that it has started
    #[arg(long, short = 'p', value_name = "PID", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) pid: Option<u32>,
    /// With --pid: how long it is sampled; Ctrl-C ends it sooner
    #[arg(long, visible_alias = "duration", visible_short_alias = 'd', value_name = "TIME", default_value = "10s", conflicts_with = "of", value_parser = seconds)]
    pub(crate) seconds: f64,
    /// Samples of each thread per second, of a process or a plan
    #[arg(long, value_name = "N", default_value_t = 50.0, value_parser = rate)]
    pub(crate) rate: f64,
    /// The app's folder [default: the plan's; of a process, the one in which it runs]
    #[arg(long, value_name = "DIR", conflicts_with = "of")]
    pub(crate) app: Option<PathBuf>,
    /// Write folded stacks, an interactive flame graph and files for speedscope and pprof into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Also say how it differs from an earlier one: RUN or RUN:VARIANT, or what `--out` wrote; with `--out` as a flame graph too
    #[arg(long, value_name = "RUN|DIR")]
    pub(crate) diff: Option<RunOrPath>,
    /// Functions that are shown
    #[arg(long, short = 'n', value_name = "N", default_value_t = 15)]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) start: StartArgs,
}

/// A run, or what lies elsewhere: a plan, or an earlier profile's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RunOrPath {
    Run(Side),
    Path(PathBuf),
}

impl std::str::FromStr for RunOrPath {
    type Err = Infallible;
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text.parse() {
            Ok(side) => Self::Run(side),
            Err(_) => Self::Path(text.into()),
        })
    }
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok();
    let sound = rate.filter(|rate| *rate > 0.0 && *rate <= limits::PROFILE);
    sound.ok_or_else(|| {
        format!(
            "samples per second are above 0 and at most {}, such as 50",
            limits::PROFILE
        )
    })
}
