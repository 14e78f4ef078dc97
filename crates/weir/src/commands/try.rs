//! `weir try`: the user's own app on every stack that fits, without a plan.

use std::collections::BTreeMap;

use experiment::{Ladder, ladder};
use record::{
    Amount, App, Choice, Interface, Knob, Load, Plan, Route, Stage, StaticSite, WarmUpPlan,
};
use stack::{Recognised, Today, Wish};

use crate::args::TryArgs;
use crate::commands::run::{apply, begin, carry_out};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::output::note;
use crate::session::Session;

/// The entry that runs a command as it is.
const OWN_COMMAND: &str = "command";

pub(crate) fn run(args: &TryArgs, session: &Session) -> Result<Exit> {
    let builds = session.builds();
    let catalogue = session.catalogue()?;
    let wish = Wish {
        dir: &args.dir,
        entry: args.entry.as_deref(),
        interface: args.interface,
        command: args.command.as_deref(),
        python: args.how.start.python.as_deref(),
        builds: &builds,
    };
    let recognised = stack::recognise(&wish, &catalogue)?;
    let Recognised {
        mut app,
        framework,
        because,
        today,
    } = recognised;
    app.routes = vec![Route {
        status: args.status,
        ..Route::get(&args.path)
    }];
    let file = app.site.as_ref().and_then(some_file);
    app.routes.extend(file.as_deref().map(Route::get));
    let found = stack::probe(&catalogue, app.python.as_deref());
    let ladder = ladder(&app, &catalogue, &found, file.as_deref());
    let mut ladder = ladder;
    let today = today.map(|today| as_today(&today, &app, &args.path));
    if !session.quiet() {
        introduce(&app, framework.as_ref(), &because);
        for (name, why) in &ladder.left_out {
            note(format!("left out: {name}: {why}"));
        }
    }
    if let Some(stage) = today {
        ladder.stages.insert(0, stage);
    }
    let mut plan = plan(args, app, ladder)?;
    apply(&args.how, &mut plan);
    let mut store = session.store()?;
    let run = begin(&plan, session, &mut store)?;
    carry_out(&run, &mut store, session, &args.how)
}

/// What was recognised, and what said so.
fn introduce(app: &App, framework: Option<&(String, Option<String>)>, because: &[String]) {
    let kind = match app.interface {
        Interface::Wsgi | Interface::Asgi => {
            format!("a {} app", app.interface.name().to_uppercase())
        }
        Interface::Rack => "a Rack app".to_owned(),
        _ => format!("a {}", app.interface.name()),
    };
    let framework = framework.map(|(name, version)| match version {
        Some(version) => format!("{name} {version}"),
        None => name.clone(),
    });
    let python = app
        .python
        .as_deref()
        .map(|python| python.display().to_string());
    let details: Vec<_> = framework.into_iter().chain(python).collect();
    let details = if details.is_empty() {
        String::new()
    } else {
        format!(" ({})", details.join(", "))
    };
    note(format!("`{}` is {kind}{details}", app.entry));
    for clue in because {
        note(format!("  {clue}"));
    }
}

/// How the app is run as it stands: what every other stage has to beat.
fn as_today(today: &Today, app: &App, path: &str) -> Stage {
    let command = BTreeMap::from([("command".to_owned(), Knob::Text(today.command.clone()))]);
    Stage {
        name: "today".to_owned(),
        title: format!("{} as you run it today ({})", app.name, today.from),
        server: Some(Choice::of(OWN_COMMAND).with(command)),
        fronts: Vec::new(),
        route: path.to_owned(),
        load: None,
    }
}

fn plan(args: &TryArgs, app: App, ladder: Ladder) -> Result<Plan> {
    let Some(first) = ladder.stages.iter().find(|stage| stage.server.is_some()) else {
        return Err(
            Error::new(Exit::Missing, "no installed app server can serve this app")
                .hint("`weir doctor` says what can be installed, and how".to_owned()),
        );
    };
    let baseline = first.name.clone();
    Ok(Plan {
        name: app.name.clone(),
        title: format!("weir try {}", args.entry.as_deref().unwrap_or(".")),
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
        stages: ladder.stages,
        noise_floor: Some(baseline.clone()),
        baseline,
        claims: Vec::new(),
        keep_going: true,
    })
}

/// The smallest file of a site whose name needs no escaping in a URL, as the path to ask for.
fn some_file(site: &StaticSite) -> Option<String> {
    let plain = |name: &str| {
        !name.starts_with('.')
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    std::fs::read_dir(&site.dir)
        .ok()?
        .filter_map(|file| {
            let file = file.ok()?;
            let length = file
                .metadata()
                .ok()
                .filter(std::fs::Metadata::is_file)?
                .len();
            let name = file
                .file_name()
                .into_string()
                .ok()
                .filter(|name| plain(name))?;
            (length > 0).then(|| (length, format!("{}{name}", site.url)))
        })
        .min()
        .map(|(_, path)| path)
}
