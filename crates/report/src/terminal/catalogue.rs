//! The catalogue as a person reads it: what there is, what a knob does, how an entry did when it was
//! checked.

use std::fmt::Write as _;

use crate::units;
use serde::Serialize;

use super::paragraph::{DEEPER, FLUSH, INSIDE, Page};
use super::style::{BAD, DIM, GOOD, PLAIN, STRONG};
use super::table::{Cell, Column, Table};

/// An entry in a list.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// `app server` or `front end`.
    pub kind: String,
    /// One line for people.
    pub title: String,
    /// The version that is here; `None` when it is not installed.
    pub version: Option<String>,
    /// The command that installs it.
    pub install: Option<String>,
    /// What it loads.
    pub runs: Vec<String>,
    /// What clients can speak to it.
    pub listens: String,
    /// What it speaks to a server behind it.
    pub speaks: String,
    /// Its knobs' names.
    pub knobs: Vec<String>,
    /// What it counts itself: names with units.
    pub counters: Vec<String>,
}

/// A knob, explained.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Explained {
    /// The entry that has it.
    pub entry: String,
    /// Its name.
    pub knob: String,
    /// What it does.
    pub help: String,
    /// What values it takes.
    pub range: String,
    /// The server's own default, in the version that is here.
    pub default: String,
    /// Its unit, if it is a number.
    pub unit: Option<String>,
    /// That version; `None` when it is not installed.
    pub version: Option<String>,
    /// Other defaults, each with the app's interface.
    pub default_for: Vec<(String, String)>,
    /// Other defaults, each with the protocol to the server behind.
    pub default_over: Vec<(String, String)>,
    /// The default before all changes.
    pub default_before: String,
    /// Other defaults, each with the version that brought it.
    pub default_since: Vec<(String, String)>,
    /// What is a sensible value, and when.
    pub sensible: Option<String>,
    /// Where that was read.
    pub source: String,
}

/// How an entry did when it was checked.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Checked {
    /// Its name.
    pub name: String,
    /// The version that was checked; `None` when it is not installed.
    pub version: Option<String>,
    /// Configurations that were rendered, and tested by the server itself where it can.
    pub configurations: u32,
    /// Knobs whose defaults it tells itself, as its entry does.
    pub confirmed: Vec<String>,
    /// Each way in which it served, and how many requests were answered correctly.
    pub served: Vec<(String, u64)>,
    /// Of a service: each way in which it was started, and the seconds until it was ready.
    pub started: Vec<(String, f64)>,
    /// What was done to it while it served, or before, and how weir told of it.
    pub faults: Vec<Fault>,
    /// What is wrong, in the order in which it was found.
    pub problems: Vec<String>,
    /// What could not be tried, with the reason.
    pub left_out: Vec<String>,
}

impl Checked {
    /// Whether anything is wrong.
    pub fn is_wrong(&self) -> bool {
        !self.problems.is_empty()
    }
}

/// Something that befell an entry, and how weir told of it.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Fault {
    /// What befell it: `killed under load`.
    pub what: String,
    /// weir's exit code for it; 0 where it was no error.
    pub exit: u8,
    /// What weir said.
    pub said: String,
}

/// Entries, one on each line.
pub fn entries(entries: &[Listed], width: usize) -> String {
    if entries.is_empty() {
        return "No entry has these words. `weir catalogue list` shows them all.\n".to_owned();
    }
    let mut table = Table::new(vec![
        Column::left("entry"),
        Column::left("version"),
        Column::left("loads").rank(1),
        Column::left("listens to").rank(2),
        Column::left("speaks").rank(3),
        Column::wrapping("title"),
    ]);
    for entry in entries {
        table.row(vec![
            Cell::styled(&entry.name, STRONG),
            match &entry.version {
                Some(version) => Cell::styled(version, GOOD),
                None => Cell::styled("missing", BAD),
            },
            Cell::new(entry.runs.join(", ")),
            Cell::new(&entry.listens),
            Cell::new(&entry.speaks),
            Cell::styled(&entry.title, DIM),
        ]);
    }
    table.fit(width).0
}

/// The same as a table in Markdown.
pub fn entries_markdown(entries: &[Listed]) -> String {
    let mut text = String::from(
        "| entry | version | loads | listens to | speaks | knobs |\n|---|---|---|---|---|---|\n",
    );
    for entry in entries {
        let version = entry.version.as_deref().unwrap_or("not installed");
        let (runs, knobs) = (entry.runs.join(", "), entry.knobs.join(", "));
        let Listed {
            name,
            listens,
            speaks,
            ..
        } = entry;
        // a String takes everything
        let _ = writeln!(
            text,
            "| `{name}` | {version} | {runs} | {listens} | {speaks} | {knobs} |"
        );
    }
    text
}

