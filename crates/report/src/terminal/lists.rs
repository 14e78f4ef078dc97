use record::{Others, Plan, Run, RunStatus};
use serde::Serialize;

use super::paragraph::{FLUSH, INSIDE, Page};
use super::style::{BAD, DIM, GOOD, PLAIN, STRONG};
use super::table::{Cell, Column, Table};
use crate::{units, words};

/// Where Python's packages can be put instead.
const BESIDE: &str = "`weir try --install` puts those of Python beside the app's own packages";

/// A program that weir can use, found or not.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// What it is for (`app server`, `front end`, `tool`).
    pub kind: String,
    /// The version it reports; `None` when it is not installed.
    pub version: Option<String>,
    /// The command that installs it.
    pub install: Option<String>,
}

/// What is installed, and what there is to say of the machine.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct Doctor {
    /// Programs that weir can use, found or not.
    pub programs: Vec<Program>,
    /// The commands that install what is missing, one for each installer.
    pub install: Vec<String>,
    /// What other programs took of the machine while it was looked at for a second; absent where the system does not tell.
    pub others: Option<Others>,
    /// How even the machine's own speed is; absent where that could not be looked at.
    pub pace: Option<words::Paces>,
}

/// A run in a list.
#[derive(Clone, Debug)]
pub struct ListedRun {
    /// The run.
    pub run: Run,
    /// The folder of its app, or its URL.
    pub app: String,
    /// Trials that are stored of it.
    pub trials: u64,
    /// What the run says to deploy, or those that surely lead; nothing where there are none, and where nobody looked.
    pub best: Option<String>,
    /// Whether it compares something, and no trial of it counts.
    pub nothing_counts: bool,
    /// Whether a process measures it now.
    pub under_way: bool,
}

/// The runs of a store, each in one line.
pub fn runs(runs: &[ListedRun], width: usize) -> String {
    if runs.is_empty() {
        return "No runs yet. `weir try` in your app's folder makes the first, or `weir bench URL` of what runs already.\n"
            .to_owned();
    }
    let mut table = Table::new(vec![
        Column::right("run"),
        Column::left("begun (UTC)"),
        Column::right("trials").rank(0),
        Column::left("status"),
        Column::left("best").rank(1),
        Column::cut("app, title"),
    ]);
    for of in runs {
        let run = &of.run;
        let (app, title) = (of.app.as_str(), run.plan.title.as_str());
        let about = if app.is_empty() || title.contains(app) {
            title.to_owned()
        } else {
            format!("{app}: {title}")
        };
        let commits = words::revisions(&run.plan).map(|told| format!(" ({told})"));
        let about = loaded(&run.plan) + &about + &commits.unwrap_or_default();
        table.row(vec![
            Cell::styled(run.id.to_string(), STRONG),
            Cell::new(words::moment(run.started)),
            Cell::new(units::count(of.trials)),
            Cell::new(status(of)),
            Cell::new(of.best.as_deref().unwrap_or_default()),
            Cell::styled(about, DIM),
        ]);
    }
    table.fit(width).0
}

/// How one URL was loaded, before it: it may be loaded often, and the end of a line may be cut off.
fn loaded(plan: &Plan) -> String {
    match plan.variants.as_slice() {
        [only] if only.url.is_some() && plan.search.is_none() => {
            format!("{}: ", words::briefly(plan.load_of(only)))
        }
        _ => String::new(),
    }
}

/// How far a run came, and what it lacks: `finished, 3 of 4 blocks`.
fn status(of: &ListedRun) -> String {
    let status = match of.run.status {
        RunStatus::Begun if of.under_way => "still running",
        RunStatus::Begun => "cut short",
        status => words::status(status),
    };
    let nothing = of.nothing_counts.then(|| "nothing counts".to_owned());
    let lacks = nothing.or_else(|| words::short(&of.run, of.run.plan.blocks));
    lacks.map_or_else(|| status.to_owned(), |lacks| format!("{status}, {lacks}"))
}

/// What is installed, the commands that install the rest, and what there is to say of the machine.
pub fn doctor(of: &Doctor, width: usize) -> String {
    let columns = vec![
        Column::left("program"),
        Column::left("for"),
        Column::wrapping("version"),
    ];
    let mut table = Table::new(columns);
    for program in &of.programs {
        let version = match &program.version {
            Some(version) => Cell::styled(version, GOOD),
            None => Cell::styled("missing", BAD),
        };
        table.row(vec![
            Cell::styled(&program.name, STRONG),
            Cell::new(&program.kind),
            version,
        ]);
    }
    let mut page = Page::new(width);
    page.lines(&table.fit(width).0);
    if !of.install.is_empty() {
        page.space();
        page.say(STRONG, FLUSH, "To install what is missing");
        for command in &of.install {
            page.verbatim(&format!("  {command}"));
        }
        if of
            .install
            .iter()
            .any(|line| line.contains(" -m pip install "))
        {
            page.say(DIM, INSIDE, BESIDE);
        }
    }
    let quiet = of.others.as_ref().map(words::quiet);
    let paces = of.pace.as_ref().map(words::paces);
    let machine: Vec<String> = quiet.into_iter().chain(paces).collect();
    if !machine.is_empty() {
        page.space();
        page.say(PLAIN, FLUSH, &machine.join(" "));
    }
    page.into_text()
}
