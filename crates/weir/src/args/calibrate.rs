use clap::Args;

use super::value::seconds;

/// How a machine is calibrated.
#[derive(Debug, Args)]
pub(crate) struct CalibrateArgs {
    /// Total duration, as in 10s; half for the ceiling, half for the floor of latency
    #[arg(long, short, default_value = "10s", value_parser = seconds)]
    pub(crate) duration: f64,
}
