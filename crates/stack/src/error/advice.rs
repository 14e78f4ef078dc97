use std::path::Path;

use record::{Failure, Step};

use super::StackError;
use super::shortage;
use crate::path;

/// What to do where a command says nothing.
const BY_HAND: &str = "run that command by hand: it ends before it says anything";

/// What to do where a server answers otherwise than expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// What to type.
    pub hint: String,
    /// The page on the same server that it redirects to and that answers as expected.
    pub leads_to: Option<String>,
}

impl StackError {
    pub(crate) fn system(doing: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let doing = doing.into();
        move |error| Self::System { doing, error }
    }

    /// What was done to a file or folder (`reading`), and failed.
    pub(crate) fn file(doing: &str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        Self::system(format!("{doing} `{}`", path.display()))
    }

    /// What the user should type or do next.
    pub fn hint(&self) -> Option<String> {
        if let Some(number) = self.shortage() {
            return Some(shortage::hint(number));
        }
        let text = match self {
            Self::Entry { .. } | Self::Template { .. } => {
                "`app-servers/gunicorn.toml` in weir's catalogue explains every key"
            }
            Self::App(error) => return error.hint(),
            Self::NoPython { .. } => "activate the app's environment, or pass `--python PATH`",
            Self::UnknownEntry { hint, .. }
            | Self::Knob { hint, .. }
            | Self::Refused { hint, .. } => return Some(hint.clone()),
            Self::WrongAnswer { remedy, .. } => return Some(remedy.hint.clone()),
            Self::Missing { install, .. } => {
                return install
                    .as_ref()
                    .map(|command| format!("install it: {command}"));
            }
            Self::Check { .. } => "`weir stack VARIANT --plan FILE` shows the rendered files",
            Self::Setup { .. } => "run the command by hand in the app's folder",
            Self::Prepare { .. } => {
                "what it printed stands above; `weir stack VARIANT --plan FILE` shows all commands"
            }
            Self::Exited { .. } => {
                "its last lines stand above; `weir stack VARIANT --plan FILE` shows the command"
            }
            Self::Died { .. } => "its last lines stand above; does less load end it, too?",
            Self::Beyond { .. } => {
                "let the route answer with less: weir reads up to 128 header lines of 64 KiB together, and bodies up to 64 MiB"
            }
            Self::NotReady { .. } => {
                "look at the log lines above, or allow more time to get ready: `--ready-timeout 2m`"
            }
            Self::Elsewhere { .. } => {
                "let it read its port from the environment (PORT), or give `--command 'CMD'` with $PORT in it"
            }
            Self::AddressInUse { .. } => {
                "something on this machine takes ports as fast as weir chooses them; try again"
            }
            Self::Stranger { ends, .. } => {
                let ends = ends.as_deref().unwrap_or("stop what listens there");
                return Some(format!("{ends}, or try again: weir chooses another port"));
            }
            Self::Differs {
                hint: Some(hint), ..
            } => return Some(hint.to_string()),
            Self::Differs { dynamic, .. } if !dynamic.is_empty() => return Some(declare(dynamic)),
            Self::Differs { .. } => {
                "if the part that differs is meant to, declare it in the route's `dynamic`"
            }
            Self::Guardian { .. } => "was it killed or stopped by hand? run it again",
            Self::Unasked { .. } | Self::Short { .. } => BY_HAND,
            Self::System { doing, error } => return system_hint(doing, error),
            Self::Fetch { .. } | Self::Interrupted => return None,
        };
        Some(text.to_owned())
    }

    /// The system's number of what this machine ran out of (`ENOSPC`, `EMFILE` …), if that is the reason.
    pub fn shortage(&self) -> Option<i32> {
        match self {
            Self::System { error, .. } => {
                shortage::of(error).or_else(|| shortage::of_ports(&self.to_string()))
            }
            Self::Fetch { problem, .. } => shortage::of_ports(problem),
            Self::Unasked { shortage, .. } => *shortage,
            Self::Short { number, .. } => Some(*number),
            _ => None,
        }
    }

    /// Last lines of the log of the process concerned, or the lines around a difference.
    pub fn log_tail(&self) -> &[String] {
        match self {
            Self::App(error) => error.traceback(),
            Self::Differs { context, .. } => context,
            Self::Check { log_tail, .. }
            | Self::Setup { log_tail, .. }
            | Self::Prepare { log_tail, .. }
            | Self::Exited { log_tail, .. }
            | Self::Died { log_tail, .. }
            | Self::WrongAnswer { log_tail, .. }
            | Self::NotReady { log_tail, .. }
            | Self::Elsewhere { log_tail, .. }
            | Self::Short { log_tail, .. }
            | Self::AddressInUse { log_tail, .. } => log_tail,
            _ => &[],
        }
    }

    /// The step of a trial that this error ends.
    pub fn step(&self) -> Step {
        match self {
            Self::Exited { .. }
            | Self::WrongAnswer { .. }
            | Self::Beyond { .. }
            | Self::NotReady { .. }
            | Self::Elsewhere { .. }
            | Self::Short { .. }
            | Self::Stranger { .. } => Step::Ready,
            Self::Differs { .. } | Self::Fetch { .. } => Step::Verify,
            Self::Died { .. } => Step::Load,
            Self::Guardian { .. } => Step::Stop,
            _ => Step::Start,
        }
    }

    /// The error as a trial records it.
    pub fn failure(&self) -> Failure {
        Failure {
            step: self.step(),
            error: self.to_string(),
            log_tail: self.log_tail().to_vec(),
            machine: false, // who took the trial knows
        }
    }
}

/// How parts that are meant to differ are declared.
fn declare(patterns: &[String]) -> String {
    let quoted = |before: &str, between: &str| -> String {
        let each = patterns.iter();
        let each = each.map(|pattern| format!("{before}'{pattern}'"));
        each.collect::<Vec<_>>().join(between)
    };
    let (options, list) = (quoted("--dynamic ", " "), quoted("", ", "));
    format!(
        "if it is meant to differ, declare it: `weir try {options}`, or `dynamic = [{list}]` in the route of the \
         `app.toml`"
    )
}

/// What there is to do about what the system refused to weir itself.
fn system_hint(doing: &str, error: &std::io::Error) -> Option<String> {
    let lost = error.kind() == std::io::ErrorKind::NotFound;
    let hint = if doing.starts_with(super::FOLDER) {
        format!(
            "set TMPDIR to a folder that exists and that you may write to (now `{}`)",
            path::temporary().display()
        )
    } else if lost && !Path::new("/proc/self").exists() {
        "mount `/proc`: weir starts itself from there, and watches servers through it".to_owned()
    } else if lost && doing.contains("the folder that weir runs in") {
        "it was removed: go to a folder that exists, as in `cd ~`".to_owned()
    } else {
        return None;
    };
    Some(hint)
}
