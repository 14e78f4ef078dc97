//! What a short command says, or why it says nothing.

use std::path::Path;
use std::time::Duration;

use crate::error::log;
use crate::process::capture;

/// What a short command printed on standard output, at most `limit` after its start.
///
/// # Errors
/// It was not run, did not end in time or failed, in words: what it says of that is cut to a line.
pub fn printed(argv: &[String], limit: Duration) -> Result<String, String> {
    printed_in(argv, None, &[], limit)
}

/// The same in a folder, with this environment added to weir's own.
pub(crate) fn printed_in(
    argv: &[String],
    cwd: Option<&Path>,
    env: &[(String, String)],
    limit: Duration,
) -> Result<String, String> {
    let name = argv.first().map_or("", String::as_str);
    let said = capture(argv, cwd, env, limit).map_err(|error| format!("`{name}`: {error}"))?;
    if said.succeeded() {
        return Ok(said.stdout);
    }
    let lines = log::last_lines(&said.everything());
    let (how, cause) = (said.how(), log::cause(&lines));
    Err(format!("`{name}` {how}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_told_or_why_it_is_not() {
        let told = |script: &str| {
            let argv = ["sh", "-c", script].map(str::to_owned);
            printed(&argv, Duration::from_secs(20))
        };
        assert_eq!(told("echo out; echo err >&2"), Ok("out\n".to_owned()));
        let why = told("echo out; echo no >&2; exit 3").unwrap_err();
        assert_eq!(why, "`sh` ended with code 3: no");
        let missing = ["/no/such/program".to_owned()];
        let why = printed(&missing, Duration::from_secs(20)).unwrap_err();
        assert!(why.starts_with("`/no/such/program`: "), "{why}");
    }
}
