mod services;
mod supervised;
mod template;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use record::{CounterSource, Knob, NotedSource, RenderedFile, Target};
use serde::Serialize;
use wire::TlsSettings;

use crate::compose::composition::{Composition, Part};
use crate::compose::workspace::{self, Placement, Workspace};
use crate::entry::{Entry, Kind, Roles, Spoken, Stop};
use crate::error::{Result, StackError};
use template::Template;

/// A program as a value: everything that decides how it runs, nothing started yet.
#[derive(Clone, Debug, Serialize)]
pub struct Program {
    /// Its name in the stack: its folder's and its log's.
    pub name: String,
    /// Name of its catalogue entry.
    pub entry: String,
    /// Which part of the composition it is, or is one of several instances of.
    #[serde(skip)]
    pub(crate) part: usize,
    /// The version it reports of itself.
    pub version: String,
    /// Argument vector.
    pub argv: Vec<String>,
    /// The argument vector by which it is deployed, if that is another one; else empty.
    #[serde(skip)]
    pub(crate) deployed: Vec<String>,
    /// Environment added to weir's own.
    pub env: Vec<(String, String)>,
    /// Names taken out of weir's own environment.
    pub unset: Vec<String>,
    /// Working folder.
    pub cwd: PathBuf,
    /// Where it will listen.
    pub listen: Target,
    /// What is spoken to it there.
    #[serde(skip)]
    pub spoken: Spoken,
    /// Names and values of the parameters that whoever speaks FastCGI to it sends with each request.
    #[serde(skip)]
    pub(crate) params: Vec<(String, String)>,
    /// How its handshake is made, once its certificate is there; none outside TLS.
    #[serde(skip)]
    pub(crate) handshake: Option<TlsSettings>,
    /// Every knob with its value, defaults included.
    pub knobs: Vec<(String, Knob)>,
    /// Files to be written, paths below the workspace's folder.
    pub files: Vec<RenderedFile>,
    /// What starts it and starts it again, by name and version, where that is not weir: then `argv` is its command.
    pub supervisor: Option<String>,
    /// Commands that run before it, each time.
    pub prepare: Vec<Vec<String>>,
    /// Whether it runs the app, and passes no request on.
    #[serde(skip)]
    pub(crate) runs_app: bool,
    /// Requests that it works on at once, where it runs the app and something bounds them.
    #[serde(skip)]
    pub(crate) slots: Option<f64>,
    /// Whether it keeps a connection after a response and works on other requests meanwhile; none where its entry does not say.
    #[serde(skip)]
    pub(crate) keeps: Option<bool>,
    /// The knobs that give it more of something.
    pub(crate) scale: record::Scale,
    /// What the app calls it, where it is a service.
    pub service: Option<String>,
    /// Of a service: the command that succeeds once it serves.
    #[serde(skip)]
    pub ready: Option<Vec<String>>,
    /// Where it tells what it counts.
    #[serde(skip)]
    pub(crate) counters: Option<CounterSource>,
    /// Where it notes single requests.
    #[serde(skip)]
    pub(crate) noted: Option<NotedSource>,
    /// Its own test of its configuration.
    pub check: Option<Vec<String>>,
    /// File for its standard output and error.
    pub log: PathBuf,
    #[serde(skip)]
    pub(crate) needs: Vec<Prerequisite>,
    #[serde(skip)]
    pub(crate) stop: Stop,
    #[serde(skip)]
    pub(crate) address_in_use: String,
}

impl Program {
    /// The entry of what weir starts: of its supervisor, if it has one.
    pub(crate) fn started(&self) -> &str {
        let supervisor = self.supervisor.as_deref();
        let name = supervisor.and_then(|of| of.split(' ').next());
        name.unwrap_or(&self.entry)
    }

    /// The signal after which it finishes its requests and ends, by its name in a shell.
    pub fn graceful(&self) -> &'static str {
        self.stop.graceful()
    }

    /// The version it reports of itself; none of a program that is not installed.
    pub fn installed(&self) -> Option<&str> {
        workspace::known(&self.version)
    }
}

/// A need of an entry that applies here.
#[derive(Clone, Debug)]
pub(crate) struct Prerequisite {
    pub(crate) what: String,
    pub(crate) check: Vec<String>,
    pub(crate) install: String,
}

/// Turns a composition into programs, from the one that clients speak to inwards.
///
/// # Errors
/// A template of an entry that names something undefined.
pub fn render(composition: &Composition, workspace: &Workspace) -> Result<Vec<Program>> {
    let told = services::told(composition, workspace)?;
    let place = |placement: &Placement| {
        let part = &composition.parts[placement.part];
        let template = placed(composition, workspace, placement)?;
        let env = match part.service {
            Some(_) => BTreeMap::new(), // it has nothing to do with the app
            None => told.clone(),
        };
        let folder = &workspace.folder;
        let first = workspace.placements_of(placement.part).next();
        let program = Program {
            prepare: match part.entry.kind {
                Kind::AppServer if first.is_some_and(|first| first.name == placement.name) => {
                    services::prepare(composition)
                }
                _ => template.commands(&part.entry.prepare)?,
            },
            ..program(composition, part, placement, &template, folder, env)?
        };
        supervised::supervised(composition, workspace, placement, program)
    };
    workspace.placements.iter().map(place).collect()
}

