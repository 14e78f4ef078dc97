//! Every error a user can see, worded in one place: what, where, and what to type next.

use std::fmt;

use crate::exit::Exit;

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

    /// Adds what to type next.
    pub(crate) fn hint(mut self, hint: impl Into<Option<String>>) -> Self {
        self.hint = hint.into();
        self
    }

    /// How the process ends.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}
