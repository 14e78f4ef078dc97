//! What `weir try` may do to what an app keeps.

use clap::Args;

/// POST, PUT, PATCH and DELETE need one of them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Request")]
pub(crate) struct WriteArgs {
    /// Shell command that is run in the app's folder before each start of the app and once more at the end, to bring its data
    /// back to where it was; with it, requests that write are sent
    #[arg(long, value_name = "CMD")]
    pub(crate) reset: Option<String>,
    /// Send requests that write (POST, PUT, PATCH, DELETE), whatever they change
    #[arg(long)]
    pub(crate) yes_write: bool,
}

impl WriteArgs {
    /// The commands that are run before each start.
    pub(crate) fn before_each_start(&self) -> Option<Vec<String>> {
        let command = self.reset.as_ref()?;
        Some(["/bin/sh", "-c", command].map(str::to_owned).into())
    }
}
