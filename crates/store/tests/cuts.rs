//! What a run left out, and when its trials began: what its time is reckoned by.

use facts::{failed, host, plan, trial};
use store::{Store, StoreError};

#[allow(dead_code, reason = "each test file uses its part")]
mod facts;

#[test]
fn what_a_run_left_out_is_kept_until_it_is_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weir.db");
    let mut store = Store::open(&path).unwrap();
    let run = store.begin_run(&plan(6), &host(), "0.1.0").unwrap();
    assert_eq!(run.cut, None);
    let cut = record::Cut {
        budget: 60.0,
        spent: 51.5,
        blocks: 2,
        trials: 1,
        block: 20.25,
    };
    store.note_cut(run.id, Some(&cut)).unwrap();
    drop(store);
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.run(run.id).unwrap().cut, Some(cut));
    store.resume(run.id).unwrap();
    assert_eq!(store.run(run.id).unwrap().cut, None);
    assert!(matches!(
        store.note_cut(99, None),
        Err(StoreError::NoSuchRun { .. })
    ));
}

#[test]
fn starts_are_those_of_the_trials() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("weir.db")).unwrap();
    let run = store.begin_run(&plan(2), &host(), "0.1.0").unwrap();
    store.save(&trial(run.id, 0, "nginx")).unwrap();
    store.save(&failed(run.id, 0, "dev")).unwrap();
    let starts = store.starts(run.id).unwrap();
    let told: Vec<_> = starts
        .iter()
        .map(|of| (of.variant.as_str(), of.failed))
        .collect();
    assert_eq!(told, [("nginx", false), ("dev", true)]);
    assert_eq!(starts[0].started, store.trials(run.id).unwrap()[0].started);
}
