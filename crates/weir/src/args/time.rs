//! How much time commands may take that run plans.

use clap::Args;

use super::value::some_time;

/// The time of a run.
#[derive(Debug, Args)]
pub(crate) struct TimeArgs {
    /// Time for the whole run; blocks that do not fit are left out [default: the plan's, if any]
    #[arg(long, value_name = "TIME", value_parser = some_time)]
    pub(crate) budget: Option<f64>,
}
