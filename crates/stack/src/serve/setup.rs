use std::sync::atomic::AtomicBool;

use record::App;

use crate::error::{FOLDER, Result, StackError};
use crate::process::{Folder, GuardCommand, Spawn, StopSignal, Supervised};
use crate::serve::prepare;
use crate::serve::readiness::Patience;

/// Runs the app's setup commands, one after the other, each under a guardian.
///
/// # Errors
/// The first command that fails, with the end of what it printed.
pub fn setup(app: &App, guard: &GuardCommand, interrupted: &AtomicBool) -> Result<()> {
    let mut commands = app.setup.iter();
    commands.try_for_each(|argv| run(argv, app, guard, interrupted))
}

fn run(argv: &[String], app: &App, guard: &GuardCommand, interrupted: &AtomicBool) -> Result<()> {
    let folder = Folder::new().map_err(StackError::system(FOLDER))?;
    let log = folder.path().join("setup.log");
    let mut command = Supervised::open(guard, "setup", folder.path())?;
    let outcome = prepare::run(
        Spawn {
            argv: argv.to_vec(),
            env: app.env.clone().into_iter().collect(),
            unset: Vec::new(),
            cwd: app.dir.clone(),
            log,
            errors: None,
            signal: StopSignal::Term,
            grace: 2_000,
        },
        &mut command,
        Patience::new(prepare::LIMIT, interrupted),
    );
    drop(folder);
    command.dismiss();
    outcome
}
