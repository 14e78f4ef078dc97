use record::{Knob, RenderedFile};

use super::paragraph::{FLUSH, INSIDE, Page};
use super::style::{DIM, STRONG};
use super::table::{Cell, Column, Table};
use crate::words;

/// One program of a stack as it would be started.
#[derive(Clone, Debug, PartialEq, JsonSchema, serde::Serialize)]
pub struct Preview {
    /// Name of its catalogue entry.
    pub entry: String,
    /// What the app calls it, where it is a service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// What starts it, by name and version, where that is not weir: then `argv` is its command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supervisor: Option<String>,
    /// The version it reports of itself; none where it is not installed.
    pub version: Option<String>,
    /// Where it is not installed: the versions whose defaults it is shown with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_as: Option<String>,
    /// Commands that would run before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prepare: Vec<Vec<String>>,
    /// Argument vector.
    pub argv: Vec<String>,
    /// Environment added to weir's own.
    pub env: Vec<(String, String)>,
    /// Working folder.
    pub cwd: std::path::PathBuf,
    /// Every knob with its value, defaults included.
    pub knobs: Vec<(String, Knob)>,
    /// Files that would be written.
    pub files: Vec<RenderedFile>,
}

/// Commands and files keep their lines, however long: they are there to be copied.
const UNWRAPPED: usize = usize::MAX / 2;

/// What would be started: command, environment, knobs and files. `help` says what a knob of an
/// entry is, given both names.
pub fn programs(programs: &[Preview], help: &dyn Fn(&str, &str) -> Option<String>) -> String {
    let mut page = Page::new(UNWRAPPED);
    for (index, program) in programs.iter().enumerate() {
        if index > 0 {
            page.space();
        }
        let service = program.service.as_ref();
        let service = service.map_or_else(String::new, |name| format!(" (`{name}` of the app)"));
        let supervisor = program.supervisor.as_ref();
        let supervisor = supervisor.map_or_else(String::new, |name| format!(" below {name}"));
        let title = format!("{}{}{service}{supervisor}", program.entry, version(program));
        page.say(STRONG, FLUSH, &title);
        if let Some(versions) = &program.shown_as {
            let note = format!("it is not installed: shown with the defaults of {versions}");
            page.say(DIM, FLUSH, &note);
        }
        page.lines(&start(program).fit(UNWRAPPED).0);
        if !program.knobs.is_empty() {
            page.space();
            page.lines(&knobs(program, help).fit(UNWRAPPED).0);
        }
        for file in &program.files {
            page.space();
            page.say(STRONG, INSIDE, &file.path);
            page.say(DIM, INSIDE, &format!("sha256 {}", file.sha256));
            for line in file.content.lines() {
                page.verbatim(format!("    {line}").trim_end());
            }
        }
    }
    page.into_text()
}

fn version(program: &Preview) -> String {
    let version = program.version.as_ref();
    version.map_or_else(String::new, |version| format!(" {version}"))
}

fn start(program: &Preview) -> Table {
    let mut table = Table::new(vec![Column::left(""), Column::left("")]);
    let mut row = |name: &str, text: &str| {
        table.row(vec![Cell::styled(name, DIM), Cell::new(text)]);
    };
    for argv in &program.prepare {
        row("before", &words::command(argv));
    }
    row("command", &words::command(&program.argv));
    row("in", &program.cwd.display().to_string());
    for (name, value) in &program.env {
        row("with", &words::command(&[format!("{name}={value}")]));
    }
    table
}

fn knobs(program: &Preview, help: &dyn Fn(&str, &str) -> Option<String>) -> Table {
    let mut table = Table::new(["knob", "value", ""].map(Column::left).into());
    for (name, value) in &program.knobs {
        table.row(vec![
            Cell::new(name),
            Cell::styled(words::knob(value), STRONG),
            Cell::styled(help(&program.entry, name).unwrap_or_default(), DIM),
        ]);
    }
    table
}
