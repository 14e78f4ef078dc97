use std::collections::BTreeMap;

use record::{App, Interface, Knob, Scale};
use serde::Deserialize;

use crate::entry::expression::whole_number;
use crate::entry::knob::KnobSpec;
use crate::entry::offers::{InsideTls, Offers};

use super::counters::Counters;
use super::noted::Noted;
use super::parts::{Argument, Ask, FileTemplate, Find, Need, OwnTest, Preparation, Refusal, Stop};
use super::roles::Roles;
use super::today::Configured;
use super::typed::Typed;

/// One app server, front end or service, as its TOML file declares it.
///
/// `catalogue/app-servers/gunicorn.toml` explains every key.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Entry {
    /// What plans call it; the file's name.
    pub name: String,
    /// Which side of the stack it stands on.
    pub kind: Kind,
    /// One line for people.
    pub title: String,
    /// Where its documentation is.
    pub home: String,
    /// Interfaces it can load by itself.
    #[serde(default)]
    pub runs: Vec<Interface>,
    /// Frameworks of which the app must use one; empty: any app.
    #[serde(default)]
    pub frameworks: Vec<String>,
    /// Whether it is for development: it is compared, and never what to deploy.
    #[serde(default)]
    pub development: bool,
    /// The knob that says after how many requests a worker is replaced.
    #[serde(default)]
    pub recycles: Option<String>,
    /// What clients can speak to it.
    #[serde(default)]
    pub listens: Offers,
    /// Which of these it can also speak inside TLS.
    #[serde(default)]
    pub tls: InsideTls,
    /// What it can speak to a server behind it.
    #[serde(default)]
    pub speaks: Offers,
    /// Parameters (templates) that whoever speaks FastCGI to it sends with each request, by name.
    #[serde(default)]
    pub(crate) params: BTreeMap<String, String>,
    /// Whether a connection that is kept takes one of its slots for as long.
    #[serde(default)]
    pub(crate) holds: bool,
    pub(crate) find: Find,
    /// How it tells its own defaults: a knob's name, then its default.
    #[serde(default)]
    pub(crate) ask: Option<Ask>,
    /// Commands (templates) that install it, by means.
    #[serde(default)]
    pub(crate) install: BTreeMap<String, String>,
    pub(crate) argv: Vec<Argument>,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) unset: Vec<String>,
    pub(crate) stop: Stop,
    /// Commands that make what it needs, before each start.
    #[serde(default)]
    pub(crate) prepare: Vec<Preparation>,
    /// Of a service: a command that succeeds once it serves; without one, whoever accepts connections does.
    #[serde(default)]
    pub(crate) ready: Option<Vec<Argument>>,
    /// Of a service: what those who use it are told, by the word for it.
    #[serde(default)]
    pub(crate) gives: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) files: Vec<FileTemplate>,
    #[serde(default)]
    pub(crate) check: Option<OwnTest>,
    #[serde(default = "address_in_use")]
    pub(crate) address_in_use: String,
    #[serde(default)]
    pub(crate) needs: Vec<Need>,
    #[serde(default)]
    pub(crate) refuse: Vec<Refusal>,
    /// The packages that it consists of, by which a profile tells its code from the app's.
    #[serde(default)]
    pub packages: Vec<String>,
    /// What its knobs mean to the programs before and behind it.
    #[serde(default)]
    pub(crate) roles: Roles,
    /// Its knobs that give it more of something.
    #[serde(default)]
    pub scale: Scale,
    /// What it counts itself.
    #[serde(default)]
    pub(crate) counters: Option<Counters>,
    /// What it notes of single requests.
    #[serde(default)]
    pub(crate) noted: Option<Noted>,
    /// Files by which its users configure it, and what they mean.
    #[serde(default)]
    pub(crate) today: Option<Configured>,
    /// How its users type its command.
    #[serde(default)]
    pub(crate) typed: Option<Typed>,
    /// What it proposes for an app without a plan.
    #[serde(default)]
    pub candidates: Vec<Candidate>,
    /// What a plan may set, by name.
    #[serde(default)]
    pub knobs: BTreeMap<String, KnobSpec>,
}

