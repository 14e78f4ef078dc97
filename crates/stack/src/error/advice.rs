use record::{Failure, Step};

use super::StackError;

impl StackError {
    pub(crate) fn system(doing: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let doing = doing.into();
        move |error| Self::System { doing, error }
    }

    /// What the user should type or do next.
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            Self::Entry { .. } | Self::Template { .. } => {
                "`app-servers/gunicorn.toml` in weir's catalogue explains every key"
            }
            Self::AppFile { .. } => "every key of an `app.toml` is explained by `weir help app`",
            Self::NoPython { .. } => {
                "activate the app's virtual environment, or pass `--python PATH`"
            }
            Self::Detect { hint, .. } => return hint.clone(),
            Self::Unrecognised { .. } => {
                "say what to serve: `weir try module:app`, or `weir try --command 'CMD'` with $PORT in it"
            }
            Self::Unprepared { hint, .. }
            | Self::UnknownEntry { hint, .. }
            | Self::Knob { hint, .. }
            | Self::Refused { hint, .. } => return Some(hint.clone()),
            Self::Missing { install, .. } => {
                return install
                    .as_ref()
                    .map(|command| format!("install it: {command}"));
            }
            Self::Check { .. } => "`weir stack STAGE --print` shows the rendered files",
            Self::Setup { .. } => "run the command by hand in the app's folder",
            Self::Prepare { .. } => {
                "what it printed stands above; `weir stack STAGE --print` shows all commands"
            }
            Self::Exited { .. } => {
                "its last lines stand above; `weir stack STAGE --print` shows the command"
            }
            Self::Died { .. } => {
                "its last lines stand above; less load shows whether load is the reason"
            }
            Self::WrongAnswer { .. } => {
                "look at the log lines above, or declare the status that the route answers with"
            }
            Self::NotReady { .. } => "look at the log lines above, or allow more time to get ready",
            Self::AddressInUse { .. } => {
                "something on this machine takes ports as fast as weir chooses them; try again"
            }
            Self::Stranger { .. } => "stop that process, or try again: weir chooses another port",
            Self::Differs { .. } => {
                "if the part that differs is meant to, declare it in the route's `dynamic`"
            }
            Self::Guardian { .. } => "was it killed by hand? run it again",
            Self::Fetch { .. } | Self::Interrupted | Self::System { .. } => return None,
        };
        Some(text.to_owned())
    }

    /// Last lines of the log of the process concerned, or the lines around a difference.
    pub fn log_tail(&self) -> &[String] {
        match self {
            Self::Detect {
                traceback: lines, ..
            }
            | Self::Differs { context: lines, .. }
            | Self::Check {
                log_tail: lines, ..
            }
            | Self::Setup {
                log_tail: lines, ..
            }
            | Self::Prepare {
                log_tail: lines, ..
            }
            | Self::Exited {
                log_tail: lines, ..
            }
            | Self::Died {
                log_tail: lines, ..
            }
            | Self::WrongAnswer {
                log_tail: lines, ..
            }
            | Self::NotReady {
                log_tail: lines, ..
            }
            | Self::AddressInUse {
                log_tail: lines, ..
            } => lines,
            _ => &[],
        }
    }

    /// The step of a trial that this error ends.
    pub fn step(&self) -> Step {
        match self {
            Self::Exited { .. }
            | Self::WrongAnswer { .. }
            | Self::NotReady { .. }
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
        }
    }
}
