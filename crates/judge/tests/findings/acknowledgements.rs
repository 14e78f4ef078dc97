//! Bodies that wait for acknowledgements: what tells them from other waits, and what is told beside.

use crate::lab::stage::{found, kinds, process, slots, times};
use judge::FindingKind;
use record::{Measured, NetworkFacts, Others, RUN_QUEUE_WAIT, SocketFacts};

const LATE: FindingKind = FindingKind::DelayedAcknowledgements;

/// A server that weir did not start, whose responses take so many seconds, and of a thousand of which so many acknowledgements were
/// delayed: each body comes 42 ms after its head.
fn late(facts: &mut Measured, response: f64, delayed: u64) {
    facts.stack.servers.clear();
    facts.load.service = times(response);
    facts.load.response = times(response);
    facts.load.body = times(0.042);
    facts.load.network = Some(NetworkFacts {
        delayed,
        ..NetworkFacts::default()
    });
}

/// For an acknowledgement a response waits once, and no longer than 60 ms.
#[test]
fn what_responses_wait_for_beyond_the_delay_is_told_first() {
    let alone = |seconds: Option<f64>| {
        kinds(move |facts| {
            facts.processes = vec![process("python3", 0.05), process("weir", 0.05)];
            late(facts, 0.1, 900);
            facts.load.warm_up.alone = seconds;
        })
    };
    assert_eq!(alone(Some(0.01)), [FindingKind::AppWaits, LATE]);
    assert_eq!(alone(Some(0.05)), [LATE]);
    assert_eq!(alone(None), [LATE]);
}

/// What a load asks before its window stands for the look that weir has at a stack which it starts.
#[test]
fn requests_wait_for_each_other_in_a_server_of_others_too() {
    let alone = |seconds: Option<f64>| {
        kinds(move |facts| {
            facts.stack.servers.clear();
            facts.load.warm_up.alone = seconds;
        })
    };
    assert_eq!(alone(Some(0.02)), [FindingKind::AppWaits]);
    assert_eq!(alone(Some(0.09)), [FindingKind::FewClients]);
    // ten in progress on two cores are not few
    assert_eq!(alone(None), []);
}

/// Other programs have the cores; bodies are late whoever has them.
#[test]
fn late_bodies_are_told_beside_what_others_took() {
    let beside = |response: f64| {
        kinds(move |facts| {
            late(facts, response, 900);
            // hardly any waiting for a core, or the trial would not count
            facts.processes[0].counts = [(RUN_QUEUE_WAIT.to_owned(), 1_000)].into();
            facts.observed.others = Some(Others {
                seconds: 14.0,
                share: 0.7,
                ..Others::default()
            });
        })
    };
    let told = beside(0.05);
    assert_eq!(told.first(), Some(&FindingKind::OtherPrograms), "{told:?}");
    assert!(told.contains(&LATE), "{told:?}");
    // less than half of a response: who has the cores may make the rest of it
    assert!(!beside(0.1).contains(&LATE));
}

/// With two programs a load can cause four for each response.
#[test]
fn more_delayed_acknowledgements_than_the_load_can_cause_are_no_evidence() {
    let held = |delayed: u64, own: bool, body: Option<f64>| {
        found(move |facts| {
            slots(facts, Some(1.0), 0.001);
            facts.load.service = times(0.044);
            facts.load.body = body.map(times).unwrap_or_default();
            facts.observed.sockets = Some(SocketFacts {
                looks: 20,
                open: 200,
                unacknowledged: 180,
                ..SocketFacts::default()
            });
            facts.load.network = Some(NetworkFacts {
                delayed,
                own,
                ..NetworkFacts::default()
            });
        })
    };
    let kind = |delayed, own| held(delayed, own, None)[0].finding.kind;
    assert_eq!(kind(3_900, false), LATE);
    assert_eq!(kind(5_040, false), FindingKind::SlotsFull);
    assert_eq!(kind(5_040, true), LATE);
    let told = held(5_040, false, Some(0.042)).remove(0).finding;
    assert_eq!(told.kind, LATE);
    assert!(told.because.contains("others' among them"), "{told:?}");
    assert!(!told.because.contains("5.04"), "{told:?}");
}

/// Bytes that are not acknowledged are of responses that came, where each body followed its head. A front end hides that.
#[test]
fn bytes_beside_bodies_that_came_at_once_are_no_evidence() {
    let seen = |front: bool, body: Option<f64>| {
        let found = found(move |facts| {
            if !front {
                facts.stack.servers.remove(0);
            }
            slots(facts, Some(1.0), 0.001);
            facts.load.service = times(0.044);
            facts.load.body = body.map(times).unwrap_or_default();
            facts.observed.sockets = Some(SocketFacts {
                looks: 20,
                open: 200,
                unacknowledged: 180,
                ..SocketFacts::default()
            });
            facts.load.network = Some(NetworkFacts {
                delayed: 900,
                ..NetworkFacts::default()
            });
        });
        found[0].finding.kind
    };
    assert_eq!(seen(false, Some(0.001)), FindingKind::SlotsFull);
    assert_eq!(seen(false, None), LATE);
    assert_eq!(seen(true, Some(0.001)), LATE);
}
