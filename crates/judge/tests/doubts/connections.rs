//! Doubts about connections: those of a crowd, those that met a full queue, and those that were closed.

use judge::DoubtKind::{Crowd, NotKeptOpen, QueueFull, Retransmits};
use record::{
    Blow, Cause, CrowdFacts, CrowdFigures, Fault, Habit, NetworkFacts, QueueFacts, Struck, Victim,
};

use super::spoiled;
use crate::lab::{doubts, facts, kinds};

#[test]
fn a_crowd_that_is_not_all_there_is_told() {
    let beside = |complete, failed| {
        spoiled(move |facts| {
            let figures = |wanted| CrowdFigures {
                wanted,
                failed: [(Cause::Refused, failed)].into(),
                ..CrowdFigures::default()
            };
            facts.load.crowd = Some(CrowdFacts {
                complete,
                habits: [(Habit::Idle, figures(50)), (Habit::Reset, figures(900))].into(),
                ..CrowdFacts::default()
            });
        })
    };
    assert_eq!(kinds(&beside(true, 7)), []);
    assert_eq!(kinds(&beside(true, 51)), [(Crowd, false)]);
    let lacking = beside(false, 7);
    assert_eq!(kinds(&lacking), [(Crowd, false)]);
    let because = &doubts(&lacking)[0].because;
    assert!(because.contains("50 connections"), "{because}");
    assert!(because.contains("(7 failed)"), "{because}");
}

#[test]
fn full_queues_and_lost_segments_are_told() {
    let seen = |retransmitted, queue_full| {
        spoiled(move |facts| {
            facts.load.network = Some(NetworkFacts {
                segments: 10_000,
                retransmitted,
                queue_full,
                own: true,
                ..NetworkFacts::default()
            });
        })
    };
    assert_eq!(kinds(&seen(9, 0)), []);
    assert_eq!(kinds(&seen(10, 0)), [(Retransmits, false)]);
    let full = seen(0, 3);
    assert_eq!(kinds(&full), [(QueueFull, false)]);
    let because = &doubts(&full)[0].because;
    assert_eq!(because, "3 attempts to connect met a full accept queue");
}

#[test]
fn what_a_fault_had_sent_again_is_told_with_the_fault() {
    let struck = spoiled(|facts| {
        facts.load.network = Some(NetworkFacts {
            segments: 10_000,
            retransmitted: 100,
            queue_full: 3,
            own: true,
            ..NetworkFacts::default()
        });
        facts.load.struck = vec![Struck {
            fault: Fault {
                at: 1.0,
                blow: Blow::Kill(Victim::Worker),
            },
            at: 1.1,
            processes: 1,
            connections: 0,
            pid_files: 0,
            gone: false,
        }];
    });
    assert_eq!(kinds(&struck), [(QueueFull, false), (Retransmits, false)]);
    for doubt in doubts(&struck) {
        let because = &doubt.because;
        let fault = "a worker is killed 1.1 s into the window, and ";
        assert!(because.starts_with(fault), "{because}");
        assert!(doubt.advice.contains("without faults"), "{doubt:?}");
    }
}

/// The kernel counts those of the whole machine: they are this load's only where a request was kept waiting by it.
#[test]
fn what_others_connections_met_is_no_doubt_about_a_load_that_did_not_wait() {
    let seen = |slowest: u64| {
        spoiled(move |facts| {
            facts.load.network = Some(NetworkFacts {
                segments: 10_000,
                retransmitted: 100,
                queue_full: 200,
                ..NetworkFacts::default()
            });
            facts.load.connect.record(slowest * 1_000_000);
        })
    };
    assert_eq!(kinds(&seen(150)), []);
    let mut wrong = seen(150);
    facts(&mut wrong).load.failed = [(Cause::Status, 1)].into();
    let doubted = kinds(&wrong);
    assert!(
        !doubted
            .iter()
            .any(|(kind, _)| [Retransmits, QueueFull].contains(kind)),
        "a wrong response was not kept waiting: {doubted:?}"
    );
    let waited = seen(1_005);
    assert_eq!(kinds(&waited), [(QueueFull, false), (Retransmits, false)]);
    let because = &doubts(&waited)[1].because;
    assert!(
        because.contains("segments of the whole machine"),
        "{because}"
    );
}

