//! How weir ends, as a vocabulary that scripts can rely on. `docs/exit-codes.md` prints this table.

use std::process::ExitCode;

/// Why the process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything asked for was done.
    Done,
    /// weir itself failed in a way it did not foresee.
    Internal,
    /// The command line makes no sense (also clap's own code).
    Usage,
    /// A threshold was crossed, or could not be checked.
    Threshold,
    /// It was measured, and no trial can be trusted.
    Invalid,
    /// A plan, an app or an entry of the catalogue is wrong.
    File,
    /// A program that is needed is not installed.
    Missing,
    /// A stack did not start, become ready, stay up or stop.
    Stack,
    /// A stack answered wrongly.
    Answers,
    /// The target could not be loaded: refused, reset, stalled, garbage.
    Target,
    /// The store could not be read or written.
    Store,
    /// This machine lacks what is needed: descriptors, processes, local ports, memory, disk. Never the target's fault.
    Machine,
    /// The user ended it (Ctrl-C).
    Interrupted,
    /// As the tool ends whose command line was taken (`weir ab`, `weir wrk`).
    Theirs(u8),
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
            "this machine ran out of something (descriptors, processes, local ports, memory, disk)",
        ),
        (Self::Interrupted, "the user ended it"),
    ];

    /// The code that the process ends with.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Internal => 1,
            Self::Usage => 2,
            Self::Threshold => 3,
            Self::Invalid => 4,
            Self::File => 5,
            Self::Missing => 6,
            Self::Stack => 7,
            Self::Answers => 8,
            Self::Target => 9,
            Self::Store => 10,
            Self::Machine => 11,
            Self::Interrupted => 130,
            Self::Theirs(code) => code,
        }
    }

    /// What it means; nothing for a code of another tool's.
    pub(crate) fn meaning(self) -> Option<&'static str> {
        let mut all = Self::ALL.into_iter();
        all.find(|(exit, _)| *exit == self)
            .map(|(_, meaning)| meaning)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
