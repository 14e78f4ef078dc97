//! A URL where a command takes an app or a plan: the folder, the module or the file of that name would only be missed.

use std::path::Path;

use crate::args::{Command, RunOrPath};
use crate::error::{Error, Exit, Result};

/// Refuses a URL in place of an app or a plan, before anything is looked for under that name.
///
/// # Errors
/// There is one.
pub(super) fn refused(command: &Command) -> Result<()> {
    match command {
        Command::Try(args) => app(args.entry.as_deref(), "`weir try` starts an app by itself"),
        Command::Doctor(args) => app(args.app.as_deref(), "`weir doctor` looks at an app's files"),
        Command::Run(args) => plan(args.plan.as_deref(), "run"),
        Command::Up { plan: file, .. } => plan(Some(file), "up"),
        Command::Stack(args) => plan(args.plan.as_deref(), "stack"),
        Command::Profile(args) => match &args.of {
            Some(RunOrPath::Path(path)) => profiled(path),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

fn app(entry: Option<&str>, but: &str) -> Result<()> {
    let hint = "`weir bench URL` loads what runs already; or give the app's folder";
    entry.map_or(Ok(()), |entry| none(entry, but, hint))
}

fn plan(file: Option<&Path>, command: &str) -> Result<()> {
    let but = format!("`weir {command}` takes a plan file");
    let hint = "`weir bench URL` loads what runs already; a variant of a plan names it by `url` (`weir help plan`)";
    named(file, &but, hint)
}

fn profiled(path: &Path) -> Result<()> {
    let but = "`weir profile` takes a run or a plan file";
    let hint = "`weir profile --pid PID` samples a program that runs already";
    named(Some(path), but, hint)
}

fn named(file: Option<&Path>, but: &str, hint: &str) -> Result<()> {
    let text = file.and_then(Path::to_str);
    text.map_or(Ok(()), |text| none(text, but, hint))
}

fn none(text: &str, but: &str, hint: &str) -> Result<()> {
    if !is_url(text) || Path::new(text).exists() {
        return Ok(());
    }
    let problem = format!("`{text}` is a URL, and {but}");
    Err(Error::new(Exit::Usage, problem).hint(hint.to_owned()))
}

/// Whether a text has a scheme, or is a host with its port: no module has a callable of digits.
fn is_url(text: &str) -> bool {
    let schemes = |c: char| c.is_ascii_alphanumeric() || "+.-".contains(c);
    if let Some((scheme, _)) = text.split_once("://") {
        return !scheme.is_empty() && scheme.chars().all(schemes);
    }
    let place = text.split('/').next().unwrap_or_default();
    place.rsplit_once(':').is_some_and(|(host, port)| {
        let is_number = !port.is_empty() && port.chars().all(|c| c.is_ascii_digit());
        !host.is_empty() && is_number
    })
}

#[cfg(test)]
mod tests {
    use super::is_url;

    #[test]
    fn what_has_a_scheme_or_a_port_is_a_url() {
        for url in [
            "http://localhost:8000",
            "https://shop.example/",
            "http+unix://run/app.sock",
            "localhost:8000",
            "127.0.0.1:8000/users",
            "[::1]:80",
        ] {
            assert!(is_url(url), "{url}");
        }
        for other in [
            ".",
            "../shop",
            "shop:app",
            "shop.wsgi",
            "serve.py",
            "/srv/shop:8000",
            "://",
            "shop:",
            ":80",
        ] {
            assert!(!is_url(other), "{other}");
        }
    }
}
