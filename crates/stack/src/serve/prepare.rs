use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use record::App;

use crate::compose::Program;
use crate::error::{Result, StackError};
use crate::process::{Exit, GuardCommand, KeptFolder, Spawn, StopSignal, Supervised, bounded};
use crate::serve::readiness::Patience;

/// Longest time for one command of an app or an entry.
pub const SETUP_LIMIT: Duration = Duration::from_mins(10);
/// How long a command may take to end once weir is gone.
const GRACE: Duration = Duration::from_secs(2);
/// How often the user's Ctrl-C is looked at.
const TICK: Duration = Duration::from_millis(50);

/// Runs the app's setup commands, one after the other, each under a guardian.
///
/// # Errors
/// The first command that fails, with the end of what it printed.
pub fn setup(app: &App, guard: &GuardCommand, interrupted: &AtomicBool) -> Result<()> {
    let env: Vec<_> = app.env.clone().into_iter().collect();
    app.setup
        .iter()
        .try_for_each(|argv| command(argv, &env, &app.dir, SETUP_LIMIT, guard, interrupted))
}

/// Runs a command to its end, under a guardian of its own.
/// Errors: it fails, or takes longer than `limit`, or the user interrupts; with the end of what it printed.
pub(crate) fn command(
    argv: &[String],
    env: &[(String, String)],
    cwd: &Path,
    limit: Duration,
    guard: &GuardCommand,
    interrupted: &AtomicBool,
) -> Result<()> {
    let patience = Patience::new(limit, interrupted);
    alone(plain(argv, env, cwd, GRACE), guard, patience)
}

/// Runs a command that must not be ended half-way: an interruption is heard before it begins and once it has ended, and
/// the guardian of a weir that was killed waits for it as long as that would have.
/// Errors: it fails, or takes longer than `limit`, or the user interrupts; with the end of what it printed.
pub(crate) fn undisturbed(
    argv: &[String],
    limit: Duration,
    guard: &GuardCommand,
    interrupted: &AtomicBool,
) -> Result<()> {
    let heard = || {
        if interrupted.load(Ordering::Relaxed) {
            return Err(StackError::Interrupted);
        }
        Ok(())
    };
    heard()?;
    let never = AtomicBool::new(false);
    let command = plain(argv, &[], Path::new("/"), limit);
    let ended = alone(command, guard, Patience::new(limit, &never));
    heard().and(ended)
}

/// A command whose log is still to be named.
fn plain(argv: &[String], env: &[(String, String)], cwd: &Path, grace: Duration) -> Spawn {
    Spawn {
        argv: argv.to_vec(),
        env: env.to_vec(),
        unset: Vec::new(),
        cwd: cwd.to_owned(),
        log: PathBuf::new(),
        errors: None,
        cpus: Vec::new(),
        signal: StopSignal::Term,
        grace: grace.as_millis() as u64,
    }
}

/// Runs a command to its end in a folder and under a guardian of its own.
fn alone(command: Spawn, guard: &GuardCommand, patience: Patience<'_>) -> Result<()> {
    let mut room = KeptFolder::new(guard, "setup")?;
    let log = room.path().join("setup.log");
    run(Spawn { log, ..command }, room.guardian(), patience)
}

/// Runs what a program needs to have run before it, under its own guardian: what a command leaves behind ends
/// with it.
/// Errors: the first command that fails, with the end of what it printed.
pub(crate) fn prepare(
    program: &Program,
    server: &mut Supervised,
    spawn: &Spawn,
    patience: Patience<'_>,
) -> Result<()> {
    let log: PathBuf = program.log.with_extension("prepare.log");
    program.prepare.iter().try_for_each(|argv| {
        let command = Spawn {
            argv: argv.clone(),
            log: log.clone(),
            grace: 0,
            ..spawn.clone()
        };
        run(command, server, patience.within(SETUP_LIMIT)).map_err(|error| match error {
            StackError::Setup { how, log_tail, .. } => StackError::Prepare {
                entry: program.entry.clone(),
                command: argv.join(" "),
                how,
                log_tail,
            },
            other => other,
        })
    })
}

/// Runs a command to its end.
/// Errors: it fails, or takes too long, or the user interrupts.
fn run(command: Spawn, guard: &mut Supervised, patience: Patience<'_>) -> Result<()> {
    let (words, log) = (command.argv.join(" "), command.log.clone());
    let failed = |how: String| StackError::Setup {
        command: words,
        how,
        log_tail: bounded::tail(&log),
    };
    let launched = guard.launch(command);
    let outcome = launched.and_then(|()| {
        let exit = loop {
            match guard.exit_within(TICK) {
                None if patience.interrupted() => return Err(StackError::Interrupted),
                None if patience.lasts() && guard.guarded() => {}
                exit => break exit,
            }
        };
        match exit {
            Some(Exit::Code(0)) => Ok(()),
            Some(exit) => Err(failed(exit.words())),
            None => {
                let limit = patience.limit.as_secs();
                Err(failed(format!("did not end within {limit} s")))
            }
        }
    });
    outcome.and(guard.stop(true))
}
