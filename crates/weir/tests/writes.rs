//! Requests that change what an app keeps: sent only when they are meant, and what brings its data back.

use rustix::process::Signal;

use crate::support::{PATIENCE, Place, Said, kill};

/// It keeps what is posted in a file, and says how much there is after the first of it.
const KEEPS: &str = "
import os
def app(environ, start):
    with open('kept', 'a') as kept:
        kept.write('x')
    start('201 Created', [('Content-Type', 'text/plain')])
    return [b'kept']
";

/// Keeps what the last trial left, and notes that it ran.
const RESET: &str = "echo start >> starts; test ! -e kept || mv kept before";

fn asked<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let fixed = [
        "try",
        "mine:app",
        "--quick",
        "-n",
        "400",
        "-c",
        "4",
        "-X",
        "POST",
        "--status",
        "201",
        "--variants",
        "gunicorn-1,gunicorn-cores",
    ];
    [&fixed[..], more].concat()
}

fn trying(place: &Place, more: &[&str]) -> Said {
    place.run(&asked(more))
}

#[test]
fn a_post_is_refused_before_anything_starts_and_allowed_with_its_number() {
    let place = Place::new();
    place.write("mine.py", KEEPS);
    // three trials of 400 requests and a warm-up of 80
    let words = [
        "`POST /` may change what the app keeps: up to 1,440 such requests would be sent",
        "`--reset 'CMD'`",
        "`--yes-write`",
    ];
    trying(&place, &[]).fails(2, &words);
    assert!(!place.path("kept").exists(), "nothing was sent");
    let said = trying(&place, &["--yes-write", "--faults"]);
    said.measured();
    let told = said.err.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "1,440 requests `POST /` will be sent, in 3 trials, and a few before each to compare its answers; nothing brings",
        "`--faults` came to nothing: it takes an app",
    ] {
        assert!(told.contains(words), "{words}: {}", said.err);
    }
    place.assert_clean();
}

#[test]
fn a_reset_runs_in_the_apps_folder_before_each_start_and_at_the_end() {
    let place = Place::new();
    place.write("mine.py", KEEPS);
    let said = trying(&place, &["--reset", RESET]);
    said.measured();
    assert!(
        said.err.contains("runs before each start of the app"),
        "{}",
        said.err
    );
    let starts = std::fs::read_to_string(place.path("starts")).unwrap();
    assert!(
        starts.lines().count() > 3,
        "trials, and the first look: {starts}"
    );
    assert!(!place.path("kept").exists(), "the last trial's is gone");
    let kept = std::fs::metadata(place.path("before")).unwrap().len();
    assert!((480..1_000).contains(&kept), "of one trial: {kept}");
    place.assert_clean();
}

#[test]
fn a_reset_follows_a_ctrl_c() {
    let place = Place::new();
    place.write("mine.py", KEEPS);
    let mut weir = place.start(&asked(&["--reset", RESET]));
    let kept = place.path("kept");
    assert!(testkit::eventually(PATIENCE, || kept.exists()));
    kill(&weir, Signal::INT);
    assert_eq!(weir.wait().unwrap().code(), Some(130));
    assert!(!kept.exists(), "what was begun is undone");
    place.assert_clean();
}

#[test]
fn a_reset_that_fails_is_told_once_with_its_last_lines() {
    let place = Place::new();
    place.write("mine.py", KEEPS);
    let said = trying(&place, &["--reset", "echo no such table; exit 3"]);
    said.fails(7, &["ended with code 3", "| no such table"]);
    let asked = said.err.matches("taking the reference responses").count();
    assert!(asked <= 1, "by one server: {}", said.err);
    place.assert_clean();
}
