//! What an entry of the catalogue must be able to do, as variants of small apps: every protocol over every
//! transport that it offers, for every interface that it loads; and its texts at both ends of every knob.

mod contract;
mod links;
mod service;
mod supervisor;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use record::{App, Choice, Interface, Knob, Link, Route, Variant};

use crate::app;
use crate::compose::Machine;
use crate::entry::{Entry, Kind};
use crate::error::{Result, StackError};
use crate::probe::{Identity, identify};
use links::{dials_in, endpoints, links, spoken_by};

pub use links::able_behind;

/// Entries, the small apps that they are tried with, and what is installed of them.
pub struct Rehearsal<'a> {
    machine: &'a Machine,
    /// The folder with a small app for each interface and framework.
    samples: PathBuf,
    python: PathBuf,
    /// Who was found to stand behind a front end, by link.
    partners: RefCell<BTreeMap<String, Partner<'a>>>,
}

/// An entry with the app that it serves, if there is one.
type Partner<'a> = Option<(&'a Entry, App)>;

/// One app, and the variants that an entry is tried in with it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The app.
    pub app: App,
    /// The variants, named by how they are spoken to.
    pub variants: Vec<Variant>,
}

impl Scene {
    /// The app in a version that does not load: everything else is as it was.
    pub fn broken(&self) -> App {
        App {
            dir: self.app.dir.join("broken"),
            ..self.app.clone()
        }
    }
}

/// Writes the small apps into a folder, one folder for each.
///
/// # Errors
/// A file that cannot be written.
pub fn write_samples(folder: &Path) -> Result<()> {
    let doing = format!("writing the small apps into `{}`", folder.display());
    ::catalogue::SAMPLES
        .extract(folder)
        .map_err(StackError::system(doing))
}

impl<'a> Rehearsal<'a> {
    /// Nothing is looked for yet.
    pub fn new(machine: &'a Machine, samples: &Path, python: &Path) -> Self {
        Self {
            samples: samples.to_owned(),
            python: python.to_owned(),
            machine,
            partners: RefCell::default(),
        }
    }

    /// The version of an entry that is here.
    ///
    /// # Errors
    /// It is not installed, with the command that installs it.
    pub fn version(&self, entry: &Entry) -> Result<String> {
        self.identity(entry).map(|identity| identity.version)
    }

    /// Every way in which an entry is to serve, with these knobs.
    ///
    /// # Errors
    /// A small app that cannot be read.
    pub fn scenes(&self, entry: &Entry, knobs: &BTreeMap<String, Knob>) -> Result<Vec<Scene>> {
        let mut own = checked(entry);
        own.knobs.extend(knobs.clone());
        match entry.kind {
            Kind::AppServer => self.as_app_server(entry, &own),
            Kind::FrontEnd => self.as_front_end(entry, &own),
            Kind::Service => self.as_service(entry, &own).map(|scene| vec![scene]),
            Kind::Supervisor => self.as_supervisor(entry, &own).map(|scene| vec![scene]),
        }
    }

    /// Spoken to directly, in everything it listens to, and through a front end where it dials that in.
    fn as_app_server(&self, entry: &Entry, own: &Choice) -> Result<Vec<Scene>> {
        let scene = |interface: &Interface| {
            let app = self.sample(*interface, &entry.frameworks)?;
            let links = endpoints(entry).filter(|link| spoken_by(&app, *link));
            let variants = links.filter_map(|link| {
                let fronts = match self.dialled(link) {
                    None if dials_in(link) => return None,
                    front => front.map(|front| Choice::of(&front.name)),
                };
                Some(Variant {
                    server: Some(over(link, own)),
                    fronts: fronts.into_iter().collect(),
                    ..variant(&app, format!("{} {link}", interface.name()))
                })
            });
            Ok(Scene {
                variants: variants.collect(),
                app,
            })
        };
        entry.runs.iter().map(scene).collect()
    }

    /// Alone, on files; and in front of a server for everything it speaks. What clients can speak to it
    /// is tried with files, or else with the first server behind it.
    fn as_front_end(&self, entry: &Entry, own: &Choice) -> Result<Vec<Scene>> {
        let mut scenes = Vec::new();
        if entry.runs.contains(&Interface::Static) {
            scenes.push(self.with_files(entry, own)?);
        }
        for link in links(&entry.speaks) {
            let Some((server, app)) = self.partner(link)? else {
                continue;
            };
            let before = |endpoint: Link, name: String| Variant {
                server: Some(over(link, &checked(server))),
                fronts: vec![over(endpoint, own)],
                ..variant(&app, name)
            };
            let name = format!("{link} to {}", server.name);
            let mut variants = vec![before(own.link, name)];
            if scenes.is_empty() {
                variants.extend(endpoints(entry).map(|endpoint| {
                    before(endpoint, format!("{endpoint} before {}", server.name))
                }));
            }
            scenes.push(Scene { app, variants });
        }
        Ok(scenes)
    }

