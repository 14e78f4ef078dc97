use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use record::Route;

use crate::compose::Composition;
use crate::compose::render::{Prerequisite, Program, needs_of, render};
use crate::compose::workspace::Workspace;
use crate::error::log;
use crate::error::shortage;
use crate::error::{FOLDER, StackError};
use crate::probe::{Identity, identify_with};
use crate::process::bounded;
use crate::process::capture::{Unrun, capture};
use crate::process::folder::{self, Folder};
use crate::process::guard_command::GuardCommand;
use crate::process::order::Spawn;
use crate::process::owner;
use crate::process::supervisor::Supervised;
use crate::serve::certificate;
use crate::serve::ports;
use crate::serve::prepare;
use crate::serve::readiness::{self, ATTEMPTS, Patience, Unready};
use crate::serve::running::Running;
use crate::serve::service;

/// Longest time for a server's own test of its configuration, which may compile it for the first time, and for a
/// test of what it needs.
const CHECK_LIMIT: Duration = Duration::from_mins(2);

/// How a stack is started.
#[derive(Clone)]
pub struct Options<'a> {
    /// How guardians are started.
    pub guard: GuardCommand,
    /// Longest time from the start of a program to its first right answer.
    pub ready_timeout: Duration,
    /// Set by the user's Ctrl-C; looked at in every wait.
    pub interrupted: &'a AtomicBool,
    /// Chooses so many different loopback addresses, from the program that clients speak to inwards.
    pub ports: &'a dyn Fn(usize) -> std::io::Result<Vec<SocketAddr>>,
}

impl<'a> Options<'a> {
    /// weir's own guardian, 30 seconds to get ready, free ports chosen by the kernel.
    pub fn new(interrupted: &'a AtomicBool) -> Self {
        Self {
            guard: GuardCommand::default(),
            ready_timeout: Duration::from_secs(30),
            interrupted,
            ports: &ports::free,
        }
    }
}

/// Starts every program of a composition, services first and then the app server, and waits until each answers. Only a server that
/// dials in starts after the front end that it dials, and answers through it.
///
/// # Errors
/// A server that is missing, refuses its configuration, ends, or does not answer right in time;
/// after an error nothing of the stack is left.
pub fn start<'a>(
    composition: &Composition,
    options: &Options<'a>,
) -> Result<Running<'a>, StackError> {
    let python = composition.app.python.as_deref();
    let identities: Vec<_> = composition
        .parts
        .iter()
        .map(|part| identify_with(&part.entry, &part.knobs, python))
        .collect::<Result<_, _>>()?;
    let mut attempt = 1;
    loop {
        match start_once(composition, &identities, options) {
            Ok(running) => return Ok(running),
            Err(Unready::AddressTaken(_)) if attempt < ATTEMPTS => attempt += 1,
            Err(Unready::AddressTaken(error) | Unready::Failed(error)) => return Err(error),
        }
    }
}

fn start_once<'a>(
    composition: &Composition,
    identities: &[Identity],
    options: &Options<'a>,
) -> Result<Running<'a>, Unready> {
    let folder = Folder::new().map_err(StackError::system(FOLDER))?;
    let addresses =
        (options.ports)(composition.programs()).map_err(StackError::system("choosing ports"))?;
    let workspace = Workspace::place(composition, folder.path(), identities, &addresses);
    let mut programs = render(composition, &workspace)?;
    let linking = "making links to the app's folders";
    workspace
        .link(composition)
        .map_err(StackError::system(linking))?;
    // Guardians first: from here on the folder is removed whatever happens to weir.
    let supervised: Vec<_> = programs
        .iter()
        .map(|program| Supervised::open(&options.guard, &program.name, folder.path()))
        .collect::<Result<_, _>>()?;
    let secret = programs.iter_mut().filter(|program| program.spoken.tls);
    for (made, program) in secret.enumerate() {
        if made == 0 {
            certificate::make(folder.path())?;
        }
        program.handshake = Some(certificate::settings(folder.path())?);
    }
    let mut running = Running::new(
        composition.clone(),
        programs,
        supervised,
        folder,
        options.interrupted,
    );
    all_there(running.programs())?;
    for program in running.programs() {
        write(program, &workspace.folder)?;
        check(program)?;
    }
    let began = Instant::now();
    let patience = Patience::new(options.ready_timeout, options.interrupted);
    let mut diallers = Vec::new();
    for mut part in running.parts().into_iter().rev() {
        if part[0].0.spoken.protocol.dials_in() {
            diallers = part; // whom they dial starts first
            continue;
        }
        // what the first one prepares is there for the others, which then start together
        let others = part.split_off(1);
        let dialled = std::mem::take(&mut diallers);
        start_together(part, dialled, &composition.route, patience)?;
        start_together(others, Vec::new(), &composition.route, patience)?;
    }
    running.ready(began.elapsed());
    Ok(running)
}

/// Programs and their guardians.
type Guarded<'a> = Vec<(&'a Program, &'a mut Supervised)>;

/// Starts programs beside each other, and waits until each serves; so do those that dial the first one in.
fn start_together(
    mut programs: Guarded<'_>,
    mut diallers: Guarded<'_>,
    route: &Route,
    patience: Patience<'_>,
) -> Result<(), Unready> {
    for (program, server) in &mut programs {
        launch(program, server, patience)?;
    }
    for (program, server) in programs {
        if program.service.is_some() {
            service::wait(server, program, patience.anew())?;
            continue;
        }
        join(program, server, std::mem::take(&mut diallers), patience)?;
        readiness::wait(server, program, route, patience.anew())?;
    }
    Ok(())
}

