//! What a stage suffers from beside what holds it back, and when a finding is told.

mod connections;

use crate::lab;
use crate::lab::stage::{RATE, SECONDS, at_a_rate, first, found, kinds, process, server, slots};
use judge::{Cost, FindingKind};
use record::{
    CodeClass, Counted, CounterKind, Doing, Measured, OtherProgram, Others, ProfileCount,
    ProfileFacts, ProgramCounters, Series, ServerFacts,
};

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
fn a_database_that_weir_did_not_start_is_a_service_too() {
    let beside = |share: f64| {
        let found = found(|facts: &mut Measured| {
            let seconds = 2.0 * SECONDS * share;
            facts.observed.partners = Some(Others {
                seconds,
                share,
                programs: vec![OtherProgram {
                    name: "postgres".to_owned(),
                    seconds,
                    processes: 1,
                    pid: Some(812),
                }],
                unseen: 0.0,
            });
        });
        let mut findings = found.into_iter().map(|of| of.finding);
        findings.find(|of| of.kind == FindingKind::ServiceBusy)
    };
    let busy = beside(0.4).unwrap();
    let told = "`postgres` (PID 812) used 0.800 of 2 cores";
    assert!(busy.because.starts_with(told), "{busy:?}");
    assert!(busy.next.starts_with("ask `postgres` less"), "{busy:?}");
    assert_eq!(beside(0.1), None);
}

/// Of neither is known what it brings: connections are kept by another variant, and a database needs more of the machine.
#[test]
fn of_what_may_bring_as_much_that_comes_first_which_costs_less() {
    let found = found(|facts: &mut Measured| {
        facts.stack.servers.push(ServerFacts {
            service: Some("database".to_owned()),
            ..server("postgresql", &[])
        });
        facts.processes.insert(0, process("postgresql", 0.8));
        facts.load.connects = facts.load.completed;
    });
    let both = [FindingKind::ConnectionChurn, FindingKind::ServiceBusy];
    let told = found.iter().map(|of| &of.finding);
    let told: Vec<_> = told.filter(|of| both.contains(&of.kind)).collect();
    assert_eq!([told[0].kind, told[1].kind], both);
    assert_eq!([told[0].gain, told[1].gain], [None, None]);
    assert_eq!(told[0].cost, Cost::Variant);
    assert_eq!(told[1].cost, Cost::Machine);
    for of in told {
        assert_eq!(of.source, of.kind.rule().source);
    }
}

/// A front end that hands a server of 32 slots so many requests at once, and what a request waits for that, of 100 ms.
fn behind_a_limit(handed: i64, queued: f64) -> impl Fn(&mut Measured) {
    move |facts| {
        let milliseconds = |value| Counted {
            kind: CounterKind::Average,
            unit: "ms".to_owned(),
            value,
        };
        let times = [
            ("queue-time", queued),
            ("connect-time", 0.0),
            ("first-byte-time", 100.0 - queued),
        ];
        let values = times.map(|(name, value)| (name.to_owned(), milliseconds(value)));
        facts.stack.servers[0] = server("haproxy", &[("server-maxconn", handed)]);
        facts.processes[1] = process("haproxy", 0.1);
        facts.observed.counters = vec![ProgramCounters {
            program: "haproxy".to_owned(),
            values: values.into(),
            problem: None,
        }];
        slots(facts, Some(32.0), 0.02);
    }
}

