//! The one place that writes to the user. A reader that is gone (`| head`) has read what it wanted, and is
//! no reason to fail.

use std::io::{ErrorKind, Write as _};

use crate::error::{Error, Result};
use crate::exit::Exit;

/// Writes results to standard output, without colours where they do not belong.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let message = format!("cannot write the result: {error}");
            Err(Error::new(Exit::Internal, message))
        }
        _ => Ok(()),
    }
}

/// Writes JSON to standard output.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Error::new(Exit::Internal, error.to_string()))?;
    print(&format!("{text}\n"))
}

/// Writes what is no result to standard error, as lines. Nobody can be told that it failed.
pub(crate) fn note(text: impl AsRef<str>) {
    let text = text.as_ref();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let _ = write!(anstream::stderr().lock(), "{text}{end}");
}
