//! A variant as it was decided: the value that everything else of this room reads.

use std::collections::BTreeMap;

use record::{App, Knob, Route, StaticSite};

use crate::entry::{Entry, Kind, Spoken};

/// What a variant means: which programs, with every knob's value, connected how.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The variant's name.
    pub variant: String,
    /// The application.
    pub app: App,
    /// The route that is loaded and asked for readiness.
    pub route: Route,
    /// The programs, from the one that clients speak to inwards, and the services that the app uses.
    pub parts: Vec<Part>,
    /// Cores that formulas were resolved with.
    pub cores: u32,
    /// Whether its files are for a user to keep, and not for a trial.
    pub deployed: bool,
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
    /// What starts it, and starts it again when it has ended; none where weir does.
    pub supervisor: Option<Supervisor>,
}

/// A program that starts another one, with its knobs.
#[derive(Clone, Debug)]
pub struct Supervisor {
    /// Its entry in the catalogue.
    pub entry: Entry,
    /// Every knob, defaults included, formulas resolved.
    pub knobs: BTreeMap<String, Knob>,
}

impl Part {
    /// Whether clients, or front ends before it, speak to it of an app that others run.
    pub(crate) fn is_front_end(&self) -> bool {
        self.entry.kind == Kind::FrontEnd
    }
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

    /// How many addresses these are given: each one to listen on, and one of which only weir is told.
    pub(crate) fn addresses(&self) -> usize {
        2 * self.programs()
    }

    /// The routes that this stack answers: all of them, or those of the app's files.
    pub fn routes(&self) -> Vec<&Route> {
        let site = self.app.site.as_ref();
        let files_only = self.app_server().is_none();
        let served = |route: &&Route| !files_only || site.is_some_and(|site| has(site, route));
        self.app.routes.iter().filter(served).collect()
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