/// Runs what a program wants to have run before it, and starts it.
fn launch(
    program: &Program,
    server: &mut Supervised,
    patience: Patience<'_>,
) -> Result<(), StackError> {
    let spawn = spawn(program);
    prepare::prepare(program, server, &spawn, patience)?;
    server.launch(spawn)
}

/// Starts the servers that dial a front end in, once it listens for them, and waits until each has.
fn join(
    front: &Program,
    server: &mut Supervised,
    mut diallers: Guarded<'_>,
    patience: Patience<'_>,
) -> Result<(), Unready> {
    let Some((first, _)) = diallers.first() else {
        return Ok(());
    };
    let closed = || "it does not listen for servers that dial in".to_owned();
    readiness::until(server, front, patience.anew(), closed, |_| {
        owner::is_open(&first.listen)
    })?;
    for (program, server) in &mut diallers {
        launch(program, server, patience)?;
    }
    for (program, server) in diallers {
        let dialled =
            |server: &Supervised| owner::has_dialled(&program.listen, server.guardian_pid());
        let away = || {
            let lines = bounded::tail(&front.log);
            let said = log::cause(&lines);
            format!("it has not dialled in, and `{}` says: {said}", front.entry)
        };
        readiness::until(server, program, patience.anew(), away, dialled)?;
    }
    Ok(())
}

/// The first thing that a composition's programs need besides themselves, and that is not here, as far as
/// that shows before there is a workspace.
pub fn lacking(composition: &Composition) -> Option<StackError> {
    let app = &composition.app;
    let env: Vec<_> = app.env.clone().into_iter().collect();
    composition.parts.iter().find_map(|part| {
        let needs = needs_of(composition, part).unwrap_or_default();
        let lacks = |need: &Prerequisite| have(need, &part.entry.name, &app.dir, &env).err();
        needs.iter().find_map(lacks)
    })
}

/// Makes sure that programs have what they need; what instances of a part have in common is asked once.
fn all_there(programs: &[Program]) -> Result<(), StackError> {
    let mut known = Vec::new();
    for program in programs {
        for need in &program.needs {
            let asked = (&need.check, &program.cwd, &program.env);
            if !known.contains(&asked) {
                have(need, &program.entry, &program.cwd, &program.env)?;
                known.push(asked);
            }
        }
    }
    Ok(())
}

fn have(
    need: &Prerequisite,
    entry: &str,
    dir: &Path,
    env: &[(String, String)],
) -> Result<(), StackError> {
    let why = match capture(&need.check, Some(dir), env, CHECK_LIMIT) {
        Ok(printed) if printed.succeeded() => return Ok(()),
        Ok(printed) => {
            if let Some(number) = printed.shortage() {
                return Err(unasked(entry, &need.check, number));
            }
            log::cause(&log::last_lines(&printed.everything())).to_owned()
        }
        Err(Unrun::Program(error)) => error.to_string(),
        Err(Unrun::Around(error)) => return Err(error),
    };
    Err(StackError::Missing {
        entry: entry.to_owned(),
        what: need.what.clone(),
        why,
        install: Some(need.install.clone()),
    })
}

/// Writes a program's files into its own folder.
pub(crate) fn write(program: &Program, place: &Path) -> Result<(), StackError> {
    let doing = |path: &Path| StackError::system(format!("writing `{}`", path.display()));
    let own = place.join(&program.name);
    folder::make(&own).map_err(doing(&own))?;
    program.files.iter().try_for_each(|file| {
        let path = place.join(&file.path);
        folder::write(&path, file.content.as_bytes()).map_err(doing(&path))
    })
}

fn unasked(entry: &str, argv: &[String], shortage: i32) -> StackError {
    StackError::Unasked {
        entry: entry.to_owned(),
        command: argv.join(" "),
        problem: shortage::words(shortage),
        shortage: Some(shortage),
    }
}

/// Lets a program test its own configuration, if its entry says how.
pub(crate) fn check(program: &Program) -> Result<(), StackError> {
    let Some(argv) = &program.check else {
        return Ok(());
    };
    let printed = capture(argv, Some(&program.cwd), &program.env, CHECK_LIMIT).map_err(
        |unrun| match unrun {
            Unrun::Program(error) => StackError::System {
                doing: format!("running `{}`", argv.join(" ")),
                error,
            },
            Unrun::Around(error) => error,
        },
    )?;
    if printed.succeeded() {
        return Ok(());
    }
    if let Some(number) = printed.shortage() {
        return Err(unasked(&program.entry, argv, number));
    }
    Err(StackError::Check {
        entry: program.entry.clone(),
        log_tail: log::last_lines(&printed.everything()),
    })
}

fn spawn(program: &Program) -> Spawn {
    Spawn {
        argv: program.argv.clone(),
        env: program.env.clone(),
        unset: program.unset.clone(),
        cwd: program.cwd.clone(),
        log: program.log.clone(),
        errors: None,
        signal: program.stop.signal,
        grace: u64::from(program.stop.grace) * 1000,
    }
}
