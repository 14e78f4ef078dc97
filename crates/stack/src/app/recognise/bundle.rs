//! Whether Bundler has the gems of a Rails app, asked before it is started: what it prints at a failed start is a trace
//! that names neither the missing gem first nor what to type.

use std::time::Duration;

use super::{Wish, unprepared};
use crate::error::{Result, log};
use crate::process::{Unrun, capture};

/// Bundler reads the lock file and the names of what is installed; a busy machine takes seconds for that.
const PATIENCE: Duration = Duration::from_mins(1);
/// Gems that are named in an error.
const NAMED: usize = 3;

/// Refuses an app without a lock file, which its first start would write into its folder, or one whose gems are not
/// there. Where Bundler itself cannot be asked, the app's own start tells.
pub(super) fn check(wish: &Wish<'_>) -> Result<()> {
    let there = |file: &str| wish.dir.join(file).is_file();
    if !there("Gemfile") {
        return Ok(());
    }
    if !there("Gemfile.lock") {
        return Err(unprepared(
            wish,
            "a `Gemfile.lock` beside its `Gemfile`, without which Bundler would write one",
            "`bundle install` in that folder; where the gems are Debian's own and it says \"Could not find … for installation\": `bundle lock --local`",
        ));
    }
    let ask = ["bundle", "check", "--dry-run"].map(str::to_owned);
    // Absolute, as the guardian that runs it has a working folder of its own.
    let Ok(dir) = wish.dir.canonicalize() else {
        return Ok(());
    };
    let answer = match capture(&ask, Some(&dir), &[], PATIENCE) {
        Ok(answer) => answer,
        Err(Unrun::Program(_)) => return Ok(()),
        Err(Unrun::Around(error)) => return Err(error),
    };
    if answer.succeeded() || answer.exit.is_none() {
        return Ok(());
    }
    let said = answer.everything();
    let lines = log::last_lines(&said);
    let lacking = match missing(&said).as_slice() {
        [] => format!(
            "a bundle that Bundler accepts; it says: {}",
            log::cause(&lines)
        ),
        gems => {
            let gems = listed(gems);
            format!("gems that `Gemfile.lock` names and Bundler does not find: {gems}")
        }
    };
    Err(unprepared(
        wish,
        &lacking,
        "`bundle install` in that folder; where the gems are Debian's own, which have other versions: `bundle lock --local`",
    ))
}

/// The gems that `bundle check` names as missing, as ` * racc (1.8.1)`.
fn missing(said: &str) -> Vec<&str> {
    let gems = said.lines().filter_map(|line| line.strip_prefix(" * "));
    gems.map(str::trim).collect()
}

fn listed(gems: &[&str]) -> String {
    let names: Vec<String> = gems.iter().map(|gem| format!("`{gem}`")).collect();
    record::first_of(&names, NAMED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_gems_are_named_and_counted() {
        let said = "The following gems are missing\n * racc (1.8.1)\n * a (1)\n * b (2)\n * c (3)\nInstall missing gems with `bundle install`\n";
        assert_eq!(
            listed(&missing(said)),
            "`racc (1.8.1)`, `a (1)`, `b (2)`, and 1 more"
        );
        assert!(missing("The Gemfile's dependencies are satisfied\n").is_empty());
    }
}
