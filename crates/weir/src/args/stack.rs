//! What `weir stack` understands.

use std::path::PathBuf;

use clap::Args;

use super::value::setting;

#[derive(Debug, Args)]
pub(crate) struct StackArgs {
    /// Variant of --plan, RUN:VARIANT, or entry of the catalogue
    pub(crate) name: String,
    /// Plan that contains the variant
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// Knob of the entry, as in workers=4; repeatable
    #[arg(long, value_name = "KNOB=VALUE", value_parser = setting, conflicts_with = "plan")]
    pub(crate) set: Vec<(String, String)>,
    /// Of no effect: nothing is started anyway (`weir up` starts a stack)
    #[arg(long, hide = true)]
    print: bool,
    /// Python to show in the commands [default: as in `weir run`]
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
}
