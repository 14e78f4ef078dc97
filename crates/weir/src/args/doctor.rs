//! What `weir doctor` understands.

use std::path::{Path, PathBuf};

use clap::Args;

use super::value::{Is, kind};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  weir doctor              all servers
  weir doctor .            those that suit the app of this folder
  weir doctor shop:app     those that suit this one
How quiet the machine is, and how even its speed, is looked at for some
three seconds.")]
pub(crate) struct DoctorArgs {
    /// App to look for servers for: its folder, or its entry as in `weir try` [default: all servers]
    pub(crate) app: Option<String>,
    /// Interface, if the detected one is wrong, as in `weir try`
    #[arg(long = "as", value_name = "INTERFACE", value_parser = kind)]
    pub(crate) kind: Option<Is>,
    /// Shell command that serves the app, as in `weir try`
    #[arg(long, value_name = "CMD")]
    pub(crate) command: Option<String>,
    /// Folder of the app
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Python whose servers are searched [default: that of the app, or of the active environment]
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
}

impl DoctorArgs {
    /// The app's folder, and its entry if it was named; none where all servers are asked for.
    pub(crate) fn wanted(&self) -> Option<(&Path, Option<&str>)> {
        let here = Path::new(".");
        let dir = self.dir.as_deref();
        match self.app.as_deref() {
            Some(folder) if dir.is_none() && Path::new(folder).is_dir() => {
                Some((Path::new(folder), None))
            }
            Some(entry) => Some((dir.unwrap_or(here), Some(entry))),
            None if self.kind.is_some() || self.command.is_some() => {
                Some((dir.unwrap_or(here), None))
            }
            None => dir.map(|dir| (dir, None)),
        }
    }
}
