//! What `weir stack` understands.

use std::path::PathBuf;

use clap::Args;

use super::value::setting;

#[derive(Debug, Args)]
pub(crate) struct StackArgs {
    /// A stage of --plan, or an entry of the catalogue
    pub(crate) name: String,
    /// The plan that has the stage
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// A knob of the entry, as in workers=4; may be given several times
    #[arg(long, value_name = "KNOB=VALUE", value_parser = setting, conflicts_with = "plan")]
    pub(crate) set: Vec<(String, String)>,
    /// Print and start nothing, which this command does anyway (`weir up` starts a stack)
    #[arg(long)]
    print: bool,
    /// The Python that stands in the commands [default: as `weir run` chooses it]
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
}
