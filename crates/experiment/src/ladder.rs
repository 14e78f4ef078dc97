//! The stages worth trying for an app without a plan: the rungs that catalogue entries propose.

use record::{App, Choice, Stage};
use stack::{Catalogue, Entry, Found, Kind, Rung, State};

/// What `weir try` runs, and what it does not.
#[derive(Clone, Debug, Default)]
pub struct Ladder {
    /// Stages, slowest expected first.
    pub stages: Vec<Stage>,
    /// Entries that could serve the app and are left out, each with the reason.
    pub left_out: Vec<(String, String)>,
}

/// Composes the ladder for an app: every rung of every installed app server that can load it, then
/// each installed front end's rungs: before the app servers' rungs that ask for one, and alone on
/// `file`, a route of the app that a front end can serve by itself.
pub fn ladder(app: &App, catalogue: &Catalogue, found: &[Found], file: Option<&str>) -> Ladder {
    let mut ladder = Ladder::default();
    let servers = ladder.rungs(app, catalogue, found, Kind::AppServer);
    let fronts = ladder.rungs(app, catalogue, found, Kind::FrontEnd);
    let page = app.routes[0].path.as_str();
    for (entry, rung) in &servers {
        ladder.add(
            app,
            catalogue,
            stage(rung, Some(choice(entry, rung)), None, page),
        );
    }
    for (entry, rung) in &fronts {
        if rung.alone {
            match file {
                Some(file) => ladder.add(
                    app,
                    catalogue,
                    stage(rung, None, Some(choice(entry, rung)), file),
                ),
                None => ladder.left_out.push((
                    rung.name.clone(),
                    "the app declares no static file that it could serve".into(),
                )),
            }
            continue;
        }
        for (server, behind) in servers.iter().filter(|(_, rung)| rung.behind) {
            let mut stage = stage(
                rung,
                Some(choice(server, behind)),
                Some(choice(entry, rung)),
                page,
            );
            stage.name = format!("{}+{}", rung.name, behind.name);
            stage.title = format!("{} {}", rung.title, behind.title);
            ladder.add(app, catalogue, stage);
        }
    }
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
        let mut rungs = Vec::new();
        for entry in catalogue.entries().filter(|entry| entry.kind == kind) {
            if kind == Kind::AppServer && !entry.can_load(app) {
                continue;
            }
            let state = found
                .iter()
                .find(|found| found.entry == entry.name)
                .map(|found| &found.state);
            match state {
                Some(State::Version(_)) => {
                    let fits = |rung: &&Rung| {
                        rung.interfaces.is_empty() || rung.interfaces.contains(&app.interface)
                    };
                    rungs.extend(entry.rungs.iter().filter(fits).map(|rung| (entry, rung)));
                }
                Some(State::Missing { why, install }) => {
                    let how = install
                        .as_ref()
                        .map(|command| format!("; install it: {command}"));
                    self.left_out.push((
                        entry.name.clone(),
                        format!("{why}{}", how.unwrap_or_default()),
                    ));
                }
                None => {}
            }
        }
        rungs.sort_by_key(|(_, rung)| rung.rank);
        rungs
    }

    /// Adds a stage, unless it cannot be composed, or means the same as one that is there: on one
    /// core, "one worker per core" is one worker.
    fn add(&mut self, app: &App, catalogue: &Catalogue, stage: Stage) {
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
                match known {
                    Some(known) => {
                        let why = format!("on this machine the same as `{}`", known.name);
                        self.left_out.push((stage.name, why));
                    }
                    None => self.stages.push(stage),
                }
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
