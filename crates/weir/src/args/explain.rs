//! What `weir explain` understands.

use clap::Args;

use super::Side;
use super::run::{StartArgs, TimeArgs};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weir explain last
  weir explain last:one-worker --try --budget 1m")]
pub(crate) struct ExplainArgs {
    /// RUN or RUN:VARIANT
    #[arg(value_name = "RUN", default_value = "last")]
    pub(crate) of: Side,
    /// Follow the first advice that is a number in a plan, and measure the variant with it and without, in turn
    #[arg(long = "try")]
    pub(crate) tried: bool,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    #[command(flatten)]
    pub(crate) start: StartArgs,
}
