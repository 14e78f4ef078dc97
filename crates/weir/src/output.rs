//! The one place that writes to the user, on both streams. What comes from an app, a plan, a path or a server
//! is in these texts, and cannot steer a terminal: it leaves here, and here it is made harmless. A reader that
//! is gone (`| head`) has read what it wanted, and is no reason to fail.

use std::io::Write as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use report::harmless::{harmless, json, one_line, painted};

use crate::args::command;
use crate::error::{Error, Exit, Result};
use crate::{mask, other_tools};

/// Writes results to standard output, without colours where they do not belong.
pub(crate) fn print(text: &str) -> Result<()> {
    write(&painted(text))
}

/// Writes JSON to standard output.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Error::new(Exit::Internal, error.to_string()))?;
    print_lines_of_json(&format!("{text}\n"))
}

/// Writes JSON that is a text already to standard output.
pub(crate) fn print_lines_of_json(text: &str) -> Result<()> {
    write(&json(text))
}

fn write(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    let written = out
        .write_all(mask::text(text).as_bytes())
        .and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let hint = "write it to a place that takes it";
            Err(Error::unwritten("the result", &error, Exit::Internal, hint))
        }
        _ => Ok(()),
    }
}

/// Writes what is no result to standard error, as lines. Nobody can be told that it failed.
pub(crate) fn note(text: impl AsRef<str>) {
    aside(&harmless(text.as_ref()));
}

/// The same of a text that is one line, whatever is in it.
pub(crate) fn note_line(text: &str) {
    aside(&one_line(text));
}

/// The same of a text that was painted here.
pub(crate) fn aside(text: &str) {
    let text = painted(text);
    let text = mask::text(&text);
    if text.is_empty() {
        return;
    }
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let _ = write!(anstream::stderr().lock(), "{text}{end}");
}

/// Whether a command that begins runs was asked to go on with one.
fn is_resumed(error: &clap::Error) -> bool {
    let wrong = error.get(ContextKind::InvalidArg);
    let named = matches!(wrong, Some(ContextValue::String(word)) if word == "--resume");
    error.kind() == ErrorKind::UnknownArgument && named
}

/// Whether a run is asked to go on in another way than it began.
fn is_changed_on_resume(error: &clap::Error) -> bool {
    let is_resume = |kind: ContextKind| {
        let word = error.get(kind);
        matches!(word, Some(ContextValue::String(word)) if word.starts_with("--resume "))
    };
    error.kind() == ErrorKind::ArgumentConflict
        && (is_resume(ContextKind::InvalidArg) || is_resume(ContextKind::PriorArg))
}

/// Says what is wrong with the command line, or prints the help that was asked for; the code to end with. Where
/// another tool's command line was taken, it is that tool's.
pub(crate) fn misread(mut error: clap::Error) -> u8 {
    let typed: Vec<String> = std::env::args_os()
        .map(|word| one_line(&word.to_string_lossy()).into_owned())
        .collect();
    other_tools::suggest(&mut error, &typed);
    let rendered = match error.kind() {
        // which lists all commands, those too that weir keeps for itself
        ErrorKind::MissingSubcommand => command().render_help(),
        _ => error.render(),
    };
    let rendered = rendered.ansi().to_string();
    if !error.use_stderr() {
        return print(&rendered).map_or_else(|error| error.exit().code(), |()| 0);
    }
    if let Some(meant) = other_tools::meant(&error, &typed) {
        note(meant.to_string());
    } else if is_resumed(&error) {
        // what is spelt like it is something else
        let hint = "`weir run --resume RUN` goes on with a run, of `weir try` too; `weir list` has its number";
        let error = Error::new(Exit::Usage, "unexpected argument `--resume`");
        note(error.hint(hint.to_owned()).to_string());
    } else {
        aside(&rendered);
        if is_changed_on_resume(&error) {
            note(
                "hint: a run goes on as it began; for more blocks run its plan again, without `--resume`, \
                 as blocks that are added after a look at its intervals would make them wrong too often",
            );
        }
    }
    match typed.get(1).map(String::as_str) {
        Some("ab") => 22,
        Some("wrk") => 1,
        _ => Exit::Usage.code(),
    }
}
