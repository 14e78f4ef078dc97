//! What the kernel tells of connections that do not open, of ports, and of memory.

use crate::lab::stage::{first, found, kinds, server, slots, times};
use judge::{Confidence, Cost, FindingKind};
use record::{Cause, Measured, NetworkFacts, PortFacts, Pressure, QueueFacts, ServerFacts};

/// A thousand connections in a network of their own or not, for which the kernel asked again so often; the longest took so long.
fn asked_again(syn_retries: u64, own: bool, longest: f64) -> impl Fn(&mut Measured) {
    move |facts| {
        facts.load.connects = 1_000;
        facts.load.service = times(0.02);
        facts.load.connect.record((longest * 1e9) as u64);
        facts.load.network = Some(NetworkFacts {
            syn_retries,
            own,
            ..NetworkFacts::default()
        });
    }
}

#[test]
fn connections_that_are_asked_for_again_are_told() {
    let told = |retries, own, longest| {
        kinds(asked_again(retries, own, longest)).contains(&FindingKind::SynRetries)
    };
    assert!(told(300, true, 0.001), "those of the stack");
    assert!(!told(2, true, 0.001));
    assert!(told(300, false, 1.02));
    assert!(!told(300, false, 0.001), "those of other programs");
    let retries = first(asked_again(300, false, 1.02)).finding;
    assert_eq!(retries.confidence, Confidence::Likely);
    let because = "the kernel sent 300 requests to open a connection again";
    assert!(retries.because.starts_with(because), "{retries:?}");
    assert!((retries.gain.unwrap() - 2.0 / 0.7).abs() < 0.01);
}

/// Listeners dropped so many of these, and that of the stack so many, if that is known.
fn dropped(all: u64, own: Option<u64>) -> String {
    let found = first(move |facts| {
        asked_again(300, true, 1.02)(facts);
        facts.load.network.as_mut().unwrap().dropped = all;
        facts.observed.queues = vec![QueueFacts {
            address: "127.0.0.1:8000".to_owned(),
            dropped: own,
            ..QueueFacts::default()
        }];
    });
    assert_eq!(found.finding.kind, FindingKind::SynRetries);
    found.finding.next
}

#[test]
fn who_drops_requests_to_connect_is_told_as_far_as_it_is_counted() {
    let listener = "too many are being opened at a listener at once";
    let elsewhere = "listeners of the stack drop few of them, or none";
    assert!(dropped(300, Some(300)).starts_with(listener));
    assert!(dropped(300, None).starts_with(listener));
    assert!(dropped(300, Some(0)).starts_with(elsewhere));
    assert!(dropped(0, None).starts_with(elsewhere));
}

/// The accept queue is what drops them.
#[test]
fn a_full_accept_queue_is_told_with_what_was_asked_for_again() {
    let full = found(|facts| {
        asked_again(300, true, 1.02)(facts);
        facts.load.network.as_mut().unwrap().queue_full = 300;
    });
    assert_eq!(full[0].finding.kind, FindingKind::QueueOverflow);
    let again = "sent 300 requests to open a connection again";
    assert!(full[0].finding.because.contains(again), "{full:?}");
    let mut others = full.iter();
    assert!(!others.any(|of| of.finding.kind == FindingKind::SynRetries));
}

/// Programs waited so long for memory, and the stack had so many of 1,000 pages read back.
fn short_of_memory(seconds: f64, faults: u64, workers: i64) -> impl Fn(&mut Measured) {
    move |facts| {
        facts.stack.servers[1] = server("gunicorn", &[("workers", workers)]);
        slots(facts, Some(1.0), 0.001);
        facts.processes[0].counts = [("major-faults".to_owned(), faults)].into();
        facts.load.pressure = Some(Pressure {
            memory: Some(seconds),
            storage: Some(6.0),
            major_faults: 1_000,
            ..Pressure::default()
        });
    }
}

