//! A script that `weir write` wrote, while it runs.

use std::io::Read as _;
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::wait_until;

/// Whether something listens at this port.
pub(crate) fn is_open(port: u16) -> bool {
    TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
}

/// Ended with what it started, wherever a test ends.
pub(crate) struct Started(Child);

impl Started {
    /// Runs it with these variables besides, at the address that it was written for unless they say another one.
    pub(crate) fn script(script: &Path, env: &[(&str, &str)]) -> Self {
        Self::heard(script, env, Stdio::piped())
    }

    /// The same, with another standard error.
    pub(crate) fn heard(script: &Path, env: &[(&str, &str)], stderr: Stdio) -> Self {
        let mut command = Command::new("sh");
        command.arg(script).env_remove("HOST").env_remove("PORT");
        command.envs(env.iter().copied());
        command.stdout(Stdio::null()).stderr(stderr);
        Self(command.process_group(0).spawn().unwrap())
    }

    pub(crate) fn terminate(&self) {
        kill_process(self.pid(), Signal::TERM).unwrap();
    }

    /// Its own number, and that of the group of all that it starts.
    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.0)
    }

    /// Waits for its end: its status, and what it complained of.
    pub(crate) fn ended(mut self) -> (Option<i32>, String) {
        let mut status = None;
        wait_until("the script ends", || {
            status = self.0.try_wait().unwrap();
            status.is_some()
        });
        let mut said = String::new();
        if let Some(mut stderr) = self.0.stderr.take() {
            stderr.read_to_string(&mut said).unwrap();
        }
        (status.unwrap().code(), said)
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            self.terminate();
            let _ = self.0.wait();
        }
    }
}
