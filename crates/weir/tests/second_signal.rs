//! The second signal ends weir wherever it is, and what it started is cleaned up all the same.

use std::path::Path;
use std::process::{Child, Stdio};

use crate::support::{PATIENCE, Place, peer};
use rustix::process::{Pid, Signal, kill_process};
use testkit::eventually;

/// Sends a signal and waits until it has arrived: two that wait at once are one.
fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
    let pid = child.id().cast_signed();
    let arrived = || {
        let process = procfs::process::Process::new(pid);
        process
            .and_then(|process| process.status())
            .map_or(true, |status| status.shdpnd == 0)
    };
    assert!(eventually(PATIENCE, arrived), "it never arrived");
}

/// It does not end by the first signal, or is about to; the second ends it.
fn ends(mut child: Child, signals: [Signal; 2]) {
    for signal in signals {
        send(&child, signal);
    }
    let mut code = None;
    let ended = eventually(PATIENCE, || {
        code = child.try_wait().unwrap().map(|status| status.code());
        code.is_some()
    });
    if !ended {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(code, Some(Some(130)), "{signals:?}");
}

fn start(place: &Place, args: &[&str]) -> Child {
    let mut weir = place.weir(args);
    weir.stdout(Stdio::null()).stderr(Stdio::null());
    weir.spawn().unwrap()
}

/// Lua that says where it is, and stays there.
fn endless(place: &Path, function: &str) -> String {
    let stay = format!(
        "io.open('{}', 'w'):close() while true do end",
        place.display()
    );
    match function {
        "" => stay,
        "done" => format!("function done() {stay} end"),
        other => format!("function {other}() {stay} end"),
    }
}

#[test]
fn a_script_that_never_returns_does_not_keep_weir() {
    let (_peer, url) = peer();
    for function in ["", "setup", "init", "request", "response", "done"] {
        let place = Place::new();
        let there = place.path("there");
        place.write("script.lua", &endless(&there, function));
        let common = ["bench", &url, "-c", "2", "-n", "50", "--warm-up", "0s"];
        let args = [&common[..], &["--script", "script.lua"]].concat();
        let weir = start(&place, &args);
        assert!(eventually(PATIENCE, || there.exists()), "`{function}`");
        ends(weir, [Signal::INT, Signal::INT]);
    }
}

#[test]
fn neither_does_a_reader_that_never_reads() {
    let place = Place::new();
    let (unread, out) = std::io::pipe().unwrap();
    rustix::pipe::fcntl_setpipe_size(&out, 4_096).unwrap();
    let mut weir = place.weir(&["help", "bench"]);
    let weir = weir.stdout(out).stderr(Stdio::null()).spawn().unwrap();
    // three times as long as the pipe: once some of it is there, the rest waits in front of it
    let begun = || rustix::io::ioctl_fionread(&unread).unwrap() > 0;
    assert!(eventually(PATIENCE, begun));
    ends(weir, [Signal::TERM, Signal::HUP]);
}

#[test]
fn guardians_end_what_a_run_had_started() {
    let place = Place::new();
    place.app(
        "import time\ndef app(environ, start):\n    time.sleep(0.01)\n    \
         start('200 OK', [('Content-Type', 'text/plain')])\n    return [b'hello']\n",
    );
    place.plan("[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\nfront = \"nginx\"\n");
    let weir = start(&place, &["run", "plan.toml", "--blocks", "40"]);
    let serving = || {
        let all = place.processes();
        all.iter().any(|process| process.contains("nginx"))
    };
    assert!(eventually(PATIENCE, serving));
    ends(weir, [Signal::INT, Signal::INT]);
    place.assert_clean();
}
