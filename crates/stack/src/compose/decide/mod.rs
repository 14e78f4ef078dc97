mod front;
mod reach;
mod services;

use std::collections::BTreeMap;

use record::{App, Choice, Knob, NoRoute, Route, Stage, StaticSite};

use crate::compose::render::refusal;
use crate::entry::catalogue::Catalogue;
use crate::entry::offers::{Offers, Spoken, common, or_none};
use crate::entry::{Entry, Kind};
use crate::error::StackError;
use crate::nearest::nearest;

/// What a stage means: which programs, with every knob's value, connected how.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The stage's name.
    pub stage: String,
    /// The application.
    pub app: App,
    /// The route that is loaded and asked for readiness.
    pub route: Route,
    /// The programs, from the one that clients speak to inwards, and the services that the app uses.
    pub parts: Vec<Part>,
    /// Cores that formulas were resolved with.
    pub cores: u32,
}

/// One program of a composition, or several of a kind beside each other.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name in the stack: its entry's, with a number where another part has the same.
    pub name: String,
    /// Its entry in the catalogue.
    pub entry: Entry,
    /// Every knob, defaults included, formulas resolved.
    pub knobs: BTreeMap<String, Knob>,
    /// How it is spoken to.
    pub spoken: Spoken,
    /// How many of it there are, each with an address of its own.
    pub instances: u32,
    /// What the app calls it, where it is a service.
    pub service: Option<String>,
}

impl Composition {
    /// The part that loads the app; none when a front end serves files alone.
    pub fn app_server(&self) -> Option<&Part> {
        self.parts
            .iter()
            .find(|part| part.entry.kind == Kind::AppServer)
    }

    /// The part that a part passes requests on to.
    pub(crate) fn behind(&self, part: &Part) -> Option<&Part> {
        let at = self.parts.iter().position(|one| one.name == part.name)?;
        self.parts
            .get(at + 1)
            .filter(|behind| behind.service.is_none())
    }

    /// How many programs it is, instances counted.
    pub fn programs(&self) -> usize {
        self.parts.iter().map(|part| part.instances as usize).sum()
    }

    /// The routes that this stack answers: all of them, or those of the app's files.
    pub fn routes(&self) -> Vec<&Route> {
        let site = self.app.site.as_ref();
        let files_only = self.app_server().is_none();
        let served = |route: &&Route| !files_only || site.is_some_and(|site| has(site, route));
        self.app.routes.iter().filter(served).collect()
    }
}

/// Decides what a stage means on this machine, or why it cannot be served.
///
/// Nothing is started or written. A server whose defaults changed is asked its version.
///
/// # Errors
/// An unknown entry or route, a knob out of range, a combination that cannot work.
pub fn compose(stage: &Stage, app: &App, catalogue: &Catalogue) -> Result<Composition, StackError> {
    compose_for(stage, app, catalogue, cores())
}

/// Cores that this process may use.
pub(crate) fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32)
}

pub(crate) fn compose_for(
    stage: &Stage,
    app: &App,
    catalogue: &Catalogue,
    cores: u32,
) -> Result<Composition, StackError> {
    let bench = Bench {
        stage,
        app,
        catalogue,
        cores,
    };
    let route = bench.route()?;
    let mut parts = Vec::new();
    // Inside out: what a front end speaks decides how the program behind it listens.
    let chain = stage.fronts.iter().map(|front| (Kind::FrontEnd, front));
    let mut chain: Vec<_> = chain
        .chain(stage.server.iter().map(|server| (Kind::AppServer, server)))
        .collect();
    while let Some((kind, choice)) = chain.pop() {
        let caller = chain
            .last()
            .map(|(_, choice)| catalogue.choose(Kind::FrontEnd, &choice.entry));
        let caller = caller.transpose()?;
        let part = if kind == Kind::AppServer {
            bench.app_server(choice, caller)?
        } else {
            bench.front_end(choice, caller, parts.is_empty(), &route)?
        };
        parts.push(part);
    }
    parts.reverse();
    parts.extend(bench.services()?);
    name_apart(&mut parts);
    if parts.is_empty() {
        return Err(bench.refuse(
            "it names neither an app server nor a front end",
            "set `server` or `front`",
        ));
    }
    let mut app = app.clone();
    app.env.extend(stage.env.clone());
    let composition = Composition {
        stage: stage.name.clone(),
        app,
        route,
        parts,
        cores,
    };
    refusal(&composition)?.map_or(Ok(composition), Err)
}

