//! What an entry says of its knobs: true of the program, and found by who looks for it.

use serde_json::Value;

use super::{file_of, python};
use crate::support::Place;

/// An entry names the command by which its program tells its defaults, and a check compares.
#[test]
fn defaults_are_what_the_programs_say() {
    let place = Place::new();
    let texts = ["-q", "--json", "catalogue", "check", "--texts"];
    let said = place.run(&[&texts[..], &["waitress", "--python", &python()]].concat());
    assert_eq!(said.code, 0, "{}", said.err);
    let checked: Vec<Value> = serde_json::from_str(&said.out).unwrap();
    let confirmed = checked[0]["confirmed"].as_array().unwrap();
    assert!(confirmed.len() >= 12, "{confirmed:?}");
    let wrong = std::fs::read_to_string(file_of("waitress"))
        .unwrap()
        .replace("default = 1024", "default = 1025");
    let file = place.write("waitress.toml", &wrong).display().to_string();
    let said = place.run(&[
        "-q",
        "catalogue",
        "check",
        "--texts",
        &file,
        "--python",
        &python(),
    ]);
    let words = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(said.code, 5, "{words}");
    assert!(
        words.contains("says that the default of `backlog` is `1024`, and the entry says `1025`"),
        "{words}"
    );
}

#[test]
fn a_knob_is_found_and_explained_with_its_default_here() {
    let place = Place::new();
    let python = python();
    let run = |words: &[&str]| {
        let said = place.run(&[&["catalogue", "--python", &python], words].concat());
        assert_eq!(said.code, 0, "{}", said.err);
        said.out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let keepalive = run(&["explain", "nginx", "upstream-keepalive"]);
    let here = keepalive.split("default here (").nth(1).unwrap();
    let (version, rest) = here.split_once("): ").unwrap();
    assert!(version.starts_with("1."), "{keepalive}");
    assert!(
        rest.contains("32") && rest.contains("1.29.7"),
        "{keepalive}"
    );
    assert_eq!(run(&["explain", "nginx.upstream-keepalive"]), keepalive);
    let class = run(&["explain", "gunicorn", "worker-class"]);
    assert!(
        class.contains("): sync; asgi for asgi apps range: one of sync, gthread"),
        "{class}"
    );
    let everywhere = run(&["explain", "maxconn"]);
    assert!(
        everywhere.contains("maxconn of haproxy")
            && everywhere.contains("server-maxconn of haproxy"),
        "{everywhere}"
    );
    let found = run(&["search", "queue", "503"]);
    for (knob, entry) in [
        ("timeout-queue", "haproxy"),
        ("max-request-queue-size", "passenger"),
    ] {
        assert!(found.contains(&format!("{knob} of {entry}")), "{found}");
    }
    assert!(!found.contains("worker-class"), "{found}");
    assert!(run(&["search", "no-such-word"]).starts_with("No knob has these words"));
    let said = place.run(&["catalogue", "explain", "maxcon-n"]);
    assert!(
        said.err.contains("weir catalogue search maxcon-n"),
        "{}",
        said.err
    );
}
