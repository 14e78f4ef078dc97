//! Connections that hold workers, and ask for nothing.

use crate::lab::stage::{found, kinds, server, slots};
use judge::{About, Confidence, Cost, Finding, FindingKind};
use record::{Measured, QueueFacts, SocketFacts};

/// Looks at connections.
const LOOKS: u32 = 20;

/// Ten requests in progress, of a server that works on two at once: so many connections it had accepted, and so many requests it had
/// not read, of all looks together; one alone takes so many seconds.
fn held(accepted: Option<u64>, unread: u64, alone: f64) -> impl Fn(&mut Measured) {
    move |facts| {
        facts.stack.servers = vec![server("gunicorn", &[("workers", 2)])];
        slots(facts, Some(2.0), alone);
        facts.observed.sockets = Some(SocketFacts {
            looks: LOOKS,
            ..SocketFacts::default()
        });
        facts.observed.queues = vec![QueueFacts {
            program: "gunicorn".to_owned(),
            address: "127.0.0.1:8000".to_owned(),
            unread: Some(unread),
            unaccepted: Some(unread),
            accepted,
            ..QueueFacts::default()
        }];
    }
}

/// What is said of connections that hold workers, if anything is.
fn told(spoil: impl Fn(&mut Measured)) -> Option<Finding> {
    let mut found = found(spoil).into_iter().map(|of| of.finding);
    found.find(|of| of.kind == FindingKind::IdleConnections)
}

#[test]
fn workers_that_idle_connections_hold_are_told_from_those_that_requests_take() {
    let idle = told(held(Some(40), 185, 0.005)).unwrap();
    let because = "`gunicorn` works on 2 requests at once and had accepted 2.00 connections, but";
    assert!(idle.because.starts_with(because), "{idle:?}");
    assert!(idle.because.contains("and 9.25 waited unread"), "{idle:?}");
    assert!(
        idle.next.starts_with("put a front end before `gunicorn`"),
        "{idle:?}"
    );
    assert_eq!(
        (idle.confidence, idle.cost),
        (Confidence::Likely, Cost::Variant)
    );
    assert_eq!(idle.kind.rule().about, About::Limit);
    assert!(idle.gain > Some(1.0), "{idle:?}");
    let kinds = kinds(held(Some(40), 185, 0.005));
    assert_eq!(kinds[0], FindingKind::IdleConnections);
    assert!(!kinds.contains(&FindingKind::SlotsFull), "{kinds:?}");
    assert!(!kinds.contains(&FindingKind::AcceptQueue), "{kinds:?}");
}

#[test]
fn workers_that_have_requests_are_taken_by_these() {
    fn full(spoil: impl Fn(&mut Measured)) -> bool {
        let kinds = kinds(spoil);
        assert!(!kinds.contains(&FindingKind::IdleConnections), "{kinds:?}");
        kinds.contains(&FindingKind::SlotsFull)
    }
    assert!(full(held(Some(40), 160, 0.005)), "it had read two");
    assert!(full(held(Some(40), 185, 0.019)), "each takes that long");
    assert!(full(held(Some(30), 185, 0.005)), "a worker had none");
    assert!(full(held(None, 185, 0.005)), "nobody counted them");
    let accepted = |facts: &mut Measured| {
        held(Some(200), 185, 0.005)(facts);
        facts.observed.queues[0].unaccepted = Some(15);
    };
    assert!(full(accepted), "it reads several connections at once");
}

/// What a front end keeps open holds the workers behind it.
#[test]
fn a_front_end_is_told_to_keep_no_connections_to_them() {
    let behind = |kept: i64| {
        let spoil = move |facts: &mut Measured| {
            held(Some(40), 185, 0.005)(facts);
            let front = server("nginx", &[("upstream-keepalive", kept)]);
            facts.stack.servers.insert(0, front);
        };
        told(spoil).unwrap().next
    };
    let set = behind(64);
    assert!(
        set.starts_with("set `upstream-keepalive` of `nginx` to 0"),
        "{set}"
    );
    let open = behind(0);
    assert!(open.starts_with("let `nginx` open a connection"), "{open}");
}
