use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A file that says what is asked, in place of a route.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestFile {
    /// Weighted requests, some of them filled in anew each time; `docs/mix.toml` explains each key.
    Mix(PathBuf),
    /// An access log or a browser's archive: its GET and HEAD requests in the recorded order, whenever the load wants
    /// the next one.
    Replay(PathBuf),
}

impl RequestFile {
    /// Where it is.
    pub fn path(&self) -> &Path {
        match self {
            Self::Mix(path) | Self::Replay(path) => path,
        }
    }

    /// The same file elsewhere.
    #[must_use]
    pub fn at(&self, path: PathBuf) -> Self {
        match self {
            Self::Mix(_) => Self::Mix(path),
            Self::Replay(_) => Self::Replay(path),
        }
    }

    /// The key that names it.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Mix(_) => "mix",
            Self::Replay(_) => "replay",
        }
    }

    /// Its name without its folder.
    pub fn name(&self) -> String {
        let name = self.path().file_name();
        name.unwrap_or_default().to_string_lossy().into_owned()
    }
}
