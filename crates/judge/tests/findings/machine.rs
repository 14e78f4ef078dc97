//! What else ran on the machine, and for how long processes were there: windows in slices, quotas, programs beside a server that
//! weir did not start, workers that are replaced.

use crate::lab::stage::{SECONDS, first, found, kinds, process, slots};
use judge::FindingKind;
use record::{
    Measured, NamedFacts, Others, Pressure, ProcessCost, RUN_QUEUE_WAIT, SliceFacts, Stolen,
};

#[test]
fn what_others_took_while_other_loads_had_their_turn_is_no_part_of_a_slice() {
    let beside = |facts: &mut Measured| {
        facts.processes[0] = process("gunicorn", 0.98);
        facts.processes[2] = process("weir", 0.08);
        // 4 % of two cores, over the hundred seconds that ten loads of ten seconds took
        facts.observed.others = Some(Others {
            seconds: 8.0,
            share: 0.04,
            ..Others::default()
        });
    };
    let one = first(beside);
    assert_eq!(one.finding.kind, FindingKind::OneCore, "{one:?}");
    let stolen = first(|facts| {
        beside(facts);
        facts.observed.others = None;
        facts.load.stolen = Some(Stolen {
            share: 0.04,
            seconds: 8.0,
        });
    });
    assert_eq!(stolen.finding.kind, FindingKind::OneCore, "{stolen:?}");
}

#[test]
fn waiting_for_storage_in_a_lead_in_does_not_count() {
    let waits = |led| {
        kinds(move |facts| {
            slots(facts, Some(1.0), 0.001);
            facts.load.pressure = Some(Pressure {
                storage: Some(3.0),
                ..Pressure::default()
            });
            facts.load.slices = Some(SliceFacts {
                count: 10,
                lead: 0.1,
                led,
            });
        })
    };
    assert_eq!(waits(0), [FindingKind::StorageWait]);
    assert_eq!(waits(1_000), [FindingKind::SlotsFull]);
}

/// Of 64 processors of the machine weir may have two: threads on all of them are held back at once.
#[test]
fn what_a_quota_holds_back_is_no_share_of_the_cores() {
    let held = |others: Option<Others>| {
        let found = found(move |facts| {
            facts.load.throttled = Some(120.0);
            facts.observed.others.clone_from(&others);
        });
        assert_eq!(found[0].finding.kind, FindingKind::OtherPrograms);
        found[0].finding.clone()
    };
    let alone = held(None);
    assert!(
        alone.because.contains("for 120 s of one processor"),
        "{alone:?}"
    );
    assert!(!alone.because.contains('%'), "{alone:?}");
    assert!(alone.next.starts_with("a quota pauses"), "{alone:?}");
    assert_eq!(alone.gain, None);
    let both = held(Some(Others {
        seconds: 2.0,
        share: 0.1,
        ..Others::default()
    }));
    assert!(both.next.contains("that is quiet"), "{both:?}");
    assert!(both.next.contains("a quota pauses"), "{both:?}");
    assert!((both.gain.unwrap() - 1.0 / 0.9).abs() < 1e-9, "{both:?}");
}

#[test]
fn cores_that_are_busy_with_other_programs_are_told_once() {
    let kinds = kinds(|facts| {
        // hardly any waiting for a core, or the trial would not count
        facts.processes[0].counts = [(RUN_QUEUE_WAIT.to_owned(), 1_000)].into();
        facts.observed.others = Some(Others {
            seconds: 14.0,
            share: 0.7,
            ..Others::default()
        });
    });
    assert!(kinds.contains(&FindingKind::OtherPrograms), "{kinds:?}");
    assert!(!kinds.contains(&FindingKind::EveryCoreBusy), "{kinds:?}");
}

#[test]
fn what_more_workers_bring_is_not_concluded_while_others_have_a_core() {
    let next = |others: f64| {
        let found = found(move |facts| {
            facts.processes[0] = process("gunicorn", 0.95);
            facts.processes[0].counts = [(RUN_QUEUE_WAIT.to_owned(), 1_000)].into();
            facts.processes.push(process("gunicorn", 0.9));
            facts.observed.others = Some(Others {
                seconds: others * SECONDS,
                share: others / 2.0,
                ..Others::default()
            });
        });
        let mut found = found.into_iter().map(|of| of.finding);
        let busy = found.find(|of| of.kind == FindingKind::EveryCoreBusy);
        busy.unwrap().next
    };
    assert!(next(0.1).ends_with("More workers bring nothing"));
    let held = next(0.7);
    assert!(held.ends_with("other programs had 0.700 cores"), "{held}");
    assert!(!held.contains("bring nothing"), "{held}");
}

/// Workers that end after some requests, each of which was there for so many seconds, and busy for so many.
fn replaced(facts: &mut Measured, workers: &[(f64, f64)]) {
    slots(facts, None, 0.09);
    for (there, busy) in workers {
        let mut worker = process("gunicorn", busy / SECONDS);
        let watched = (ProcessCost::WATCHED.to_owned(), (there * 1e6) as u64);
        worker.counts = [watched].into();
        facts.processes.push(worker);
    }
    facts.processes[0] = process("gunicorn", 0.0);
}

#[test]
fn workers_that_take_each_others_place_have_a_core_together() {
    let turns = first(|facts| {
        let workers = [(3.2, 3.1), (3.4, 3.3), (2.8, 2.7), (0.6, 0.5)];
        replaced(facts, &workers);
    });
    assert_eq!(turns.finding.kind, FindingKind::OneCore);
    let because = &turns.finding.because;
    assert!(because.starts_with("one process at a time"), "{because}");
    // one that loads the app as the window ends, and others that have little to do
    let begins = |facts: &mut Measured| replaced(facts, &[(8.5, 3.0), (1.4, 1.35)]);
    assert_eq!(kinds(begins), [FindingKind::FewClients]);
}

#[test]
fn children_that_a_process_waited_for_are_no_part_of_its_core() {
    let one = |children: u64| {
        kinds(move |facts| {
            facts.processes[0] = process("gunicorn", 0.98);
            let children = (ProcessCost::ENDED_CHILDREN.to_owned(), children * 1_000_000);
            facts.processes[0].counts = [children].into();
            slots(facts, None, 0.09);
        })
    };
    assert_eq!(one(0), [FindingKind::OneCore]);
    assert_eq!(one(8), [FindingKind::FewClients]);
}

#[test]
fn a_mix_is_not_compared_with_one_of_its_requests_alone() {
    let asked = |names: &[&str]| {
        let named: Vec<_> = names
            .iter()
            .map(|name| NamedFacts {
                name: (*name).to_owned(),
                ..NamedFacts::default()
            })
            .collect();
        kinds(move |facts| {
            slots(facts, None, 0.02);
            facts.load.named.clone_from(&named);
        })
    };
    assert_eq!(asked(&["home"]), [FindingKind::AppWaits]);
    // ten in progress on two cores are not few, where nobody knows how long one takes alone
    assert_eq!(asked(&["home", "search"]), []);
}
