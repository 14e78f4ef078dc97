//! What the kernel says of a process in `/proc/PID/status`. That has the name which the process gave itself, in any bytes: of a long one
//! the kernel keeps 15, and the last letter in part.

use std::fs;

use rustix::process::Signal;

/// Whether a process ignores `SIGCHLD`, so that its children end without being waited for; not, where it is gone.
pub(super) fn ignores_children(pid: i32) -> bool {
    let bit: u64 = 1 << (Signal::CHILD.as_raw() - 1);
    let ignored = word(pid, "SigIgn:", 0).and_then(|of| u64::from_str_radix(&of, 16).ok());
    ignored.is_some_and(|ignored| ignored & bit != 0)
}

/// The user that a process runs as, the effective one; `None` where it is gone.
pub(super) fn user(pid: i32) -> Option<u32> {
    word(pid, "Uid:", 1)?.parse().ok()
}

/// A word, by its number, of the line that begins so.
fn word(pid: i32, begin: &str, number: usize) -> Option<String> {
    let text = fs::read(format!("/proc/{pid}/status")).ok()?;
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines();
    let words = lines.find_map(|line| line.strip_prefix(begin))?;
    words.split_whitespace().nth(number).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    use rustix::process::geteuid;

    use super::*;

    /// Its name is the first half of a letter.
    const NAMELESS: &str = "import signal, sys\n\
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n\
        with open('/proc/self/comm', 'wb') as name:\n    \
            name.write(bytes([0xd1]))\n\
        print('ready', flush=True)\n\
        sys.stdin.read()\n";

    #[test]
    fn a_process_may_have_any_name() {
        let mut nameless = Command::new("python3")
            .args(["-c", NAMELESS])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(nameless.stdout.take().unwrap()).lines();
        assert_eq!(said.next().unwrap().unwrap(), "ready");
        let pid = nameless.id().cast_signed();
        let told = (user(pid), ignores_children(pid));
        drop(nameless.stdin.take());
        nameless.wait().unwrap();
        assert_eq!(told, (Some(geteuid().as_raw()), true));
        let own = std::process::id().cast_signed();
        assert!(!ignores_children(own), "it waits for its own");
    }
}
