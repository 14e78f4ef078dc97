use std::sync::atomic::AtomicBool;
use std::time::Duration;

use record::App;

use crate::error::StackError;
use crate::log;
use crate::order::{Exit, Spawn, StopSignal};
use crate::readiness::Patience;
use crate::supervisor::{GuardCommand, Supervised};

/// Longest time for one setup command.
const LIMIT: Duration = Duration::from_mins(10);
/// How often the user's Ctrl-C is looked at.
const TICK: Duration = Duration::from_millis(50);

/// Runs the app's setup commands, one after the other, each under a guardian.
///
/// # Errors
/// The first command that fails, with the end of what it printed.
pub fn setup(app: &App, guard: &GuardCommand, interrupted: &AtomicBool) -> Result<(), StackError> {
    app.setup
        .iter()
        .try_for_each(|argv| run(argv, app, guard, interrupted))
}

fn run(
    argv: &[String],
    app: &App,
    guard: &GuardCommand,
    interrupted: &AtomicBool,
) -> Result<(), StackError> {
    let folder = tempfile::Builder::new()
        .prefix("weir-")
        .tempdir()
        .map_err(StackError::system("creating a folder for setup"))?;
    let log = folder.path().join("setup.log");
    let mut command = Supervised::open(guard, "setup", folder.path())?;
    let failed = |how: String| StackError::Setup {
        command: argv.join(" "),
        how,
        log_tail: log::tail(&log),
    };
    let launched = command.launch(Spawn {
        argv: argv.to_vec(),
        env: app.env.clone().into_iter().collect(),
        unset: Vec::new(),
        cwd: app.dir.clone(),
        log: log.clone(),
        errors: None,
        signal: StopSignal::Term,
        grace: 2_000,
    });
    let outcome = launched.and_then(|()| {
        let patience = Patience::new(LIMIT, interrupted);
        let exit = loop {
            match command.exit_within(TICK) {
                None if patience.interrupted() => return Err(StackError::Interrupted),
                None if patience.lasts() && command.guarded() => {}
                exit => break exit,
            }
        };
        match exit {
            Some(Exit::Code(0)) => Ok(()),
            Some(exit) => Err(failed(exit.words())),
            None => Err(failed(format!("did not end within {} s", LIMIT.as_secs()))),
        }
    });
    let stopped = command.stop(true);
    drop(folder);
    command.dismiss();
    outcome.and(stopped)
}
