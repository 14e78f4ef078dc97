//! A variant as it was decided: the value that everything else of this room reads.

use std::collections::BTreeMap;
use std::path::PathBuf;

use record::{App, Interface, Knob, Route};

use super::site::{asked_of, path_of, served_file};
use crate::entry::{Entry, Kind, Spoken};
use crate::error::StackError;
use crate::path::{is_hidden, is_script};

/// What a variant means: which programs, with every knob's value, connected how.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The variant's name.
    pub variant: String,
    /// The application.
    pub app: App,
    /// Whether other files lie beside or below the script that is the entry of a PHP app, each of them for its own path.
    pub others: bool,
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

    /// The same for a user to keep, with the values of knobs that its entries have for that.
    pub(crate) fn to_deploy(&self) -> Self {
        let mut deployed = self.clone();
        deployed.deployed = true;
        for part in &mut deployed.parts {
            let specs = part.entry.knobs.iter();
            let own = specs.filter_map(|(name, spec)| Some((name.clone(), spec.deployed.clone()?)));
            part.knobs.extend(own);
        }
        deployed
    }

    /// How many addresses these are given: each one to listen on, and one of which only weir is told.
    pub(crate) fn addresses(&self) -> usize {
        2 * self.programs()
    }

    /// The routes that this stack answers: all of them, or those of the app's files.
    pub fn routes(&self) -> Vec<&Route> {
        let files_only = self.app_server().is_none();
        let served = |route: &&Route| !files_only || self.file(route).is_some();
        self.app.routes.iter().filter(served).collect()
    }

    /// The file that counts as right for a route, and not what a server answers: of a stack without an app server; and of a
    /// PHP app, as a script that gets the path of a file answers in its place.
    pub(crate) fn file(&self, route: &Route) -> Option<PathBuf> {
        let app = &self.app;
        let of_site = served_file(app, route);
        if self.app_server().is_none() {
            return of_site;
        }
        let script = app.dir.join(&app.entry);
        let root = script
            .parent()
            .filter(|_| app.interface == Interface::Php)?;
        of_site.or_else(|| {
            let file = asked_of(root, "/", route)?;
            let below = file.strip_prefix(root).ok()?;
            let kept = is_script(below) || is_hidden(below);
            (!kept).then_some(file)
        })
    }

    /// An error about the answer to a route, with what to declare where the route is a file that a script has answered for.
    pub(crate) fn advised(&self, mut error: StackError) -> StackError {
        match &mut error {
            StackError::Differs { request, hint, .. } => {
                *hint = self.how_served(request).map(String::into_boxed_str);
            }
            StackError::WrongAnswer {
                request, remedy, ..
            } => {
                if let Some(hint) = self.how_served(request) {
                    remedy.hint = hint;
                }
            }
            _ => {}
        }
        error
    }

    /// How a front end comes to serve the file that is asked for; none where the request is for something else.
    fn how_served(&self, request: &str) -> Option<String> {
        let app = &self.app;
        self.app_server()?;
        let mut routes = app.routes.iter();
        let route = routes.find(|route| route.request() == request)?;
        let file = self.file(route)?;
        let path = path_of(route);
        let mut url = path[..=path.rfind('/')?].to_owned();
        let declared = app.site.as_ref().filter(|site| site.url != "/");
        if declared.is_some_and(|site| path.starts_with(&site.url)) {
            let what = "a script answered for a file of the app's `[site]`: put a front end before the server that serves \
                        files from disk (`serve-static = true`)";
            return Some(what.to_owned());
        }
        let mut dir = file.parent()?.strip_prefix(&app.dir).ok()?.to_owned();
        let mut first = "";
        if url == "/" {
            first = "move it into a folder of its own, as scripts lie beside it; ";
            dir.push("assets");
            url.push_str("assets/");
        }
        let (dir, entry) = (dir.display(), &app.entry);
        Some(format!(
            "a script answered for a file: {first}a front end serves it from disk if `app.toml` has `interface = \"php\"`, \
             `entry = \"{entry}\"`, and `[site]` with `dir = \"{dir}\"` and `url = \"{url}\"`"
        ))
    }
}
