//! Runs that are removed, with all that is kept of them and nothing else.

use std::path::Path;

use facts::{file, host, plan, trial};
use record::{Outcome, RunStatus, Trial};
use rusqlite::Connection;
use store::{Store, StoreError};

#[allow(dead_code, reason = "each test file uses its part")]
mod facts;

/// A finished run of one trial, which has a file of this hash besides those that every trial has.
fn finished(store: &mut Store, hash: char) -> i64 {
    let run = store.begin_run(&plan(1), &host(), "0.1.0").unwrap().id;
    let mut kept = trial(run, 0, "dev");
    add(&mut kept, hash);
    store.save(&kept).unwrap();
    store.finish(run, RunStatus::Finished).unwrap();
    run
}

fn add(trial: &mut Trial, hash: char) {
    let Outcome::Measured(measured) = &mut trial.outcome else {
        panic!("a failed trial has no files")
    };
    let files = &mut measured.stack.servers[0].files;
    files.push(file("own.conf", hash, &format!("of {hash}\n")));
}

fn count(path: &Path, table: &str) -> i64 {
    let plain = Connection::open(path).unwrap();
    let query = format!("SELECT count(*) FROM {table}");
    plain.query_row(&query, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_run_goes_with_its_trials_and_files_and_leaves_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weir.db");
    let mut store = Store::open(&path).unwrap();
    let (first, second) = (finished(&mut store, 'c'), finished(&mut store, 'd'));
    let kept = store.trials(second).unwrap();
    assert_eq!((count(&path, "trial"), count(&path, "file")), (2, 4));

    store.forget(&[first]).unwrap();
    assert!(matches!(
        store.run(first),
        Err(StoreError::NoSuchRun { .. })
    ));
    assert_eq!((count(&path, "run"), count(&path, "trial")), (1, 1));
    assert_eq!(count(&path, "file"), 3, "what the other one has stays");
    assert_eq!(store.trials(second).unwrap(), kept);

    store.forget(&[second]).unwrap();
    for table in ["run", "trial", "file", "series", "stacks"] {
        assert_eq!(count(&path, table), 0, "{table}");
    }
    let next = finished(&mut store, 'e');
    assert_eq!(next, second + 1, "no number is given twice");
}

#[test]
fn all_are_removed_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weir.db");
    let mut store = Store::open(&path).unwrap();
    let run = finished(&mut store, 'c');
    let error = store.forget(&[run, 99]).unwrap_err();
    assert!(error.to_string().contains("no run `99`"), "{error}");
    assert_eq!(count(&path, "run"), 1);
}

#[test]
fn a_run_that_is_being_measured_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weir.db");
    let mut measures = Store::open(&path).unwrap();
    let run = measures.begin_run(&plan(2), &host(), "0.1.0").unwrap().id;
    let mut other = Store::open(&path).unwrap();
    let refused = |store: &mut Store| {
        let error = store.forget(&[run]).unwrap_err();
        assert!(error.to_string().contains("is being measured"), "{error}");
        assert!(error.hint().is_some());
    };
    refused(&mut other);
    measures.save(&trial(run, 0, "dev")).unwrap();
    drop(measures);
    // one that goes on with it
    let mut resumes = Store::open(&path).unwrap();
    resumes.resume(run).unwrap();
    refused(&mut other);
    resumes.finish(run, RunStatus::Stopped).unwrap();
    other.forget(&[run]).unwrap();
    assert_eq!(count(&path, "run"), 0);
}
