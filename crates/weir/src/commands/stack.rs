//! `weir stack NAME`: what would run, with nothing started.

use std::path::{Path, PathBuf};

use record::{App, Choice, Interface, Plan, Route, ServiceUse, StaticSite, Variant};
use report::terminal::Preview;
use stack::{
    Catalogue, Composition, Entry, Kind, KnobKind, Machine, Program, StackError, Workspace,
};

use crate::args::{Side, StackArgs};
use crate::error::{Error, Exit, Result};
use crate::invocation::{Invocation, named};
use crate::output::note;

pub(crate) fn run(args: &StackArgs, invocation: &Invocation) -> Result<Exit> {
    let machine = invocation.machine()?;
    let catalogue = machine.catalogue();
    let python = args.python.as_deref();
    let (composition, shown) = if let Some(path) = &args.plan {
        let plan = experiment::read_plan(path, python, machine.cores())?;
        let (variant, app) = of_plan(&plan, &args.name)?;
        (machine.compose(&variant, &app)?, None)
    } else if let Some((variant, app)) = of_run(args, invocation)? {
        (machine.compose(&variant, &app)?, None)
    } else {
        let composition = of_entry(&machine, &args.name, &args.set, python)?;
        (composition, Some(args.name.as_str()))
    };
    let programs = ::stack::render(&composition, &Workspace::preview(&composition)?)?;
    if let Some(name) = shown
        && let Some(other) = programs.iter().find(|program| program.entry != name)
    {
        note(format!(
            "as it stands before `{}`, for example",
            other.entry
        ));
    }
    let shown = |program: &Program| {
        shown.is_none_or(|name| program.entry == name || program.supervisor.is_some())
    };
    let programs = programs.into_iter().filter(shown);
    let previews: Vec<Preview> = programs
        .map(|program| preview(program, catalogue))
        .collect();
    let help = |entry: &str, knob: &str| {
        let spec = catalogue.entry(entry)?.knobs.get(knob)?;
        Some(format!("{} ({})", spec.help, spec.range()))
    };
    invocation.show(&previews, || report::terminal::programs(&previews, &help))
}

fn preview(program: Program, catalogue: &Catalogue) -> Preview {
    let version = program.installed().map(str::to_owned);
    let change = catalogue
        .entry(&program.entry)
        .and_then(Entry::first_change);
    Preview {
        shown_as: match (&version, change) {
            (Some(_), _) => None,
            (None, Some(change)) => Some(format!("versions before {change}")),
            (None, None) => Some("every version".to_owned()),
        },
        version,
        entry: program.entry,
        service: program.service,
        supervisor: program.supervisor,
        prepare: program.prepare,
        argv: program.argv,
        env: program.env,
        cwd: program.cwd,
        knobs: program.knobs,
        files: program.files,
    }
}

/// The variant of a run, where one is named.
fn of_run(args: &StackArgs, invocation: &Invocation) -> Result<Option<(Variant, App)>> {
    let Ok(Side {
        run,
        variant: Some(name),
    }) = args.name.parse::<Side>()
    else {
        return Ok(None);
    };
    if !args.set.is_empty() {
        let message = "`--set` sets a knob of an entry, and a variant of a run is what it was";
        let hint = "leave `--set` out, or name an entry: `weir catalogue` lists them";
        return Err(Error::new(Exit::Usage, message).hint(hint.to_owned()));
    }
    let run = named(&invocation.store_to_read()?, run)?;
    of_plan(&run.plan, &name).map(Some)
}

fn of_plan(plan: &Plan, name: &str) -> Result<(Variant, App)> {
    let variant = served(plan, name)?;
    Ok((variant.clone(), plan.app_of(variant).clone()))
}

/// The variant of this name, if it has programs that serve.
pub(crate) fn served<'a>(plan: &'a Plan, name: &str) -> Result<&'a Variant> {
    let variant = plan.variant(name);
    let variant = variant.ok_or_else(|| no_such_variant(plan, name))?;
    if variant.client.is_none() {
        return Ok(variant);
    }
    let message = format!("`{name}` is a client: it asks, and nothing of it serves");
    let hint = "`weir run` runs it, and `weir client -- COMMAND` says how it talks".to_owned();
    Err(Error::new(Exit::Usage, message).hint(hint))
}

