//! Programs that write down the names of what they have compiled when they are told to.

use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use crate::process::Frame;
use crate::runtime::Names;

/// How long the command may take.
const PATIENCE: Timespec = Timespec {
    tv_sec: 10,
    tv_nsec: 0,
};
/// Bytes of what it says that are read.
const LONGEST: u64 = 4_096;
/// What runs functions that are not compiled.
const INTERPRETER: &str = "(interpreter)";

/// Tells a process to write down its names.
///
/// # Errors
/// Why it did not; text of others in it.
pub(super) fn ask(names: &Names, pid: u32) -> Result<(), String> {
    if !std::fs::exists(format!("/proc/{pid}")).unwrap_or(false) {
        return Err("it ended before it told the names of the code that it compiled".to_owned());
    }
    let argv = names.command.iter();
    let argv: Vec<String> = argv
        .map(|word| word.replace("{{ pid }}", &pid.to_string()))
        .collect();
    let failed = |why: String| {
        let what = argv.join(" ");
        format!("the code that it compiled has no names, as `{what}` {why}")
    };
    let [program, arguments @ ..] = &argv[..] else {
        return Err(failed("names no program".to_owned()));
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // who interrupts weir wants what was sampled until now
        .process_group(0)
        .spawn()
        .map_err(|error| failed(format!("cannot be started: {error}")))?;
    let in_time = ends_in_time(&child);
    if !in_time {
        let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
    }
    let status = child.wait().map_err(|error| failed(error.to_string()))?;
    if status.success() {
        return Ok(());
    }
    Err(failed(if in_time {
        format!("says: {}", words(&mut child))
    } else {
        format!("took more than {} s", PATIENCE.tv_sec)
    }))
}

fn ends_in_time(child: &Child) -> bool {
    let Ok(handle) = pidfd_open(Pid::from_child(child), PidfdFlags::empty()) else {
        return false;
    };
    let mut ended = [PollFd::new(&handle, PollFlags::IN)];
    let ready = rustix::io::retry_on_intr(|| poll(&mut ended, Some(&PATIENCE)));
    ready.is_ok_and(|ready| ready > 0)
}

/// The first line of its errors, or the last of what it printed.
fn words(child: &mut Child) -> String {
    let errors = child.stderr.take().map(said).unwrap_or_default();
    let printed = child.stdout.take().map(said).unwrap_or_default();
    let mut errors = errors.lines().filter(|line| !line.trim().is_empty());
    let first = errors.next().or_else(|| printed.lines().last());
    first.unwrap_or("nothing").to_owned()
}

/// What is there to read now: who else has the other end may keep it.
fn said(of: impl Read + std::os::fd::AsFd) -> String {
    let mut bytes = Vec::new();
    if rustix::io::ioctl_fionbio(&of, true).is_ok() {
        let _ = of.take(LONGEST).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The function of a line, if it is one.
pub(super) fn frame(names: &Names, text: &str) -> Option<Frame> {
    if text == names.interpreter {
        return Some(Frame {
            name: INTERPRETER.to_owned(),
            file: "<generated>".to_owned(),
            line: 0,
        });
    }
    let found = names.function.captures(text)?;
    let (class, function) = (found.get(1)?.as_str(), found.get(2)?.as_str());
    let simple = class.rsplit('.').next().unwrap_or(class);
    Some(Frame {
        name: format!("{simple}.{function}"),
        file: class.to_owned(),
        line: 0,
    })
}

/// Functions that are not compiled stand on a stack as what runs them, each of them as the same one.
pub(super) fn is_interpreter(frame: &Frame) -> bool {
    frame.name == INTERPRETER
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::JAVA;

    fn names() -> &'static Names {
        JAVA.names.as_ref().unwrap()
    }

    #[test]
    fn functions_have_their_class() {
        let of = |text: &str| {
            let frame = frame(names(), text)?;
            Some(format!("{} {}", frame.name, frame.file))
        };
        for (line, known) in [
            (
                "java.lang.Object java.util.HashMap.putVal(int, java.lang.Object, boolean)",
                Some("HashMap.putVal java.util.HashMap"),
            ),
            ("void Hot.spin()", Some("Hot.spin Hot")),
            (
                "byte[] Hot$Inner.<init>(int)",
                Some("Hot$Inner.<init> Hot$Inner"),
            ),
            (
                "void a.Hot$$Lambda$1/0x00007f2c3c000a00.run()",
                Some("Hot$$Lambda$1.run a.Hot$$Lambda$1"),
            ),
            ("Interpreter", Some("(interpreter) <generated>")),
            ("StubRoutines (1)", None),
            ("RuntimeStub - resolve_opt_virtual_call", None),
            ("I2C/C2I adapters", None),
        ] {
            assert_eq!(of(line).as_deref(), known, "{line}");
        }
    }

    fn asked(command: &[&str]) -> Result<(), String> {
        let command = command.iter().map(|&word| word.to_owned());
        let names = Names {
            command: command.collect(),
            function: names().function.clone(),
            interpreter: String::new(),
        };
        ask(&names, std::process::id())
    }

    #[test]
    fn a_command_that_fails_is_named_with_what_it_says() {
        assert_eq!(asked(&["test", "{{ pid }}", "-gt", "0"]), Ok(()));
        let why = asked(&["sh", "-c", "echo one; echo no such; exit 3"]).unwrap_err();
        assert!(why.ends_with("says: no such"), "{why}");
        let why = asked(&["sh", "-c", "echo much; echo bad >&2; exit 3"]).unwrap_err();
        assert!(why.ends_with("says: bad"), "{why}");
        let why = asked(&["/nowhere/program"]).unwrap_err();
        assert!(
            why.contains("`/nowhere/program` cannot be started"),
            "{why}"
        );
        let gone = ask(names(), u32::MAX).unwrap_err();
        assert!(gone.contains("it ended before"), "{gone}");
    }
}