#[test]
fn programs_that_wait_for_memory_are_told_from_those_that_wait_for_storage() {
    assert_eq!(
        kinds(short_of_memory(2.0, 900, 1)),
        [FindingKind::MemoryShort]
    );
    assert_eq!(
        kinds(short_of_memory(0.5, 900, 1)),
        [FindingKind::StorageWait]
    );
    let own = first(short_of_memory(2.0, 900, 1)).finding;
    assert_eq!(own.confidence, Confidence::Counted);
    assert_eq!(own.cost, Cost::Machine);
    assert!((own.gain.unwrap() - 2.0 / 0.7).abs() < 0.01);
    assert!(
        own.because.starts_with("for 20.0 % of the window"),
        "{own:?}"
    );
    let several = first(short_of_memory(2.0, 100, 4)).finding;
    assert_eq!(several.confidence, Confidence::Likely);
    assert_eq!(several.cost, Cost::Knob);
    assert_eq!(several.gain, None, "it may be others that are short of it");
    let fewer = "lower `workers` of `gunicorn` from 4, end what else";
    assert!(several.next.starts_with(fewer), "{several:?}");
}

#[test]
fn ports_of_the_generator_are_told_from_its_descriptors() {
    let ran_out = |failed: u64, example: &'static str| {
        let found = found(move |facts| {
            facts.load.failed = [(Cause::Exhausted, failed)].into();
            facts.load.examples = [(Cause::Exhausted, example.to_owned())].into();
            facts.load.scheduled += failed;
            facts.observed.ports = Some(PortFacts {
                to: "127.0.0.1:8000".to_owned(),
                used: 64,
                of: 64,
            });
        });
        let mut found = found.into_iter().map(|of| of.finding);
        found.find(|of| of.kind == FindingKind::GeneratorPorts)
    };
    let ports = "Cannot assign requested address (os error 99)";
    let told = ran_out(200, ports).unwrap();
    let because = "64 of 64 local ports were in use to 127.0.0.1:8000 at most";
    assert!(told.because.ends_with(because), "{told:?}");
    assert_eq!(ran_out(5, ports), None);
    assert_eq!(ran_out(200, "Too many open files (os error 24)"), None);
}

#[test]
fn ports_of_a_program_are_told_by_its_log_where_requests_failed() {
    let logged = |failed: u64, line: &'static str| {
        let found = found(move |facts| {
            facts.stack.servers[0].log_tail = vec![line.to_owned()];
            facts.load.failed = [(Cause::Status, failed)].into();
            facts.load.scheduled += failed;
        });
        let mut found = found.into_iter().map(|of| of.finding);
        found.find(|of| of.kind == FindingKind::LocalPorts)
    };
    let line = "connect() failed (99: Cannot assign requested address) while connecting";
    let told = logged(200, line).unwrap();
    assert!(told.because.starts_with("`nginx` logged"), "{told:?}");
    assert_eq!(logged(5, line), None, "hardly any failed");
    assert_eq!(
        logged(200, "connect() failed (111: Connection refused)"),
        None
    );
}

/// What a front end hands each of so many servers with one slot, and the longest queue of one of these.
fn handed(limit: i64, servers: usize, waiting: u32) -> bool {
    let kinds = kinds(move |facts| {
        let server_of_one = ServerFacts {
            slots: Some(1.0),
            ..server("gunicorn", &[("workers", 1)])
        };
        facts.stack.servers = vec![server_of_one; servers];
        let front = server("haproxy", &[("server-maxconn", limit)]);
        facts.stack.servers.insert(0, front);
        facts.observed.queues = vec![QueueFacts {
            program: "gunicorn".to_owned(),
            waiting,
            ..QueueFacts::default()
        }];
    });
    kinds.contains(&FindingKind::LimitsOutOfOrder)
}

#[test]
fn a_front_end_that_hands_servers_more_than_they_work_on_is_told_where_they_queue() {
    assert!(handed(100, 2, 7));
    assert!(handed(0, 2, 7), "no limit");
    assert!(!handed(1, 2, 7), "as many as they work on");
    assert!(!handed(100, 1, 7), "there is no other to take them");
    assert!(!handed(100, 2, 1), "one may be on its way");
}
