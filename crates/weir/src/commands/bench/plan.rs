//! What was typed as a plan, in which the loads become variants: the store keeps it, and other commands find it there.

use experiment::Address;
use record::{App, Method, Plan, Route, Search};

use crate::args::BenchArgs;
use crate::error::{Error, Result};
use crate::exit::Exit;

/// What the plans of such runs are called.
pub(in crate::commands) const NAME: &str = "bench";

/// What was loaded, without its secrets.
pub(super) fn url(args: &BenchArgs) -> String {
    match &args.unix {
        Some(socket) => format!("http+unix:{}|{}", socket.display(), args.url),
        None => args.url.clone(),
    }
}

/// What is looked for by several loads; none where there is one.
fn search(args: &BenchArgs) -> Option<Search> {
    match &args.points.sweep {
        Some(_) => Some(Search::Sweep),
        None if !args.points.goal.is_empty() => Some(Search::Goal),
        None => args.is_survey().then_some(Search::Survey),
    }
}

/// Refuses what would have no effect.
///
/// # Errors
/// What that is, and what to give in its place.
pub(super) fn check(args: &BenchArgs) -> Result<()> {
    let seeks = matches!(search(args), Some(Search::Survey | Search::Goal));
    let (message, hint) = if seeks && args.load.warm_up.is_some() {
        (
            "`--warm-up` has no effect here: each load of a survey or a search has its own",
            "leave it out, or give one load: `-c 10 -d 10s`",
        )
    } else if !seeks && args.survey_seconds.is_some() {
        (
            "`--survey-seconds` has no effect here: this is no survey, and no search for a `--goal`",
            "say how long a load takes with `-d 30s`",
        )
    } else {
        return Ok(());
    };
    Err(Error::new(Exit::Usage, message).hint(hint.to_owned()))
}

/// The plan, without variants; `shared` where other programs are always there.
pub(super) fn plan(args: &BenchArgs, place: &Address, seed: u64, shared: bool) -> Plan {
    let search = search(args);
    Plan {
        name: NAME.to_owned(),
        title: url(args),
        blocks: 1,
        seed,
        keep_going: true,
        shared,
        search,
        budget: match search {
            Some(Search::Survey | Search::Goal) => Some(args.seeks_for()),
            Some(Search::Sweep) | None => None,
        },
        goals: args.points.goals().map(|of| of.text.clone()).collect(),
        app: App {
            login: args.request.login.clone(),
            ..App::elsewhere(route(args, &place.path))
        },
        ..Plan::default()
    }
}

/// What is asked for, as far as one route can say it.
fn route(args: &BenchArgs, path: &str) -> Route {
    let mut methods = Method::ALL.into_iter();
    let method = methods.find(|method| method.name() == args.method());
    Route {
        method: method.unwrap_or_default(),
        status: args.status.first().copied().unwrap_or(200),
        headers: args.header.iter().cloned().collect(),
        contains: args.contains.clone(),
        ..Route::get(path)
    }
}
