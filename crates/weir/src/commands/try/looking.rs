//! What the app is, and which of its pages are loaded.

use std::time::Duration;

use record::{App, Bytes, Interface, Method, Route};
use report::words;
use stack::{Machine, Recognised, Wish};

use super::{files_only, site};
use crate::args::{Is, RouteArgs, TryArgs};
use crate::error::{Error, Exit, Result};
use crate::input::read;
use crate::invocation::Invocation;
use crate::output::note;

/// Seconds that an import may take at least, however soon a server has to respond.
const IMPORT: f64 = 10.0;
/// Paths that an error names.
const PATHS: usize = 8;

/// What the folder holds, or its `app.toml` declares, with the routes that are loaded.
pub(super) fn recognised(
    args: &TryArgs,
    machine: &Machine,
    invocation: &Invocation,
) -> Result<Recognised> {
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
        patience: Duration::from_secs_f64(args.how.start.ready_timeout.max(IMPORT)),
    };
    let file = args.declared();
    let mut recognised = match &file {
        Some(_) if args.kind.is_some() => return Err(said_twice()),
        Some(file) => stack::declared(file, &wish, machine.catalogue())?,
        None => stack::recognise(&wish, machine.catalogue())?,
    };
    let app = &mut recognised.app;
    app.routes = routes(&args.route, app, file.is_some())?;
    app.prepare.extend(args.writes.before_each_start());
    app.login = args.login.clone().or(app.login.take());
    looking.end();
    if !invocation.quiet() {
        introduce(app, recognised.framework.as_ref(), &recognised.because);
        if let Some(unused) = args.own_file().filter(|_| file.is_none()) {
            let unused = unused.display();
            note(format!(
                "  `{unused}` is not used, as you said what to serve: `weir try {unused}` tries what it says"
            ));
        }
    }
    match &recognised.elsewhere {
        Some(paths) if loads_the_root(args) => Err(no_page_there(args, paths)),
        _ => Ok(recognised),
    }
}

/// Whether the page at `/` is loaded, and nobody said so: what is asked for by name is asked for, whatever the routes say.
fn loads_the_root(args: &TryArgs) -> bool {
    let route = &args.route;
    let said = route.path.is_some() || route.status.is_some();
    let from_file = args.mix.is_some() || args.replay.is_some();
    !said && !from_file && matches!(route.method, None | Some(Method::Get))
}

/// The error of an app that would answer 404; it has pages at these paths.
fn no_page_there(args: &TryArgs, paths: &[String]) -> Error {
    let quoted: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    let has = match &quoted[..] {
        [] => String::new(),
        some => format!("; it has {}", record::first_of(some, PATHS)),
    };
    let problem =
        format!("the app has no page at `/`, which is loaded where no other one is named{has}");
    let plain = |path: &&String| {
        let fits = |c: char| c.is_ascii_alphanumeric() || "/_.~@-".contains(c);
        path.chars().all(fits)
    };
    let path = paths.first().filter(plain).map_or("/PATH", String::as_str);
    let typed = ["weir", "try"].into_iter().chain(args.entry.as_deref());
    let typed: Vec<String> = typed.chain(["--path", path]).map(str::to_owned).collect();
    let typed = words::command(&typed);
    let hint = format!("name one: `{typed}`; `--path /` asks for `/` all the same");
    Error::new(Exit::Usage, problem).hint(hint)
}

fn said_twice() -> Error {
    let problem = "`--as` says what the app is, and so does its `app.toml`";
    let hint = "leave `--as` out, or change `interface` in the file";
    Error::new(Exit::Usage, problem).hint(hint.to_owned())
}

/// A file that a front end can serve alone: of a folder of files the first route, of an app the first of its other
/// routes that is a file of its site. Alone on the page that is compared it would win, and serve nothing of the app.
pub(super) fn file_of(app: &App) -> Option<String> {
    let own = usize::from(!files_only(app));
    let mut routes = app.routes.iter().skip(own);
    let file = routes.find(|route| files_only(app) || is_file(app, route));
    file.map(|route| route.path.clone())
}

