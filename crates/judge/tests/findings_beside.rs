//! What a stage suffers from beside what holds it back, and when a finding is told.

mod lab;

use judge::FindingKind;
use lab::stage::{RATE, found, kinds, process, server};
use record::{CounterKind, Measured, NetworkFacts, Series, ServerFacts};

#[test]
fn services_and_front_ends_that_do_most_are_told() {
    let service = |cores| {
        kinds(move |facts: &mut Measured| {
            facts.stack.servers.push(ServerFacts {
                service: Some("database".to_owned()),
                ..server("postgresql", &[])
            });
            facts.processes.insert(0, process("postgresql", cores));
        })
    };
    assert!(service(0.8).contains(&FindingKind::ServiceBusy));
    assert!(!service(0.2).contains(&FindingKind::ServiceBusy));
    let front = |cores| {
        kinds(move |facts: &mut Measured| {
            facts.processes[1] = process("nginx", cores);
            facts.processes[0] = process("gunicorn", 1.7 - cores);
        })
    };
    assert!(front(0.9).contains(&FindingKind::FrontHeavier));
    assert!(!front(0.3).contains(&FindingKind::FrontHeavier));
}

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
    assert_eq!(opened(10, 20), None);
    assert!(
        opened(10, 1_010)
            .unwrap()
            .contains("front end keep its connections")
    );
    assert!(opened(1_000, 1_000).unwrap().contains("let clients keep"));
}

#[test]
fn memory_that_grows_until_the_end_is_told_and_what_settles_is_not() {
    let memory = |values: [f64; 3]| {
        kinds(move |facts: &mut Measured| {
            facts.observed.series = vec![Series {
                of: "gunicorn".to_owned(),
                pid: Some(7),
                name: "rss".to_owned(),
                kind: CounterKind::Gauge,
                unit: "bytes".to_owned(),
                at: vec![0.0, 2.0, 4.0, 6.0, 8.0, 10.0],
                values: vec![
                    values[0], values[0], values[1], values[1], values[2], values[2],
                ]
                .into_iter()
                .map(|megabytes| megabytes * 1e6)
                .collect(),
            }];
        })
        .contains(&FindingKind::MemoryGrows)
    };
    assert!(memory([50.0, 100.0, 150.0]));
    assert!(!memory([50.0, 150.0, 150.0]), "it has settled");
    assert!(!memory([50.0, 55.0, 60.0]), "little");
}

#[test]
fn what_is_found_in_fewer_than_half_of_the_trials_is_not_told() {
    let run = lab::run(&["one"]);
    let trials: Vec<_> = (0..4)
        .map(|block| {
            let mut trial = lab::trial(block, "one", RATE);
            let facts = lab::facts(&mut trial);
            facts.load.service = facts.load.response.clone();
            facts.processes[0] = process("gunicorn", if block < 2 { 0.98 } else { 0.5 });
            trial
        })
        .collect();
    let told = |trials: &[record::Trial]| {
        let findings = judge::judge(&run, trials).variants[0].findings.clone();
        findings
            .iter()
            .any(|of| of.finding.kind == FindingKind::OneCore)
    };
    assert!(!told(&trials));
    assert!(told(&trials[..3]));
}