/// What every decision about a stage looks at.
struct Bench<'a> {
    stage: &'a Stage,
    app: &'a App,
    catalogue: &'a Catalogue,
    cores: u32,
}

impl Bench<'_> {
    fn refuse(&self, why: impl Into<String>, hint: impl Into<String>) -> StackError {
        StackError::Refused {
            stage: self.stage.name.clone(),
            why: why.into(),
            hint: hint.into(),
        }
    }

    fn route(&self) -> Result<Route, StackError> {
        let wanted = &self.stage.route;
        self.app.route(wanted).cloned().map_err(|why| {
            let names: Vec<_> = self.app.routes.iter().map(Route::name).collect();
            let meant = match why {
                NoRoute::Unknown(_) => nearest(wanted, names.iter().map(String::as_str)),
                NoRoute::Several(_) => None,
            };
            let hint = match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("routes of the app: {}", names.join(", ")),
            };
            self.refuse(format!("the app `{}` {why}", self.app.name), hint)
        })
    }

    fn app_server(&self, choice: &Choice, caller: Option<&Entry>) -> Result<Part, StackError> {
        let entry = self.catalogue.choose(Kind::AppServer, &choice.entry)?;
        let (app, interface) = (self.app, self.app.interface);
        if !entry.runs.contains(&interface) {
            let able: Vec<_> = self
                .catalogue
                .entries()
                .filter(|other| other.kind == Kind::AppServer && other.runs.contains(&interface))
                .map(|other| other.name.as_str())
                .collect();
            return Err(self.refuse(
                format!(
                    "`{}` cannot load {} apps such as `{}`",
                    entry.name,
                    interface.name(),
                    app.name
                ),
                format!("app servers that can: {}", or_none(&able)),
            ));
        }
        if !entry.knows_framework(app) {
            return Err(self.refuse(
                format!("`{}` serves {} apps only and `{}` is none", entry.name, entry.frameworks.join(", "), app.name),
                "name the framework in app.toml (`frameworks = [\"…\"]`), or choose another app server",
            ));
        }
        if choice.instances > 1 && caller.is_none() {
            return Err(self.refuse(
                format!(
                    "{} instances of `{}` have an address each, and clients ask one",
                    choice.instances, entry.name
                ),
                "put a front end before them: `front = \"…\"`",
            ));
        }
        let offers = if app.listens.is_empty() {
            entry.listens.clone()
        } else {
            common(&entry.listens, &app.listens)
        };
        self.part(entry, choice, &offers, caller)
    }

    fn part(
        &self,
        entry: &Entry,
        choice: &Choice,
        listens: &Offers,
        caller: Option<&Entry>,
    ) -> Result<Part, StackError> {
        let spoken = self.spoken(entry, choice.link, listens, caller)?;
        self.settled(entry, choice, spoken)
    }

    /// A part with every knob's value.
    fn settled(&self, entry: &Entry, choice: &Choice, spoken: Spoken) -> Result<Part, StackError> {
        let (app, cores) = (self.app, self.cores);
        let version = self
            .catalogue
            .deciding_version(entry, app.python.as_deref());
        Ok(Part {
            name: entry.name.clone(),
            knobs: entry.settle(&choice.knobs, app.interface, cores, version.as_deref())?,
            spoken,
            instances: choice.instances,
            service: None,
            entry: entry.clone(),
        })
    }
}

/// Two parts of one entry are told apart by a number.
fn name_apart(parts: &mut [Part]) {
    for at in 1..parts.len() {
        let same = parts[..at]
            .iter()
            .filter(|part| part.entry.name == parts[at].entry.name);
        let before = same.count();
        if before > 0 {
            parts[at].name = format!("{}-{}", parts[at].entry.name, before + 1);
        }
    }
}

/// A site at the root has every route below it, and few as files.
fn has(site: &StaticSite, route: &Route) -> bool {
    if route.method.has_body() {
        return false; // files are read
    }
    let path = route.path.split('?').next().unwrap_or_default();
    let file = path.strip_prefix(&site.url);
    file.is_some_and(|file| site.dir.join(file).is_file())
}