/// The error for a variant that a plan does not have.
pub(crate) fn no_such_variant(plan: &Plan, name: &str) -> Error {
    let names = plan.variants.iter().map(|variant| &variant.name);
    let hint = format!("use one of {}", record::listed(names));
    let mut left_out = plan.not_tried.iter();
    let left_out = left_out.find(|of| of.names.iter().any(|own| own == name));
    let message = match left_out {
        Some(of) => format!("`{name}` was not run: {}", of.why),
        None => format!("plan `{}` has no variant `{name}`", plan.name),
    };
    Error::new(Exit::File, message).hint(hint)
}

/// An entry by itself, with an app that stands for any.
fn of_entry(
    machine: &Machine,
    name: &str,
    settings: &[(String, String)],
    python: Option<&Path>,
) -> Result<Composition> {
    let catalogue = machine.catalogue();
    let entry = catalogue.entry(name).ok_or_else(|| {
        let names = catalogue.entries().map(|entry| entry.name.as_str());
        let hint = record::meant(name, names, || {
            "`weir catalogue` lists its entries; a variant of a run is RUN:VARIANT, as in `weir stack last:today`, and one of a \
             plan needs `--plan FILE`"
                .to_owned()
        });
        Error::new(Exit::File, format!("the catalogue has no entry `{name}`")).hint(hint)
    })?;
    let settings = settings.iter();
    let knobs = settings.map(|(knob, value)| {
        // one that the entry does not have is refused by its name
        let spec = entry.knobs.get(knob);
        let kind = spec.map_or(KnobKind::Text, |spec| spec.kind);
        (knob.clone(), kind.typed(value))
    });
    let choice = Choice::of(&entry.name).with(knobs.collect());
    let mut app = any_app(entry, python)?;
    let mut variant = Variant {
        name: entry.name.clone(),
        title: entry.title.clone(),
        route: "/".into(),
        ..Variant::default()
    };
    match entry.kind {
        Kind::AppServer => variant.server = Some(choice),
        Kind::FrontEnd => variant.fronts.push(choice),
        Kind::Service => {
            app.services
                .insert(entry.name.clone(), ServiceUse::default());
            variant.services.insert(entry.name.clone(), choice);
        }
        Kind::Supervisor => {
            let mut all = catalogue.entries();
            let server = all.find(|of| of.runs.contains(&Interface::Program));
            variant.server = server.map(|server| Choice::of(&server.name));
            variant.supervisor = Some(choice);
            app.interface = Interface::Program;
        }
    }
    match machine.compose(&variant, &app) {
        Err(StackError::Refused { .. }) if entry.kind == Kind::FrontEnd => {
            Ok(before_another(machine, entry, &variant, python)?)
        }
        composed => Ok(composed?),
    }
}

/// A front end that serves nothing by itself, before the first app server that can stand behind it.
fn before_another(
    machine: &Machine,
    front: &Entry,
    variant: &Variant,
    python: Option<&Path>,
) -> Result<Composition> {
    let mut refusal = None;
    for server in ::stack::able_behind(machine.catalogue(), front) {
        let variant = Variant {
            server: Some(Choice::of(&server.name)),
            ..variant.clone()
        };
        match machine.compose(&variant, &any_app(server, python)?) {
            Ok(composition) => return Ok(composition),
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    Err(refusal.map_or_else(
        || {
            let message = format!("no app server can stand behind `{}`", front.name);
            Error::new(Exit::File, message).hint("look at `weir catalogue`".to_owned())
        },
        Error::from,
    ))
}

/// Stands for the user's app where only the server is of interest.
fn any_app(entry: &Entry, python: Option<&Path>) -> Result<App> {
    let here = PathBuf::from(".");
    Ok(App {
        name: "app".into(),
        interface: entry.runs.first().copied().unwrap_or(Interface::Static),
        entry: "MODULE:CALLABLE".into(),
        frameworks: entry.frameworks.clone(),
        python: Some(::stack::app::interpreter(&here, python)?),
        routes: vec![Route::get("/")],
        site: Some(StaticSite {
            dir: PathBuf::from("/STATIC/FOLDER"),
            url: "/".into(),
        }),
        dir: here,
        ..App::default()
    })
}
