//! Which commit of an app is served: what two runs differ by where everything else is the same.

use std::path::Path;
use std::time::Duration;

use crate::process::printed;

/// How long it may take to be told: a run does not wait for a repository that is huge, or elsewhere.
const LIMIT: Duration = Duration::from_secs(5);
/// Most characters of it.
const LONGEST: usize = 80;

/// The commit of the work tree that a folder is part of, as `git describe --always` has it, with `-dirty` where files that
/// it knows were changed since. `None` where there is none, where it does not have the folder, and without git.
pub fn revision(dir: &Path) -> Option<String> {
    let git = |words: &[&str]| {
        // nothing is written into the app's folder, not even git's own index
        let dir = dir.to_str()?;
        // and no hook that watches files is started
        let quiet = ["--no-optional-locks", "-c", "core.fsmonitor=false"];
        let begin = ["git", "-C", dir];
        let argv = begin
            .iter()
            .chain(&quiet)
            .chain(words)
            .map(|word| (*word).to_owned());
        printed(&argv.collect::<Vec<_>>(), LIMIT).ok()
    };
    // a folder that is only below somebody's work tree, and no part of it, has no commit there
    git(&["rev-parse", "--verify", "--quiet", "HEAD:./"])?;
    let commit = git(&["describe", "--always"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    let commit = commit.trim();
    let plain = !commit.is_empty() && commit.chars().all(|c| c.is_ascii_graphic());
    let dirty = if changed.trim().is_empty() {
        ""
    } else {
        "-dirty"
    };
    (plain && commit.len() <= LONGEST).then(|| format!("{commit}{dirty}"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Runs git in a folder; whether it is there and was content.
    fn git(dir: &Path, words: &[&str]) -> bool {
        let who = ["-c", "user.name=weir", "-c", "user.email=weir@localhost"];
        let mut command = std::process::Command::new("git");
        let output = command.arg("-C").arg(dir).args(who).args(words).output();
        output.is_ok_and(|output| output.status.success())
    }

    #[test]
    fn a_folder_of_a_work_tree_has_its_commit() {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("shop");
        fs::create_dir_all(dir.join("backend")).unwrap();
        assert_eq!(revision(&dir), None, "no work tree");
        assert!(
            git(&dir, &["init", "--quiet"]),
            "git is missing: `make deps` installs it"
        );
        assert_eq!(revision(&dir), None, "nothing was committed");
        fs::write(dir.join("backend/app.py"), "one").unwrap();
        assert!(git(&dir, &["add", "."]));
        assert!(git(&dir, &["commit", "--quiet", "--message", "one"]));
        let commit = revision(&dir).unwrap();
        assert!(commit.len() >= 7 && !commit.contains('-'), "{commit}");
        assert_eq!(revision(&dir.join("backend")), Some(commit.clone()));
        fs::create_dir(dir.join("new")).unwrap();
        assert_eq!(revision(&dir.join("new")), None, "no part of the commit");
        assert!(git(&dir, &["tag", "--annotate", "v1", "--message", "one"]));
        assert_eq!(revision(&dir).as_deref(), Some("v1"));

        let index = fs::read(dir.join(".git/index")).unwrap();
        fs::write(dir.join("backend/app.py"), "two").unwrap();
        assert_eq!(revision(&dir).as_deref(), Some("v1-dirty"));
        let after = fs::read(dir.join(".git/index")).unwrap();
        assert_eq!(after, index, "nothing is written");
        let odd = "v\u{fc}";
        assert!(git(&dir, &["tag", "--annotate", odd, "--message", "two"]));
        let told = revision(&dir);
        assert!(told.is_none_or(|told| told.is_ascii()));
        assert_eq!(revision(Path::new("/no/such/folder")), None);
    }
}
