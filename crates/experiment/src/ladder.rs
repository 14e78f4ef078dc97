//! The stages worth trying for an app without a plan: the rungs that catalogue entries propose.

use record::{App, Choice, Interface, Stage};
use stack::{Catalogue, Entry, Found, Kind, Rung, State};

use crate::worth::{Step, Way, worth};

/// What `weir try` can run, and what it cannot.
#[derive(Clone, Debug, Default)]
pub struct Ladder {
    /// Stages, slowest expected first.
    pub stages: Vec<Stage>,
    /// Their names, what is worth its time most first.
    pub worth: Vec<String>,
    /// Stages that cannot be, or need not, each with the reason.
    pub left_out: Vec<(String, String)>,
    /// Entries that could serve the app and are not installed.
    pub missing: Vec<String>,
    steps: Vec<Step>,
}

/// Composes the ladder for an app: every rung of every installed app server that can load it, then
/// each installed front end's rungs: before the app servers' rungs that ask for one, and alone on
/// `file`, a route of the app that a front end can serve by itself.
pub fn ladder(app: &App, catalogue: &Catalogue, found: &[Found], file: Option<&str>) -> Ladder {
    let mut ladder = Ladder::default();
    let servers = ladder.rungs(app, catalogue, found, Kind::AppServer);
    let fronts = ladder.rungs(app, catalogue, found, Kind::FrontEnd);
    let page = app.routes[0].name();
    let page = page.as_str();
    for (entry, rung) in &servers {
        let stage = stage(rung, Some(choice(entry, rung)), None, page);
        ladder.add(app, catalogue, stage, entry, (rung.rank, 0));
    }
    for (entry, rung) in &fronts {
        let front = choice(entry, rung);
        if rung.alone {
            match file {
                Some(file) => {
                    let stage = stage(rung, None, Some(front), file);
                    ladder.add(app, catalogue, stage, entry, (rung.rank, 0));
                }
                None => ladder.left_out.push((
                    rung.name.clone(),
                    "the app declares no static file that it could serve".into(),
                )),
            }
            continue;
        }
        for (server, behind) in servers.iter().filter(|(_, rung)| rung.behind) {
            let server = choice(server, behind);
            let mut stage = stage(rung, Some(server), Some(front.clone()), page);
            stage.name = format!("{}+{}", rung.name, behind.name);
            stage.title = format!("{} {}", rung.title, behind.title);
            ladder.add(app, catalogue, stage, entry, (behind.rank, rung.rank));
        }
    }
    ladder.worth = worth(&ladder.steps);
    ladder
}

impl Ladder {
    /// The rungs of all installed entries of a kind that fit the app, by rank.
    fn rungs<'a>(
        &mut self,
        app: &App,
        catalogue: &'a Catalogue,
        found: &[Found],
        kind: Kind,
    ) -> Vec<(&'a Entry, &'a Rung)> {
        let state = |entry: &Entry| {
            let found = found.iter().find(|found| found.entry == entry.name);
            found.map(|found| &found.state)
        };
        // An entry that knows a program's language runs the same command as the one that knows nothing.
        let known = app.interface == Interface::Program
            && catalogue.entries().any(|entry| {
                !entry.frameworks.is_empty()
                    && entry.can_load(app)
                    && matches!(state(entry), Some(State::Version(_)))
            });
        let mut rungs = Vec::new();
        for entry in catalogue.entries().filter(|entry| entry.kind == kind) {
            if kind == Kind::AppServer
                && (!entry.can_load(app) || (known && entry.frameworks.is_empty()))
            {
                continue;
            }
            match state(entry) {
                Some(State::Version(_)) => {
                    let fits = |rung: &&Rung| {
                        rung.interfaces.is_empty() || rung.interfaces.contains(&app.interface)
                    };
                    rungs.extend(entry.rungs.iter().filter(fits).map(|rung| (entry, rung)));
                }
                Some(State::Missing { .. }) => self.missing.push(entry.name.clone()),
                None => {}
            }
        }
        rungs.sort_by_key(|(_, rung)| rung.rank);
        rungs
    }

    /// Adds a stage, unless it cannot be composed, or means the same as one that is there: on one
    /// core, "one worker per core" is one worker.
    fn add(
        &mut self,
        app: &App,
        catalogue: &Catalogue,
        stage: Stage,
        entry: &Entry,
        ranks: (u32, u32),
    ) {
        let parts = |stage: &Stage| {
            stack::compose(stage, app, catalogue).map(|composition| {
                let parts = composition.parts.into_iter();
                parts
                    .map(|part| (part.entry.name, part.knobs))
                    .collect::<Vec<_>>()
            })
        };
        match parts(&stage) {
            Err(error) => self.left_out.push((stage.name, error.to_string())),
            Ok(new) => {
                let composition = stack::compose(&stage, app, catalogue);
                if let Some(error) = composition.ok().and_then(|it| stack::lacking(&it)) {
                    let how = error.hint().map(|hint| format!("; {hint}"));
                    let why = format!("{error}{}", how.unwrap_or_default());
                    self.left_out.push((stage.name, why));
                    return;
                }
                let known = self.stages.iter().find(|other| {
                    other.route == stage.route && parts(other).is_ok_and(|known| known == new)
                });
                if let Some(known) = known {
                    let why = format!("on this machine the same as `{}`", known.name);
                    self.left_out.push((stage.name, why));
                    return;
                }
                self.steps.push(Step {
                    name: stage.name.clone(),
                    way: Way::of(&stage),
                    entry: entry.name.clone(),
                    ranks,
                });
                self.stages.push(stage);
            }
        }
    }
}

fn choice(entry: &Entry, rung: &Rung) -> Choice {
    Choice::of(&entry.name).with(rung.knobs.clone())
}

fn stage(rung: &Rung, server: Option<Choice>, front: Option<Choice>, route: &str) -> Stage {
    Stage {
        name: rung.name.clone(),
        title: rung.title.clone(),
        server,
        fronts: front.into_iter().collect(),
        route: route.to_owned(),
        ..Stage::default()
    }
}
