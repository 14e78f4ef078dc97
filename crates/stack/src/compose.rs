use std::collections::BTreeMap;

use record::{App, Choice, Interface, Knob, Protocol, Route, Stage, StaticSite, Transport};

use crate::catalogue::Catalogue;
use crate::entry::{Entry, Kind};
use crate::error::StackError;
use crate::nearest::nearest;
use crate::offers::{no_transport, offered, or_none, spoken};
use crate::render::refusal;

/// What a stage means: which programs, with every knob's value, connected how.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The stage's name.
    pub stage: String,
    /// The application.
    pub app: App,
    /// The route that is loaded and asked for readiness.
    pub route: Route,
    /// The programs, from the one that clients speak to inwards.
    pub parts: Vec<Part>,
    /// Cores that formulas were resolved with.
    pub cores: u32,
}

/// One program of a composition.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its entry in the catalogue.
    pub entry: Entry,
    /// Every knob, defaults included, formulas resolved.
    pub knobs: BTreeMap<String, Knob>,
    /// What is spoken to it.
    pub protocol: Protocol,
    /// Over what.
    pub transport: Transport,
}

impl Composition {
    /// The part that loads the app; none when a front end serves files alone.
    pub fn app_server(&self) -> Option<&Part> {
        self.parts
            .iter()
            .find(|part| part.entry.kind == Kind::AppServer)
    }

    /// The routes that this stack answers: all of them, or those of the app's files.
    pub fn routes(&self) -> Vec<&Route> {
        let site = self.app.site.as_ref();
        let files_only = self.app_server().is_none();
        let served = |route: &&Route| !files_only || site.is_some_and(|site| is_below(site, route));
        self.app.routes.iter().filter(served).collect()
    }
}

/// Decides what a stage means on this machine, or why it cannot be served.
///
/// Nothing is started, looked up or written.
///
/// # Errors
/// An unknown entry or route, a knob out of range, a combination that cannot work.
pub fn compose(stage: &Stage, app: &App, catalogue: &Catalogue) -> Result<Composition, StackError> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    compose_for(stage, app, catalogue, cores)
}

pub(crate) fn compose_for(
    stage: &Stage,
    app: &App,
    catalogue: &Catalogue,
    cores: u32,
) -> Result<Composition, StackError> {
    let bench = Bench { stage, app, cores };
    let route = bench.route()?;
    let server = stage
        .server
        .as_ref()
        .map(|choice| bench.app_server(choice, catalogue))
        .transpose()?;
    let front = stage
        .front
        .as_ref()
        .map(|choice| bench.front_end(choice, catalogue, server.as_ref(), &route))
        .transpose()?;
    let parts: Vec<_> = front.into_iter().chain(server).collect();
    if parts.is_empty() {
        return Err(bench.refuse(
            "it names neither an app server nor a front end",
            "set `server` or `front`",
        ));
    }
    let composition = Composition {
        stage: stage.name.clone(),
        app: app.clone(),
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
        let paths = || self.app.routes.iter().map(|route| route.path.as_str());
        let found = self.app.routes.iter().find(|route| route.path == *wanted);
        found.cloned().ok_or_else(|| {
            let hint = match nearest(wanted, paths()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!(
                    "routes of the app: {}",
                    paths().collect::<Vec<_>>().join(", ")
                ),
            };
            self.refuse(
                format!("the app `{}` has no route `{wanted}`", self.app.name),
                hint,
            )
        })
    }

    fn app_server(&self, choice: &Choice, catalogue: &Catalogue) -> Result<Part, StackError> {
        let entry = catalogue.choose(Kind::AppServer, &choice.entry)?;
        let (app, interface) = (self.app, self.app.interface);
        if !entry.runs.contains(&interface) {
            let able: Vec<_> = catalogue
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
        let transport = if self.stage.front.is_some() {
            self.stage.link
        } else {
            Transport::Tcp
        };
        let protocol = spoken(&entry.listens, None, transport)
            .ok_or_else(|| self.refuse(no_transport(entry, transport), offered(&entry.listens)))?;
        self.part(entry, choice, protocol, transport)
    }

    fn front_end(
        &self,
        choice: &Choice,
        catalogue: &Catalogue,
        server: Option<&Part>,
        route: &Route,
    ) -> Result<Part, StackError> {
        let entry = catalogue.choose(Kind::FrontEnd, &choice.entry)?;
        match server {
            Some(server)
                if spoken(&entry.speaks, Some(server.protocol), server.transport).is_none() =>
            {
                return Err(self.refuse(
                    format!(
                        "`{}` cannot speak to `{}` that way",
                        entry.name, server.entry.name
                    ),
                    offered(&entry.speaks),
                ));
            }
            Some(_) => {}
            None => self.can_serve_files(entry, route)?,
        }
        let protocol = spoken(&entry.listens, None, Transport::Tcp).ok_or_else(|| {
            self.refuse(no_transport(entry, Transport::Tcp), offered(&entry.listens))
        })?;
        self.part(entry, choice, protocol, Transport::Tcp)
    }

    fn can_serve_files(&self, entry: &Entry, route: &Route) -> Result<(), StackError> {
        if !entry.runs.contains(&Interface::Static) {
            return Err(self.refuse(
                format!("`{}` serves no files by itself", entry.name),
                "set `server`",
            ));
        }
        match &self.app.site {
            None => Err(self.refuse(
                format!(
                    "without an app server `{}` serves files, and the app declares none",
                    entry.name
                ),
                "set `server`, or declare `[site]` with `dir` and `url` in app.toml",
            )),
            Some(site) if !is_below(site, route) => Err(self.refuse(
                format!(
                    "without an app server only files below `{}` are there, and the route is `{}`",
                    site.url, route.path
                ),
                "set `server`, or load the route of a file",
            )),
            Some(_) => Ok(()),
        }
    }

    fn part(
        &self,
        entry: &Entry,
        choice: &Choice,
        protocol: Protocol,
        transport: Transport,
    ) -> Result<Part, StackError> {
        let knobs = entry.settle(&choice.knobs, self.app.interface, self.cores)?;
        Ok(Part {
            entry: entry.clone(),
            knobs,
            protocol,
            transport,
        })
    }
}

fn is_below(site: &StaticSite, route: &Route) -> bool {
    route.path.starts_with(&site.url)
}