/// Whether a front end can answer a route of the app alone.
fn is_file(app: &App, route: &Route) -> bool {
    stack::served_file(app, route).is_some()
}

/// The page to load, what else the app declares, and a file of the app, if it has one: all asked for by the name that
/// it knows.
fn routes(args: &RouteArgs, app: &App, declared: bool) -> Result<Vec<Route>> {
    let (page, mut others) = if declared {
        declared_page(args, app)?
    } else {
        (own_page(args, app)?, Vec::new())
    };
    let one = files_only(app) || is_file(app, &page) || others.iter().any(|it| is_file(app, it));
    let file = if one { None } else { site::some_file(app) };
    let file = file.map(|path| Route {
        headers: page.headers.clone(),
        ..Route::get(&path)
    });
    others.extend(file.filter(|file| file.path != page.path));
    Ok([page].into_iter().chain(others).collect())
}

/// The route of an `app.toml` that is loaded, with what the command line says of it, and the others.
fn declared_page(args: &RouteArgs, app: &App) -> Result<(Route, Vec<Route>)> {
    let mut all = app.routes.clone();
    for route in &mut all {
        route.headers = args.headers(&route.headers);
    }
    let method = |route: &Route| args.method.is_none_or(|method| method == route.method);
    let named = |route: &Route| args.path.as_ref().is_none_or(|path| *path == route.path);
    let known = all.iter().position(|route| named(route) && method(route));
    let known = known.or_else(|| all.iter().position(named));
    let mut page = match (known, &args.path) {
        (Some(place), _) => all.remove(place),
        (None, Some(path)) => Route {
            headers: args.headers(&all[0].headers),
            ..Route::get(path)
        },
        (None, None) => unreachable!("any route has a path"),
    };
    page.method = args.method.unwrap_or(page.method);
    let own = Some(page.body.clone()).filter(|_| page.method.has_body());
    page.body = body(args, &page)?.or(own).unwrap_or_default();
    page.status = args.status.unwrap_or(page.status);
    page.dynamic.extend(args.dynamic.iter().cloned());
    Ok((page, all))
}

/// The page of an app that nothing declares.
fn own_page(args: &RouteArgs, app: &App) -> Result<Route> {
    let asked = args.path.as_deref().unwrap_or("/");
    let first = &app.routes[0];
    let path = if files_only(app) && asked == "/" {
        some_page(app)?
    } else {
        asked.to_owned()
    };
    let mut page = Route {
        method: args.method.unwrap_or_default(),
        path,
        headers: args.headers(&first.headers),
        status: args.status.unwrap_or(200),
        dynamic: args.dynamic.clone(),
        wait: (asked == first.path).then_some(first.wait).flatten(),
        ..first.clone()
    };
    page.body = body(args, &page)?.unwrap_or_default();
    Ok(page)
}

/// The page of static files, or else one of them.
fn some_page(app: &App) -> Result<String> {
    let page = Some(app.routes[0].path.clone()).filter(|path| path != "/");
    let some = page.or_else(|| site::some_file(app));
    some.ok_or_else(|| {
        let message = format!("no file to load was found in `{}`", app.dir.display());
        Error::new(Exit::File, message).hint("name one: `--path /FILE`".to_owned())
    })
}

/// The body that the command line gives a route.
fn body(args: &RouteArgs, route: &Route) -> Result<Option<Bytes>> {
    let body = match (&args.body, &args.body_file) {
        (Some(text), _) => Bytes::from(text.as_str()),
        (None, Some(file)) => Bytes(read(file)?),
        (None, None) => return Ok(None),
    };
    if route.method.has_body() {
        return Ok(Some(body));
    }
    let problem = format!("a {} request has no body", route.method.name());
    Err(Error::new(Exit::Usage, problem).hint("add `--method POST`".to_owned()))
}

/// What was recognised, and what said so.
fn introduce(app: &App, framework: Option<&(String, Option<String>)>, because: &[String]) {
    let kind = match app.interface {
        Interface::Wsgi => "a WSGI app".to_owned(),
        Interface::Asgi => "an ASGI app".to_owned(),
        Interface::Rack => "a Rack app".to_owned(),
        Interface::Php => "a PHP app".to_owned(),
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
