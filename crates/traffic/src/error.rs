use std::io;
use std::path::{Path, PathBuf};

/// Why there is nothing to ask.
#[derive(Debug, thiserror::Error)]
pub enum TrafficError {
    /// A file could not be read.
    #[error("cannot read `{}`: {reason}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// The file is not TOML, or has an unknown key or a value of the wrong type.
    #[error("`{}` is not a mix:\n{detail}", .path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, column and the offending line, with a caret under it.
        detail: String,
    },
    /// A value is well-formed and makes no sense.
    #[error("`{}`{}: `{key}`: {problem}", .path.display(), at(*.line))]
    Meaning {
        /// The file.
        path: PathBuf,
        /// Line of the key, from 1, where it is known.
        line: Option<usize>,
        /// The key's path inside the file.
        key: String,
        /// What is wrong with it.
        problem: String,
        /// What to write instead.
        hint: Option<String>,
    },
    /// A recording holds nothing that could be asked.
    #[error("`{}`: {problem}", .path.display())]
    Nothing {
        /// The file.
        path: PathBuf,
        /// What was found in place of requests.
        problem: String,
        /// What to do about it with `weir bench`.
        hint: String,
        /// The same where its options are not there; absent where the other one names none.
        plain: Option<String>,
    },
}

fn at(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}

impl TrafficError {
    pub(crate) fn read(path: &Path) -> impl Fn(io::Error) -> Self {
        move |reason| Self::Read {
            path: path.to_owned(),
            reason,
        }
    }

    /// The same where the options of `weir bench` are not there: of a plan, and of `weir try`.
    #[must_use]
    pub fn without_options(self) -> Self {
        match self {
            Self::Nothing {
                path,
                problem,
                plain: Some(hint),
                ..
            } => Self::Nothing {
                path,
                problem,
                hint,
                plain: None,
            },
            other => other,
        }
    }

    /// What to do next.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Read { .. } => Some("give the path of a file that can be read".into()),
            Self::Syntax { .. } => {
                Some("every key of a mix is explained by `weir help mix`".into())
            }
            Self::Meaning { hint, .. } => hint.clone(),
            Self::Nothing { hint, .. } => Some(hint.clone()),
        }
    }
}
