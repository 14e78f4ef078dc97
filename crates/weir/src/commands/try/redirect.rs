//! The first look at the app, and the page that it leads to where the one that was asked for redirects.

use experiment::{AppTimes, ExperimentError, Lab};
use record::{NotTried, Plan};
use stack::{Machine, StackError};

use super::{choose_baseline, choosing, title, today};
use crate::args::TryArgs;
use crate::error::{Error, Result};
use crate::invocation::Invocation;
use crate::output::{note, note_line};

/// How often a look may lead to another page.
const TURNS: usize = 3;

/// How the app starts and answers, before anything is promised. Where its page redirects to another one of the same
/// app, that is loaded from then on where it `follows`: unless a status was asked for, or an `app.toml` has its own.
pub(super) fn looked_at(
    args: &TryArgs,
    lab: &Lab,
    plan: &mut Plan,
    follows: bool,
    invocation: &Invocation,
) -> Result<AppTimes> {
    let mut turns = 0;
    loop {
        let (mut progress, mut left_out) = (invocation.progress(), Vec::new());
        let looked = AppTimes::look(lab, plan, &mut left_out, &mut |news| progress.tell(news));
        progress.end();
        let to = match &looked {
            Err(ExperimentError::Variant { error, .. }) => leads_to(plan, error),
            _ => None,
        };
        let follow = follows && turns < TURNS;
        let to = to.filter(|_| follow);
        if looked.is_ok() || to.is_some() {
            leave_out(args, plan, left_out, lab.place.machine, invocation);
        }
        let Some(to) = to else {
            return looked.map_err(|error| told(args, error));
        };
        let from = plan.app.routes[0].name();
        if !invocation.quiet() {
            note_line(&format!("`{from}` redirects to `{to}`: loading `{to}`"));
        }
        load_instead(plan, &to);
        turns += 1;
    }
}

/// The error of a look. What an app answers it answers under every server, whichever was started first: it is told of one by name
/// where the user named that, or runs the app so.
fn told(args: &TryArgs, error: ExperimentError) -> Error {
    match error {
        ExperimentError::Variant { variant, error }
            if matches!(*error, StackError::WrongAnswer { .. })
                && variant != today::NAME
                && !args.budget.variants.contains(&variant) =>
        {
            Error::from(*error).met("under every server")
        }
        error => error.into(),
    }
}

/// Leaves out of a plan what the look has shown not to come up: each start of it would take as long once more. What something
/// is required of stays, and fails.
fn leave_out(
    args: &TryArgs,
    plan: &mut Plan,
    all: Vec<NotTried>,
    machine: &Machine,
    invocation: &Invocation,
) {
    let required = choosing::required(plan);
    for mut of in all {
        of.names.retain(|name| !required.contains(name));
        if of.names.is_empty() {
            continue;
        }
        if !invocation.quiet() {
            note(choosing::told(&of));
        }
        plan.variants
            .retain(|variant| !of.names.contains(&variant.name));
        plan.not_tried.push(of);
        choose_baseline(args, plan, machine);
    }
}

/// The page that the one to be loaded redirects to.
fn leads_to(plan: &Plan, error: &StackError) -> Option<String> {
    match error {
        StackError::WrongAnswer {
            request, remedy, ..
        } if *request == plan.app.routes[0].request() => {
            // where credentials are asked for there is nothing to load
            let login = plan.app.login.as_ref().map(|login| &*login.path);
            let to = remedy.leads_to.as_ref();
            to.filter(|to| to.split('?').next() != login).cloned()
        }
        _ => None,
    }
}

/// Loads another page in every variant that loads the first one.
fn load_instead(plan: &mut Plan, path: &str) {
    let before = plan.app.routes[0].name();
    let page = &mut plan.app.routes[0];
    (page.path, page.wait) = (path.to_owned(), None);
    let after = page.name();
    plan.title = title(&plan.app, &plan.load);
    let mut variants = plan.variants.iter_mut();
    variants
        .by_ref()
        .filter(|variant| variant.route == before)
        .for_each(|variant| variant.route.clone_from(&after));
}
