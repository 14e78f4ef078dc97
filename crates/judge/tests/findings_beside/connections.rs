//! Connections that are opened again and again, and those that are kept and wait for their turn.

use crate::lab::stage::{RATE, at_a_rate, found, kinds, process, server, slots};
use judge::{Confidence, Finding, FindingKind};
use record::{CrowdFacts, CrowdFigures, Distribution, Habit, Measured, NetworkFacts, ServerFacts};

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

/// A front end that keeps so many idle connections to a server that keeps them or not, joined by this link, with a thousand
/// responses; so many connections were opened in a network of their own, ten by clients.
fn joined(kept: i64, keeps: bool, link: &'static str, opened: u64) -> impl Fn(&mut Measured) {
    move |facts| {
        facts.stack.servers = vec![
            server("nginx", &[("upstream-keepalive", kept)]),
            ServerFacts {
                link: Some(link.parse().unwrap()),
                keeps: Some(keeps),
                ..server("gunicorn", &[])
            },
        ];
        facts.load.network = Some(NetworkFacts {
            opened,
            own: true,
            ..NetworkFacts::default()
        });
    }
}

fn churn(of: impl Fn(&mut Measured)) -> Option<Finding> {
    let mut found = found(of).into_iter().map(|of| of.finding);
    found.find(|of| of.kind == FindingKind::ConnectionChurn)
}

#[test]
fn a_front_end_that_keeps_no_connections_is_told_by_which_knob_it_does() {
    let anew = churn(joined(0, true, "http+tcp", 990)).unwrap();
    let counted = "programs of the stack 0.980 more over TCP";
    assert!(anew.because.ends_with(counted), "{}", anew.because);
    assert!(
        anew.next
            .starts_with("set `upstream-keepalive` of `nginx` to 32"),
        "{}",
        anew.next
    );
    assert_eq!(anew.confidence, Confidence::Counted);
    let change = anew.change.unwrap().to_string();
    assert_eq!(change, "front.upstream-keepalive = 32");
    assert_eq!(churn(joined(32, true, "http+tcp", 20)), None, "it does");
}

/// In the machine's network others open connections, too.
#[test]
fn more_connections_than_a_front_end_opens_are_no_evidence_about_it() {
    let told = |own, opened| {
        churn(move |facts: &mut Measured| {
            joined(0, true, "http+tcp", opened)(facts);
            facts.load.network.as_mut().unwrap().own = own;
        })
    };
    let few = told(false, 1_300).unwrap();
    assert_eq!(few.confidence, Confidence::Likely);
    assert_eq!(told(false, 2_790), None, "others opened most of them");
    let app = told(true, 2_790).unwrap();
    assert_eq!(app.confidence, Confidence::Counted, "nobody else is there");
}

#[test]
fn what_a_front_end_cannot_change_is_not_advised_for_it() {
    let told = churn(joined(32, true, "http+tcp", 990)).unwrap();
    assert!(told.next.contains("where it does, and these close them"));
    let closes = churn(joined(0, false, "http+tcp", 990)).unwrap();
    assert!(
        closes.next.contains("`gunicorn` keeps none as it is set"),
        "{}",
        closes.next
    );
    let other = churn(joined(0, true, "uwsgi+tcp", 990)).unwrap();
    // over a Unix socket no connection of TCP is the front end's
    let unix = churn(joined(0, true, "http+unix", 990)).unwrap();
    assert!(unix.next.starts_with("let the app keep"), "{}", unix.next);
    let asks = churn(|facts: &mut Measured| {
        joined(0, true, "http+tcp", 990)(facts);
        facts.stack.servers.push(ServerFacts {
            service: Some("database".to_owned()),
            ..server("postgresql", &[])
        });
    });
    for none in [told, closes, other, unix, asks.unwrap()] {
        assert_eq!(none.change, None, "{}", none.next);
    }
}

#[test]
fn a_front_end_that_keeps_its_connections_is_not_advised_to() {
    let next = |of: &dyn Fn(&mut Measured)| {
        let found = found(|facts: &mut Measured| {
            of(facts);
            facts.processes[1] = process("nginx", 0.9);
            facts.processes[0] = process("gunicorn", 0.8);
        });
        let mut found = found.into_iter().map(|of| of.finding);
        let heavy = found.find(|of| of.kind == FindingKind::FrontHeavier);
        heavy.unwrap().next
    };
    let advised = |of: &dyn Fn(&mut Measured)| next(of).contains("keep its connections");
    assert!(!advised(&joined(32, true, "http+tcp", 20)));
    assert!(advised(&joined(0, true, "http+tcp", 990)));
    assert!(advised(&joined(32, true, "http+unix", 20)), "unknown");
    assert!(advised(&|_: &mut Measured| ()), "unknown");
    // what clients or a crowd had open before the window is no evidence of what was opened in it
    let few = |facts: &mut Measured| {
        joined(32, true, "http+tcp", 20)(facts);
        facts.load.connections = 200;
    };
    assert!(advised(&few));
    let crowded = |facts: &mut Measured| {
        joined(32, true, "http+tcp", 20)(facts);
        let idle = CrowdFigures {
            opened: 200,
            ..CrowdFigures::default()
        };
        facts.load.crowd = Some(CrowdFacts {
            complete: true,
            habits: [(Habit::Idle, idle)].into(),
            ..CrowdFacts::default()
        });
    };
    assert!(advised(&crowded));
}

/// Of a server with one slot that answers so many requests of a kept connection in a row, and two clients and more: so many of
/// 1,000 responses take 200 ms, and the others 2.
fn in_turns(turn: i64, late: u64) -> impl Fn(&mut Measured) {
    move |facts| {
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
    }
}

#[test]
fn kept_connections_that_wait_for_their_turn_are_told() {
    let told = |turn, late| kinds(in_turns(turn, late)).contains(&FindingKind::ConnectionTurns);
    assert!(told(10, 100));
    assert!(!told(1, 100), "all have the same turn");
    assert!(!told(10, 10), "far fewer are late than turns begin");
    assert!(!told(10, 300), "and far more");
    // at a rate a connection has its next request at once where all are busy
    let at_rate = |connections: u32| {
        kinds(move |facts: &mut Measured| {
            in_turns(10, 100)(facts);
            at_a_rate(facts, RATE);
            facts.load.connections = connections;
        })
        .contains(&FindingKind::ConnectionTurns)
    };
    assert!(at_rate(2));
    assert!(!at_rate(10));
}
