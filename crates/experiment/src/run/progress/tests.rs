use record::{Failure, Measured, StackFacts, Step, Target, Verified};

use super::*;
use crate::run::order::tests::plan;

fn trial(block: u32, variant: &str, attempt: u32) -> Trial {
    Trial {
        run: 1,
        block,
        position: 0,
        variant: variant.into(),
        again: false,
        group: 0,
        attempt,
        started: jiff::Timestamp::UNIX_EPOCH,
        outcome: Outcome::Measured(Box::new(Measured {
            stack: StackFacts {
                servers: Vec::new(),
                address: Target::Tcp(([127, 0, 0, 1], 8_000).into()),
                ready_after: 0.1,
                verified: Verified::default(),
            },
            load: record::LoadFacts::default(),
            processes: Vec::new(),
            stolen: 0.0,
            observed: record::Observed::default(),
        })),
    }
}

fn lost(block: u32, variant: &str, attempt: u32) -> Trial {
    Trial {
        outcome: Outcome::Failed(Failure {
            step: Step::Start,
            error: "the port was taken".into(),
            log_tail: Vec::new(),
            machine: true,
        }),
        ..trial(block, variant, attempt)
    }
}

/// Variants and attempts that are to be taken again.
fn wanted(progress: &RunProgress, plan: &Plan) -> Vec<(u32, String, u32)> {
    let again = progress.again(plan).into_iter();
    again
        .map(|of| (of.block, of.slot.variant, of.attempt))
        .collect()
}

#[test]
fn what_has_a_transient_doubt_is_taken_again_twice_at_most() {
    let plan = plan(1, None, 6);
    let mut progress = RunProgress::default();
    assert!(progress.note(&trial(0, "a", 0), true));
    assert_eq!(wanted(&progress, &plan), [(0, "a".into(), 1)]);
    // it counts as tried: what is left is what never was
    assert_eq!(progress.left(&plan)[0].slots.len(), 3);
    assert_eq!(progress.done(), 1);
    assert!(progress.note(&trial(0, "a", 1), true));
    assert!(!progress.note(&trial(0, "a", 2), true));
    assert_eq!(wanted(&progress, &plan), []);
    assert_eq!(progress.done(), 1);
    assert!(!progress.is_broken("a"), "it has figures, in doubt");
}

#[test]
fn a_good_attempt_ends_it() {
    let plan = plan(1, None, 6);
    let mut progress = RunProgress::default();
    progress.note(&trial(0, "a", 0), true);
    assert!(!progress.note(&trial(0, "a", 1), false));
    assert_eq!(wanted(&progress, &plan), []);
}

/// A machine that is never quiet, or a variant that upsets the generator each time, would make a run three times
/// as long for nothing.
#[test]
fn a_variant_that_was_put_aside_each_time_is_not_taken_again_in_later_blocks() {
    let plan = plan(1, None, 6);
    let mut progress = RunProgress::default();
    for attempt in 0..3 {
        progress.note(&trial(0, "a", attempt), true);
    }
    assert!(!progress.note(&trial(1, "a", 0), true));
    assert!(progress.note(&trial(1, "b", 0), true));
    assert_eq!(wanted(&progress, &plan), [(1, "b".into(), 1)]);
}

#[test]
fn a_trial_that_was_lost_leaves_its_variant_in_the_run_until_it_is_lost_for_good() {
    let plan = plan(1, None, 6);
    let mut progress = RunProgress::default();
    for attempt in 0..2 {
        assert!(progress.note(&lost(0, "a", attempt), true));
        assert!(!progress.is_broken("a"));
    }
    assert!(!progress.note(&lost(0, "a", 2), true));
    assert!(progress.is_broken("a"));
    assert!(!progress.note(&lost(0, "b", 0), false));
    assert!(
        progress.is_broken("b"),
        "what cannot pass is not tried twice"
    );
    let left = progress.left(&plan);
    assert!(left.iter().all(|block| block.slots.len() == 2));
}

#[test]
fn a_variant_that_is_out_is_not_taken_again_either() {
    let plan = plan(1, Some("a"), 6);
    let mut progress = RunProgress::default();
    progress.note(&trial(0, "a", 0), true);
    progress.note(
        &Trial {
            again: true,
            ..lost(0, "a", 0)
        },
        false,
    );
    assert_eq!(wanted(&progress, &plan), []);
}

#[test]
fn blocks_come_one_after_the_other_and_what_was_tried_least_first() {
    let plan = plan(1, None, 6);
    let mut progress = RunProgress::default();
    progress.note(&trial(1, "a", 0), true);
    progress.note(&trial(0, "a", 1), true);
    progress.note(&trial(0, "b", 0), true);
    let expected = [(0, "b".into(), 1), (0, "a".into(), 2), (1, "a".into(), 1)];
    assert_eq!(wanted(&progress, &plan), expected);
}

/// What another attempt followed stays in the store; only what failed last is taken out of it.
#[test]
fn a_run_that_is_taken_up_again_goes_on_with_what_was_to_be_taken_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("weir.db")).unwrap();
    let plan = plan(1, None, 6);
    let run = store
        .begin_run(&plan, &record::Host::default(), "0.1.0")
        .unwrap();
    let disturbed = |attempt| {
        let mut disturbed = trial(0, "a", attempt);
        if let Outcome::Measured(facts) = &mut disturbed.outcome {
            facts.stolen = 0.12;
            (facts.load.seconds, facts.load.completed) = (10.0, 10);
            facts.load.scheduled = 10;
            facts.load.response.record(1_000_000);
        }
        disturbed
    };
    for done in [
        disturbed(0),
        trial(0, "b", 0),
        lost(0, "c", 0),
        lost(0, "c", 1),
        lost(0, "d", 0),
    ] {
        store.save(&done).unwrap();
    }
    store.resume(run.id).unwrap();
    let progress = RunProgress::open(&store, &run).unwrap();
    let mut again = wanted(&progress, &plan);
    again.sort();
    assert_eq!(again, [(0, "a".into(), 1), (0, "c".into(), 1)]);
    let left: Vec<_> = progress.left(&plan)[0].slots.clone();
    assert!(
        matches!(&left[..], [(_, slot)] if slot.variant == "d"),
        "{left:?}"
    );
}

#[test]
fn a_run_is_complete_when_nothing_is_left_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("weir.db")).unwrap();
    let plan = plan(1, None, 1);
    let run = store
        .begin_run(&plan, &record::Host::default(), "0.1.0")
        .unwrap();
    let is_complete = |store: &Store| RunProgress::is_complete(store, &run).unwrap();
    assert!(!is_complete(&store), "nothing was tried");
    for variant in ["a", "b", "c"] {
        store.save(&trial(0, variant, 0)).unwrap();
    }
    assert!(!is_complete(&store), "one was never tried");
    store.save(&lost(0, "d", 0)).unwrap();
    assert!(!is_complete(&store), "what was lost is taken again");
    store.save(&trial(0, "d", 1)).unwrap();
    assert!(is_complete(&store));
}
