//! What installs several programs at once, one line for each installer.

use std::collections::{BTreeMap, BTreeSet};

use crate::entry::{Entry, Kind};
use crate::probe::{Found, State, install_of};

/// Installers that take any number of packages, and how the line of each begins. A word that begins so may follow
/// an interpreter.
const INSTALLERS: [(&str, &str); 4] = [
    (
        "apt-get install -y",
        "apt-get install -y --no-install-recommends",
    ),
    (" -m pip install", " -m pip install"),
    ("npm install", "npm install"),
    ("gem install", "gem install"),
];

/// What is to be installed, and by what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Installs {
    /// Debian's packages.
    apt: BTreeSet<String>,
    /// Python's packages, each with the entries that need one of Debian's besides.
    pip: BTreeMap<String, bool>,
    /// Packages of other installers, by how the line of each begins; the interpreter's pip is one of them.
    others: BTreeMap<String, BTreeSet<String>>,
    /// Commands that are none of these.
    commands: Vec<String>,
}

impl Installs {
    /// What installs those of these programs that are not here.
    pub fn of<'a>(found: impl IntoIterator<Item = &'a Found>) -> Self {
        let mut installs = Self::default();
        for found in found {
            if let State::Missing {
                install: Some(install),
                ..
            } = &found.state
            {
                installs.add(install);
            }
        }
        installs
    }

    /// Whether a command installs packages of Python and nothing else: weir can put these beside an app's own.
    pub fn are_of_python(command: &str) -> bool {
        matches!(taken_apart(command), Part::Other(begins, _) if begins.ends_with("pip install"))
    }

    /// Adds a command line, which may consist of several.
    pub fn add(&mut self, line: &str) {
        let parts: Vec<_> = line.split(" && ").map(taken_apart).collect();
        let also_apt = parts.iter().any(|part| matches!(part, Part::Apt(_)));
        for part in parts {
            match part {
                Part::Apt(packages) => self.apt.extend(packages),
                Part::Other(begins, packages) => {
                    if begins.ends_with("pip install") {
                        let packages = packages.iter().cloned();
                        self.pip.extend(packages.map(|name| (name, also_apt)));
                    }
                    self.others.entry(begins).or_default().extend(packages);
                }
                Part::Command(command) if self.commands.contains(&command) => {}
                Part::Command(command) => self.commands.push(command),
            }
        }
    }

    /// Whether there is nothing to install.
    pub fn is_empty(&self) -> bool {
        self.lines().is_empty()
    }

    /// Debian's packages.
    pub fn apt(&self) -> impl Iterator<Item = &str> {
        self.apt.iter().map(String::as_str)
    }

    /// Packages of Python, those that need nothing else and those that are built with something of Debian's.
    pub fn pip(&self) -> (Vec<&str>, Vec<&str>) {
        let of = |wanted: bool| {
            let all = self.pip.iter();
            all.filter(move |(_, built)| **built == wanted)
                .map(|(name, _)| name.as_str())
        };
        (of(false).collect(), of(true).collect())
    }

    /// What weir installs by no means of its own: lines to type.
    pub fn by_hand(&self) -> Vec<String> {
        let others = self.others.iter();
        let others = others.filter(|(begins, _)| !begins.ends_with("pip install"));
        let lines = others.map(|(begins, packages)| line(begins, packages));
        lines.chain(self.commands.iter().cloned()).collect()
    }

    /// The line of Debian's packages, if there are any.
    pub fn apt_line(&self) -> Option<String> {
        (!self.apt.is_empty()).then(|| line(INSTALLERS[0].1, &self.apt))
    }

    /// All of it as lines to type, one for each installer.
    pub fn lines(&self) -> Vec<String> {
        let others = self.others.iter();
        let others = others.map(|(begins, packages)| line(begins, packages));
        let all = self.apt_line().into_iter().chain(others);
        all.chain(self.commands.iter().cloned()).collect()
    }
}

/// What suits an app and is worth being brought: of what Debian has, servers that stand behind a front end in
/// production, because the others are large or slow; and one front end where there is none.
impl Installs {
    /// Chooses of the missing programs.
    pub fn chosen<'a>(
        missing: impl Iterator<Item = (&'a Entry, &'a Found)>,
        any_front: bool,
    ) -> Self {
        let (fronts, servers): (Vec<_>, Vec<_>) =
            missing.partition(|(entry, _)| entry.kind == Kind::FrontEnd);
        let front = fronts
            .into_iter()
            .filter(|_| !any_front)
            .max_by_key(|(entry, _)| entry.candidates.len());
        let light = |(entry, _): &(&Entry, &Found)| {
            let behind = entry.candidates.iter().any(|candidate| candidate.behind);
            let line = install_of(entry).unwrap_or_default();
            behind || !line.contains(INSTALLERS[0].0)
        };
        let servers = servers.into_iter().filter(light);
        Self::of(servers.chain(front).map(|(_, found)| found))
    }
}

