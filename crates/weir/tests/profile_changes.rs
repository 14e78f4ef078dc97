//! Profiles of a process beside earlier ones of it.

use std::fs;
use std::process::Command;

use crate::profile_running::ready;
use crate::support::Place;
use crate::support::schema::assert_is;

#[test]
fn two_profiles_of_a_process_are_compared_by_their_files() {
    let place = Place::new();
    let mut python = ready(MOVES);
    let pid = python.id().to_string();
    let sampled = ["profile", "--pid", &pid, "--seconds", "2s"];
    let into = |more: &[&str]| place.run(&[&sampled[..], more].concat());
    let before = into(&["--out", "before"]);
    let same = into(&["--out", "after", "--diff", "before"]);
    assert!(place.path("after/difference.svg").exists());
    let moved = Command::new("kill").args(["-USR1", &pid]).status();
    assert!(moved.unwrap().success());
    let after = into(&["--out", "after", "--diff", "before"]);
    let json = into(&["--diff", "before", "--json"]).json();
    python.kill().unwrap();
    python.wait().unwrap();
    for said in [&before, &same, &after] {
        assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    }
    assert!(!before.out.contains("Against"), "{}", before.out);
    assert!(same.out.contains("none surely takes"), "{}", same.out);
    assert!(after.out.contains("Against `before`"), "{}", after.out);
    let row = after.out.lines().find(|line| line.contains("+1"));
    assert!(
        row.is_some_and(|row| row.contains("late (")),
        "{}",
        after.out
    );
    assert_is("profile", &json);
    let changed = json["changes"]["functions"].as_array().unwrap();
    assert_eq!(changed.len(), 2, "{json:#}");
    assert!(!place.path("before/difference.svg").exists());
    let svg = fs::read_to_string(place.path("after/difference.svg")).unwrap();
    assert!(
        svg.contains("late") && svg.contains("against before"),
        "{svg}"
    );
}

/// Computes in one function, and in another one from a signal on.
const MOVES: &str = "import signal\nmoved = []\nsignal.signal(signal.SIGUSR1, lambda *_: moved.append(1))\n\
                     def early():\n  while not moved: pass\n\
                     def late():\n  while True: pass\n\
                     print('ready', flush=True)\nearly()\nlate()\n";

#[test]
fn files_of_an_earlier_profile_do_not_stay_beside_those_of_another() {
    let place = Place::new();
    let mut python = ready(MOVES);
    let pid = python.id().to_string();
    let sampled = ["profile", "--pid", &pid, "--seconds", "1s", "--out", "out"];
    place.run(&sampled).succeeds();
    place
        .run(&[&sampled[..], &["--diff", "out"]].concat())
        .succeeds();
    assert!(place.path("out/difference.svg").exists());
    place.run(&sampled).succeeds();
    assert!(!place.path("out/difference.svg").exists());
    // and a file of the user's in a folder where no profile was
    place.write("own/difference.svg", "mine");
    let own = ["--out", "own"];
    place.run(&[&sampled[..5], &own].concat()).succeeds();
    python.kill().unwrap();
    python.wait().unwrap();
    let kept = fs::read_to_string(place.path("own/difference.svg"));
    assert_eq!(kept.unwrap(), "mine");
}

/// Before anything is sampled.
#[test]
fn what_is_wrong_with_the_earlier_profile_is_said_at_once() {
    let place = Place::new();
    place.write("no.folded", "<svg>\n");
    place.write("empty/other", "");
    let mut python = ready("print('ready', flush=True)\nimport time\ntime.sleep(1e4)\n");
    let pid = python.id().to_string();
    for (earlier, code, words) in [
        ("no.folded", 5, "line 1 is no stack"),
        ("nowhere", 2, "cannot read `nowhere`"),
        (
            "empty",
            2,
            "`empty` has no profile: no `profile.folded` in it",
        ),
    ] {
        let for_long = ["profile", "--pid", &pid, "--seconds", "1h", "--out", "out"];
        let said = place.run(&[&for_long[..], &["--diff", earlier]].concat());
        assert_eq!(said.code, code, "{}", said.err);
        assert!(said.err.contains(words), "{}", said.err);
        assert!(said.err.contains("hint: name a run"), "{}", said.err);
    }
    python.kill().unwrap();
    python.wait().unwrap();
    assert!(!place.path("out").exists());
}
