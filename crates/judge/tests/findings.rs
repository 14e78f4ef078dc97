//! What holds a stage back: each rule by facts that it is about, and by the nearest ones that it is not about.

mod acknowledgements;
mod clients;
mod cores;
mod idle_connections;
mod kernel;
mod machine;
mod neighbours;
mod own_words;
mod queues;
mod rates;
mod threads;

use crate::lab::stage::{first, found, kinds, process, server, slots, times};
use judge::{About, FindingKind, Found};
use record::{Measured, NetworkFacts, Others, Pause, PauseFacts, Pressure, SocketFacts};

/// What does that which is advised.
fn changed(found: &Found) -> String {
    let change = found.finding.change.as_ref();
    change.map_or_else(String::new, ToString::to_string)
}

#[test]
fn where_everything_is_idle_the_clients_set_the_pace() {
    let found = first(|facts| slots(facts, Some(64.0), 0.09));
    assert_eq!(found.finding.kind, FindingKind::FewClients);
    assert_eq!(found.finding.kind.rule().about, About::Measurement);
    assert_eq!((found.in_trials, found.of_trials), (3, 3));
    // one worker, which runs one thread at a time, used 0.4 of a core
    let gain = found.finding.gain.unwrap();
    assert!((gain - 2.5).abs() < 0.01, "{gain}");
    assert_eq!(changed(&found), "load.connections = 25");
    assert!(
        found.finding.because.contains("10 connections"),
        "{found:?}"
    );
}

/// A server that was gone for most of the window.
#[test]
fn clients_that_wait_for_no_response_are_not_too_few() {
    let under_way = |kept: u64, seconds: f64| {
        kinds(move |facts| {
            slots(facts, Some(64.0), 0.09);
            facts.load.kept_busy = Some(kept);
            facts.load.response = times(seconds);
            facts.load.service = times(seconds);
        })
    };
    // a hundred responses a second over ten connections
    assert_eq!(under_way(0, 0.09), [FindingKind::FewClients]);
    assert_eq!(under_way(0, 0.05), []);
    assert_eq!(under_way(0, 0.0001), []);
}

/// Half of the time they wait for responses.
#[test]
fn users_that_sleep_for_the_rest_of_the_time_are_too_few() {
    let slept = |seconds: f64| {
        move |facts: &mut Measured| {
            slots(facts, Some(64.0), 0.05);
            facts.load.kept_busy = Some(0);
            facts.load.response = times(0.05);
            facts.load.service = times(0.05);
            facts.load.asleep = seconds;
        }
    };
    let found = first(slept(50.0));
    assert_eq!(found.finding.kind, FindingKind::FewClients);
    let because = "its user sleeps for 50.0 ms before the next (5.00 of 10 users were asleep on average): \
                   together they ask for no more than 100 requests/s";
    assert!(found.finding.because.contains(because), "{found:?}");
    let next = "each of which is a user";
    assert!(found.finding.next.contains(next), "{found:?}");
    assert_eq!(kinds(slept(20.0)), []);
}

#[test]
fn slots_are_full_where_more_wait_than_there_are() {
    let full = first(|facts| slots(facts, Some(2.0), 0.02));
    assert_eq!(full.finding.kind, FindingKind::SlotsFull);
    assert!((full.finding.gain.unwrap() - 2.0 / 0.7).abs() < 0.01);
    assert!(
        full.finding
            .next
            .contains("raise `workers` of `gunicorn` from 1 to 5"),
        "{full:?}"
    );
    assert_eq!(changed(&full), "server.workers = 5");
    // ten in progress and ten slots: nobody waits
    assert_eq!(
        kinds(|facts| slots(facts, Some(10.0), 0.09)),
        [FindingKind::FewClients]
    );
}

#[test]
fn requests_wait_for_each_other_where_one_alone_is_much_faster() {
    assert_eq!(
        kinds(|facts| slots(facts, None, 0.02)),
        [FindingKind::AppWaits]
    );
    assert_eq!(
        kinds(|facts| slots(facts, None, 0.09)),
        [FindingKind::FewClients]
    );
}

#[test]
fn responses_that_wait_for_acknowledgements_are_told_from_slow_ones() {
    let held = |unacknowledged, delayed| {
        move |facts: &mut Measured| {
            slots(facts, Some(1.0), 0.001);
            facts.load.service = times(0.044);
            facts.observed.sockets = Some(SocketFacts {
                looks: 20,
                open: 200,
                unacknowledged,
                ..SocketFacts::default()
            });
            facts.load.network = Some(NetworkFacts {
                delayed,
                ..NetworkFacts::default()
            });
        }
    };
    let found = found(held(180, 900));
    assert_eq!(found[0].finding.kind, FindingKind::DelayedAcknowledgements);
    assert_eq!(
        found.len(),
        1,
        "what waits for them is explained: {found:?}"
    );
    // an app that is slow delays as many acknowledgements, and has nothing under way
    assert_eq!(kinds(held(0, 900)), [FindingKind::SlotsFull]);
    assert_eq!(kinds(held(180, 9)), [FindingKind::SlotsFull]);
    // few looks fall into a short window, but its bodies tell; of a server that writes at once they do not come late
    let bodies = |seconds: f64| {
        move |facts: &mut Measured| {
            held(0, 900)(facts);
            facts.load.body = times(seconds);
        }
    };
    let late = kinds(bodies(0.042));
    assert_eq!(late, [FindingKind::DelayedAcknowledgements]);
    assert_eq!(kinds(bodies(0.001)), [FindingKind::SlotsFull]);
}

