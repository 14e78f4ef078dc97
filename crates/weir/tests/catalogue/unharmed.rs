//! What is no server is left alone and leaves nothing either: short commands, and a reader that is gone.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use crate::support::{PATIENCE, Place};

/// A server that takes for ever to say its version, and does not do it alone.
const SLOW: &str = r#"
name = "slow"
kind = "app-server"
title = "takes for ever to say its version"
home = "none"
runs = ["wsgi"]
listens = { http1 = ["tcp"] }
argv = ["sh"]
stop = { signal = "TERM", grace = 1 }
find = { version = { argv = ["sh", "-c", "setsid sleep 1000 & echo > asked; wait"], pattern = '(\d+)' } }
"#;

/// weir is killed while it asks for a version.
#[test]
fn a_version_probe_does_not_outlive_weir() {
    let place = Place::new();
    place.write("mine/app-servers/slow.toml", SLOW);
    let mut weir = place.start(&["--catalogue", "mine", "catalogue", "list"]);
    let asked = place.path("asked");
    assert!(testkit::eventually(PATIENCE, || asked.exists()));
    let running = place.processes();
    assert!(
        running.iter().any(|process| process.contains("sleep 1000")),
        "{running:?}"
    );
    weir.kill().unwrap();
    weir.wait().unwrap();
    place.assert_clean();
}

/// `weir … | head -1`: the reader goes with its first line.
#[test]
fn a_reader_that_is_gone_is_no_error() {
    let place = Place::new();
    for command in [
        &["catalogue", "list"][..],
        &["catalogue", "explain", "gunicorn"],
        &["help", "exit-codes"],
        &["stack", "gunicorn", "--print"],
        &["doctor"],
    ] {
        let mut weir = place
            .weir(command)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(weir.stdout.take());
        let mut complaint = String::new();
        let mut errors = BufReader::new(weir.stderr.take().unwrap());
        errors.read_to_string(&mut complaint).unwrap();
        let code = weir.wait().unwrap().code();
        assert_eq!((code, complaint.as_str()), (Some(0), ""), "{command:?}");
    }
    place.assert_clean();
}

/// The same of standard error, which has notes and errors.
#[test]
fn an_error_that_nobody_reads_keeps_its_exit_code() {
    let place = Place::new();
    let mut weir = place
        .weir(&["run", "no-such-plan.toml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(weir.stderr.take());
    let mut line = String::new();
    let mut out = BufReader::new(weir.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    assert_eq!((weir.wait().unwrap().code(), line.as_str()), (Some(5), ""));
}
