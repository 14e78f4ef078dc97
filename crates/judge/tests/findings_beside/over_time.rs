//! What series tell: memory that grows, processes that begin again and again.

use judge::FindingKind;
use record::{CounterKind, Measured, Others, ProcessCost, Series, SliceFacts};

use crate::lab::REQUESTS;
use crate::lab::stage::{SECONDS, found, kinds, process, times};

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

/// A figure of the app server over the ten seconds of the window.
fn over_time(name: &str, pid: Option<u32>, values: &[f64]) -> Series {
    let each = SECONDS / (values.len() - 1) as f64;
    Series {
        of: "gunicorn".to_owned(),
        pid,
        name: name.to_owned(),
        kind: CounterKind::Gauge,
        unit: "bytes".to_owned(),
        at: (0..values.len()).map(|look| look as f64 * each).collect(),
        values: values.to_vec(),
    }
}

/// Two workers with 100 MB each. Pages that one of them writes to are its own from then on, and resident before; a file that both
/// have mapped comes to be resident in both.
#[test]
fn memory_that_processes_share_counts_once() {
    let rises: Vec<f64> = (0..=10).map(|look| 50e6 + 5e6 * f64::from(look)).collect();
    let steady = [100e6; 11];
    let grows = |resident: &[f64], proportional: &[f64], of_both: bool| {
        let (resident, proportional) = (resident.to_vec(), proportional.to_vec());
        kinds(move |facts: &mut Measured| {
            let mut series = Vec::new();
            for pid in [7, 8] {
                series.push(over_time("rss", Some(pid), &resident));
                if of_both || pid == 7 {
                    series.push(over_time("pss", Some(pid), &proportional));
                }
            }
            facts.observed.series = series;
        })
        .contains(&FindingKind::MemoryGrows)
    };
    assert!(grows(&steady, &rises, true));
    assert!(!grows(&rises, &steady, true));
    assert!(grows(&rises, &steady, false), "one was not asked");
    let rarely = [50e6, 50e6, 100e6, 100e6];
    assert!(!grows(&steady, &rarely, true), "too rarely to tell");
}

/// Other programs may have begun what the kernel counts on the machine.
#[test]
fn beside_others_only_what_was_seen_of_the_stack_is_told() {
    let because = |others: f64, seen: f64| {
        let found = found(move |facts: &mut Measured| {
            facts.processes[0].resident = Some([1, 1]);
            facts.observed.begun = Some(100_000);
            facts.observed.others = Some(Others {
                share: others,
                ..Others::default()
            });
            facts.observed.series = vec![over_time(Series::FORKS, None, &[0.0, seen])];
        });
        let mut findings = found.into_iter().map(|of| of.finding);
        let churn = findings.find(|of| of.kind == FindingKind::SpawnChurn);
        churn.map(|of| of.because)
    };
    // a hundred responses a second, for ten seconds
    let seen = because(0.1, 800.0).unwrap();
    assert!(seen.starts_with("0.800 processes of the stack"), "{seen}");
    let machine = because(0.0, 1.0).unwrap();
    assert!(machine.contains("on the machine"), "{machine}");
    assert_eq!(because(0.0, 0.0), None, "the stack began nothing");
    assert_eq!(because(0.1, 4.0), None);
    let workers = because(0.1, 6.0).unwrap();
    assert!(workers.contains("`gunicorn` 6 processes"), "{workers}");
}

/// Its app server waited for children that used CPU time.
fn of_children(facts: &mut Measured) {
    let ended = (ProcessCost::ENDED_CHILDREN.to_owned(), 10_000);
    facts.processes[0].counts = [ended].into();
}

/// Twenty forks in a second, two for each response, of which the stack began none or some.
#[test]
fn what_others_begin_is_no_churn_of_the_stack() {
    let told = |spoil: fn(&mut Measured)| {
        kinds(move |facts: &mut Measured| {
            facts.load.seconds = 100.0;
            (facts.load.response, facts.load.service) = (times(1.0), times(1.0));
            facts.observed.begun = Some(2_000);
            facts.processes[0].resident = Some([1, 1]);
            spoil(facts);
        })
        .contains(&FindingKind::SpawnChurn)
    };
    assert!(!told(|_| {}));
    assert!(told(of_children));
    assert!(told(|facts| {
        facts.observed.series = vec![over_time("threads", Some(7), &[3.0, 5.0, 4.0])];
    }));
    assert!(!told(|facts| {
        facts.observed.series = vec![over_time("threads", Some(7), &[4.0, 4.0, 3.0])];
    }));
    assert!(!told(|facts| {
        let mut own = over_time("threads", Some(7), &[3.0, 5.0, 4.0]);
        ProcessCost::OWN.clone_into(&mut own.of);
        facts.observed.series = vec![own];
    }));
    assert!(told(|facts| {
        facts.observed.series = vec![over_time(Series::FORKS, None, &[0.0, 1.0])];
    }));
}

#[test]
fn what_is_started_for_each_request_is_told() {
    let begun = |count, workers: usize| {
        kinds(move |facts: &mut Measured| {
            facts.observed.begun = Some(count);
            facts.processes[0].resident = Some([1, 1]);
            of_children(facts);
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
    // ten responses a second, for a hundred seconds, and as many before each slice where the window is cut
    let slowly = |count: u64, led: Option<u64>| {
        kinds(move |facts: &mut Measured| {
            facts.observed.begun = Some(count);
            of_children(facts);
            facts.load.seconds = 100.0;
            (facts.load.response, facts.load.service) = (times(1.0), times(1.0));
            facts.load.slices = led.map(|led| SliceFacts {
                led,
                ..SliceFacts::default()
            });
        })
        .contains(&FindingKind::SpawnChurn)
    };
    assert!(slowly(2_500, None), "25 a second");
    assert!(!slowly(1_500, None), "15 a second");
    assert!(!slowly(3_000, Some(REQUESTS)), "half of them led in");
    assert!(slowly(5_000, Some(REQUESTS)));
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
