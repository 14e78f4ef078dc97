//! `weir try`: the user's own app on every stack that fits, without a plan.

mod choosing;
mod loading;
mod redirect;
pub(super) mod servers;
mod site;
mod today;
mod writes;

use std::time::Instant;

use experiment::{Candidates, Lab};
use record::{App, Bytes, Interface, Load, Plan, RequestFile, Route, Stress, Variant};
use stack::{Machine, Recognised, Today, Wish};

use crate::args::{Is, RouteArgs, TryArgs};
use crate::commands::run::{apply, begin, carry_out, lab};
use crate::commands::write;
use crate::error::{Error, Exit, Result};
use crate::input::read;
use crate::invocation::Invocation;
use crate::output::note;

pub(crate) fn run(args: &TryArgs, invocation: &Invocation) -> Result<Exit> {
    args.write.as_deref().map(write::is_free).transpose()?;
    let began = Instant::now();
    let machine = invocation.machine()?;
    let Recognised { mut app, today, .. } = recognised(args, &machine, invocation)?;
    let (waited, file) = (Instant::now(), file_of(&app));
    let (mut candidates, to_type) = servers::found(
        &mut app,
        &machine,
        invocation,
        file.as_deref(),
        args.install,
    )?;
    let began = began + waited.elapsed(); // what is installed is no part of the run
    if let Some(today) = &today {
        add_today(today, &app, &mut candidates, &machine, invocation);
    }
    let not_tried = choosing::not_tried(&candidates, !to_type.is_empty());
    if !invocation.quiet() {
        not_tried.iter().map(choosing::told).for_each(note);
    }
    let variants = choosing::asked(&args.budget, &candidates)?;
    let serves = |of: &Variant| of.server.is_some() || files_only(&app);
    if !variants.iter().any(serves) {
        return Err(servers::none(&to_type));
    }
    let mut plan = plan(args, app, variants, &machine)?;
    plan.not_tried = not_tried;
    apply(&args.how, &mut plan);
    writes::allowed(args, &plan)?;
    let mut store = invocation.store()?;
    let lab = Lab {
        time: (!args.budget.all).then_some(args.budget.budget).into(),
        ..lab(&mut store, &machine, invocation, &args.how.start)
    };
    let time = if files_only(&plan.app) {
        // files are there before anything starts, and front ends take no time for them
        loading::lengthen(args, &mut plan, None);
        lab.time
    } else {
        let pace = redirect::looked_at(&lab, &mut plan, args.route.status, invocation)?;
        loading::lengthen(args, &mut plan, Some(&pace));
        let pool = loading::size_pool(args, &mut plan, &pace);
        let spent = began.elapsed();
        let mut told = choosing::fit(&args.budget, spent, &candidates, &mut plan, &pace, &machine);
        told.extend(pool);
        told.extend(writes::told(args, &plan));
        if !invocation.quiet() {
            told.iter().for_each(note);
        }
        choosing::allowance(&args.budget, began.elapsed(), pace)
    };
    let run = begin(&plan, invocation, &mut store)?;
    let exit = carry_out(&run, time, &mut store, invocation, &args.how)?;
    if let Some(folder) = &args.write {
        write::best(run.id, &store, folder, invocation)?;
    }
    Ok(exit)
}

/// What the folder holds, with the routes that are loaded.
fn recognised(args: &TryArgs, machine: &Machine, invocation: &Invocation) -> Result<Recognised> {
    let looking = invocation.progress();
    looking.wait("looking at the app", None);
    let wish = Wish {
        dir: args.folder(),
        entry: args.entry.as_deref().filter(|_| !args.names_a_folder()),
        interface: args.kind.map(Is::interface),
        speaks: args.kind.and_then(Is::link),
        command: args.command.as_deref(),
        python: args.how.start.python.as_deref(),
        builds: &invocation.builds(),
    };
    let mut recognised = stack::recognise(&wish, machine.catalogue())?;
    let app = &mut recognised.app;
    app.routes = routes(&args.route, app)?;
    app.prepare.extend(args.writes.before_each_start());
    app.login = args.login.clone().or(app.login.take());
    looking.end();
    if !invocation.quiet() {
        introduce(app, recognised.framework.as_ref(), &recognised.because);
    }
    Ok(recognised)
}

/// A file that a front end can serve alone: of an app its second route, of a folder of files the first.
fn file_of(app: &App) -> Option<String> {
    let file = app.routes.get(usize::from(!files_only(app)));
    file.map(|route| route.path.clone())
}

/// Puts the way in which the app is run today before the others, where it can be run here.
fn add_today(
    today: &Today,
    app: &App,
    candidates: &mut Candidates,
    machine: &Machine,
    invocation: &Invocation,
) {
    let variant = today::variant(today, app, candidates, machine);
    if !invocation.quiet() {
        today::tell(today, variant.is_some());
    }
    if let Some(variant) = variant {
        candidates.variants.insert(0, variant);
    }
}

/// Whether there is nothing to load.
fn files_only(app: &App) -> bool {
    app.interface == Interface::Static
}

