//! How weir ends, as a vocabulary that scripts can rely on. `docs/exit-codes.md` prints this table.

use std::process::ExitCode;

macro_rules! exits {
    ($($(#[$more:meta])* $exit:ident = $code:literal, $meaning:literal;)+) => {
        /// Why the process ended.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Exit {
            $(#[doc = $meaning] $(#[$more])* $exit,)+
            /// As the tool ends whose command line was taken (`weir ab`, `weir wrk`).
            Theirs(u8),
        }

        impl Exit {
            /// Every way to end with its meaning, for the documentation.
            pub(crate) const ALL: [(Self, &'static str); [$($code),+].len()] =
                [$((Self::$exit, $meaning)),+];

            /// The code that the process ends with.
            pub(crate) fn code(self) -> u8 {
                match self {
                    $(Self::$exit => $code,)+
                    Self::Theirs(code) => code,
                }
            }
        }
    };
}

exits! {
    Done = 0, "everything asked for was done";
    Internal = 1, "weir itself failed in a way it did not foresee";
    /// (also clap's own code)
    Usage = 2, "the command line makes no sense";
    Threshold = 3, "a threshold was crossed, or could not be checked";
    Invalid = 4, "it was measured, and no trial can be trusted, or files to deploy were asked for and it is not decided which";
    File = 5, "a file that was given is wrong: a plan, an app, a catalogue entry, a script, a mix or a log";
    Missing = 6, "a program that is needed is not installed";
    Stack = 7, "a stack did not start, become ready, stay up or stop";
    Answers = 8, "a stack gave a wrong response";
    /// (refused, reset, stalled, garbage)
    Target = 9, "the target could not be loaded";
    Store = 10, "the store has no such run, or it or a report could not be read or written";
    /// (never the target's fault)
    Machine = 11, "this machine ran out of something (descriptors, processes, local ports, memory, disk)";
    /// (Ctrl-C)
    Interrupted = 130, "the user ended it before it was done";
}

impl Exit {
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
