//! What a profile says of threads that wait: for a lock, for a service, for the interpreter.

use super::changed;
use crate::lab::REQUESTS;
use crate::lab::stage::{RATE, at_a_rate, first, found, kinds, process, server, slots};
use judge::FindingKind;
use record::{
    CodeClass, Doing, Measured, Pressure, ProcessCost, ProfileCount, ProfileFacts, ServerFacts,
    SliceFacts,
};

/// So many threads do this all the time, of ten requests in progress.
fn threads(facts: &mut Measured, doing: Doing, class: CodeClass, number: u64) {
    facts.load.profile = Some(ProfileFacts {
        rate: 100.0,
        counts: vec![ProfileCount {
            doing,
            class,
            own: CodeClass::Runtime,
            samples: number * 1_000,
        }],
        ..ProfileFacts::default()
    });
}

#[test]
fn a_lock_of_the_app_is_told_from_workers_without_a_request() {
    let waits = |doing, class, number| {
        kinds(move |facts| {
            slots(facts, Some(64.0), 0.02);
            threads(facts, doing, class, number);
        })
    };
    let thread = Doing::WaitsForThread;
    let lock = [FindingKind::LockContention];
    assert_eq!(waits(thread, CodeClass::App, 9), lock);
    assert_eq!(waits(thread, CodeClass::Framework, 9), lock);
    let others = [FindingKind::AppWaits];
    assert_eq!(waits(thread, CodeClass::App, 4), others);
    assert_eq!(waits(thread, CodeClass::Server, 32), others);
    assert_eq!(waits(Doing::Sleeps, CodeClass::App, 9), others);
    // half of the samples are of what led in to slices of the window
    let in_slices = |number| {
        kinds(move |facts| {
            slots(facts, Some(64.0), 0.02);
            threads(facts, thread, CodeClass::App, number);
            facts.load.slices = Some(SliceFacts {
                led: REQUESTS,
                ..SliceFacts::default()
            });
        })
    };
    assert_eq!(in_slices(18), lock);
    assert_eq!(in_slices(9), others);
}

/// More threads would only wait with the others.
#[test]
fn a_lock_is_told_in_place_of_workers_that_are_all_taken() {
    let locked = |facts: &mut Measured| {
        slots(facts, Some(4.0), 0.02);
        threads(facts, Doing::WaitsForThread, CodeClass::App, 3);
    };
    assert_eq!(kinds(locked), [FindingKind::LockContention]);
    let lock = first(locked);
    assert_eq!(changed(&lock), "server.workers = 2");
    assert!((lock.finding.gain.unwrap() - 2.0 / 0.7).abs() < 0.01);
    let because = &lock.finding.because;
    assert!(
        because.contains("of 4.00 requests that were worked on 3.00 waited"),
        "{because}"
    );
    // as many processes as cores
    let enough = first(|facts| {
        facts.stack.servers[1] = server("gunicorn", &[("workers", 2)]);
        locked(facts);
    });
    assert_eq!(changed(&enough), "");
}

#[test]
fn a_service_that_requests_wait_for_is_told_beside_what_holds_them_back() {
    let asks = |service: bool, number| {
        move |facts: &mut Measured| {
            slots(facts, Some(10.0), 0.09);
            threads(facts, Doing::WaitsForSocket, CodeClass::App, number);
            if service {
                facts.stack.servers.push(ServerFacts {
                    service: Some("database".to_owned()),
                    ..server("postgresql", &[])
                });
                facts.processes.insert(0, process("postgresql", 0.05));
            }
        }
    };
    let few = FindingKind::FewClients;
    assert_eq!(kinds(asks(true, 9)), [few, FindingKind::StoreWait]);
    assert_eq!(kinds(asks(true, 4)), [few]);
    assert_eq!(kinds(asks(false, 9)), [few], "nothing is known to be asked");
    let told = found(asks(true, 9)).remove(1).finding;
    let because = "`postgresql` (the app's `database`) used 0.0500 of 2 cores";
    assert!(told.because.ends_with(because), "{told:?}");
    let disk = kinds(|facts| {
        asks(true, 9)(facts);
        facts.load.pressure = Some(Pressure {
            storage: Some(6.0),
            ..Pressure::default()
        });
    });
    assert_eq!(disk, [FindingKind::StorageWait]);
}

/// Of a hundred samples on CPU, so many more waited for the interpreter lock.
fn waited_for_the_lock(facts: &mut Measured, samples: u64) {
    let count = |doing, samples| ProfileCount {
        doing,
        class: CodeClass::App,
        own: CodeClass::App,
        samples,
    };
    let counts = vec![
        count(Doing::OnCpu, 100),
        count(Doing::WaitsForLock, samples),
    ];
    facts.load.profile = Some(ProfileFacts {
        rate: 100.0,
        counts,
        ..ProfileFacts::default()
    });
}

#[test]
fn a_core_is_told_with_how_long_threads_waited_for_the_interpreter() {
    let waited = |samples: u64| {
        let one = first(|facts| {
            facts.processes[0] = process("gunicorn", 0.98);
            waited_for_the_lock(facts, samples);
        });
        assert_eq!(one.finding.kind, FindingKind::OneCore);
        one.finding.because
    };
    let told = "waited for the interpreter lock for 75.0 % of the time";
    assert!(waited(300).ends_with(told));
    assert!(!waited(2).contains("interpreter"));
}

/// To hand the lock on takes time in which no thread computes, so that less than a core is used.
#[test]
fn threads_that_wait_for_the_interpreter_for_most_of_the_time_do_not_lack_clients() {
    let waited = |cores: f64, samples: u64| {
        first(move |facts| {
            facts.processes[0] = process("gunicorn", cores);
            slots(facts, Some(64.0), 0.09);
            waited_for_the_lock(facts, samples);
        })
    };
    let locked = waited(0.72, 180);
    assert_eq!(locked.finding.kind, FindingKind::OneCore);
    let because = &locked.finding.because;
    let told = "had 0.720 of the core that it can use";
    assert!(because.contains(told), "{because}");
    assert!(
        because.ends_with("lock for 64.3 % of the time"),
        "{because}"
    );
    let few = FindingKind::FewClients;
    assert_eq!(waited(0.72, 80).finding.kind, few);
    assert_eq!(waited(0.4, 180).finding.kind, few);
    // of two that take each other's place, each in its time
    let replaced = first(|facts| {
        facts.processes[0] = process("gunicorn", 0.36);
        facts.processes[0].counts = [(ProcessCost::WATCHED.to_owned(), 5_000_000)].into();
        facts.processes.push(facts.processes[0].clone());
        slots(facts, Some(64.0), 0.09);
        waited_for_the_lock(facts, 180);
    });
    let because = &replaced.finding.because;
    let told = "one process at a time of `gunicorn` had 0.720 of the core that it can use";
    assert!(because.starts_with(told), "{because}");
    // requests that come at random wait for it, too, while it is free at other times
    let random = kinds(|facts| {
        facts.processes[0] = process("gunicorn", 0.72);
        slots(facts, Some(64.0), 0.09);
        waited_for_the_lock(facts, 180);
        at_a_rate(facts, RATE);
    });
    assert_eq!(random, []);
}