/// A way of running an entry that is worth trying on any app.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The variant's name.
    pub name: String,
    /// One line for people; for a front end it is followed by the app server's.
    pub title: String,
    /// Place in the table: slow ways have small ranks.
    pub rank: u32,
    /// Interfaces of apps that it is for; empty: every one that the entry runs.
    #[serde(default, rename = "for")]
    pub interfaces: Vec<Interface>,
    /// Knobs that differ from the defaults.
    #[serde(default)]
    pub knobs: BTreeMap<String, Knob>,
    /// A front end that serves the app's files, with no app server behind it.
    #[serde(default)]
    pub alone: bool,
    /// An app server that is also tried behind front ends.
    #[serde(default)]
    pub behind: bool,
    /// How many of it run beside each other behind a front end, a whole number or a formula over `cores`; such a
    /// candidate is tried behind front ends only.
    #[serde(default)]
    pub instances: Option<Knob>,
}

impl Candidate {
    /// How many of it run beside each other on a machine of so many cores.
    ///
    /// # Errors
    /// What is wrong with `instances`.
    pub fn instances(&self, cores: u32) -> std::result::Result<u32, String> {
        let number = match &self.instances {
            None => return Ok(1),
            Some(Knob::Number(number)) => *number,
            Some(Knob::Text(formula)) => whole_number(formula, cores)?,
            Some(Knob::Switch(_)) => return Err("it is a number".to_owned()),
        };
        let count = u32::try_from(number).ok().filter(|count| *count > 0);
        count.ok_or_else(|| format!("{number} is no count"))
    }
}

fn address_in_use() -> String {
    "(?i)address already in use".to_owned()
}

/// What an entry's program is to a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Loads the app.
    AppServer,
    /// Clients connect to it; it passes requests on or serves files.
    FrontEnd,
    /// The app uses it: a database, a cache.
    Service,
    /// It starts the app server, and starts it again when that has ended.
    Supervisor,
}

impl Kind {
    /// The kind as a person says it.
    pub fn words(self) -> &'static str {
        match self {
            Self::AppServer => "app server",
            Self::FrontEnd => "front end",
            Self::Service => "service",
            Self::Supervisor => "supervisor",
        }
    }
}

impl Entry {
    /// Reads an entry and checks it as far as that is possible without running it.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let entry = Self::parse(text)?;
        entry.flaw().map_or(Ok(entry), Err)
    }

    /// Reads an entry that has been checked.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| renamed(toml_problem(text, &error)))
    }

    /// Whether it can load this app by itself.
    pub fn can_load(&self, app: &App) -> bool {
        self.runs.contains(&app.interface) && self.knows_framework(app)
    }

    /// The first version that brought another default; none where versions do not differ.
    pub fn first_change(&self) -> Option<&str> {
        let changes = self.knobs.values().flat_map(|knob| knob.changes());
        changes
            .map(|(since, _)| since)
            .min_by_key(|since| crate::entry::expression::numbers(since))
    }

    pub(crate) fn knows_framework(&self, app: &App) -> bool {
        let used = |name| app.frameworks.contains(name);
        self.frameworks.is_empty() || self.frameworks.iter().any(used)
    }
}

/// What is said of a key that has another name now.
fn renamed(problem: String) -> String {
    if problem.contains("unknown field `rungs`") {
        "`rungs` is called `candidates` now".to_owned()
    } else {
        problem
    }
}

/// What is wrong with a TOML text, in one line: `line 3: unknown field …`.
pub(crate) fn toml_problem(text: &str, error: &toml::de::Error) -> String {
    let message = record::told(error.message()).replace('\n', " ");
    match error.span() {
        Some(span) => {
            let line = text[..span.start.min(text.len())].matches('\n').count() + 1;
            format!("line {line}: {message}")
        }
        None => message,
    }
}
