//! The variants worth trying for an app without a plan: the candidates that catalogue entries propose.

mod meant;
mod twins;

use std::collections::BTreeSet;

use record::{App, Choice, Interface, Variant};
use stack::{Candidate, Catalogue, Entry, Found, Installs, Kind, Machine, StackError, State};

use crate::priority::{Step, Way, priority};
use twins::meaning;

/// What `weir try` can run, and what it cannot.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// Variants, slowest expected first.
    pub variants: Vec<Variant>,
    /// Their names, what is worth its time most first.
    pub priority: Vec<String>,
    /// Variants that cannot be, or need not, each with the reason.
    pub left_out: Vec<(String, String)>,
    /// Entries that can serve the app, or stand before it, and are installed.
    pub installed: Vec<String>,
    /// Entries that have candidates for the app and are not installed.
    pub missing: Vec<String>,
    /// Commands that install packages of Python which installed entries lack: weir can put these beside the app's own.
    pub lacking: BTreeSet<String>,
    /// The server that the user's own command is, as it is set there, where that is known ([`Candidates::mean`]).
    pub meant: Option<Choice>,
    steps: Vec<Step>,
}

/// Whether an entry can serve an app, or stand before it: nothing else has candidates for it.
pub fn suits(entry: &Entry, app: &App) -> bool {
    match entry.kind {
        Kind::AppServer => entry.can_load(app),
        Kind::FrontEnd => true,
        Kind::Service | Kind::Supervisor => false,
    }
}

/// The entries of which the candidates of these names are made; `None` where one is no name of a candidate's.
pub fn made_of<'a>(names: &[String], catalogue: &'a Catalogue) -> Option<BTreeSet<&'a str>> {
    let entry = |part: &str| {
        let proposes = |of: &&Entry| of.candidates.iter().any(|candidate| candidate.name == part);
        catalogue.entries().find(proposes)
    };
    let parts = names.iter().flat_map(|name| name.split('+'));
    parts.map(|part| Some(entry(part)?.name.as_str())).collect()
}

/// Composes the candidates for an app: every candidate of every installed app server that can load it and that
/// browsers can speak to, then each installed front end's candidates: before the app servers' candidates that ask for
/// one, and alone on `file`, a route of the app that a front end can serve by itself.
pub fn candidates(app: &App, machine: &Machine, found: &[Found], file: Option<&str>) -> Candidates {
    let mut candidates = Candidates::default();
    let catalogue = machine.catalogue();
    let servers = candidates.fitting(app, catalogue, found, Kind::AppServer);
    let fronts = candidates.fitting(app, catalogue, found, Kind::FrontEnd);
    let page = app.routes[0].name();
    let page = page.as_str();
    for (entry, candidate) in servers.iter().filter(|(of, it)| stands_alone(of, it)) {
        let choice = choice(entry, candidate, machine);
        let variant = variant(candidate, Some(choice), None, page);
        candidates.add(app, machine, variant, entry, (candidate.rank, 0));
    }
    for (entry, candidate) in &fronts {
        let front = choice(entry, candidate, machine);
        if candidate.alone {
            if let Some(file) = file {
                let variant = variant(candidate, None, Some(front), file);
                candidates.add(app, machine, variant, entry, (candidate.rank, 0));
            } else {
                let why = nothing_alone(app).to_owned();
                candidates.left_out.push((candidate.name.clone(), why));
            }
            continue;
        }
        for (server, behind) in servers.iter().filter(|(_, candidate)| candidate.behind) {
            let server = choice(server, behind, machine);
            let mut variant = variant(candidate, Some(server), Some(front.clone()), page);
            variant.name = format!("{}+{}", candidate.name, behind.name);
            variant.title = format!("{} {}", candidate.title, behind.title);
            candidates.add(app, machine, variant, entry, (behind.rank, candidate.rank));
        }
    }
    candidates.priority = priority(&candidates.steps);
    candidates
}

/// Why a front end alone has no route of the app to serve beside its page.
fn nothing_alone(app: &App) -> &'static str {
    if stack::served_file(app, &app.routes[0]).is_some() {
        "alone it would serve the page that is loaded, which is a file, and nothing of the app"
    } else {
        "the app declares no static file that it could serve"
    }
}

/// The variant with a front end before it, which divides requests among several instances: of those that are installed
/// and can stand there, the candidate that `weir try` ranks highest. `None` where there is none.
pub fn behind_a_front(variant: &Variant, app: &App, machine: &Machine) -> Option<Variant> {
    let fronts = machine.catalogue().entries();
    let fronts = fronts.filter(|entry| entry.kind == Kind::FrontEnd);
    let mut proposed: Vec<_> = fronts
        .flat_map(|entry| entry.candidates.iter().map(move |of| (entry, of)))
        .filter(|(_, candidate)| !candidate.alone)
        .collect();
    proposed.sort_by_key(|(_, candidate)| std::cmp::Reverse(candidate.rank));
    let installed = proposed
        .into_iter()
        .filter(|(entry, _)| machine.version(entry, None).is_some());
    let mut behind = installed.map(|(entry, candidate)| Variant {
        title: format!("{} {}", candidate.title, variant.title),
        fronts: vec![choice(entry, candidate, machine)],
        ..variant.clone()
    });
    behind.find(|of| {
        let composed = machine.compose(of, app);
        composed.is_ok_and(|it| stack::lacking(&it).is_none())
    })
}