    /// The file of an app, over everything that clients can speak.
    fn with_files(&self, entry: &Entry, own: &Choice) -> Result<Scene> {
        let app = self.sample(Interface::Wsgi, &[])?;
        let site = app.site.as_ref().map_or("/", |site| site.url.as_str());
        let mut routes = app.routes.iter();
        let file = routes.find(|route| route.path.starts_with(site));
        let route = file.map_or_else(String::new, Route::name);
        let variants = endpoints(entry).map(|link| Variant {
            fronts: vec![over(link, own)],
            route: route.clone(),
            ..variant(&app, format!("files over {link}"))
        });
        Ok(Scene {
            variants: variants.collect(),
            app,
        })
    }

    /// Links that a front end speaks and no installed app server listens to, or in which a server dials in and
    /// no installed front end waits for it.
    pub fn without_partner(&self, entry: &Entry) -> Vec<Link> {
        let nobody_listens = |link: &Link| !matches!(self.partner(*link), Ok(Some(_)));
        let nobody_waits = |link: &Link| dials_in(*link) && self.dialled(*link).is_none();
        let spoken = links(&entry.speaks).filter(nobody_listens);
        let listened = links(&entry.listens).filter(nobody_waits);
        spoken.chain(listened).collect()
    }

    /// A front end that is here and waits for servers that dial in this way.
    fn dialled(&self, link: Link) -> Option<&Entry> {
        let waits = |entry: &&Entry| {
            entry.kind == Kind::FrontEnd && links(&entry.speaks).any(|way| way == link)
        };
        let here = |entry: &&Entry| self.here(entry).is_some();
        let mut waiting = self.machine.catalogue().entries().filter(waits);
        dials_in(link).then(|| waiting.find(here)).flatten()
    }

    /// An app server that is here, listens this way, and has an app: one that is proposed behind front
    /// ends, and for the app whose files front ends serve here, if there is such a one.
    fn partner(&self, link: Link) -> Result<Partner<'a>> {
        let key = link.to_string();
        if let Some(known) = self.partners.borrow().get(&key) {
            return Ok(known.clone());
        }
        let found = self.find_partner(link)?;
        self.partners.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    fn find_partner(&self, link: Link) -> Result<Partner<'a>> {
        let servers = self.machine.catalogue().entries().filter(|entry| {
            entry.kind == Kind::AppServer && links(&entry.listens).any(|way| way == link)
        });
        let mut able = Vec::new();
        for entry in servers {
            let app = self.sample(entry.runs[0], &entry.frameworks)?;
            let alone = Variant {
                server: Some(over(link, &Choice::of(&entry.name))),
                ..variant(&app, entry.name.clone())
            };
            let stands = dials_in(link) || self.machine.compose(&alone, &app).is_ok();
            if spoken_by(&app, link) && stands {
                able.push((entry, app));
            }
        }
        let fits = |(entry, app): &(&Entry, App)| {
            let proposed = entry.candidates.iter().any(|candidate| candidate.behind);
            (proposed, app.interface == Interface::Wsgi)
        };
        able.sort_by_key(|one| std::cmp::Reverse(fits(one))); // stable: else by name
        let mut able = able.into_iter();
        Ok(able.find(|(entry, _)| self.here(entry).is_some()))
    }

    /// The small app for a framework, or else for an interface.
    fn sample(&self, interface: Interface, frameworks: &[String]) -> Result<App> {
        let mut made_for = frameworks.iter().map(|name| self.samples.join(name));
        let made_for = made_for.find(|folder| folder.is_dir());
        let folder = made_for.unwrap_or_else(|| self.samples.join(interface.name()));
        app::read(&folder, Some(&self.python))
    }

    fn identity(&self, entry: &Entry) -> Result<Identity> {
        // What is not here is asked once more, for the reason.
        match self.here(entry) {
            Some(identity) => Ok(identity),
            None => identify(entry, Some(&self.python)),
        }
    }

    fn here(&self, entry: &Entry) -> Option<Identity> {
        self.machine.identity(entry, Some(&self.python))
    }
}

/// An entry with its knobs as they are checked: a test waits for less than an operator would.
fn checked(entry: &Entry) -> Choice {
    let knobs = entry.knobs.iter();
    let knobs = knobs.filter_map(|(name, spec)| Some((name.clone(), spec.checked.clone()?)));
    Choice::of(&entry.name).with(knobs.collect())
}

/// The same, reached this way.
fn over(link: Link, choice: &Choice) -> Choice {
    let choice = choice.clone();
    Choice { link, ..choice }
}

fn variant(app: &App, name: String) -> Variant {
    Variant {
        title: name.clone(),
        name,
        route: app.routes.first().map_or_else(|| "/".into(), Route::name),
        ..Variant::default()
    }
}