#[test]
fn storage_and_full_accept_queues_are_told_before_what_waits_for_them() {
    let storage = |seconds| {
        move |facts: &mut Measured| {
            slots(facts, Some(1.0), 0.001);
            facts.load.pressure = Some(Pressure {
                storage: Some(seconds),
                ..Pressure::default()
            });
        }
    };
    assert_eq!(kinds(storage(6.0)), [FindingKind::StorageWait]);
    assert_eq!(kinds(storage(1.0)), [FindingKind::SlotsFull]);
    let queue = |queue_full| {
        move |facts: &mut Measured| {
            facts.load.connects = 1_000;
            facts.load.service = times(0.02);
            facts.load.network = Some(NetworkFacts {
                queue_full,
                own: true,
                ..NetworkFacts::default()
            });
        }
    };
    let full = found(queue(300));
    assert_eq!(full[0].finding.kind, FindingKind::QueueOverflow);
    assert!(
        (full[0].finding.gain.unwrap() - 2.0 / 0.7).abs() < 0.01,
        "{full:?}"
    );
    assert!(!kinds(queue(2)).contains(&FindingKind::QueueOverflow));
    // of the whole machine, and no request of this load waited for the kernel to try again
    let of_others = kinds(|facts| {
        queue(300)(facts);
        facts.load.network.as_mut().unwrap().own = false;
    });
    assert!(!of_others.contains(&FindingKind::QueueOverflow));
}

#[test]
fn a_pause_of_everything_costs_its_share_of_the_window() {
    let pause = |from, until| {
        move |facts: &mut Measured| {
            facts.load.silent = Some(PauseFacts {
                longest: until - from,
                total: until - from,
                suspended: 0.0,
                stretches: vec![Pause { from, until }],
            });
            for _ in 0..10 {
                let waited = (until - from + 0.05) * 1e9;
                facts.load.response.record(waited as u64);
            }
        }
    };
    let found = found(pause(1.0, 3.0));
    let pauses = found
        .iter()
        .find(|of| of.finding.kind == FindingKind::Pauses);
    assert!(
        (pauses.unwrap().finding.gain.unwrap() - 1.25).abs() < 1e-9,
        "{found:?}"
    );
    assert!(
        !kinds(pause(1.0, 1.25)).contains(&FindingKind::Pauses),
        "five medians are half a second"
    );
    // ten that are slow by themselves, and began at different moments
    let each = kinds(|facts| {
        pause(1.0, 3.0)(facts);
        facts.load.response = times(0.1);
        for tenth in 0..10 {
            facts
                .load
                .response
                .record(3_000_000_000 + tenth * 100_000_000);
        }
    });
    assert!(!each.contains(&FindingKind::Pauses), "{each:?}");
}

#[test]
fn of_a_very_short_window_nothing_is_said() {
    assert_eq!(kinds(|facts| facts.load.seconds = 0.05), []);
}

#[test]
fn uneven_workers_are_told_where_one_is_busy() {
    let shared = |cores: [f64; 2]| {
        move |facts: &mut Measured| {
            facts.stack.servers = vec![server("gunicorn", &[("workers", 2)])];
            facts.processes = vec![
                process("gunicorn", 0.01),
                process("gunicorn", cores[0]),
                process("gunicorn", cores[1]),
                process("weir", 0.2),
            ];
        }
    };
    let uneven = first(shared([0.05, 0.95]));
    assert_eq!(uneven.finding.kind, FindingKind::UnevenWorkers);
    assert!(!kinds(shared([0.4, 0.6])).contains(&FindingKind::UnevenWorkers));
    assert!(
        !kinds(shared([0.01, 0.1])).contains(&FindingKind::UnevenWorkers),
        "they are idle"
    );
}

#[test]
fn what_else_runs_is_told_first() {
    let others = first(|facts| {
        facts.processes[0] = process("gunicorn", 0.98);
        facts.observed.others = Some(Others {
            seconds: 3.0,
            share: 0.15,
            ..Others::default()
        });
    });
    assert_eq!(others.finding.kind, FindingKind::OtherPrograms);
    let own = first(|facts| {
        facts.processes = vec![process("gunicorn", 1.2), process("weir", 0.7)];
    });
    assert_eq!(own.finding.kind, FindingKind::GeneratorBusy);
    let gain = own.finding.gain.unwrap();
    assert!((gain - 1.0 / (1.0 - 0.35)).abs() < 0.01, "{gain}");
}
