use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::SystemTime;

use rustix::io::FdFlags;
use rustix::pipe::PipeFlags;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use rustix::thread::{CpuSet, sched_setaffinity};

use crate::process::folder::SECRET;
use crate::process::leftovers::BELONGS;
use crate::process::order::Spawn;

/// The process, a handle to it, when its log was opened (files that it makes are not older), and its leash.
pub(crate) fn launch(
    spawn: &Spawn,
    folder: Option<&Path>,
) -> std::io::Result<(Pid, OwnedFd, SystemTime, Option<OwnedFd>)> {
    let (program, arguments) = spawn.argv.split_first().ok_or(ErrorKind::InvalidInput)?;
    let open = |file: &PathBuf| {
        let mut options = OpenOptions::new();
        options.create(true).append(true).mode(SECRET).open(file)
    };
    let log = open(&spawn.log)?;
    let errors = match &spawn.errors {
        Some(file) => open(file)?,
        None => log.try_clone()?,
    };
    let opened = log.metadata()?.modified()?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(&spawn.cwd)
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(errors)
        .process_group(0);
    for name in &spawn.unset {
        command.env_remove(name);
    }
    command.envs(spawn.env.iter().map(|(name, value)| (name, value)));
    if let Some(folder) = folder {
        command.env(BELONGS, folder);
    }
    let (holder, leash) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    // inherited by the server, which need not know: a group is killed while one of it has this end
    rustix::io::fcntl_setfd(&holder, FdFlags::empty())?;
    confine(&spawn.cpus)?;
    let child = command.spawn();
    let mut child = child.map_err(|error| explained(&spawn.cwd, error))?;
    let handle = handle_of(&mut child)?;
    let pid = Pid::from_child(&child);
    let held = kernel::kill_group_at_close(&holder, pid);
    let leash = held.ok().map(|()| leash);
    Ok((pid, handle, opened, leash))
}

/// A handle to a process that has just been started. Without one nobody could end it later: it is ended at once.
fn handle_of(child: &mut Child) -> std::io::Result<OwnedFd> {
    let pid = Pid::from_child(child);
    let handle = pidfd_open(pid, PidfdFlags::empty());
    if handle.is_err() {
        let _ = kill_process_group(pid, Signal::KILL);
        let _ = child.wait();
    }
    Ok(handle?)
}

/// Keeps this thread, and what it starts from now on, on these processors.
fn confine(cpus: &[usize]) -> std::io::Result<()> {
    if cpus.is_empty() {
        return Ok(());
    }
    let mut mask = CpuSet::new();
    for number in cpus {
        mask.set(*number);
    }
    Ok(sched_setaffinity(None, &mask)?)
}

/// The system says the same of a program that is not there as of a folder that is gone.
fn explained(cwd: &Path, error: std::io::Error) -> std::io::Error {
    if error.kind() == ErrorKind::NotFound && !cwd.is_dir() {
        return std::io::Error::other(format!("the folder `{}` is gone", cwd.display()));
    }
    error
}
