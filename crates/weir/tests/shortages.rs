//! What this machine runs out of, and what was taken away from weir: told by its own name, and never as a server
//! that is missing.

use std::fs;

use crate::support::through::{after, mounted};
use crate::support::{Place, Said, python, said};

const FINE: &str = "def app(environ, start):
    start('200 OK', [('Content-Length', '2')])
    return [b'ok']
";

/// An app and a plan of one variant in `gunicorn`.
fn place(source: &str) -> Place {
    let place = Place::new();
    place.app(source);
    place.plan("[[variant]]\nname = \"one\"\nroute = \"/\"\nserver = \"gunicorn\"\n");
    place
}

fn run(place: &Place) -> Vec<String> {
    let python = python().display().to_string();
    let plan = place.path("plan.toml").display().to_string();
    ["run", &plan, "--python", &python]
        .map(str::to_owned)
        .to_vec()
}

fn words(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

/// No error speaks of what is not the reason.
fn blames_no_server(said: &Said) {
    for word in ["is missing", "pip install", "install it"] {
        assert!(!said.err.contains(word), "{}", said.err);
    }
}

#[test]
fn too_few_descriptors_are_told_as_such() {
    let place = place(FINE);
    let args = run(&place);
    for limit in [6, 8, 10, 12, 16, 20] {
        let said = said(after(&place, &format!("ulimit -n {limit}"), &words(&args)));
        blames_no_server(&said);
        // a thread of the load engine needs 16 besides its connections
        if limit > 16 && said.code != 11 {
            said.measured();
        } else {
            said.fails(11, &["open files", "ulimit -n"]);
        }
    }
}

#[test]
fn a_name_is_not_looked_up_without_descriptors() {
    let place = Place::new();
    for limit in [4, 5, 6, 7, 8] {
        let args = ["bench", "http://no.such.host.invalid/", "-n", "1"];
        let said = said(after(&place, &format!("ulimit -n {limit}"), &args));
        // never that no address is known: the name was not looked up
        said.fails(11, &["ulimit -n"]);
    }
}

#[test]
fn a_folder_for_temporary_files_that_is_not_there_is_named() {
    let place = place(FINE);
    let args = run(&place);
    let mut weir = place.weir(&words(&args));
    weir.env("TMPDIR", "/no/such/folder");
    let said = said(weir);
    blames_no_server(&said);
    said.fails(1, &["/no/such/folder", "set TMPDIR"]);
}

#[test]
fn a_folder_that_is_gone_is_told_as_such() {
    let place = place(FINE);
    fs::create_dir(place.path("gone")).unwrap();
    let args = run(&place);
    let gone = [
        after(&place, "cd gone && rmdir ../gone", &words(&args)),
        after(
            &place,
            "mkdir gone && cd gone && rmdir ../gone",
            &["stack", "gunicorn"],
        ),
    ];
    for command in gone {
        let said = said(command);
        blames_no_server(&said);
        said.fails(1, &["the folder that weir runs in", "go to a folder"]);
    }
}

/// With a disk of so many megabytes in place of the folder for temporary files.
fn small_disk(place: &Place, megabytes: u32, then: &str, args: &[&str]) -> Said {
    let tmp = place.path("tmp").display().to_string();
    let mount = format!("mount -t tmpfs -o size={megabytes}m none {tmp} && {then}");
    said(mounted(place, &mount, args))
}

#[test]
fn a_full_disk_is_told_as_such() {
    let place = place(FINE);
    let args = run(&place);
    let fill = format!(
        "(head -c 10m /dev/zero > {0}/filled 2>/dev/null || true)",
        place.path("tmp").display()
    );
    let said = small_disk(&place, 1, &fill, &words(&args));
    blames_no_server(&said);
    said.fails(11, &["the disk", "full", "TMPDIR"]);
}

#[test]
fn a_server_that_fills_the_disk_is_told_as_such() {
    let place = place(
        "import os, tempfile
with open(os.path.join(tempfile.gettempdir(), 'filled'), 'wb') as filled:
    try:
        while True:
            filled.write(b'x' * 65536)
            filled.flush()
    except OSError:
        pass
def app(environ, start):
    start('500 No', [('Content-Length', '2')])
    return [b'no']
",
    );
    let mut args = run(&place);
    args.extend(["--ready-timeout", "10s"].map(str::to_owned));
    let said = small_disk(&place, 8, "true", &words(&args));
    said.fails(11, &["the disk of `", "is full"]);
}

#[test]
fn without_proc_it_is_told_what_to_mount() {
    let place = place(FINE);
    let args = run(&place);
    let hide = "mount -t tmpfs none /proc";
    let said = said(mounted(&place, hide, &words(&args)));
    blames_no_server(&said);
    said.fails(1, &["mount `/proc`"]);
}

/// The entry of nginx with another program in place of it.
fn asked(place: &Place, script: &str) -> Said {
    let program = place.write("program", &format!("#!/bin/sh\n{script}\n"));
    testkit::executable(&program);
    let file = crate::support::repository().join("catalogue/front-ends/nginx.toml");
    let text = fs::read_to_string(file).unwrap();
    let own = format!("program = \"{}\"", program.display());
    place.write("own/nginx.toml", &text.replace("program = \"nginx\"", &own));
    place.run(&["stack", "nginx", "--catalogue", "own"])
}

#[test]
fn a_program_that_cannot_be_asked_is_not_missing() {
    let place = Place::new();
    let killed = asked(&place, "kill -9 $$");
    blames_no_server(&killed);
    killed.fails(7, &["could not be asked: was ended by signal 9"]);
    let short = asked(
        &place,
        "echo 'open() failed (24: Too many open files)' >&2; exit 1",
    );
    blames_no_server(&short);
    short.fails(11, &["too many open files", "ulimit -n"]);
    let missing = asked(&place, "echo 'cannot find my library' >&2; exit 127");
    assert!(
        missing.out.contains("it is not installed"),
        "{}{}",
        missing.out,
        missing.err
    );
}

#[test]
fn a_guardian_that_is_killed_is_told_as_such() {
    let place = Place::new();
    let said = asked(&place, "kill -9 $PPID; sleep 10");
    blames_no_server(&said);
    said.fails(7, &["guardian"]);
    place.assert_clean();
}

#[test]
fn logs_are_bounded_and_their_lines_are_cut() {
    let place = place(
        "import sys
sys.stderr.write('first\\n' + 'x' * 65536 + '\\n')
def app(environ, start):
    for _ in range(2):
        sys.stderr.write(('y' * 1023 + '\\n') * 1024)
    sys.stderr.write('z' * 65536 + '\\nlast\\n')
    sys.stderr.flush()
    start('200 OK', [('Content-Length', '2')])
    return [b'ok']
",
    );
    let args = run(&place);
    place.run(&words(&args));
    let run = place.exported("1");
    let tails: Vec<_> = run["trials"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|trial| trial["outcome"]["measured"]["stack"]["servers"].as_array())
        .flatten()
        .map(|server| server["log_tail"].as_array().unwrap().clone())
        .collect();
    assert!(!tails.is_empty(), "{run}");
    for tail in tails {
        let lines: Vec<_> = tail.iter().map(|line| line.as_str().unwrap()).collect();
        let first = lines[0];
        assert!(
            first.contains("MiB in the middle of this log were not kept"),
            "{lines:?}"
        );
        assert!(
            lines.iter().all(|line| line.chars().count() < 500),
            "{lines:?}"
        );
    }
}