impl Candidates {
    /// The candidates of all installed entries of a kind that fit the app, by rank.
    fn fitting<'a>(
        &mut self,
        app: &App,
        catalogue: &'a Catalogue,
        found: &[Found],
        kind: Kind,
    ) -> Vec<(&'a Entry, &'a Candidate)> {
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
        let mut proposed = Vec::new();
        for entry in catalogue.entries().filter(|entry| entry.kind == kind) {
            let plain = kind == Kind::AppServer && entry.frameworks.is_empty();
            if !suits(entry, app) || (known && plain) {
                continue;
            }
            let fits = |candidate: &&Candidate| {
                candidate.interfaces.is_empty() || candidate.interfaces.contains(&app.interface)
            };
            let fitting: Vec<_> = entry.candidates.iter().filter(fits).collect();
            let name = fitting.first().map(|_| entry.name.clone());
            match state(entry) {
                Some(State::Version(_)) => self.installed.extend(name),
                Some(State::Missing { .. }) => {
                    self.missing.extend(name);
                    continue;
                }
                None => continue,
            }
            proposed.extend(fitting.into_iter().map(|candidate| (entry, candidate)));
        }
        proposed.sort_by_key(|(_, candidate)| candidate.rank);
        proposed
    }

    /// Notes what an installed entry lacks; why it cannot be, with what to type.
    fn lacks(&mut self, error: &StackError) -> String {
        let how = match error {
            StackError::Missing {
                install: Some(command),
                ..
            } if Installs::are_of_python(command) => {
                self.lacking.insert(command.clone());
                let brings = "`--install` brings it beside the app's own packages";
                Some(brings.to_owned())
            }
            _ => error.hint(),
        };
        let how = how.map(|hint| format!("; {hint}"));
        format!("{error}{}", how.unwrap_or_default())
    }

    /// Adds a variant, unless it cannot be composed, or means the same as one that is there: on one
    /// core, "one worker per core" is one worker.
    fn add(
        &mut self,
        app: &App,
        machine: &Machine,
        variant: Variant,
        entry: &Entry,
        ranks: (u32, u32),
    ) {
        let of = |variant: &Variant| meaning(variant, app, machine);
        match of(&variant) {
            Err(StackError::Refused { why, .. }) => self.left_out.push((variant.name, why)),
            Err(error) => self.left_out.push((variant.name, error.to_string())),
            Ok(new) => {
                let composition = machine.compose(&variant, app).ok();
                if let Some(error) = composition.as_ref().and_then(stack::lacking) {
                    let why = self.lacks(&error);
                    self.left_out.push((variant.name, why));
                    return;
                }
                let known = self.variants.iter().find(|other| {
                    other.route == variant.route && of(other).is_ok_and(|known| known == new)
                });
                if let Some(known) = known {
                    let why = format!("on this machine the same as `{}`", known.name);
                    self.left_out.push((variant.name, why));
                    return;
                }
                let mut parts = composition.iter().flat_map(|it| &it.parts);
                self.steps.push(Step {
                    name: variant.name.clone(),
                    way: Way::of(&variant),
                    entry: entry.name.clone(),
                    ranks,
                    development: parts.any(|part| part.entry.development),
                });
                self.variants.push(variant);
            }
        }
    }
}

/// Whether browsers can speak to a candidate without a front end: several of one have an address each, and what has
/// parameters is spoken by front ends alone.
fn stands_alone(entry: &Entry, candidate: &Candidate) -> bool {
    let mut spoken = entry.listens.keys();
    candidate.instances.is_none() && !spoken.all(|protocol| protocol.has_variables())
}

fn choice(entry: &Entry, candidate: &Candidate, machine: &Machine) -> Choice {
    Choice {
        // an entry whose candidates have no count is refused when it is read
        instances: candidate.instances(machine.cores()).unwrap_or(1),
        ..Choice::of(&entry.name).with(candidate.knobs.clone())
    }
}

fn variant(
    candidate: &Candidate,
    server: Option<Choice>,
    front: Option<Choice>,
    route: &str,
) -> Variant {
    Variant {
        name: candidate.name.clone(),
        title: candidate.title.clone(),
        server,
        fronts: front.into_iter().collect(),
        route: route.to_owned(),
        ..Variant::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_python_that_are_lacking_can_be_brought() {
        let missing = |install: &str| StackError::Missing {
            entry: "one".to_owned(),
            what: "two".to_owned(),
            why: "none".to_owned(),
            install: Some(install.to_owned()),
        };
        let mut candidates = Candidates::default();
        let command = "/v/bin/python -m pip install two";
        let brought = candidates.lacks(&missing(command));
        let words = "; `--install` brings it beside the app's own packages";
        assert!(brought.ends_with(words), "{brought}");
        let typed = candidates.lacks(&missing("apt-get install -y two"));
        let words = "; install it: apt-get install -y two";
        assert!(typed.ends_with(words), "{typed}");
        assert_eq!(candidates.lacking, BTreeSet::from([command.to_owned()]));
    }
}
