//! What was looked at in a folder and is no app that can be served, each with the reason.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::KINDS;
use crate::error::{AppError, StackError, log};

/// Files that are named in an error; what is behind them is seldom the reason.
const NAMED: usize = 8;

/// What else says how an app is run, or that there is nothing to load.
const RUN: &str = "a `Procfile`, a systemd unit, a compose file, a `Dockerfile`, `index.html`, a package in `.venv` that serves";

/// Columns of a line that lists what was looked for.
const WIDTH: usize = 96;

/// Everything that was looked at in vain.
#[derive(Debug, Default)]
pub(super) struct Missed {
    failed: Vec<Failed>,
    /// What is there and holds nothing to serve, in words.
    empty: Vec<String>,
    /// Files that need no second look.
    files: BTreeSet<PathBuf>,
    /// What to type where nothing failed.
    hint: Option<String>,
}

/// What should be an app and cannot be loaded.
#[derive(Clone, Debug)]
pub(super) struct Failed {
    /// The file.
    pub(super) what: String,
    /// In the words of what tried to load it.
    pub(super) why: String,
    /// What to type.
    pub(super) hint: Option<String>,
    /// The last lines of what it printed, where the reason alone does not say it all.
    pub(super) traceback: Vec<String>,
}

impl Missed {
    pub(super) fn fails(&mut self, failed: Failed) {
        self.failed.push(failed);
    }

    /// A file says that there may be an app, and there is none: as a sentence.
    pub(super) fn holds_none(&mut self, why: String) {
        if !self.empty.contains(&why) {
            self.empty.push(why);
        }
    }

    /// What to type, unless what failed has something to type itself.
    pub(super) fn suggests(&mut self, hint: String) {
        self.hint = Some(hint);
    }

    /// Whether a file is looked at for the first time.
    pub(super) fn is_new(&mut self, file: &Path) -> bool {
        self.files.insert(file.to_owned())
    }

    /// How many files should hold an app and cannot be loaded.
    pub(super) fn failures(&self) -> usize {
        self.failed.len()
    }

    /// What was looked at, one line for each file.
    pub(super) fn lines(&self) -> Vec<String> {
        let failed = self
            .failed
            .iter()
            .map(|it| format!("{}: {}", it.what, it.why));
        let mut lines: Vec<_> = failed.chain(self.empty.iter().cloned()).collect();
        let more = lines.len().saturating_sub(NAMED);
        lines.truncate(NAMED);
        if more > 0 {
            lines.push(format!("and {more} files more"));
        }
        lines.iter().map(|line| log::as_line(line)).collect()
    }

    /// The error of a folder in which nothing can be served.
    pub(super) fn error(self, dir: &Path) -> StackError {
        let mut looked = self.lines();
        if self.failed.is_empty() && self.hint.is_some() {
            looked.push("several of the folders in it hold an app".to_owned());
        } else if self.failed.is_empty() {
            let signs = KINDS.iter().map(|kind| kind.signs);
            let signs: Vec<_> = signs.filter(|signs| !signs.is_empty()).collect();
            looked.extend(wrapped(&format!("looked for: {}, {RUN}", signs.join(", "))));
        }
        let first = self.failed.into_iter().next();
        let failed = first.is_some();
        let told = first.map(|it| (it.hint, it.traceback));
        let (hint, traceback) = told.unwrap_or((self.hint, Vec::new()));
        StackError::App(AppError::Unrecognised {
            dir: dir.to_owned(),
            failed,
            looked,
            hint,
            traceback,
        })
    }
}

/// A text in lines, those after the first indented.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(format!("  {word}")),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}