/// The words of a program in its place.
fn placed<'a>(
    composition: &'a Composition,
    workspace: &Workspace,
    placement: &Placement,
) -> Result<Template<'a>> {
    let part = &composition.parts[placement.part];
    let own = words::placement(part, placement, &workspace.folder);
    let behind = workspace.placements_of(placement.part + 1);
    let mut behind: Vec<_> = behind.map(|placement| &placement.listen).collect();
    behind.dedup(); // servers that dial in share one
    let behind = behind.into_iter().map(words::address).collect();
    Template::placed(composition, part, own, behind, workspace)
}

fn program(
    composition: &Composition,
    part: &Part,
    placement: &Placement,
    template: &Template<'_>,
    folder: &Path,
    mut env: BTreeMap<String, String>,
) -> Result<Program> {
    let entry = &part.entry;
    for (name, text) in &entry.env {
        match template.render("env", text)? {
            value if value.is_empty() => env.remove(name),
            value => env.insert(name.clone(), value),
        };
    }
    Ok(Program {
        name: placement.name.clone(),
        entry: entry.name.clone(),
        part: placement.part,
        version: placement.identity.version.clone(),
        argv: template.argv("argv", &entry.argv)?,
        deployed: Vec::new(),
        env: env.into_iter().collect(),
        unset: entry.unset.clone(),
        // a service may be somebody who cannot enter the app's folder
        cwd: match part.service {
            Some(_) => folder.join(&placement.name),
            None => composition.app.dir.clone(),
        },
        listen: placement.listen.clone(),
        spoken: part.spoken,
        params: template.params(part)?.into_iter().collect(),
        handshake: None,
        knobs: part.knobs.clone().into_iter().collect(),
        files: template.files(&placement.name)?,
        supervisor: None,
        prepare: Vec::new(),
        runs_app: part.entry.kind == Kind::AppServer,
        slots: match part.entry.kind {
            Kind::AppServer => template.number("roles.slots", entry.roles.slots.as_ref())?,
            _ => None,
        },
        keeps: keeps(entry, template)?,
        scale: entry.scale.clone(),
        service: part.service.clone(),
        ready: (entry.ready.as_ref())
            .map(|argv| template.argv("ready", argv))
            .transpose()?,
        check: template.own_test()?,
        counters: template.counters(&placement.name)?,
        noted: template.noted(&placement.name)?,
        log: folder.join(format!("{}.log", placement.name)),
        needs: template.needs()?,
        stop: entry.stop,
        address_in_use: entry.address_in_use.clone(),
    })
}

/// Whether a program of this entry keeps connections, as it is set: not if each that is kept takes one of its slots.
fn keeps(entry: &Entry, template: &Template<'_>) -> Result<Option<bool>> {
    let seconds = template.number("roles.idle", entry.roles.idle.as_ref())?;
    let said = entry.holds || entry.roles.idle.is_some();
    Ok(said.then(|| !entry.holds && seconds.is_some_and(|seconds| seconds > 0.0)))
}

/// What a part needs besides itself, where that can be said without a workspace.
/// Errors: a need that depends on the workspace.
pub(crate) fn needs_of(composition: &Composition, part: &Part) -> Result<Vec<Prerequisite>> {
    Template::early(composition, part).needs()
}

/// What a part means to its neighbours, its expressions evaluated.
pub(crate) type Meaning = Roles<f64>;

/// Evaluates the roles of a part's entry.
pub(crate) fn meaning(composition: &Composition, part: &Part) -> Result<Meaning> {
    let template = Template::early(composition, part);
    let roles = &part.entry.roles;
    let number = |key, text: &Option<String>| template.number(key, text.as_ref());
    Ok(Meaning {
        slots: number("roles.slots", &roles.slots)?,
        backlog: number("roles.backlog", &roles.backlog)?,
        idle: number("roles.idle", &roles.idle)?,
        gives_up: number("roles.gives-up", &roles.gives_up)?,
        upstream_limit: number("roles.upstream-limit", &roles.upstream_limit)?,
        upstream_idle: number("roles.upstream-idle", &roles.upstream_idle)?,
        queue_timeout: number("roles.queue-timeout", &roles.queue_timeout)?,
    })
}

/// Requests that the app server of a stack works on at once, its instances together. `None` where nothing bounds
/// them, where its entry does not say, and where no app server is.
///
/// # Errors
/// A role of an entry that does not evaluate.
pub fn slots(composition: &Composition) -> Result<Option<f64>> {
    let Some(server) = composition.app_server() else {
        return Ok(None);
    };
    let of_each = meaning(composition, server)?.slots;
    Ok(of_each.map(|slots| slots * f64::from(server.instances)))
}

/// The first rule of an entry that forbids the composition.
pub(crate) fn refusal(composition: &Composition) -> Result<Option<StackError>> {
    for part in &composition.parts {
        let template = Template::early(composition, part);
        for rule in &part.entry.refuse {
            if template.holds("refuse", &rule.when)? {
                return Ok(Some(StackError::Refused {
                    variant: composition.variant.clone(),
                    why: template.render("refuse", &rule.why)?,
                    hint: template.render("refuse", &rule.hint)?,
                }));
            }
        }
    }
    Ok(None)
}
