//! Requests that may change what the app keeps, which are sent in thousands: only when they are meant.

use std::sync::atomic::AtomicBool;

use record::{Amount, App, Plan, RequestFile, WarmUpPlan};
use report::units;
use stack::GuardCommand;

use crate::args::TryArgs;
use crate::error::{Error, Exit, Result};
use crate::output::note;

/// Refuses requests that change something, unless they are allowed.
///
/// # Errors
/// A method that writes, and neither `--reset` nor `--yes-write`.
pub(super) fn allowed(args: &TryArgs, plan: &Plan) -> Result<()> {
    if !writes(plan) || args.writes.yes_write || args.writes.reset.is_some() {
        return Ok(());
    }
    let request = request(plan);
    let (requests, trials) = (units::count(requests(plan)), plan.trials());
    let message = format!(
        "`{request}` may change what the app keeps: up to {requests} such requests would be sent ({trials} trials)"
    );
    let hint = "`--reset 'CMD'` runs CMD before each start of the app and at the end, to bring its data back to where it was; \
                `--yes-write` sends them as they are; `--variants` and `--quick` send fewer";
    Err(Error::new(Exit::Usage, message).hint(hint.to_owned()))
}

/// What is said before such requests are sent.
pub(super) fn told(args: &TryArgs, plan: &Plan) -> Option<String> {
    let reset = match &args.writes.reset {
        Some(command) => {
            format!("`{command}` runs before each start of the app, and once more at the end")
        }
        None => "nothing brings its data back between trials".to_owned(),
    };
    writes(plan).then(|| {
        let (requests, trials) = (units::count(requests(plan)), plan.trials());
        let request = request(plan);
        format!(
            "{requests} requests `{request}` will be sent, in {trials} trials, and a few before each to compare its answers; {reset}"
        )
    })
}

/// Brings the app's data back once more, however what was tried has `ended`: the last trial has changed them, too. A Ctrl-C does
/// not keep it from that, a second one ends weir at once.
///
/// # Errors
/// What it ended with, or else that the command failed.
pub(super) fn brought_back(args: &TryArgs, app: &App, ended: Result<Exit>) -> Result<Exit> {
    let Some(command) = args.writes.before_each_start() else {
        return ended;
    };
    let last = App {
        setup: vec![command],
        ..app.clone()
    };
    let back = stack::setup(&last, &GuardCommand::default(), &AtomicBool::new(false));
    let Err(error) = back.map_err(Error::from) else {
        return ended;
    };
    if ended.is_err() {
        note(format!(
            "the last `--reset` failed as well: {}",
            error.why()
        ));
        return ended;
    }
    Err(error)
}

/// Whether what is asked may change what the app keeps.
pub(super) fn writes(plan: &Plan) -> bool {
    match plan.load.requests_from {
        Some(_) => experiment::requests_write(&plan.load),
        None => plan.app.routes[0].method.writes(),
    }
}

/// What is asked: a request, or the file that has them.
fn request(plan: &Plan) -> String {
    let file = plan.load.requests_from.as_ref();
    file.map_or_else(|| plan.app.routes[0].request(), RequestFile::name)
}

/// Requests of all trials of a plan of `weir try`, with their warm-ups.
fn requests(plan: &Plan) -> u64 {
    let Amount::Requests(measured) = plan.load.amount else {
        return 0;
    };
    let warm_up = match plan.load.warm_up {
        WarmUpPlan::Requests(requests) => requests,
        _ => 0,
    };
    plan.trials() * (measured + warm_up)
}
