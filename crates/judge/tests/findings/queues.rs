//! Which accept queue is full, and whose it is.

use crate::lab::stage::{first, found, server, slots, times};
use judge::{Confidence, Finding, FindingKind};
use record::{Cause, Measured, NetworkFacts, QueueFacts, SocketFacts};

/// The queue of the server at this address was full in so many of 50 looks, 20 of which were at connections, too, and so many requests
/// failed.
fn seen_full(address: &'static str, full: u32, failed: u64) -> impl Fn(&mut Measured) {
    move |facts| {
        let knobs = [("workers", 1), ("backlog", 64)];
        facts.stack.servers = vec![server("nginx", &[]), server("gunicorn", &knobs)];
        facts.observed.sockets = Some(SocketFacts {
            looks: 20,
            queue_looks: Some(50),
            ..SocketFacts::default()
        });
        facts.observed.queues = vec![QueueFacts {
            program: "gunicorn".to_owned(),
            address: address.to_owned(),
            waiting: 65,
            room: 64,
            full,
            ..QueueFacts::default()
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
    let because = "the accept queue of `gunicorn` at /run/app.sock was full in 7 of 50 looks, with room for 64 connections";
    assert_eq!(found.because, because);
    let raise = "raise `backlog` of `gunicorn` from 64 to 2048";
    assert!(found.next.starts_with(raise), "{found:?}");
    // one attempt that a listener over TCP turned away is no reason not to look at it
    let found = overflow(|facts| {
        seen_full(path, 7, 200)(facts);
        facts.observed.queues.push(QueueFacts {
            program: "nginx".to_owned(),
            address: "127.0.0.1:8080".to_owned(),
            dropped: Some(1),
            ..QueueFacts::default()
        });
    });
    assert_eq!(found.unwrap().because, because);
    // as it was stored before looks at queues were counted by themselves
    let before = overflow(|facts| {
        seen_full(path, 7, 200)(facts);
        let sockets = facts.observed.sockets.as_mut().unwrap();
        sockets.queue_looks = None;
    });
    assert_eq!(before.unwrap().because, because.replace("50", "20"));
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

/// What is said where the kernel counted 300 attempts in this network, and the listener of gunicorn turned so many away.
fn turned_away(own_network: bool, dropped: Option<u64>) -> Option<Finding> {
    overflow(move |facts| {
        seen_full("127.0.0.1:8000", 0, 0)(facts);
        facts.observed.queues[0].dropped = dropped;
        facts.load.connects = 1_000;
        facts.load.connect = times(1.0);
        facts.load.service = times(0.02);
        facts.load.network = Some(NetworkFacts {
            queue_full: 300,
            own: own_network,
            ..NetworkFacts::default()
        });
    })
}

/// In the machine's network the full queue may be that of a server which nobody asked about.
#[test]
fn what_the_listeners_of_others_turn_away_is_no_queue_of_the_stack() {
    let found = turned_away(false, Some(280)).unwrap();
    let told = [
        "280 attempts to connect met a full accept queue",
        "`gunicorn` at 127.0.0.1:8000 was full in 0 of 50 looks",
        "its listener turned 280 attempts away",
    ];
    assert!(
        told.iter().all(|words| found.because.contains(words)),
        "{found:?}"
    );
    assert!(turned_away(false, Some(0)).is_none());
    assert!(turned_away(false, None).is_some(), "it is not known whose");
    // what a listener turned away for another reason met no full queue
    let found = turned_away(true, Some(900)).unwrap();
    assert!(found.because.contains("300 attempts"), "{found:?}");
}

#[test]
fn where_workers_are_taken_it_is_told_how_many_requests_they_have_not_begun_to_read() {
    let told = |unread| {
        let found = first(move |facts| {
            seen_full("127.0.0.1:8000", 0, 0)(facts);
            slots(facts, Some(2.0), 0.02);
            facts.observed.queues[0].unread = unread;
        });
        assert_eq!(found.finding.kind, FindingKind::SlotsFull);
        found.finding.because
    };
    let because = told(Some(150));
    let end = "; 7.50 requests had not been read yet, on average";
    assert!(because.ends_with(end), "{because}");
    assert!(told(Some(15)).ends_with("wait for something else"));
    assert!(told(None).ends_with("wait for something else"));
}