/// One entry: what it is, how it is installed, and every knob.
pub fn entry(entry: &Listed, knobs: &[Explained], width: usize) -> String {
    let mut page = Page::new(width);
    page.say(STRONG, FLUSH, &format!("{}: {}", entry.name, entry.title));
    match (&entry.version, &entry.install) {
        (Some(version), _) => page.say(GOOD, INSIDE, &format!("version {version} is here")),
        (None, Some(install)) => page.say(BAD, INSIDE, &format!("not installed; {install}")),
        (None, None) => page.say(BAD, INSIDE, "not installed"),
    }
    let facts = [
        ("loads", entry.runs.join(", ")),
        ("listens to", entry.listens.clone()),
        ("speaks", entry.speaks.clone()),
        ("counts", entry.counters.join(", ")),
    ];
    let told = |text: &str| !text.is_empty() && text != "none";
    for (name, text) in facts.iter().filter(|(_, text)| told(text)) {
        page.say(PLAIN, INSIDE, &format!("{name} {text}"));
    }
    page.space();
    explain(&mut page, knobs);
    page.into_text()
}

/// Knobs of several entries.
pub fn knobs(knobs: &[Explained], width: usize) -> String {
    let mut page = Page::new(width);
    explain(&mut page, knobs);
    page.into_text()
}

fn explain(page: &mut Page, knobs: &[Explained]) {
    for knob in knobs {
        page.say(STRONG, FLUSH, &format!("{} of {}", knob.knob, knob.entry));
        page.say(PLAIN, INSIDE, &knob.help);
        page.say(PLAIN, INSIDE, &defaults(knob));
        page.say(PLAIN, INSIDE, &format!("range: {}", knob.range));
        if let Some(sensible) = &knob.sensible {
            page.say(PLAIN, INSIDE, &format!("sensible: {sensible}"));
        }
        page.say(DIM, INSIDE, &knob.source);
    }
}

/// The default here, and where else it is another.
fn defaults(knob: &Explained) -> String {
    let mut text = match &knob.version {
        Some(version) => format!("default here ({version}): {}", with_unit(knob)),
        None => format!("default: {}", with_unit(knob)),
    };
    for (interface, value) in &knob.default_for {
        let _ = write!(text, "; {value} for {interface} apps"); // a String takes everything
    }
    for (protocol, value) in &knob.default_over {
        let _ = write!(text, "; {value} over {protocol}");
    }
    let Some((first, _)) = knob.default_since.first() else {
        return text;
    };
    if knob.default != knob.default_before {
        let _ = write!(text, "; {} before {first}", knob.default_before);
    }
    for (since, value) in &knob.default_since {
        if *value != knob.default {
            let _ = write!(text, "; {value} since {since}");
        }
    }
    text
}

/// Knobs that were looked for, what each does in a line or two.
pub fn found(knobs: &[Explained], width: usize) -> String {
    if knobs.is_empty() {
        return "No knob has these words. `weir catalogue list` shows every entry.\n".to_owned();
    }
    let mut page = Page::new(width);
    for knob in knobs {
        page.say(STRONG, FLUSH, &format!("{} of {}", knob.knob, knob.entry));
        let about = format!("default here {}: {}", with_unit(knob), knob.help);
        page.say(PLAIN, INSIDE, &about);
    }
    page.into_text()
}

fn with_unit(knob: &Explained) -> String {
    match &knob.unit {
        Some(unit) => format!("{} {unit}", knob.default),
        None => knob.default.clone(),
    }
}

/// What the check of an entry found.
pub fn checked(entry: &Checked, width: usize) -> String {
    let mut page = Page::new(width);
    let version = entry.version.as_deref().unwrap_or("not installed");
    page.say(STRONG, FLUSH, &format!("{} {version}", entry.name));
    let mut say = |style, text: &str| page.say(style, INSIDE, text);
    if entry.configurations > 0 {
        let count = entry.configurations;
        say(
            PLAIN,
            &format!(
                "{count} configurations rendered, and tested by the server itself where it can"
            ),
        );
    }
    if !entry.confirmed.is_empty() {
        let knobs = entry.confirmed.join(", ");
        say(PLAIN, &format!("it confirms the defaults of {knobs}"));
    }
    for (way, requests) in &entry.served {
        say(
            GOOD,
            &format!("{way}: {requests} requests answered correctly"),
        );
    }
    for (way, seconds) in &entry.started {
        let ready = units::duration(*seconds);
        say(
            GOOD,
            &format!("{way}: ready after {ready}, and nothing left of it"),
        );
    }
    for fault in &entry.faults {
        say(GOOD, &format!("{}: {}", fault.what, fault.said));
    }
    for problem in &entry.problems {
        say(BAD, problem);
    }
    for reason in &entry.left_out {
        page.say(DIM, DEEPER, &format!("left out: {reason}"));
    }
    page.into_text()
}
