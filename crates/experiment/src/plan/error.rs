use std::path::{Path, PathBuf};

/// Why a plan cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file could not be read.
    #[error("cannot read plan `{path}`: {reason}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
    /// The file is not TOML, or has an unknown key or a value of the wrong type.
    #[error("`{path}` is not a plan:\n{detail}")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, column and the offending line, with a caret under it.
        detail: String,
    },
    /// A value is well-formed and makes no sense.
    #[error("`{path}`: `{key}`: {problem}")]
    Meaning {
        /// The file.
        path: PathBuf,
        /// Path of the key inside the file.
        key: String,
        /// What is wrong with it.
        problem: String,
        /// What to write instead.
        hint: Option<String>,
    },
    /// Its rates are shares of what a variant can do that is not among those that are run.
    #[error(
        "`load.of-capacity`: rates are shares of the capacity of `{variant}`, which is not among the variants that are run"
    )]
    NoCapacity {
        /// The variant.
        variant: String,
    },
    /// It divides more cores than there are.
    #[error("`cpus`: {wanted} cores are wanted, and weir may use {cores} here")]
    Cores {
        /// Those of the load generator and of the stack.
        wanted: u32,
        /// Those that weir may use.
        cores: u32,
    },
    /// Its trials are to have networks of their own, and weir may not make any.
    #[error("`network`: weir may not make a network for each trial here: {reason}")]
    Network {
        /// What the system said.
        reason: std::io::Error,
    },
    /// What its trials send is to be captured, and cannot be.
    #[error("weir cannot capture packets into the folder `{folder}`: {reason}")]
    Capture {
        /// The folder.
        folder: String,
        /// What the system said.
        reason: std::io::Error,
    },
    /// Its trials are to have networks of their own, and a server is not in them.
    #[error(
        "`network`: the `url` of variant `{variant}` cannot be reached from a network of its own"
    )]
    Outside {
        /// The variant.
        variant: String,
    },
}

impl PlanError {
    /// What to do next.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Read { .. } => {
                Some("give the path of a plan file, for instance `claims/a-guestbook.toml`".into())
            }
            Self::Syntax { .. } => {
                Some("every key of a plan is explained by `weir help plan`".into())
            }
            Self::Meaning { hint, .. } => hint.clone(),
            Self::NoCapacity { variant } => Some(format!(
                "run `{variant}` too, or write rates in requests per second in place of `of-capacity`"
            )),
            Self::Cores { .. } => Some(
                "leave one core or more to the stack, or let all share all: `cpus = { load = 0 }` (`--load-cpus 0`)"
                    .into(),
            ),
            Self::Network { .. } => Some(
                "run weir as root, and in a container with the capability SYS_ADMIN; or leave `network` \
                 (`--own-network`) out, and counts contain whatever else the machine sends"
                    .into(),
            ),
            Self::Capture { .. } => Some(
                "name a folder that weir may write to, run weir as root, or leave `--capture` out"
                    .into(),
            ),
            Self::Outside { .. } => Some(
                "leave `network` (`--own-network`) out, or the variants with a `url`".into(),
            ),
        }
    }
}

/// A value that makes no sense.
pub(crate) fn wrong(path: &Path, key: &str, problem: &str, hint: &str) -> PlanError {
    PlanError::Meaning {
        path: path.to_owned(),
        key: key.to_owned(),
        problem: problem.to_owned(),
        hint: Some(hint.to_owned()),
    }
}
