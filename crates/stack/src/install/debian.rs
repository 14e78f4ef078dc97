//! Debian's packages, where weir may install any.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::error::Result;
use crate::process::{GuardCommand, capture};
use crate::serve::undisturbed;

/// Longest wait for sudo's word.
const ASKED: Duration = Duration::from_secs(10);

/// Fetches what there is to install.
const UPDATE: [&str; 5] = ["timeout", "120", "apt-get", "-qq", "update"];

/// Services of these packages are not started: weir needs the programs only, and Debian asks a file, which says so for
/// as long as this script runs. One that a killed weir left behind forbids nothing any more, and is replaced.
const SCRIPT: &str = r#"
set -e
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ] || [ "$(sed -n 2p $policy)" = '# weir' ]; then
    trap 'rm -f $policy' EXIT
    trap 'exit 143' TERM
    printf '#!/bin/sh\n# weir\ngrep -qs policy-rc.d /proc/%s/cmdline && exit 101\nexit 0\n' $$ > $policy
    chmod +x $policy
fi
export DEBIAN_FRONTEND=noninteractive
timeout 480 apt-get -qq install -y --no-install-recommends -- $packages
"#;

/// How Debian's packages can be installed here: as root, or as root by `sudo` without a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Debian {
    sudo: bool,
}

impl Debian {
    /// Longest time for all packages; what runs for them ends by itself a little before.
    pub const LIMIT: Duration = Duration::from_secs(620);

    /// Whether it can be done without asking for a password.
    pub fn here() -> Option<Self> {
        which::which("apt-get").ok()?;
        if rustix::process::geteuid().is_root() {
            return Some(Self { sudo: false });
        }
        let asked = ["sudo", "-n", "true"].map(str::to_owned);
        let allowed = capture(&asked, None, &[], ASKED).is_ok_and(|asked| asked.succeeded());
        allowed.then_some(Self { sudo: true })
    }

    /// Those of these packages that are not installed.
    pub fn absent<'a>(packages: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        let packages: Vec<_> = packages.collect();
        let query = [
            "dpkg-query",
            "--show",
            "--showformat",
            "${db:Status-Status} ${Package}\n",
        ];
        let argv: Vec<_> = query
            .iter()
            .chain(&packages)
            .map(|&word| word.to_owned())
            .collect();
        let known = capture(&argv, None, &[], ASKED)
            .map(|said| said.stdout)
            .unwrap_or_default();
        let installed = |name: &&str| {
            known
                .lines()
                .any(|line| line == format!("installed {name}"))
        };
        packages
            .into_iter()
            .filter(|name| !installed(name))
            .collect()
    }

    /// Installs these packages.
    ///
    /// # Errors
    /// apt-get fails, or takes too long, or the user interrupts: what is under way then is waited for, since a package
    /// that was installed by half is in the way of every other.
    pub fn install(self, packages: &[&str], interrupted: &AtomicBool) -> Result<()> {
        let of_a_name = |c: char| c.is_ascii_alphanumeric() || "+-.:".contains(c);
        let packages = packages.iter().copied();
        let packages: Vec<_> = packages
            .filter(|name| name.chars().all(of_a_name))
            .collect();
        let packages = format!("packages={}", packages.join(" "));
        self.run(&UPDATE, interrupted)?;
        self.run(&[packages.as_str(), "sh", "-c", SCRIPT], interrupted)
    }

    /// Runs a command as root; variables may stand before it.
    fn run(self, words: &[&str], interrupted: &AtomicBool) -> Result<()> {
        let sudo = ["sudo", "-n"].into_iter().filter(|_| self.sudo);
        let argv: Vec<_> = sudo
            .chain(["env"])
            .chain(words.iter().copied())
            .map(str::to_owned)
            .collect();
        undisturbed(&argv, Self::LIMIT, &GuardCommand::default(), interrupted)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::process::Command;

    use super::*;

    /// The script where an apt-get asks whether services may be started, and keeps the file that says so.
    struct Place {
        dir: testkit::TempDir,
    }

    impl Place {
        fn new() -> Self {
            let dir = testkit::temp_dir();
            let apt = "#!/bin/sh\ncd DIR\ncp policy-rc.d left\ncode=0\n./policy-rc.d || code=$?\necho $code > said\n";
            let apt = apt.replace("DIR", &dir.path().display().to_string());
            let program = dir.path().join("apt-get");
            fs::write(&program, apt).unwrap();
            testkit::executable(program);
            Self { dir }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.dir.path().join(name)
        }

        /// Runs it to its end; returns what the policy said.
        fn installs(&self) -> String {
            let folder = self.dir.path().display().to_string();
            let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
            let mut shell = Command::new("sh");
            shell.args(["-c", &SCRIPT.replace("/usr/sbin", &folder)]);
            shell.env("PATH", path).env("packages", "tree");
            assert!(shell.status().unwrap().success());
            let said = fs::read_to_string(self.path("said")).unwrap();
            said.trim().to_owned()
        }

        fn policy(&self, text: &str) -> PathBuf {
            let file = self.path("policy-rc.d");
            fs::write(&file, text).unwrap();
            testkit::executable(&file);
            file
        }
    }

    #[test]
    fn no_service_is_started_while_packages_are_installed_and_a_leftover_keeps_none_from_it() {
        let place = Place::new();
        let forbidden = "101";
        assert_eq!(place.installs(), forbidden);
        assert!(!place.path("policy-rc.d").exists());
        let mut leftover = Command::new("sh");
        leftover.arg(place.path("left"));
        assert!(
            leftover.status().unwrap().success(),
            "it forbids nothing any more"
        );
        let left = fs::read_to_string(place.path("left")).unwrap();
        let policy = place.policy(&left);
        assert_eq!(place.installs(), forbidden, "a leftover is replaced");
        assert!(!policy.exists());
    }

    #[test]
    fn a_policy_of_somebody_else_stays_as_it_is() {
        let place = Place::new();
        let theirs = "#!/bin/sh\n# ours\nexit 104\n";
        let policy = place.policy(theirs);
        assert_eq!(place.installs(), "104");
        assert_eq!(fs::read_to_string(policy).unwrap(), theirs);
    }
}
