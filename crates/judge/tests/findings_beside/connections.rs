//! Connections that are opened again and again, and those that are kept and wait for their turn.

use crate::lab::stage::{found, kinds, server, slots};
use judge::FindingKind;
use record::{Distribution, Measured, NetworkFacts, ServerFacts};

#[test]
fn connections_that_are_opened_for_each_request_are_told_by_who_opens_them() {
    let opened = |clients, opened| {
        found(move |facts: &mut Measured| {
            facts.load.connects = clients;
            facts.load.network = Some(NetworkFacts {
                opened,
                ..NetworkFacts::default()
            });
        })
        .into_iter()
        .find(|of| of.finding.kind == FindingKind::ConnectionChurn)
        .map(|of| of.finding.next)
    };
    let alone = kinds(|facts: &mut Measured| {
        facts.stack.servers.remove(0);
        facts.load.network = Some(NetworkFacts {
            opened: 1_010,
            ..NetworkFacts::default()
        });
    });
    assert!(
        !alone.contains(&FindingKind::ConnectionChurn),
        "others of this machine opened them"
    );
    assert_eq!(opened(10, 20), None);
    let next = opened(10, 1_010).unwrap();
    assert!(next.contains("front end keep its connections"), "{next}");
    assert!(!next.contains("let the app keep"), "{next}");
    let next = opened(1_000, 1_000).unwrap();
    assert!(next.starts_with("let clients keep"), "{next}");
    let next = opened(1_000, 2_000).unwrap();
    assert!(next.starts_with("let the front end keep"), "{next}");
    assert!(next.contains("; let clients keep"), "{next}");
}

/// Whose connections are to be kept, where each response costs the stack one: of an app with a database, and what before it.
#[test]
fn connections_of_the_stack_are_kept_by_whoever_there_is() {
    let next = |fronts: bool| {
        let found = found(move |facts: &mut Measured| {
            if !fronts {
                facts.stack.servers.remove(0);
            }
            facts.stack.servers.push(ServerFacts {
                service: Some("database".to_owned()),
                ..server("postgresql", &[])
            });
            facts.load.network = Some(NetworkFacts {
                opened: 1_010,
                ..NetworkFacts::default()
            });
        });
        let mut found = found.into_iter();
        let churn = found.find(|of| of.finding.kind == FindingKind::ConnectionChurn);
        churn.unwrap().finding.next
    };
    let app = "let the app keep its connections to what it asks (a pool, a session, persistent connections)";
    assert_eq!(next(false), app);
    let both = next(true);
    assert!(
        both.starts_with("let the front end keep its connections") && both.ends_with(app),
        "{both}"
    );
}

/// Of a server with one slot that answers so many requests of a kept connection in a row, and two clients and more: so many of
/// 1,000 responses take 200 ms, and the others 2.
fn in_turns(turn: i64, late: u64) -> Vec<FindingKind> {
    kinds(move |facts: &mut Measured| {
        facts.stack.servers = vec![server("puma", &[("max-fast-inline", turn)])];
        slots(facts, Some(1.0), 0.002);
        let load = &mut facts.load;
        load.spoken.get_or_insert_default().keep_alive = true;
        load.response = Distribution::default();
        for request in 0..1_000 {
            let milliseconds = if request < late { 200 } else { 2 };
            load.response.record(milliseconds * 1_000_000);
        }
        load.service = load.response.clone();
    })
}

#[test]
fn kept_connections_that_wait_for_their_turn_are_told() {
    let told = |turn, late| in_turns(turn, late).contains(&FindingKind::ConnectionTurns);
    assert!(told(10, 100));
    assert!(!told(1, 100), "all have the same turn");
    assert!(!told(10, 10), "far fewer are late than turns begin");
    assert!(!told(10, 300), "and far more");
}
