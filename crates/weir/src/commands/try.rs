//! `weir try`: the user's own app on every stack that fits, without a plan.

mod choosing;
mod today;

use experiment::{AppTimes, Lab, candidates};
use record::{Amount, App, Bytes, Interface, Load, Plan, Route, StaticSite, Variant, WarmUpPlan};
use stack::{Recognised, Wish};

use crate::args::{RouteArgs, TryArgs};
use crate::commands::run::{apply, begin, carry_out, lab};
use crate::error::{Error, Exit, Result};
use crate::input::read;
use crate::invocation::Invocation;
use crate::output::note;

/// How deep a site's folder is looked into for a file to serve.
const DEPTH: usize = 4;

pub(crate) fn run(args: &TryArgs, invocation: &Invocation) -> Result<Exit> {
    let builds = invocation.builds();
    let machine = invocation.machine()?;
    let wish = Wish {
        dir: &args.dir,
        entry: args.entry.as_deref(),
        interface: args.interface,
        command: args.command.as_deref(),
        python: args.how.start.python.as_deref(),
        builds: &builds,
    };
    let Recognised {
        mut app,
        framework,
        because,
        today,
    } = stack::recognise(&wish, machine.catalogue())?;
    app.routes = routes(&args.route, &app)?;
    let file = app.routes.get(1).map(|route| route.path.clone());
    let found = stack::probe(machine.catalogue(), app.python.as_deref());
    let mut candidates = candidates(&app, &machine, &found, file.as_deref());
    if !invocation.quiet() {
        introduce(&app, framework.as_ref(), &because);
    }
    if let Some(today) = &today {
        let variant = today::variant(today, &app, &candidates, &machine);
        if !invocation.quiet() {
            today::tell(today, variant.is_some());
        }
        if let Some(variant) = variant {
            candidates.variants.insert(0, variant);
        }
    }
    if !invocation.quiet() {
        choosing::tell_missing(&candidates);
    }
    let mut plan = plan(args, app, choosing::asked(&args.budget, &candidates)?)?;
    apply(&args.how, &mut plan);
    let mut store = invocation.store()?;
    let lab = Lab {
        budget: (!args.budget.all).then_some(args.budget.budget),
        ..lab(&mut store, &machine, invocation, &args.how.start)
    };
    let pace = looked_at(&lab, &plan, invocation)?;
    let told = choosing::fit(&args.budget, &candidates, &mut plan, &pace, &machine);
    if !invocation.quiet() {
        told.iter().for_each(note);
    }
    let run = begin(&plan, invocation, &mut store)?;
    carry_out(&run, None, &mut store, invocation, &args.how)
}

/// How the app starts and answers, before anything is promised.
fn looked_at(lab: &Lab, plan: &Plan, invocation: &Invocation) -> Result<AppTimes> {
    let mut progress = invocation.progress();
    let pace = AppTimes::look(lab, plan, &mut |news| progress.tell(news));
    progress.end();
    Ok(pace?)
}

/// The page to load, and a file of the app, if it has one: both asked for by the name that it knows.
fn routes(args: &RouteArgs, app: &App) -> Result<Vec<Route>> {
    let page = Route {
        method: args.method,
        path: args.path.clone(),
        headers: args.header.iter().cloned().collect(),
        body: body(args)?,
        status: args.status,
        wait: (args.path == app.routes[0].path)
            .then_some(app.routes[0].wait)
            .flatten(),
        ..app.routes[0].clone()
    };
    let file = app.site.as_ref().and_then(some_file).map(|path| Route {
        headers: page.headers.clone(),
        ..Route::get(&path)
    });
    Ok([Some(page), file].into_iter().flatten().collect())
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

fn plan(args: &TryArgs, app: App, variants: Vec<Variant>) -> Result<Plan> {
    let Some(first) = variants.iter().find(|variant| variant.server.is_some()) else {
        let hint = "`weir doctor` says what can be installed, and how";
        let error = Error::new(Exit::Missing, "no installed app server can serve this app");
        return Err(error.hint(hint.to_owned()));
    };
    let baseline = first.name.clone();
    Ok(Plan {
        name: app.name.clone(),
        title: match &args.entry {
            Some(entry) => format!("weir try {entry} in {}", app.dir.display()),
            None => format!("weir try in {}", app.dir.display()),
        },
        load: Load {
            connections: args.connections,
            amount: Amount::Requests(args.requests),
            warm_up: WarmUpPlan::Requests((args.requests / 5).max(u64::from(args.connections))),
            keep_alive: true,
            threads: 0,
            timeout: 30.0,
            ..Load::default()
        },
        app,
        blocks: 6,
        seed: experiment::seed(),
        variants,
        noise_floor: Some(baseline.clone()),
        baseline,
        keep_going: true,
        ..Plan::default()
    })
}

/// The smallest file of a site whose name needs no escaping in a URL, as the path to ask for.
fn some_file(site: &StaticSite) -> Option<String> {
    let mut folders = vec![(site.dir.clone(), site.url.clone())];
    for _ in 0..DEPTH {
        let mut files = Vec::new();
        let mut below = Vec::new();
        for (folder, url) in folders {
            let Ok(listing) = std::fs::read_dir(folder) else {
                continue;
            };
            for item in listing.filter_map(std::result::Result::ok) {
                let Ok(name) = item.file_name().into_string() else {
                    continue;
                };
                match item.metadata() {
                    Ok(about) if about.is_dir() && plain(&name) => {
                        below.push((item.path(), format!("{url}{name}/")));
                    }
                    Ok(about) if about.is_file() && about.len() > 0 && plain(&name) => {
                        files.push((about.len(), format!("{url}{name}")));
                    }
                    _ => {}
                }
            }
        }
        if let Some((_, path)) = files.into_iter().min() {
            return Some(path);
        }
        folders = below;
    }
    None
}

fn plain(name: &str) -> bool {
    !name.starts_with('.')
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}
