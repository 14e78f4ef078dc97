//! What is said of programs that do not fit together, before anything is started.

use crate::support::{HELLO, catalogue_with, choice, composed, machine, variant, wsgi};
use record::Knob;

/// Requests per second for which ports would hardly last between machines.
const BUSY: f64 = 300.0;

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
upstream-idle = "none if knobs.idle == 0 else 1000000 if knobs.idle == 100 else knobs.idle"
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
    said_at(front, server, link, Some(BUSY))
}

/// Of clients that ask so often in a second.
fn said_at(
    front: &[(&str, i64)],
    server: &[(&str, Knob)],
    link: &str,
    rate: Option<f64>,
) -> String {
    let demo = wsgi(HELLO);
    let machine = machine(catalogue_with("gate.toml", FRONT));
    let knobs: Vec<_> = front
        .iter()
        .map(|(name, value)| (*name, Knob::Number(*value)))
        .collect();
    let variant = variant(
        Some(choice("gunicorn", server)),
        Some(choice("gate", &knobs)),
        link,
    );
    let composition = machine.compose(&variant, &demo.app).unwrap();
    let advice = stack::advice(&composition, 10.0, rate).unwrap();
    assert!(
        advice
            .iter()
            .all(|one| !one.source.is_empty() && one.variant == "variant")
    );
    whole(advice)
}

/// Each with what it means, a line each.
fn whole(advice: Vec<stack::Advice>) -> String {
    let lines = advice.into_iter().map(|one| {
        let means = one.means.map(|means| format!(": {means}"));
        one.text + &means.unwrap_or_default()
    });
    lines.collect::<Vec<_>>().join("\n")
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
    let endless = said(&[("idle", 100)], &threads(4), "tcp");
    assert!(
        endless.contains("keeps idle connections without end and `gunicorn` closes them after 2 s"),
        "{endless}"
    );
    let queue = said(&[("idle", 1), ("queue", 10)], &threads(4), "tcp");
    assert!(
        queue.contains("waits up to 10 s in the queue of `gate`"),
        "{queue}"
    );
    let killed = said(&[], &[("timeout", Knob::Number(5))], "unix");
    assert_eq!(
        killed,
        "`gunicorn` gives a request up after 5 s, and clients wait 10 s: slow responses become errors"
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
    assert_eq!(
        anew,
        "`gate` opens a connection to `gunicorn` for each request: on two machines the ports would last for 471 requests/s \
         (28232 ports, each kept for 60 s), which one machine does not show"
    );
    assert_eq!(said(&[], &threads(4), "unix"), "");
    // far from the end of them, or at a rate that nobody knows, it is nothing to think of
    for rate in [Some(200.0), None] {
        assert_eq!(said_at(&[], &threads(4), "tcp", rate), "");
    }
}

/// What is said of a front end of the catalogue before a server of it.
fn between(front: record::Choice, server: record::Choice, link: &str) -> String {
    let demo = wsgi(HELLO);
    let variant = variant(Some(server), Some(front), link);
    let composition = composed(&variant, &demo.app);
    whole(stack::advice(&composition, 600.0, Some(BUSY)).unwrap())
}

/// The rules know no server, and each entry says for itself what they are to be held against.
#[test]
fn entries_say_how_long_connections_are_kept() {
    let kept = ("nginx", Some(("upstream-keepalive", 8)));
    let plain = |name| (name, None);
    for ((front, knob), (server, link), expected) in [
        (
            kept,
            ("cheroot", "tcp"),
            "keeps idle connections for 60 s and `cheroot` closes",
        ),
        (
            kept,
            ("uwsgi", "uwsgi+tcp"),
            "`nginx` opens a connection to `uwsgi` for each request",
        ),
        (
            plain("lighttpd"),
            ("uwsgi", "fastcgi+tcp"),
            "`lighttpd` opens a connection to `uwsgi`",
        ),
        (
            plain("caddy"),
            ("flup", "fastcgi+tcp"),
            "`caddy` opens a connection to `flup`",
        ),
        (
            plain("apache"),
            ("cheroot", "tcp"),
            "without end and `cheroot` closes them after 10 s",
        ),
        (
            plain("apache"),
            ("uwsgi", "scgi+tcp"),
            "`apache` opens a connection to `uwsgi`",
        ),
        (
            plain("varnish"),
            ("cheroot", "tcp"),
            "keeps idle connections for 60 s and `cheroot`",
        ),
    ] {
        let knobs: Vec<_> = knob
            .map(|(name, value)| (name, Knob::Number(value)))
            .into_iter()
            .collect();
        let server = choice(server, &[]);
        let said = between(choice(front, &knobs), server, link);
        assert!(said.contains(expected), "{front} {link}: {said}");
    }
}

#[test]
fn entries_say_what_is_given_and_taken_at_once() {
    let number = |name, value| (name, Knob::Number(value));
    let four = [number("max-conns", 8), number("workers", 4)];
    let nginx = choice("nginx", &four);
    let said = between(nginx, choice("gunicorn", &threads(8)), "unix");
    assert!(
        said.contains("up to 32 connections, which works on 8 requests at once"),
        "{said}"
    );
    let zone = [&four[..], &[("upstream-zone", Knob::Switch(true))]].concat();
    let said = between(
        choice("nginx", &zone),
        choice("gunicorn", &threads(8)),
        "unix",
    );
    assert!(!said.contains("connections, which works on"), "{said}");

    let haproxy = choice("haproxy", &[number("server-maxconn", 50)]);
    let prefork = choice("flup-prefork", &[number("max-children", 10)]);
    let said = between(haproxy, prefork, "fastcgi+unix");
    assert!(
        said.contains("up to 50 connections, which works on 10 requests at once"),
        "{said}"
    );

    let queue = [
        number("server-maxconn", 1),
        number("timeout-queue", 700_000),
    ];
    let said = between(choice("haproxy", &queue), choice("bjoern", &[]), "unix");
    assert!(
        said.contains("waits up to 700 s in the queue of `haproxy`"),
        "{said}"
    );

    let caddy = choice("caddy", &[number("max-conns-per-host", 1)]);
    let said = between(caddy, choice("waitress", &[]), "unix");
    assert!(
        said.contains("which works on 4 requests at once: some of it stays idle"),
        "{said}"
    );
}
