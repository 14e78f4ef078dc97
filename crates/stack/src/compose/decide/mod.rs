mod front;
mod reach;
mod services;
mod supervisor;

use std::collections::BTreeMap;
use std::path::Path;

use record::{App, Choice, Interface, Knob, NoRoute, Protocol, Route, Variant};

use crate::compose::composition::{Composition, Part};
use crate::compose::render::refusal;
use crate::entry::{
    Catalogue, Entry, Kind, Spoken,
    offers::{common, meant, or_none},
};
use crate::error::{Result, StackError};
use crate::path;

/// What of a machine decides a composition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    /// Cores that formulas are resolved with.
    pub(crate) cores: u32,
    /// Versions of entries whose defaults depend on them, by their names; without one the oldest defaults count.
    pub(crate) versions: BTreeMap<String, String>,
}

/// Decides what a variant means, or why it cannot be served. Nothing is started, written or asked.
pub(crate) fn decide(
    variant: &Variant,
    app: &App,
    catalogue: &Catalogue,
    given: &Given,
) -> Result<Composition> {
    let bench = Deciding {
        variant,
        app,
        catalogue,
        given,
    };
    let route = bench.route()?;
    let mut parts: Vec<Part> = Vec::new();
    // Inside out: what a front end speaks decides how the program behind it listens.
    let chain = variant.fronts.iter().map(|front| (Kind::FrontEnd, front));
    let server = variant
        .server
        .iter()
        .map(|server| (Kind::AppServer, server));
    let mut chain: Vec<_> = chain.chain(server).collect();
    while let Some((kind, choice)) = chain.pop() {
        let caller = chain
            .last()
            .map(|(_, front)| catalogue.choose(Kind::FrontEnd, &front.entry));
        let caller = caller.transpose()?;
        let part = if kind == Kind::AppServer {
            bench.app_server(choice, caller)?
        } else {
            let behind = parts.last().map(|part| part.spoken.protocol);
            bench.front_end(choice, caller, behind, &route)?
        };
        parts.push(part);
    }
    parts.reverse();
    parts.extend(bench.services()?);
    bench.supervisor()?; // which is refused where there is no app server
    name_apart(&mut parts);
    if parts.is_empty() {
        return Err(bench.refuse(
            "it names neither an app server nor a front end",
            "set `server` or `front`",
        ));
    }
    let others = has_others(app);
    let mut app = app.clone();
    app.env.extend(variant.env.clone());
    let composition = Composition {
        variant: variant.name.clone(),
        app,
        others,
        route,
        parts,
        cores: given.cores,
        deployed: false,
    };
    refusal(&composition)?.map_or(Ok(composition), Err)
}

/// Whether a PHP app has more in its web root than its entry, besides what is hidden.
fn has_others(app: &App) -> bool {
    let own = app.dir.join(&app.entry);
    let hidden = |file: &Path| {
        let name = file.file_name();
        name.is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
    };
    let other = |file: &Path| file != own && !hidden(file);
    let root = own.parent().filter(|_| app.interface == Interface::Php);
    root.is_some_and(|root| path::holds(root, other))
}

/// What every decision about a variant looks at.
struct Deciding<'a> {
    variant: &'a Variant,
    app: &'a App,
    catalogue: &'a Catalogue,
    given: &'a Given,
}

impl Deciding<'_> {
    fn refuse(&self, why: impl Into<String>, hint: impl Into<String>) -> StackError {
        StackError::Refused {
            variant: self.variant.name.clone(),
            why: why.into(),
            hint: hint.into(),
        }
    }

    fn route(&self) -> Result<Route> {
        let wanted = &self.variant.route;
        self.app.route(wanted).cloned().map_err(|why| {
            let names: Vec<_> = self.app.routes.iter().map(Route::name).collect();
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            let all = "routes of the app";
            let hint = match why {
                NoRoute::Unknown(_) => meant(wanted, &names, all),
                NoRoute::Several(_) => format!("{all}: {}", names.join(", ")),
            };
            self.refuse(format!("the app `{}` {why}", self.app.name), hint)
        })
    }

    fn app_server(&self, choice: &Choice, caller: Option<&Entry>) -> Result<Part> {
        let entry = self.catalogue.choose(Kind::AppServer, &choice.entry)?;
        let (app, interface) = (self.app, self.app.interface);
        let (name, app_name) = (&entry.name, &app.name);
        if !entry.runs.contains(&interface) {
            let able =
                |other: &&Entry| other.kind == Kind::AppServer && other.runs.contains(&interface);
            let able = self.catalogue.entries().filter(able);
            let able: Vec<_> = able.map(|other| other.name.as_str()).collect();
            let interface = interface.name();
            return Err(self.refuse(
                format!("`{name}` cannot load {interface} apps such as `{app_name}`"),
                format!("app servers that can: {}", or_none(&able)),
            ));
        }
        if !entry.knows_framework(app) {
            let frameworks = entry.frameworks.join(", ");
            return Err(self.refuse(
                format!("`{name}` serves {frameworks} apps only and `{app_name}` is none"),
                "name the framework in app.toml (`frameworks = [\"…\"]`), or choose another app server",
            ));
        }
        if choice.instances > 1 && caller.is_none() {
            let count = choice.instances;
            return Err(self.refuse(
                format!("{count} instances of `{name}` have an address each, and clients ask one"),
                "put a front end before them: `front = \"…\"`",
            ));
        }
        let offers = if app.listens.is_empty() {
            entry.listens.clone()
        } else {
            common(&entry.listens, &app.listens)
        };
        let spoken = self.spoken(entry, choice.link, &offers, caller)?;
        Ok(Part {
            supervisor: self.supervisor()?,
            ..self.settled(entry, choice, spoken, None)?
        })
    }

    /// A part with every knob's value.
    fn settled(
        &self,
        entry: &Entry,
        choice: &Choice,
        spoken: Spoken,
        behind: Option<Protocol>,
    ) -> Result<Part> {
        Ok(Part {
            name: entry.name.clone(),
            knobs: self.knobs(entry, choice, behind)?,
            spoken,
            instances: choice.instances,
            service: None,
            supervisor: None,
            entry: entry.clone(),
        })
    }

    /// Every knob's value, of an entry that speaks this to what is behind it.
    fn knobs(
        &self,
        entry: &Entry,
        choice: &Choice,
        behind: Option<Protocol>,
    ) -> Result<BTreeMap<String, Knob>> {
        let Given { cores, versions } = self.given;
        let version = versions.get(&entry.name).map(String::as_str);
        entry.settle(&choice.knobs, self.app.interface, *cores, version, behind)
    }
}

/// Two parts of one entry are told apart by a number.
fn name_apart(parts: &mut [Part]) {
    for at in 1..parts.len() {
        let name = parts[at].entry.name.as_str();
        let before = parts[..at].iter().filter(|part| part.entry.name == name);
        let before = before.count();
        if before > 0 {
            parts[at].name = format!("{name}-{}", before + 1);
        }
    }
}
