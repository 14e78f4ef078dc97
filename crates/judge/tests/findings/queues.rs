//! Which accept queue is full, and whose it is.

use crate::lab::stage::{found, server, times};
use judge::{Confidence, Finding, FindingKind};
use record::{Cause, Measured, NetworkFacts, QueueFacts, SocketFacts};

/// The queue of the server at this address was full in so many of 20 looks, and so many requests failed.
fn seen_full(address: &'static str, full: u32, failed: u64) -> impl Fn(&mut Measured) {
    move |facts| {
        let knobs = [("workers", 1), ("backlog", 64)];
        facts.stack.servers = vec![server("nginx", &[]), server("gunicorn", &knobs)];
        facts.observed.sockets = Some(SocketFacts {
            looks: 20,
            ..SocketFacts::default()
        });
        facts.observed.queues = vec![QueueFacts {
            program: "gunicorn".to_owned(),
            address: address.to_owned(),
            waiting: 65,
            room: 64,
            full,
        }];
        facts.load.failed = [(Cause::Status, failed)].into();
        facts.load.scheduled += failed;
    }
}

/// What is said of a full queue, if anything is.
fn overflow(spoil: impl Fn(&mut Measured)) -> Option<Finding> {
    let mut found = found(spoil).into_iter().map(|of| of.finding);
    found.find(|of| of.kind == FindingKind::QueueOverflow)
}

#[test]
fn a_unix_queue_is_told_where_it_was_full_and_requests_failed() {
    let told = |address, full, failed| overflow(seen_full(address, full, failed)).is_some();
    let path = "/run/app.sock";
    assert!(told(path, 7, 200));
    assert!(told("@app", 7, 200));
    assert!(!told(path, 0, 200), "it was long, and never full");
    assert!(!told(path, 7, 0), "whoever found it full waited");
    assert!(!told("127.0.0.1:8000", 7, 200), "over TCP it is counted");
    let found = overflow(seen_full(path, 7, 200)).unwrap();
    assert_eq!(found.confidence, Confidence::Likely);
    let because = "the accept queue of `gunicorn` at /run/app.sock was full in 7 of 20 looks, with room for 64 connections";
    assert_eq!(found.because, because);
    let raise = "raise `backlog` of `gunicorn` from 64 to 2048";
    assert!(found.next.starts_with(raise), "{found:?}");
}

#[test]
fn the_server_whose_queue_was_full_gets_the_longer_one() {
    let finding = overflow(|facts| {
        seen_full("127.0.0.1:8080", 3, 0)(facts);
        facts.stack.servers[0] = server("nginx", &[("backlog", 16)]);
        facts.observed.queues[0].program = "nginx".to_owned();
        facts.load.connects = 1_000;
        facts.load.service = times(0.02);
        facts.load.network = Some(NetworkFacts {
            queue_full: 300,
            own: true,
            ..NetworkFacts::default()
        });
    })
    .unwrap();
    assert_eq!(finding.confidence, Confidence::Counted);
    let both = [
        "300 attempts to connect",
        "queue of `nginx` at 127.0.0.1:8080",
    ];
    assert!(
        both.iter().all(|words| finding.because.contains(words)),
        "{finding:?}"
    );
    let raise = "raise `backlog` of `nginx` from 16 to 2048";
    assert!(finding.next.starts_with(raise), "{finding:?}");
}
