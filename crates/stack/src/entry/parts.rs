//! The tables and lists of which an entry's file consists, without those that have a file of their own.

use serde::Deserialize;

use crate::process::StopSignal;

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Find {
    pub(crate) program: Option<String>,
    /// Where it is looked for if it is not on PATH; the last that a `*` for a whole name finds.
    #[serde(default)]
    pub(crate) folders: Vec<String>,
    /// What says its version, the first group.
    pub(crate) version: Ask,
}

/// A command (templates), and a pattern of what it prints.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    pub(crate) argv: Vec<String>,
    pub(crate) pattern: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a template or `{ when = \"…\", argv = […] }`"
)]
pub(crate) enum Argument {
    Always(String),
    When(Conditional),
}

/// How a program tests its own configuration.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected templates, or \"argv\"")]
pub(crate) enum OwnTest {
    /// By the command that starts it, in which `checking` is true.
    Start(Word),
    /// By a command of its own (templates).
    Command(Vec<String>),
}

/// The word for the command that starts it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Word {
    Argv,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Conditional {
    pub(crate) when: String,
    pub(crate) argv: Vec<String>,
}

/// A command before each start, as whoever weir is.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Preparation {
    #[serde(default = "always")]
    pub(crate) when: String,
    pub(crate) argv: Vec<Argument>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stop {
    pub(crate) signal: StopSignal,
    /// The one after which it finishes its requests first, where that is not TERM.
    #[serde(default)]
    pub(crate) graceful: Option<StopSignal>,
    /// Seconds.
    pub(crate) grace: u32,
}

impl Stop {
    /// The name of the signal after which a program that a shell started finishes its requests and ends. It is not
    /// `signal` where that is none: a shell has INT and QUIT ignored in what it starts in the background.
    pub(crate) fn graceful(self) -> &'static str {
        self.graceful.unwrap_or(StopSignal::Term).name()
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileTemplate {
    pub(crate) path: String,
    #[serde(default = "always")]
    pub(crate) when: String,
    pub(crate) template: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Need {
    pub(crate) what: String,
    #[serde(default = "always")]
    pub(crate) when: String,
    pub(crate) check: Vec<String>,
    pub(crate) install: String,
}

pub(super) fn always() -> String {
    "true".to_owned()
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Refusal {
    pub(crate) when: String,
    pub(crate) why: String,
    pub(crate) hint: String,
}
