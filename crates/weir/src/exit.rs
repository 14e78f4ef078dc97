//! How weir ends, as a vocabulary that scripts can rely on. `docs/exit-codes.md` prints this table.

use std::process::ExitCode;

/// Why the process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Everything asked for was done.
    Done = 0,
    /// weir itself failed in a way it did not foresee.
    Internal = 1,
    /// The command line makes no sense (also clap's own code).
    Usage = 2,
    /// A threshold was crossed, or could not be checked.
    Threshold = 3,
    /// It was measured, and no trial can be trusted.
    Invalid = 4,
    /// A plan, an app or an entry of the catalogue is wrong.
    File = 5,
    /// A program that is needed is not installed.
    Missing = 6,
    /// A stack did not start, become ready, stay up or stop.
    Stack = 7,
    /// A stack answered wrongly.
    Answers = 8,
    /// The target could not be loaded: refused, reset, stalled, garbage.
    Target = 9,
    /// The store could not be read or written.
    Store = 10,
    /// This machine could not make the load: descriptors, local ports, memory. Never the target's fault.
    Machine = 11,
    /// The user ended it (Ctrl-C).
    Interrupted = 130,
}

impl Exit {
    /// Every way to end with its meaning, for the documentation.
    pub(crate) const ALL: [(Self, &'static str); 13] = [
        (Self::Done, "everything asked for was done"),
        (
            Self::Internal,
            "weir itself failed in a way it did not foresee",
        ),
        (Self::Usage, "the command line makes no sense"),
        (
            Self::Threshold,
            "a threshold was crossed, or could not be checked",
        ),
        (
            Self::Invalid,
            "it was measured, and no trial can be trusted",
        ),
        (Self::File, "a plan, an app or a catalogue entry is wrong"),
        (Self::Missing, "a program that is needed is not installed"),
        (
            Self::Stack,
            "a stack did not start, become ready, stay up or stop",
        ),
        (Self::Answers, "a stack answered wrongly"),
        (Self::Target, "the target could not be loaded"),
        (Self::Store, "the store could not be read or written"),
        (
            Self::Machine,
            "this machine could not make the load (descriptors, local ports)",
        ),
        (Self::Interrupted, "the user ended it"),
    ];
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
