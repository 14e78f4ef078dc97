//! `weir try`: the user's own app on every stack that fits, without a plan.

use std::path::Path;

use experiment::{Ladder, ladder};
use record::{Amount, App, Load, Plan, Route, StaticSite, WarmUpPlan};

use crate::args::TryArgs;
use crate::commands::run::{apply, begin, carry_out};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::session::Session;

pub(crate) fn run(args: &TryArgs, session: &Session) -> Result<Exit> {
    let detected = stack::app::detect(&args.entry, &args.dir, args.how.start.python.as_deref())?;
    let mut app = detected.app;
    app.routes = vec![Route {
        status: args.status,
        ..Route::get(&args.path)
    }];
    let file = app.site.as_ref().and_then(some_file);
    app.routes.extend(file.as_deref().map(Route::get));
    let catalogue = session.catalogue()?;
    let found = stack::probe(&catalogue, app.python.as_deref());
    let ladder = ladder(&app, &catalogue, &found, file.as_deref());
    if !session.quiet() {
        let framework = detected
            .framework
            .map(|(name, version)| format!("{name} {version}, "));
        anstream::eprintln!(
            "`{}` is a {} app ({}{})",
            args.entry,
            app.interface.name().to_uppercase(),
            framework.unwrap_or_default(),
            app.python
                .as_deref()
                .unwrap_or(Path::new("no Python"))
                .display()
        );
        for (name, why) in &ladder.left_out {
            anstream::eprintln!("left out: {name}: {why}");
        }
    }
    let mut plan = plan(args, app, ladder)?;
    apply(&args.how, &mut plan);
    let mut store = session.store()?;
    let run = begin(&plan, session, &mut store)?;
    carry_out(&run, &mut store, session, &args.how)
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
        title: format!("weir try {}", args.entry),
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
