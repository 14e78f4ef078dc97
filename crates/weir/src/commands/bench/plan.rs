//! What was typed as a plan, in which the loads become variants: the store keeps it, and other commands find it there.

use experiment::Address;
use record::{App, Method, Plan, Route, Search};

use crate::args::BenchArgs;

/// What the plans of such runs are called.
pub(in crate::commands) const NAME: &str = "bench";

/// What was loaded, without its secrets.
pub(super) fn url(args: &BenchArgs) -> String {
    match &args.unix {
        Some(socket) => format!("http+unix:{}|{}", socket.display(), args.url),
        None => args.url.clone(),
    }
}

/// The plan, without variants; `shared` where other programs are always there.
pub(super) fn plan(args: &BenchArgs, place: &Address, seed: u64, shared: bool) -> Plan {
    let search = match &args.points.sweep {
        Some(_) => Some(Search::Sweep),
        None if !args.points.goal.is_empty() => Some(Search::Goal),
        None => args.is_survey().then_some(Search::Survey),
    };
    Plan {
        name: NAME.to_owned(),
        title: url(args),
        blocks: 1,
        seed,
        keep_going: true,
        shared,
        search,
        budget: match search {
            Some(Search::Survey | Search::Goal) => Some(args.survey_seconds),
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
