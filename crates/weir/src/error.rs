//! Every error a user can see, worded in one place: what, where, and what to type next.

use std::{fmt, io};

use experiment::{AddressError, ExperimentError};
use judge::CompareError;
use load::{LoadError, Trouble};
use record::{Cause, Flaw, Spelling};
use report::harmless::one_line;
use script::ScriptError;
use stack::StackError;
use store::StoreError;

pub(crate) use crate::exit::Exit;
use crate::mask;

/// An error on its way to the user.
#[derive(Debug)]
pub(crate) struct Error {
    message: String,
    hint: Option<String>,
    exit: Exit,
}

/// What a command returns.
pub(crate) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error with its way to end.
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
            exit,
        }
    }

    /// A load that makes no sense, spelled as the user typed it.
    pub(crate) fn of_load(flaw: &Flaw, spelling: Spelling) -> Self {
        Self::new(Exit::Usage, flaw.told(spelling)).hint(flaw.hint(spelling))
    }

    /// Something could not be written. A full disk is what this machine ran out of, whatever it was; anything else ends
    /// and is hinted at as the caller says.
    pub(crate) fn unwritten(what: &str, error: &io::Error, exit: Exit, hint: &str) -> Self {
        let message = format!("cannot write {what}: {error}");
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Self::new(Exit::Machine, message)
                    .hint("free some of it, or write to a disk with more room".to_owned())
            }
            _ => Self::new(exit, message).hint(hint.to_owned()),
        }
    }

    /// Adds what to type next.
    pub(crate) fn hint(mut self, hint: impl Into<Option<String>>) -> Self {
        self.hint = hint.into();
        self
    }

    /// The same error, after a word on where it is met.
    pub(crate) fn met(self, place: &str) -> Self {
        let message = format!("{place}: {}", self.message);
        Self { message, ..self }
    }

    /// The same error with another way to end.
    pub(crate) fn ends(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }

    /// This and another one, told together; it ends as this one does.
    pub(crate) fn and(self, other: Self) -> Self {
        let hints = match (self.hint, other.hint) {
            (Some(one), Some(other)) if one != other => Some(format!("{one}; {other}")),
            (one, other) => one.or(other),
        };
        Self {
            message: format!("{}; {}", self.message, other.message),
            hint: hints,
            exit: self.exit,
        }
    }

    /// What went wrong, by itself.
    pub(crate) fn why(&self) -> &str {
        &self.message
    }

    /// How the process ends.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // a value with a line feed in it cannot pass for a line of weir's
        let inside = |text: &str| text.replace('\n', "\n  ");
        write!(f, "error: {}", inside(&self.message))?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {}", inside(hint)),
            None => Ok(()),
        }
    }
}

/// The error, then the log lines that explain it.
fn with_log(message: impl fmt::Display, log_tail: &[String]) -> String {
    log_tail.iter().fold(message.to_string(), |text, line| {
        text + "\n| " + &one_line(line)
    })
}

impl From<StackError> for Error {
    fn from(error: StackError) -> Self {
        Self::new(exit_of_stack(&error), with_log(&error, error.log_tail())).hint(error.hint())
    }
}

fn exit_of_stack(error: &StackError) -> Exit {
    use StackError as E;
    if error.shortage().is_some() {
        return Exit::Machine;
    }
    match error {
        E::Entry { .. }
        | E::App(_)
        | E::UnknownEntry { .. }
        | E::Knob { .. }
        | E::Refused { .. }
        | E::Template { .. }
        | E::Check { .. } => Exit::File,
        E::NoPython { .. } | E::Missing { .. } => Exit::Missing,
        E::Setup { .. }
        | E::Prepare { .. }
        | E::Exited { .. }
        | E::Died { .. }
        | E::Beyond { .. }
        | E::NotReady { .. }
        | E::Elsewhere { .. }
        | E::AddressInUse { .. }
        | E::Stranger { .. }
        | E::Unasked { .. }
        | E::Short { .. }
        | E::Guardian { .. } => Exit::Stack,
        E::WrongAnswer { .. } | E::Differs { .. } | E::Fetch { .. } => Exit::Answers,
        E::Interrupted => Exit::Interrupted,
        E::System { .. } => Exit::Internal,
    }
}

impl From<ExperimentError> for Error {
    fn from(error: ExperimentError) -> Self {
        let exit = exit_of_experiment(&error);
        Self::new(exit, with_log(&error, error.log_tail())).hint(error.hint())
    }
}