/// The page to load, and a file of the app, if it has one: both asked for by the name that it knows.
fn routes(args: &RouteArgs, app: &App) -> Result<Vec<Route>> {
    let own = files_only(app) && args.path == "/";
    let page = Route {
        method: args.method,
        path: if own {
            own_page(app)?
        } else {
            args.path.clone()
        },
        headers: args.headers(&app.routes[0].headers),
        body: body(args)?,
        status: args.status.unwrap_or(200),
        dynamic: args.dynamic.clone(),
        wait: (args.path == app.routes[0].path)
            .then_some(app.routes[0].wait)
            .flatten(),
        ..app.routes[0].clone()
    };
    let site = app.site.as_ref().filter(|_| !files_only(app));
    let file = site.and_then(site::some_file).map(|path| Route {
        headers: page.headers.clone(),
        ..Route::get(&path)
    });
    Ok([Some(page), file].into_iter().flatten().collect())
}

/// The page of static files, or else one of them.
fn own_page(app: &App) -> Result<String> {
    let page = Some(app.routes[0].path.clone()).filter(|path| path != "/");
    let some = page.or_else(|| app.site.as_ref().and_then(site::some_file));
    some.ok_or_else(|| {
        let message = format!("no file to load was found in `{}`", app.dir.display());
        Error::new(Exit::File, message).hint("name one: `--path /FILE`".to_owned())
    })
}

fn body(args: &RouteArgs) -> Result<Bytes> {
    let body = match (&args.body, &args.body_file) {
        (Some(text), _) => Bytes::from(text.as_str()),
        (None, Some(file)) => Bytes(read(file)?),
        (None, None) => return Ok(Bytes::default()),
    };
    if args.method.has_body() {
        return Ok(body);
    }
    let problem = format!("a {} request has no body", args.method.name());
    Err(Error::new(Exit::Usage, problem).hint("add `--method POST`".to_owned()))
}

/// What was recognised, and what said so.
fn introduce(app: &App, framework: Option<&(String, Option<String>)>, because: &[String]) {
    let kind = match app.interface {
        Interface::Wsgi => "a WSGI app".to_owned(),
        Interface::Asgi => "an ASGI app".to_owned(),
        Interface::Rack => "a Rack app".to_owned(),
        Interface::Servlet => "a Java web application".to_owned(),
        Interface::Static => "a folder of static files".to_owned(),
        other => format!("a {}", other.name()),
    };
    let framework = framework.map(|(name, version)| match version {
        Some(version) => format!("{name} {version}"),
        None => name.clone(),
    });
    let python = app.python.as_ref();
    let python = python.map(|python| python.display().to_string());
    let details: Vec<_> = framework.into_iter().chain(python).collect();
    let details = match &details[..] {
        [] => String::new(),
        some => format!(" ({})", some.join(", ")),
    };
    note(format!("`{}` is {kind}{details}", app.name));
    for clue in because {
        note(format!("  {clue}"));
    }
}

/// The plan of a comparison. Development servers are measured with a fifth of the requests, and are not what others
/// are compared with, unless there is nothing else.
fn plan(args: &TryArgs, app: App, mut variants: Vec<Variant>, machine: &Machine) -> Result<Plan> {
    let develops = |variant: &Variant| {
        let entry = variant.server.as_ref().map(|server| &server.entry);
        let entry = entry.and_then(|name| machine.catalogue().entry(name));
        entry.is_some_and(|entry| entry.development)
    };
    let mut served = variants
        .iter()
        .filter(|of| of.server.is_some() || files_only(&app));
    let first = served.clone().find(|of| !develops(of)).or(served.next());
    let baseline = first.map(|first| first.name.clone()).unwrap_or_default();
    let seed = experiment::seed();
    let load = loading::of(args, machine.cores(), seed)?;
    let stress = stress(args, &load, &app);
    let others = variants.iter_mut().filter(|of| of.name != baseline);
    for variant in others.filter(|of| develops(of)) {
        variant.load = Some(loading::shortened(&load));
    }
    Ok(Plan {
        name: app.name.clone(),
        title: title(&app, &load),
        load,
        app,
        blocks: choosing::BLOCKS,
        at_least: Some(judge::PAIRS as u32),
        slice: experiment::SLICE,
        stress,
        seed,
        variants,
        noise_floor: Some(baseline.clone()),
        baseline,
        keep_going: true,
        ..Plan::default()
    })
}

/// What is loaded, of which app.
fn title(app: &App, load: &Load) -> String {
    let file = load.requests_from.as_ref().map(RequestFile::name);
    let asked = file.unwrap_or_else(|| app.routes[0].name());
    format!("{}: {asked}", app.name)
}

/// The trouble that each way is put to. None for requests that may change what the app keeps: nobody can say how many
/// would be sent.
fn stress(args: &TryArgs, load: &Load, app: &App) -> Vec<Stress> {
    let writes = args.route.method.writes() || experiment::requests_write(load);
    if writes || files_only(app) {
        return Vec::new();
    }
    let kinds = Stress::ALL.into_iter();
    let wanted = |stress: &Stress| match stress {
        Stress::KilledWorker => args.stress.faults,
        Stress::Profiled => args.stress.profile,
        _ => !args.stress.no_stress,
    };
    kinds
        .filter(|stress| wanted(stress) && stress.of(load).is_some())
        .collect()
}
