//! Why an app cannot be described, or cannot run as it is.

use std::path::PathBuf;

/// What to do where a folder is not there.
const NO_FOLDER: &str = "name the app's folder, or a module that lies in this one (`weir try module:app`); `weir try` alone looks at \
                         this folder";

/// Why an app cannot be described, or cannot run as it is.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// An `app.toml` is wrong.
    #[error("`{file}`: {problem}")]
    File {
        /// Path of the file.
        file: PathBuf,
        /// What is wrong, with the line or key.
        problem: String,
    },
    /// The folder that was named is not there.
    #[error("no such folder: `{}`", folder.display())]
    NoFolder {
        /// As the user typed it.
        folder: PathBuf,
    },
    /// The app could not be looked at or its module does not load.
    #[error("cannot load `{entry}` in `{dir}`: {problem}")]
    Detect {
        /// As the user typed it.
        entry: String,
        /// The app's folder.
        dir: PathBuf,
        /// What went wrong.
        problem: String,
        /// What to do, if it is known.
        hint: Option<String>,
        /// The end of the traceback.
        traceback: Vec<String>,
    },
    /// Nothing in a folder says what the app is, or nothing that does can be loaded.
    #[error("{} in `{dir}`{}", if *failed { "no app can be loaded" } else { "nothing to serve was found" }, below(looked))]
    Unrecognised {
        /// The folder.
        dir: PathBuf,
        /// Something there should be an app, and cannot be loaded.
        failed: bool,
        /// What was looked at, and why it is none.
        looked: Vec<String>,
        /// What to do about the first of them, if it is known.
        hint: Option<String>,
        /// The end of its traceback, where that says more.
        traceback: Vec<String>,
    },
    /// The app cannot run as its folder is.
    #[error("the app in `{dir}` cannot run yet: {lacking}")]
    Unprepared {
        /// The folder.
        dir: PathBuf,
        /// What is missing.
        lacking: String,
        /// What to type.
        hint: String,
    },
}

impl AppError {
    /// What the user should type or do next.
    pub(super) fn hint(&self) -> Option<String> {
        let text = match self {
            Self::File { .. } => "every key of an `app.toml` is explained by `weir help app`",
            Self::NoFolder { .. } => NO_FOLDER,
            Self::Detect { hint, .. } => return hint.clone(),
            Self::Unrecognised {
                hint: Some(hint), ..
            }
            | Self::Unprepared { hint, .. } => return Some(hint.clone()),
            Self::Unrecognised {
                hint: None, failed, ..
            } => unrecognised(*failed),
        };
        Some(text.to_owned())
    }

    /// The end of the traceback, if there is one.
    pub(super) fn traceback(&self) -> &[String] {
        match self {
            Self::Detect { traceback, .. } | Self::Unrecognised { traceback, .. } => traceback,
            Self::File { .. } | Self::NoFolder { .. } | Self::Unprepared { .. } => &[],
        }
    }
}

/// What to do where nothing can be served: a file that was found and broke is not to be named.
fn unrecognised(failed: bool) -> &'static str {
    if failed {
        return "mend what broke, which stands above, and try again";
    }
    "say what to serve: `weir try module:app`, or `weir try --command 'CMD'` with $PORT in it"
}

/// Lines below a sentence.
fn below(lines: &[String]) -> String {
    let lines = lines.iter().map(String::as_str);
    [""].into_iter().chain(lines).collect::<Vec<_>>().join("\n")
}