fn exit_of_experiment(error: &ExperimentError) -> Exit {
    match error {
        ExperimentError::Plan(_) | ExperimentError::Requests { .. } => Exit::File,
        ExperimentError::Stack(stack) => exit_of_stack(stack),
        ExperimentError::Variant { error, .. } | ExperimentError::NeverReady { error, .. } => {
            exit_of_stack(error)
        }
        ExperimentError::Client { .. } => Exit::Stack,
        ExperimentError::NoClient { .. } => Exit::Missing,
        ExperimentError::Url { .. } => Exit::Target,
        ExperimentError::Load { error, .. } => exit_of_load(error),
        ExperimentError::NoRate { .. } => Exit::Threshold,
        ExperimentError::Capacity { error, .. } => exit_of_experiment(error),
        ExperimentError::NoCapacity { .. } => Exit::Invalid,
        ExperimentError::Store(error) => ends(error),
        ExperimentError::Condition(_) => Exit::Usage,
        ExperimentError::Interrupted { .. } => Exit::Interrupted,
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match no_descriptor() {
            // SQLite does not tell why it cannot open a file
            Some(why) => Self::new(Exit::Machine, format!("{error}: {why}"))
                .hint("raise the limit first: `ulimit -n 1024`".to_owned()),
            None => Self::new(ends(&error), error.to_string()).hint(error.hint()),
        }
    }
}

/// A full disk is what this machine ran out of; all else is the store's.
fn ends(error: &StoreError) -> Exit {
    match error {
        StoreError::Full { .. } => Exit::Machine,
        _ => Exit::Store,
    }
}

/// Descriptors that a library may need at once: SQLite for a store, the resolver for a name.
const AT_ONCE: usize = 8;

/// Why this process cannot open files, if it is that: those who needed some do not always tell.
pub(crate) fn no_descriptor() -> Option<std::io::Error> {
    let files: std::result::Result<Vec<_>, _> = (0..AT_ONCE)
        .map(|_| std::fs::File::open("/dev/null"))
        .collect();
    files.err()
}

impl From<AddressError> for Error {
    /// A name without an address is the target's fault, unless this process has no descriptor left to ask with,
    /// which the resolver does not tell.
    fn from(error: AddressError) -> Self {
        let url = mask::url(error.url());
        let about = |why: &str| format!("cannot load `{}`: {why}", url.escape_debug());
        let exit = match error {
            AddressError::Wrong { .. } => Exit::Usage,
            AddressError::Unknown { .. } => Exit::Target,
        };
        match no_descriptor().filter(|_| exit == Exit::Target) {
            Some(why) => Self::new(Exit::Machine, about(&why.to_string()))
                .hint("raise the limit on open files (`ulimit -n 1024`)".to_owned()),
            None => Self::new(exit, about(&error.why())).hint(error.hint().to_owned()),
        }
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Self {
        Self::new(exit_of_load(&error), error.to_string()).hint(error.hint())
    }
}

/// What ran out on this side is not the target's fault.
fn exit_of_load(error: &LoadError) -> Exit {
    use LoadError as E;
    match error {
        E::Interrupted => Exit::Interrupted,
        E::Load(_)
        | E::Invalid { .. }
        | E::Unsendable(_)
        | E::Unspoken(_)
        | E::File { .. }
        | E::Tls { .. } => Exit::Usage,
        E::Descriptors { .. }
        | E::Setup(_)
        | E::Unreachable {
            cause: Cause::Exhausted,
            ..
        }
        | E::NothingRight {
            trouble: Trouble::Failed(Cause::Exhausted),
            ..
        } => Exit::Machine,
        E::NothingAsked { .. } | E::RequestSource { .. } => Exit::File,
        E::Unreachable { .. } | E::NothingRight { .. } => Exit::Target,
    }
}

impl From<ScriptError> for Error {
    fn from(error: ScriptError) -> Self {
        Self::new(Exit::File, error.to_string()).hint(error.hint())
    }
}

impl From<CompareError> for Error {
    /// What was named is the user's to say; what was measured and does not count is not.
    fn from(error: CompareError) -> Self {
        let exit = match error {
            CompareError::NothingCounts { .. } => Exit::Invalid,
            _ => Exit::Usage,
        };
        Self::new(exit, error.to_string()).hint(error.hint())
    }
}

#[cfg(test)]
mod tests;
