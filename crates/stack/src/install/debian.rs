//! Debian's packages, where weir may install any.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::error::Result;
use crate::process::{GuardCommand, capture};
use crate::serve::command;

/// Longest wait for sudo's word.
const ASKED: Duration = Duration::from_secs(10);

/// Services of these packages are not started: weir needs the programs only, and Debian asks this file.
const SCRIPT: &str = r"
set -e
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' > $policy
    chmod +x $policy
fi
export DEBIAN_FRONTEND=noninteractive
timeout 120 apt-get -qq update
timeout 480 apt-get -qq install -y --no-install-recommends -- $packages
";

/// How Debian's packages can be installed here: as root, or as root by `sudo` without a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Debian {
    sudo: bool,
}

impl Debian {
    /// Longest time for all packages; the script ends by itself a little before.
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
    /// apt-get fails, or takes too long, or the user interrupts.
    pub fn install(self, packages: &[&str], interrupted: &AtomicBool) -> Result<()> {
        let of_a_name = |c: char| c.is_ascii_alphanumeric() || "+-.:".contains(c);
        let packages = packages.iter().copied();
        let packages: Vec<_> = packages
            .filter(|name| name.chars().all(of_a_name))
            .collect();
        let sudo = ["sudo", "-n"].map(str::to_owned);
        let mut argv: Vec<_> = sudo.into_iter().filter(|_| self.sudo).collect();
        argv.extend(["env".to_owned(), format!("packages={}", packages.join(" "))]);
        argv.extend(["sh", "-c", SCRIPT].map(str::to_owned));
        let guard = GuardCommand::default();
        command(&argv, &[], Path::new("/"), Self::LIMIT, &guard, interrupted)
    }
}
