//! What is said of programs that do not fit together, before anything is started.

mod support;

use record::Knob;
use stack::Catalogue;
use support::{HELLO, choice, stage, wsgi};

/// A front end whose knobs are its roles.
const FRONT: &str = r#"
name = "gate"
kind = "front-end"
title = "a front end"
home = "https://example.org"
runs = []
listens = { http1 = ["tcp"] }
speaks = { http1 = ["tcp", "unix"] }
argv = ["true", "{{ knobs.limit }}", "{{ knobs.idle }}", "{{ knobs.queue }}"]
[stop]
signal = "TERM"
grace = 1
[find]
version = { argv = ["true"], pattern = '(\d)' }
[roles]
upstream-limit = "knobs.limit"
upstream-idle = "none if knobs.idle == 0 else knobs.idle"
queue-timeout = "knobs.queue"
[knobs.limit]
type = "integer"
default = 0
min = 0
max = 100
unit = "connections"
help = "limit"
source = "here"
[knobs.idle]
type = "integer"
default = 0
min = 0
max = 100
unit = "seconds"
help = "idle"
source = "here"
[knobs.queue]
type = "integer"
default = 1
min = 0
max = 100
unit = "seconds"
help = "queue"
source = "here"
"#;

fn said(front: &[(&str, i64)], server: &[(&str, Knob)], link: &str) -> String {
    let demo = wsgi(HELLO);
    let folder = testkit::temp_dir();
    std::fs::write(folder.path().join("gate.toml"), FRONT).unwrap();
    let catalogue = Catalogue::load(&[folder.path().to_owned()]).unwrap();
    let knobs: Vec<_> = front
        .iter()
        .map(|(name, value)| (*name, Knob::Number(*value)))
        .collect();
    let stage = stage(
        Some(choice("gunicorn", server)),
        Some(choice("gate", &knobs)),
        link,
    );
    let composition = stack::compose(&stage, &demo.app, &catalogue).unwrap();
    let advice = stack::advice(&composition, 10.0).unwrap();
    assert!(
        advice
            .iter()
            .all(|one| !one.source.is_empty() && one.stage == "stage")
    );
    advice
        .into_iter()
        .map(|one| one.text)
        .collect::<Vec<_>>()
        .join("\n")
}

fn threads(count: i64) -> [(&'static str, Knob); 2] {
    [
        ("worker-class", Knob::Text("gthread".into())),
        ("threads", Knob::Number(count)),
    ]
}

#[test]
fn what_fits_together_is_not_spoken_of() {
    assert_eq!(said(&[("limit", 4), ("idle", 1)], &threads(4), "tcp"), "");
}

#[test]
fn limits_are_held_against_slots() {
    let many = said(&[("limit", 50), ("idle", 1)], &threads(4), "tcp");
    assert!(
        many.contains("up to 50 connections, which works on 4 requests at once: the others wait"),
        "{many}"
    );
    let few = said(&[("limit", 2), ("idle", 1)], &threads(4), "tcp");
    assert!(few.contains("some of it stays idle"), "{few}");
}

#[test]
fn whoever_gives_up_first_is_named() {
    let race = said(&[("idle", 5)], &threads(4), "tcp");
    assert!(
        race.contains("keeps idle connections for 5 s and `gunicorn` closes them after 2 s"),
        "{race}"
    );
    let queue = said(&[("idle", 1), ("queue", 10)], &threads(4), "tcp");
    assert!(
        queue.contains("waits up to 10 s in the queue of `gate`"),
        "{queue}"
    );
    let killed = said(&[], &[("timeout", Knob::Number(5))], "unix");
    assert_eq!(
        killed,
        "`gunicorn` gives a request up after 5 s, and clients wait 10 s: slow answers become errors"
    );
}

#[test]
fn accept_queues_and_ports_have_their_ends() {
    let long = said(
        &[("idle", 1)],
        &[threads(4).to_vec(), vec![("backlog", Knob::Number(65535))]].concat(),
        "tcp",
    );
    assert!(
        long.contains("asks for an accept queue of 65535, and the kernel cuts it"),
        "{long}"
    );
    let anew = said(&[], &threads(4), "tcp");
    assert!(
        anew.contains("opens a connection to `gunicorn` for each request"),
        "{anew}"
    );
    assert_eq!(said(&[], &threads(4), "unix"), "");
}
