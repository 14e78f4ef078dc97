//! Profiles of processes that run already.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use crate::profile::{place, pprof};
use crate::support::{PATIENCE, python};

/// Whether a process has the kernel sample others, as native programs are sampled.
fn samples(process: u32) -> bool {
    let open = fs::read_dir(format!("/proc/{process}/fd"));
    let mut open = open.into_iter().flatten().flatten();
    open.any(|file| {
        let what = fs::read_link(file.path());
        what.is_ok_and(|what| what.to_string_lossy().contains("perf_event"))
    })
}

#[test]
fn a_process_that_ends_is_not_waited_for() {
    let place = place();
    // it ends with what it reads
    let mut brief = Command::new("cat")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let pid = brief.id().to_string();
    let mut weir = place
        .weir(&["profile", "--pid", &pid, "--seconds", "10min"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // weir tries it for a moment first, and lets it go again
    let mut looks = 0;
    let sampled = testkit::eventually(PATIENCE, || {
        looks = if samples(weir.id()) { looks + 1 } else { 0 };
        looks > 100 || !matches!(weir.try_wait(), Ok(None))
    });
    drop(brief.stdin.take());
    let output = weir.wait_with_output().unwrap();
    brief.wait().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(sampled, "it was never sampled: {err}");
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(
        err.contains(&format!("process {pid} ended after ")),
        "{err}"
    );
}

/// A program in Python that has said so.
pub(crate) fn ready(program: &str) -> Child {
    let mut python = Command::new(python())
        .args(["-c", program])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(python.stdout.take().unwrap()).lines();
    assert_eq!(said.next().unwrap().unwrap(), "ready");
    python
}

#[test]
fn of_threads_that_only_wait_the_files_say_for_what() {
    let place = place();
    let mut python = ready("import time\nprint('ready', flush=True)\ntime.sleep(600)");
    let pid = python.id().to_string();
    // the moment after it said so may be on CPU
    let waits = testkit::eventually(PATIENCE, || {
        let syscall = fs::read_to_string(format!("/proc/{pid}/syscall"));
        syscall.is_ok_and(|text| !text.starts_with("running"))
    });
    let said = place.run(&[
        "profile",
        "--pid",
        &pid,
        "--seconds",
        "500ms",
        "--out",
        "out",
    ]);
    python.kill().unwrap();
    python.wait().unwrap();
    assert!(waits, "it never sleeps");
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(said.err.contains("there is no flame graph"), "{}", said.err);
    let names = fs::read_dir(place.path("out")).unwrap();
    let mut names: Vec<_> = names.map(|of| of.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["profile.pb.gz", "profile.speedscope.json"]);
    let raw = pprof(&place, &["-raw"]);
    assert!(
        raw.contains("doing:[sleeps]") && raw.contains("samples/count[dflt]"),
        "{raw}"
    );
}
