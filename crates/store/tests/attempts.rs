//! Every attempt of a trial is kept.

use facts::{failed, host, plan, trial};
use record::Trial;
use rusqlite::Connection;
use store::{Store, StoreError};

#[allow(dead_code, reason = "each test file uses its part")]
mod facts;

fn attempt(number: u32, trial: Trial) -> Trial {
    Trial {
        attempt: number,
        ..trial
    }
}

#[test]
fn attempts_of_one_trial_stand_beside_each_other_and_count_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("weir.db")).unwrap();
    let run = store.begin_run(&plan(1), &host(), "0.1.0").unwrap();
    let all = [
        failed(run.id, 0, "dev"),
        attempt(1, trial(run.id, 0, "dev")),
        trial(run.id, 0, "nginx"),
    ];
    for trial in &all {
        store.save(trial).unwrap();
    }
    assert_eq!(store.trials(run.id).unwrap(), all);
    assert_eq!(store.runs().unwrap()[0].done, 2);
    let twice = store.save(&attempt(1, failed(run.id, 0, "dev")));
    assert!(matches!(twice, Err(StoreError::AlreadySaved { .. })));
}

#[test]
fn a_resumed_run_keeps_what_another_attempt_followed() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("weir.db")).unwrap();
    let run = store.begin_run(&plan(1), &host(), "0.1.0").unwrap();
    let followed = failed(run.id, 0, "dev");
    let standing = attempt(1, trial(run.id, 0, "dev"));
    let last = attempt(1, failed(run.id, 0, "nginx"));
    let before = failed(run.id, 0, "nginx");
    for trial in [&followed, &standing, &before, &last] {
        store.save(trial).unwrap();
    }
    store.resume(run.id).unwrap();
    assert_eq!(store.trials(run.id).unwrap(), [followed, standing, before]);
    store.save(&last).unwrap();
}

/// Runs of the versions before had one attempt of each trial.
#[test]
fn an_older_store_keeps_its_trials() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weir.db");
    let mut store = Store::open(&path).unwrap();
    let run = store.begin_run(&plan(1), &host(), "0.1.0").unwrap();
    let kept = trial(run.id, 0, "dev");
    store.save(&kept).unwrap();
    drop(store);
    let older = Connection::open(&path).unwrap();
    let first = include_str!("../schema/001-runs.sql");
    let from = first.find("CREATE TABLE trial").unwrap();
    let until = from + first[from..].find("STRICT;").unwrap() + "STRICT;".len();
    let as_it_was = format!(
        "DROP TABLE series; DROP TABLE stacks; ALTER TABLE trial RENAME TO later; {}
         INSERT INTO trial SELECT id, run, block, position, variant, turn, started, outcome FROM later;
         DROP TABLE later; PRAGMA user_version = 3;",
        &first[from..until]
    );
    older.execute_batch(&as_it_was).unwrap();
    drop(older);

    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.trials(run.id).unwrap(), std::slice::from_ref(&kept));
    store.save(&attempt(1, kept)).unwrap();
}
