//! A question to the user, on a terminal.

use std::io::{BufRead as _, IsTerminal as _};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use stack::StackError;

use crate::error::{Error, Exit, Result};
use crate::invocation::Invocation;
use crate::output::note;

/// How often Ctrl-C is looked for while the user is asked.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// Whether there is a user to ask: at a terminal, and not where only results are wanted.
pub(crate) fn is_possible(invocation: &Invocation) -> bool {
    let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    terminal && !invocation.quiet() && !invocation.json()
}

/// Asks, and says whether the answer is yes; an empty one is no. `unasked` says what to type in order not to be asked.
///
/// # Errors
/// The answer cannot be read, or the user interrupts.
pub(crate) fn says_yes(question: &str, unasked: &str, invocation: &Invocation) -> Result<bool> {
    note(format!("{question} [y/N]"));
    let answer = typed(unasked, invocation)?;
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}

/// The line that the user types. It is read once it is there: a read that waits would not hear Ctrl-C.
fn typed(unasked: &str, invocation: &Invocation) -> Result<String> {
    let cannot = |error: std::io::Error| {
        let message = format!("cannot read your answer: {error}");
        Error::new(Exit::Internal, message).hint(unasked.to_owned())
    };
    let input = std::io::stdin();
    loop {
        let mut waiting = [PollFd::new(&input, PollFlags::IN)];
        let ready = match poll(&mut waiting, Some(&LOOK)) {
            Err(Errno::INTR) => false,
            ready => ready.map_err(|error| cannot(error.into()))? > 0,
        };
        if invocation.is_interrupted() {
            return Err(StackError::Interrupted.into());
        }
        if ready {
            let mut answer = String::new();
            input.lock().read_line(&mut answer).map_err(cannot)?;
            return Ok(answer);
        }
    }
}