enum Part {
    Apt(BTreeSet<String>),
    /// How the line begins, and its packages.
    Other(String, BTreeSet<String>),
    Command(String),
}

/// A simple command's installer and packages; the command itself where it has none, or says more than that.
fn taken_apart(command: &str) -> Part {
    let whole = || Part::Command(command.to_owned());
    let found = INSTALLERS.iter().enumerate().find_map(|(at, (words, _))| {
        let start = command.find(words)?;
        let (before, rest) = command.split_at(start);
        let first = before.is_empty() || words.starts_with(' ') && !before.contains(' ');
        first.then(|| (at, before, &rest[words.len()..]))
    });
    let Some((at, before, rest)) = found else {
        return whole();
    };
    let Some(words) = shlex::split(rest).filter(|words| !words.is_empty()) else {
        return whole();
    };
    if words.iter().any(|word| word.contains(['(', ';', '|', '>'])) {
        return whole(); // it says something to people
    }
    let (flags, packages): (Vec<_>, Vec<_>) =
        words.into_iter().partition(|word| word.starts_with('-'));
    let packages = BTreeSet::from_iter(packages);
    if at == 0 {
        return Part::Apt(packages);
    }
    let begins = [vec![format!("{before}{}", INSTALLERS[at].1)], flags].concat();
    Part::Other(begins.join(" "), packages)
}

fn line(begins: &str, packages: &BTreeSet<String>) -> String {
    let words = packages.iter().map(|name| {
        let quoted = shlex::try_quote(name);
        quoted.map_or_else(|_| name.clone(), std::borrow::Cow::into_owned)
    });
    std::iter::once(begins.to_owned())
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[&str]) -> Installs {
        let mut installs = Installs::default();
        for line in lines {
            installs.add(line);
        }
        installs
    }

    #[test]
    fn one_line_for_each_installer() {
        let installs = of(&[
            "/v/bin/python -m pip install gunicorn",
            "apt-get install -y nginx",
            "apt-get install -y build-essential libssl-dev python3-dev && /v/bin/python -m pip install uwsgi",
            "/v/bin/python -m pip install 'uvicorn[standard]'",
            "apt-get install -y --no-install-recommends jruby ruby-rack && mvn -q get x:1",
            "gem install falcon",
            "npm install -g pm2",
            "apt-get install -y nginx",
        ]);
        assert_eq!(
            installs.lines(),
            [
                "apt-get install -y --no-install-recommends build-essential jruby libssl-dev nginx python3-dev ruby-rack",
                "/v/bin/python -m pip install gunicorn 'uvicorn[standard]' uwsgi",
                "gem install falcon",
                "npm install -g pm2",
                "mvn -q get x:1",
            ]
        );
        let (plain, built) = installs.pip();
        assert_eq!(
            (plain, built),
            (vec!["gunicorn", "uvicorn[standard]"], vec!["uwsgi"])
        );
        assert_eq!(
            installs.by_hand(),
            ["gem install falcon", "npm install -g pm2", "mvn -q get x:1"]
        );
    }

    #[test]
    fn packages_of_python_are_told_from_others() {
        assert!(Installs::are_of_python("/v/bin/python -m pip install flup"));
        for other in [
            "apt-get install -y nginx",
            "gem install falcon",
            "make install",
        ] {
            assert!(!Installs::are_of_python(other), "{other}");
        }
        let built = "apt-get install -y python3-dev && /v/bin/python -m pip install uwsgi";
        assert!(!Installs::are_of_python(built));
    }

    #[test]
    fn what_is_no_installers_command_stays_as_it_is() {
        for line in [
            "apt-get install -y openjdk-21-jdk-headless (Debian 13, Ubuntu 24.04), then set `jdk`",
            "make install",
            "curl -s https://example.org/x | sh -m pip install",
        ] {
            assert_eq!(of(&[line]).lines(), [line]);
        }
        assert!(of(&[]).is_empty());
    }
}
