//! Requests that may change what the app keeps, which are sent in thousands: only when they are meant.

use record::{Amount, Plan, WarmUpPlan};
use report::units;

use crate::args::TryArgs;
use crate::error::{Error, Exit, Result};

/// Refuses requests that change something, unless they are allowed.
///
/// # Errors
/// A method that writes, and neither `--reset` nor `--yes-write`.
pub(super) fn allowed(args: &TryArgs, plan: &Plan) -> Result<()> {
    let writes = args.route.method.writes();
    if !writes || args.writes.yes_write || args.writes.reset.is_some() {
        return Ok(());
    }
    let request = plan.app.routes[0].request();
    let (requests, trials) = (units::count(requests(plan)), plan.trials());
    let message = format!(
        "`{request}` may change what the app keeps: up to {requests} such requests would be sent ({trials} trials)"
    );
    let hint = "`--reset 'CMD'` runs CMD before each start of the app, to bring its data back to where it was; \
                `--yes-write` sends them as they are; `--variants` and `--quick` send fewer";
    Err(Error::new(Exit::Usage, message).hint(hint.to_owned()))
}

/// What is said before such requests are sent.
pub(super) fn told(args: &TryArgs, plan: &Plan) -> Option<String> {
    let reset = match &args.writes.reset {
        Some(command) => format!("`{command}` runs before each start of the app"),
        None => "nothing brings its data back between trials".to_owned(),
    };
    args.route.method.writes().then(|| {
        let (requests, trials) = (units::count(requests(plan)), plan.trials());
        let request = plan.app.routes[0].request();
        format!("{requests} requests `{request}` will be sent, in {trials} trials; {reset}")
    })
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
