//! `weir up`: one stack in the foreground, to look at with a browser or curl.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use record::{Protocol, Route, Target};
use stack::{Options, Running};

use crate::args::StartArgs;
use crate::commands::stack::served;
use crate::error::{Exit, Result};
use crate::invocation::Invocation;
use crate::output::print;

/// How often the stack is looked after while the user looks at it.
const TICK: Duration = Duration::from_millis(100);

pub(crate) fn run(
    plan: &Path,
    variant: &str,
    start: &StartArgs,
    invocation: &Invocation,
) -> Result<Exit> {
    let plan = experiment::read_plan(plan, start.python.as_deref(), invocation.host().cores)?;
    let variant = served(&plan, variant)?;
    let options = Options {
        ready_timeout: Duration::from_secs_f64(start.ready_timeout),
        ..Options::new(invocation.interrupted())
    };
    let app = plan.app_of(variant);
    let progress = invocation.progress();
    progress.wait(
        "setting the app up",
        Some(::stack::SETUP_LIMIT.as_secs_f64()),
    );
    ::stack::setup(app, &options.guard, invocation.interrupted())?;
    let composition = invocation.machine()?.compose(variant, app)?;
    progress.wait(
        &format!("starting `{}`", variant.name),
        Some(start.ready_timeout),
    );
    let mut running = ::stack::start(&composition, &options)?;
    progress.end();
    print(&format!(
        "`{}` serves at {}\n",
        variant.name,
        place(&running, &composition.route)
    ))?;
    print("press Ctrl-C to end it\n")?;
    while !invocation.interrupted().load(Ordering::Relaxed) {
        running.check_alive()?;
        std::thread::park_timeout(TICK);
    }
    running.stop()?;
    Ok(Exit::Done)
}

/// Where to look, in a browser's words where a browser can.
fn place(running: &Running, route: &Route) -> String {
    let place = address(running, &route.path);
    match route.body.len() {
        0 => place,
        bytes => format!(
            "{place}, which is asked with {} and a body of {bytes} bytes",
            route.method.name()
        ),
    }
}

fn address(running: &Running, path: &str) -> String {
    let web = [Protocol::Http1, Protocol::Http10, Protocol::Http2];
    let protocol = running.protocol();
    let scheme = if running.tls().is_some() {
        "https"
    } else {
        "http"
    };
    match running.address() {
        Target::Tcp(address) if web.contains(&protocol) => format!("{scheme}://{address}{path}"),
        Target::Unix(socket) if web.contains(&protocol) => format!(
            "{} (try: curl --unix-socket {0} {scheme}://localhost{path})",
            socket.display()
        ),
        Target::Tcp(address) => format!("{address}, in {}", protocol.words()),
        Target::Unix(socket) => format!("{}, in {}", socket.display(), protocol.words()),
    }
}
