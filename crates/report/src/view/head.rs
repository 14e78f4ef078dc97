use judge::Judged;
use record::{Run, RunStatus};
use serde::Serialize;

use crate::words;

/// What was run, and which stage is the fastest.
#[derive(Clone, Debug, Serialize)]
pub struct Head {
    /// The run's number.
    pub run: i64,
    /// The plan's title.
    pub title: String,
    /// The version of weir.
    pub weir: String,
    /// When it began, in UTC: `2026-11-20 18:14`.
    pub begun: String,
    /// The machine.
    pub host: String,
    /// How the stages were loaded.
    pub load: String,
    /// How often, and in which order.
    pub order: String,
    /// Why it ended early, if it did.
    pub cut: Option<String>,
    /// The same by name, with the app and the run's state.
    pub facts: Vec<(&'static str, String)>,
    /// The fastest stage, and how sure that is.
    pub headline: String,
    /// How far apart two equal stages came out.
    pub noise: Option<String>,
}

impl Head {
    pub(super) fn new(run: &Run, judged: &Judged) -> Self {
        Self {
            run: run.id,
            title: run.plan.title.clone(),
            weir: run.weir.clone(),
            begun: words::moment(run.started),
            host: words::host(run),
            load: words::loads(&run.plan),
            order: words::blocks(run),
            cut: words::cut(run),
            facts: facts(run),
            headline: words::headline(run, judged),
            noise: judged.noise_floor.as_ref().map(words::noise_floor),
        }
    }
}

/// What a run was, by name.
pub(crate) fn facts(run: &Run) -> Vec<(&'static str, String)> {
    let apps = run.plan.apps().into_iter();
    let apps = apps.map(|app| format!("`{}` ({})", app.entry, app.name));
    let mut facts = vec![
        ("Begun", format!("{} UTC", words::moment(run.started))),
        ("Machine", words::host(run)),
        ("App", apps.collect::<Vec<_>>().join(", ")),
        ("Load", words::loads(&run.plan)),
        ("Order", words::blocks(run)),
        ("weir", run.weir.clone()),
    ];
    facts.extend(words::cut(run).map(|cut| ("Cut short", cut)));
    if run.status != RunStatus::Finished {
        facts.push(("Status", words::status(run.status).to_owned()));
    }
    facts
}
