use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::compose::{Composition, Program, Workspace, identities, render};
use crate::error::{FOLDER, Result, StackError, log, shortage};
use crate::probe::Identity;
use crate::process::{Folder, GuardCommand, Spawn, Supervised, bounded, owner};
use crate::serve::certificate;
use crate::serve::check::{all_there, check_once, write};
use crate::serve::ports;
use crate::serve::prepare;
use crate::serve::readiness::{self, ATTEMPTS, Patience, Unready};
use crate::serve::running::Running;
use crate::serve::service;
use crate::serve::sign::Sign;

/// How a stack is started.
#[derive(Clone)]
pub struct Options<'a> {
    /// How guardians are started.
    pub guard: GuardCommand,
    /// Longest time from the start of a program to its first correct response.
    pub ready_timeout: Duration,
    /// Set by the user's Ctrl-C; looked at in every wait.
    pub interrupted: &'a AtomicBool,
    /// Chooses so many different loopback addresses: those to listen on, from the program that clients speak to inwards,
    /// and then as many of which only weir is told.
    pub ports: &'a dyn Fn(usize) -> std::io::Result<Vec<SocketAddr>>,
    /// Processors, by number, on which the programs run; empty for all.
    pub cpus: Vec<usize>,
}

impl<'a> Options<'a> {
    /// weir's own guardian, 30 seconds to get ready, free ports chosen by the kernel.
    pub fn new(interrupted: &'a AtomicBool) -> Self {
        Self {
            guard: GuardCommand::default(),
            ready_timeout: Duration::from_secs(30),
            interrupted,
            ports: &ports::free,
            cpus: Vec::new(),
        }
    }
}

/// Starts every program of a composition, services first and then the app server, and waits until each answers. Only a server that
/// dials in starts after the front end that it dials, and answers through it.
///
/// # Errors
/// A server that is missing, refuses its configuration, ends, or does not answer right in time;
/// after an error nothing of the stack is left.
pub fn start<'a>(composition: &Composition, options: &Options<'a>) -> Result<Running<'a>> {
    let identities = identities(composition)?;
    let mut attempt = 1;
    loop {
        match start_once(composition, &identities, options) {
            Ok(running) => return Ok(running),
            Err(Unready::AddressTaken(_)) if attempt < ATTEMPTS => attempt += 1,
            Err(Unready::AddressTaken(error) | Unready::Failed(error)) => {
                return Err(composition.advised(error));
            }
        }
    }
}

fn start_once<'a>(
    composition: &Composition,
    identities: &[Identity],
    options: &Options<'a>,
) -> Result<Running<'a>, Unready> {
    let folder = Folder::new(&options.guard).map_err(StackError::system(FOLDER))?;
    let addresses =
        (options.ports)(composition.addresses()).map_err(StackError::system(shortage::CHOOSING))?;
    let workspace = Workspace::place(composition, folder.path(), identities, &addresses);
    let mut programs = rendered(composition, &workspace)?;
    let linked = workspace.link(composition);
    linked.map_err(StackError::system("making links to the app's folders"))?;
    // Guardians first: from here on they end what was started and remove the folder, whatever happens to weir.
    let guarded = |of: &Program| {
        let guarded = Supervised::open(&options.guard, &of.name, folder.path())?;
        Ok::<_, StackError>(guarded.on(options.cpus.clone()))
    };
    let supervised: Vec<_> = programs.iter().map(guarded).collect::<Result<_, _>>()?;
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
        check_once(program, &workspace.folder, &addresses)?;
    }
    let began = Instant::now();
    let patience = Patience::new(options.ready_timeout, options.interrupted);
    let sign = Sign::of(composition);
    let mut diallers = Vec::new();
    for mut part in running.parts().into_iter().rev() {
        if part[0].0.spoken.protocol.dials_in() {
            diallers = part; // whom they dial starts first
            continue;
        }
        // what the first one prepares is there for the others, which then start together
        let others = part.split_off(1);
        let dialled = std::mem::take(&mut diallers);
        start_together(part, dialled, &sign, patience)?;
        start_together(others, Vec::new(), &sign, patience)?;
    }
    running.ready(began.elapsed());
    running.log_in()?;
    Ok(running)
}

/// The programs of a trial, each with the command by which it is deployed.
fn rendered(composition: &Composition, workspace: &Workspace) -> Result<Vec<Program>> {
    let mut programs = render(composition, workspace)?;
    let deployed = render(&composition.to_deploy(), workspace)?;
    for (program, deployed) in programs.iter_mut().zip(deployed) {
        if deployed.argv != program.argv {
            program.deployed = deployed.argv;
        }
    }
    Ok(programs)
}

/// Programs and their guardians.
type Guarded<'a> = Vec<(&'a Program, &'a mut Supervised)>;

/// Starts programs beside each other, and waits until each serves; so do those that dial the first one in.
fn start_together(
    mut programs: Guarded<'_>,
    mut diallers: Guarded<'_>,
    sign: &Sign,
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
        readiness::wait(server, program, sign, patience.anew())?;
    }
    Ok(())
}

/// Runs what a program wants to have run before it, and starts it.
fn launch(program: &Program, server: &mut Supervised, patience: Patience<'_>) -> Result<()> {
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
    let listens = |_: &Supervised| owner::is_open(&first.listen);
    readiness::until(server, front, patience.anew(), closed, listens)?;
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

fn spawn(program: &Program) -> Spawn {
    Spawn {
        argv: program.argv.clone(),
        env: program.env.clone(),
        unset: program.unset.clone(),
        cwd: program.cwd.clone(),
        log: program.log.clone(),
        errors: None,
        cpus: Vec::new(),
        signal: program.stop.signal,
        grace: u64::from(program.stop.grace) * 1000,
    }
}
