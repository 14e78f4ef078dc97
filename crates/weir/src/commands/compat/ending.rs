//! How these tools end, which scripts rely on. What weir would have said by a code of its own is a note.

use load::{LoadError, Trouble};
use record::{Cause, LoadFacts};

use crate::error::{Error, Exit};
use crate::invocation::Invocation;
use crate::output::note;

/// Share of requests that failed, from which on `weir bench` trusts no figure.
const MANY: f64 = 0.01;

/// Whose command line was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    Ab,
    Wrk,
}

impl Tool {
    /// An error with the code that the tool gives it: ab the system's number of it, wrk always 1.
    pub(super) fn error(self, error: Error) -> Error {
        let code = match (self, error.exit()) {
            (Self::Wrk, Exit::Usage | Exit::File | Exit::Target) => 1,
            (Self::Ab, Exit::Usage) => 22,  // EINVAL
            (Self::Ab, Exit::Target) => 50, // what is left in a byte of APR's number for an unknown name
            _ => return error,
        };
        error.ends(Exit::Theirs(code))
    }

    /// A load, or the question before it, that came to nothing.
    pub(super) fn failed(self, why: LoadError) -> Error {
        let code = match &why {
            LoadError::Unreachable { cause, .. }
            | LoadError::NothingRight {
                trouble: Trouble::Failed(cause),
                ..
            } => ab_code(*cause),
            LoadError::NothingRight { .. } => 119, // of APR's number for a time that is over
            _ => return self.error(why.into()),
        };
        let code = if self == Self::Ab { code } else { 1 };
        Error::from(why).ends(Exit::Theirs(code))
    }

    /// The code of a load that was measured and printed, whatever was answered; and a word to a person
    /// about what to doubt.
    pub(super) fn end(self, facts: &LoadFacts, invocation: &Invocation) -> Exit {
        let interrupted = invocation
            .interrupted()
            .load(std::sync::atomic::Ordering::Relaxed);
        if !invocation.quiet() {
            tell(facts, interrupted);
        }
        match self {
            Self::Ab if interrupted => Exit::Theirs(1),
            Self::Ab if facts.scheduled > 0 && facts.connects == 0 => Exit::Theirs(111),
            Self::Ab | Self::Wrk => Exit::Done,
        }
    }
}

/// The system's number of a failure, which ab ends with.
fn ab_code(cause: Cause) -> u8 {
    match cause {
        Cause::Backlog => 110,
        Cause::Exhausted => 24,
        Cause::Connect => 113,
        Cause::ResetBeforeAnswer | Cause::ResetInAnswer => 104,
        _ => 111,
    }
}

fn tell(facts: &LoadFacts, interrupted: bool) {
    let doubts = judge::doubts(facts);
    for doubt in &doubts {
        note(format!("weir: {}", doubt.because));
    }
    let bad: u64 = facts.statuses.range(400..).map(|(_, count)| count).sum();
    let all: u64 = facts.statuses.values().sum();
    if bad > 0 {
        note(format!(
            "weir: {bad} of {all} responses had a status of 400 or more"
        ));
    }
    let wrong = bad + facts.failures() + facts.timed_out;
    let own = if interrupted {
        Exit::Interrupted
    } else if facts.sent == 0 && facts.failed.contains_key(&Cause::Unasked) {
        Exit::File
    } else if facts.completed == 0 || bad == all {
        Exit::Target
    } else if doubts.iter().any(|doubt| doubt.disqualifies)
        || wrong as f64 > MANY * facts.scheduled as f64
    {
        Exit::Invalid
    } else {
        return;
    };
    let meaning = own.meaning().unwrap_or_default();
    let code = own.code();
    note(format!(
        "weir: `weir bench` would have ended with {code}: {meaning}"
    ));
}
