use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

/// What a short command printed, and how it ended.
pub(crate) struct Captured {
    /// `None`: it did not end in time and was killed.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Captured {
    pub(crate) fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// How it ended, as a person says it.
    pub(crate) fn how(&self) -> String {
        match self.status {
            Some(status) => match status.code() {
                Some(code) => format!("ended with code {code}"),
                None => "was ended by a signal".to_owned(),
            },
            None => "did not end in time".to_owned(),
        }
    }

    /// Standard output and error, one after the other.
    pub(crate) fn everything(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }
}

/// Runs a short command in its own process group and waits for it, at most `limit`.
///
/// It prints into files and not into pipes: a child it left behind cannot keep weir waiting.
pub(crate) fn capture(
    argv: &[String],
    cwd: Option<&Path>,
    env: &[(String, String)],
    limit: Duration,
) -> std::io::Result<Captured> {
    let (name, arguments) = argv.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
    let (stdout, stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut command = Command::new(name);
    command
        .args(arguments)
        .envs(env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        .process_group(0);
    if let Some(cwd) = cwd {
        command.current_dir(cwd);
    }
    let mut child = command.spawn()?;
    let group = Pid::from_child(&child);
    let (ended, end) = mpsc::channel();
    let waiter = std::thread::spawn(move || ended.send(child.wait()));
    let status = if let Ok(status) = end.recv_timeout(limit) {
        Some(status?)
    } else {
        let _ = kill_process_group(group, Signal::KILL);
        let _ = end.recv();
        None
    };
    let _ = waiter.join();
    Ok(Captured {
        status,
        stdout: text(stdout)?,
        stderr: text(stderr)?,
    })
}

fn text(mut file: File) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Captured {
        let argv = ["sh", "-c", script].map(str::to_owned);
        capture(&argv, None, &[], limit).unwrap()
    }

    #[test]
    fn keeps_both_streams_and_the_code() {
        let captured = shell("echo out; echo err >&2; exit 3", Duration::from_secs(20));
        assert_eq!(
            (captured.stdout.as_str(), captured.stderr.as_str()),
            ("out\n", "err\n")
        );
        assert_eq!(captured.how(), "ended with code 3");
    }

    #[test]
    fn a_command_that_hangs_is_killed() {
        let captured = shell("sleep 600", Duration::from_millis(50));
        assert!(!captured.succeeded());
        assert_eq!(captured.how(), "did not end in time");
    }
}