/// Whoever waited, did so for something else.
#[test]
fn a_full_queue_of_others_is_no_doubt_where_the_own_listeners_turned_nobody_away() {
    let seen = |dropped| {
        spoiled(move |facts| {
            facts.load.network = Some(NetworkFacts {
                queue_full: 200,
                ..NetworkFacts::default()
            });
            facts.load.connect.record(1_005 * 1_000_000);
            facts.observed.queues = vec![QueueFacts {
                address: "127.0.0.1:8000".to_owned(),
                dropped,
                ..QueueFacts::default()
            }];
        })
    };
    assert_eq!(kinds(&seen(Some(0))), []);
    assert_eq!(kinds(&seen(None)), [(QueueFull, false)]);
    let some = seen(Some(7));
    let because = &doubts(&some)[0].because;
    assert_eq!(because, "7 attempts to connect met a full accept queue");
}

#[test]
fn a_load_that_asked_nothing_met_no_queue() {
    let seen = |connects| {
        let of = spoiled(|facts| {
            facts.load.network = Some(NetworkFacts {
                queue_full: 194,
                own: true,
                ..NetworkFacts::default()
            });
            facts.load.completed = 0;
            facts.load.failed = [(Cause::Unasked, facts.load.scheduled)].into();
            facts.load.connects = connects;
        });
        kinds(&of).iter().any(|(kind, _)| *kind == QueueFull)
    };
    assert!(!seen(0));
    assert!(seen(1));
}

#[test]
fn connections_that_the_server_closes_are_told() {
    type Change = fn(&mut record::LoadFacts);
    let seen = |connects, sent, change: &dyn Fn(&mut record::LoadFacts)| {
        spoiled(|facts| {
            facts.load.spoken = Some(record::Spoken {
                keep_alive: true,
                ..record::Spoken::default()
            });
            facts.load.connections = 10;
            (facts.load.connects, facts.load.sent) = (connects, sent);
            change(&mut facts.load);
        })
    };
    let raised = |trial: &record::Trial| {
        let all = doubts(trial).into_iter();
        all.filter(|doubt| doubt.kind == NotKeptOpen)
            .collect::<Vec<_>>()
    };
    let closed = raised(&seen(400, 400, &|_| ()));
    assert!(!closed[0].disqualifies);
    assert_eq!(
        closed[0].because,
        "400 connections were used for 400 requests: the server closed each after its response"
    );
    // each second request met a connection that was closed without a word
    let silent = raised(&seen(400, 800, &|load| load.sent_again = 400));
    assert_eq!(silent[0].because, closed[0].because);
    // a worker that dies at each twelfth request is no limit of a hundred
    let dies = |again| raised(&seen(100, 1_300, &|load| load.sent_again = again));
    assert!(
        dies(100)[0]
            .because
            .starts_with("100 requests met a connection")
    );
    assert_eq!(dies(13), []);
    let some = raised(&seen(100, 400, &|_| ()));
    let told =
        "100 connections were used for 400 requests: the server closed each after 4.00 responses";
    assert_eq!(some[0].because, told);
    // as many as were asked for; a limit of a hundred requests; the clients' own doing; what went wrong
    let innocent: [(u64, u64, Change); 5] = [
        (10, 10, |_| ()),
        (40, 4_000, |_| ()),
        (400, 400, |load| {
            load.spoken.as_mut().unwrap().keep_alive = false;
        }),
        (400, 400, |load| {
            load.spoken.as_mut().unwrap().per_connection = Some(1);
        }),
        (400, 400, |load| {
            load.failed = [(record::Cause::ResetBeforeAnswer, 390)].into();
        }),
    ];
    for (connects, sent, change) in innocent {
        assert_eq!(
            raised(&seen(connects, sent, &change)),
            [],
            "{connects} {sent}"
        );
    }
}
