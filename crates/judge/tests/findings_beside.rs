//! What a stage suffers from beside what holds it back, and when a finding is told.

mod connections;
mod over_time;
mod unread;

use crate::lab;
use crate::lab::stage::{RATE, SECONDS, at_a_rate, first, found, kinds, process, server, slots};
use judge::{Cost, FindingKind};
use record::{
    Cause, CodeClass, Counted, CounterKind, Doing, Measured, OtherProgram, Others, Pause,
    PauseFacts, ProfileCount, ProfileFacts, ProgramCounters, ServerFacts,
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
    let front = |cores: f64, database: f64| {
        kinds(move |facts: &mut Measured| {
            facts.processes[1] = process("nginx", cores);
            facts.processes[0] = process("gunicorn", 1.7 - cores - 2.0 * database);
            facts.observed.partners = Some(Others {
                share: database,
                ..Others::default()
            });
        })
    };
    assert!(front(0.9, 0.0).contains(&FindingKind::FrontHeavier));
    assert!(!front(0.3, 0.0).contains(&FindingKind::FrontHeavier));
    // of the stack without its database it would be more than half
    assert!(!front(0.6, 0.3).contains(&FindingKind::FrontHeavier));
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

#[test]
fn of_several_services_the_figures_are_of_all() {
    let found = found(|facts: &mut Measured| {
        let program = |name: &str, seconds| OtherProgram {
            name: name.to_owned(),
            seconds,
            ..OtherProgram::default()
        };
        facts.observed.partners = Some(Others {
            seconds: 16.0,
            share: 0.8,
            programs: vec![program("postgres", 10.0), program("redis", 6.0)],
            unseen: 0.0,
        });
    });
    let mut findings = found.into_iter().map(|of| of.finding);
    let busy = findings.find(|of| of.kind == FindingKind::ServiceBusy);
    let because = busy.unwrap().because;
    let told = "`postgres` and 1 more used 1.60 of 2 cores, 76.2 % of what the stack used: 16.0 ms for each";
    assert!(because.starts_with(told), "{because}");
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

/// A pause of two seconds in ten, which a change of the app may end, and requests that fail as a front end has no port: for that
/// another variant is enough.
#[test]
fn what_brings_a_little_less_for_much_less_comes_first() {
    let gains = |failed: u64| {
        let found = found(move |facts: &mut Measured| {
            facts.load.silent = Some(PauseFacts {
                longest: 2.0,
                total: 2.0,
                suspended: 0.0,
                stretches: vec![Pause {
                    from: 1.0,
                    until: 3.0,
                }],
            });
            (0..10).for_each(|_| facts.load.response.record(2_050_000_000));
            let line = "connect() failed (99: Cannot assign requested address)";
            facts.stack.servers[0].log_tail = vec![line.to_owned()];
            facts.load.failed = [(Cause::Status, failed)].into();
            facts.load.scheduled += failed;
        });
        let both = [FindingKind::Pauses, FindingKind::LocalPorts];
        let told = found.iter().map(|of| &of.finding);
        let told = told.filter(|of| both.contains(&of.kind));
        let told: Vec<_> = told.map(|of| (of.kind, of.gain.unwrap())).collect();
        <[_; 2]>::try_from(told).unwrap()
    };
    let [(first, less), (second, more)] = gains(200);
    assert_eq!(first, FindingKind::LocalPorts);
    assert_eq!(second, FindingKind::Pauses);
    assert!((less - 1.2).abs() < 1e-9 && (more - 1.25).abs() < 1e-9);
    // so little that it is worth less, though it costs less
    let [(first, _), (second, little)] = gains(50);
    assert_eq!(first, FindingKind::Pauses);
    assert_eq!(second, FindingKind::LocalPorts);
    assert!((little - 1.05).abs() < 1e-9, "{little}");
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