#[test]
fn a_queue_in_front_of_servers_that_have_room_is_told() {
    let found = first(behind_a_limit(1, 80.0));
    assert_eq!(found.finding.kind, FindingKind::FrontQueues);
    let next = &found.finding.next;
    assert!(
        next.contains("raise `server-maxconn` of `haproxy` from 1 to 10"),
        "{next}"
    );
    let change = found.finding.change.as_ref().unwrap().to_string();
    assert_eq!(change, "front.server-maxconn = 10");
    assert!(found.finding.gain.unwrap() < 5.1, "{found:?}");
    let at_rate = first(|facts: &mut Measured| {
        behind_a_limit(1, 80.0)(facts);
        at_a_rate(facts, RATE);
    });
    assert_eq!(at_rate.finding.kind, FindingKind::FrontQueues);
    for (handed, queued) in [(1, 20.0), (0, 80.0), (32, 80.0)] {
        let kinds = kinds(behind_a_limit(handed, queued));
        assert!(!kinds.contains(&FindingKind::FrontQueues), "{kinds:?}");
    }
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

/// One process that keeps its 50 MB, and for each tenth of a second one that has as much and has ended before the next look.
#[test]
fn processes_that_have_ended_are_no_memory_that_grows() {
    let begun = |from: u32| {
        kinds(move |facts: &mut Measured| {
            let process = |pid, at: Vec<f64>| Series {
                of: "gunicorn".to_owned(),
                pid: Some(pid),
                name: "rss".to_owned(),
                kind: CounterKind::Gauge,
                unit: "bytes".to_owned(),
                values: vec![50e6; at.len()],
                at,
            };
            let tenths = |tenth: u32| f64::from(tenth) / 10.0;
            let short = (from..100).map(|tenth| process(100 + tenth, vec![tenths(tenth)]));
            let steady = process(7, (0..=100).map(tenths).collect());
            facts.observed.series = short.chain([steady]).collect();
        })
    };
    for from in [0, 40, 70] {
        let kinds = begun(from);
        assert!(!kinds.contains(&FindingKind::MemoryGrows), "{kinds:?}");
    }
}

#[test]
fn what_is_started_for_each_request_is_told() {
    let begun = |count, workers: usize| {
        kinds(move |facts: &mut Measured| {
            facts.observed.begun = Some(count);
            facts.processes[0].resident = Some([1, 1]);
            let new = process("gunicorn", 0.01);
            facts.processes.extend(vec![new; workers]);
        })
        .contains(&FindingKind::SpawnChurn)
    };
    // a hundred responses a second, for ten seconds
    assert!(begun(1_000, 0));
    assert!(!begun(400, 0), "one for less than every second response");
    assert!(begun(0, 6));
    assert!(!begun(0, 3), "a worker or two that were started again");
    let known = kinds(|facts| {
        facts.processes.iter_mut().for_each(|of| of.resident = None);
        facts.processes.extend(vec![process("gunicorn", 0.01); 6]);
    });
    assert!(!known.contains(&FindingKind::SpawnChurn), "nobody looked");
    let few = kinds(|facts| {
        facts.observed.begun = Some(150);
        facts.load.completed = 200;
        facts.load.drained = 0;
    });
    assert!(!few.contains(&FindingKind::SpawnChurn), "15 a second");
    // commands of the app that were seen are no workers
    let both = found(|facts| {
        facts.observed.begun = Some(1_000);
        facts.processes[0].resident = Some([1, 1]);
        facts.processes.extend(vec![process("gunicorn", 0.01); 6]);
    });
    let churn = both
        .iter()
        .find(|of| of.finding.kind == FindingKind::SpawnChurn);
    let next = &churn.unwrap().finding.next;
    assert!(
        next.contains("what the app starts for each request"),
        "{next}"
    );
}

#[test]
fn a_framework_that_takes_most_is_told_where_a_profile_says_so() {
    let profiled = |framework, app, cores| {
        let found = found(move |facts: &mut Measured| {
            facts.processes[0] = process("gunicorn", cores);
            let count = |class, samples| ProfileCount {
                doing: Doing::OnCpu,
                class,
                own: class,
                samples,
            };
            facts.load.profile = Some(ProfileFacts {
                counts: vec![
                    count(CodeClass::Framework, framework),
                    count(CodeClass::App, app),
                ],
                ..ProfileFacts::default()
            });
        });
        let mut found = found.into_iter();
        let heavy = found.find(|of| of.finding.kind == FindingKind::FrameworkHeavy);
        heavy.map(|of| of.finding.gain)
    };
    assert_eq!(profiled(60, 120, 0.4), None);
    assert_eq!(profiled(60, 20, 0.4), None, "too few");
    // what is saved of it is a gain only where there is no time but that
    assert_eq!(profiled(120, 60, 0.4), Some(None));
    for cores in [0.98, 1.6] {
        let gain = profiled(120, 60, cores).unwrap().unwrap();
        assert!((gain - 3.0).abs() < 1e-9, "{gain}");
    }
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
