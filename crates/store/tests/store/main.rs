//! A store keeps what it was given, says clearly what it cannot do, and lets others read meanwhile.

use std::path::PathBuf;
use std::sync::Barrier;
use std::thread;

use facts::{failed, file, host, plan, trial};
use record::{Calibration, ClosedLoop, Distribution, Host, Outcome, RunStatus, Trial};
use rusqlite::Connection;
use store::{Store, StoreError};
use tempfile::TempDir;

#[path = "../facts/mod.rs"]
mod facts;
mod unusable;

fn new() -> (TempDir, PathBuf, Store) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("below/this/weir.db");
    let store = Store::open(&path).unwrap();
    (folder, path, store)
}

fn files(trial: &mut Trial) -> &mut Vec<record::RenderedFile> {
    match &mut trial.outcome {
        Outcome::Measured(measured) => &mut measured.stack.servers[0].files,
        Outcome::Failed(_) => panic!("a failed trial has no files"),
    }
}

#[test]
fn reads_back_what_was_written_to_the_last_bit() {
    let (_folder, path, mut store) = new();
    let run = store.begin_run(&plan(2), &host(), "0.1.0").unwrap();
    let mut again = trial(run.id, 0, "dev");
    again.again = true;
    let mut in_another_group = trial(run.id, 0, "dev");
    in_another_group.group = 1;
    let trials = [
        trial(run.id, 0, "nginx"),
        trial(run.id, 0, "dev"),
        again,
        in_another_group,
        failed(run.id, 1, "dev"),
    ];
    for trial in &trials {
        store.save(trial).unwrap();
    }
    drop(store);

    let store = Store::open(&path).unwrap();
    assert_eq!(store.run(run.id).unwrap(), run);
    assert_eq!(store.trials(run.id).unwrap(), trials);
    let both = (store.run(run.id).unwrap(), store.trials(run.id).unwrap());
    let text = serde_json::to_string(&both).unwrap();
    let read: (record::Run, Vec<record::Trial>) = serde_json::from_str(&text).unwrap();
    assert_eq!(read, both);
}

#[test]
fn lists_runs_with_how_far_they_came() {
    let (_folder, _path, mut store) = new();
    assert!(matches!(store.latest(), Err(StoreError::Empty { .. })));
    let first = store.begin_run(&plan(1), &host(), "0.1.0").unwrap();
    for variant in ["dev", "nginx"] {
        store.save(&trial(first.id, 0, variant)).unwrap();
    }
    store.finish(first.id, RunStatus::Stopped).unwrap();
    let second = store.begin_run(&plan(8), &host(), "0.1.0").unwrap();
    assert_eq!(store.latest().unwrap(), second);

    let rows: Vec<_> = store
        .runs()
        .unwrap()
        .into_iter()
        .map(|row| (row.id, row.status, row.done, row.planned))
        .collect();
    let expected = [
        (second.id, RunStatus::Begun, 0, 22),
        (first.id, RunStatus::Stopped, 2, 3),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn a_trial_cannot_be_saved_twice() {
    let (_folder, _path, mut store) = new();
    let run = store.begin_run(&plan(1), &host(), "0.1.0").unwrap();
    store.save(&trial(run.id, 0, "dev")).unwrap();
    let error = store.save(&failed(run.id, 0, "dev")).unwrap_err();
    assert!(
        matches!(error, StoreError::AlreadySaved { block: 0, .. }),
        "{error}"
    );
    assert_eq!(store.trials(run.id).unwrap().len(), 1);
}

#[test]
fn equal_files_are_kept_once_and_unequal_ones_apart() {
    let (_folder, path, mut store) = new();
    let run = store.begin_run(&plan(3), &host(), "0.1.0").unwrap();
    let mut odd = trial(run.id, 2, "dev");
    *files(&mut odd) = vec![file(
        "nginx.conf",
        'a',
        "another content under the same hash\n",
    )];
    let trials = [trial(run.id, 0, "dev"), trial(run.id, 1, "dev"), odd];
    for trial in &trials {
        store.save(trial).unwrap();
    }
    assert_eq!(store.trials(run.id).unwrap(), trials);

    let plain = Connection::open(path).unwrap();
    let count = |query: &str| -> i64 { plain.query_row(query, [], |row| row.get(0)).unwrap() };
    assert_eq!(count("SELECT count(*) FROM file"), 2);
    let inside = "SELECT count(*) FROM trial WHERE outcome LIKE '%worker_processes%'";
    assert_eq!(count(inside), 0);
}

#[test]
fn a_figure_that_is_not_a_number_is_refused_instead_of_lost() {
    let (_folder, _path, mut store) = new();
    let run = store.begin_run(&plan(1), &host(), "0.1.0").unwrap();
    let mut broken = trial(run.id, 0, "dev");
    if let Outcome::Measured(measured) = &mut broken.outcome {
        measured.stolen = f64::NAN;
    }
    let error = store.save(&broken).unwrap_err();
    assert!(matches!(error, StoreError::Unreadable { .. }), "{error}");
    assert!(store.trials(run.id).unwrap().is_empty());
}

#[test]
fn an_unknown_run_is_named_with_the_latest_one() {
    let (_folder, _path, mut store) = new();
    let run = store.begin_run(&plan(1), &host(), "0.1.0").unwrap();
    let errors = [
        store.run(99).unwrap_err(),
        store.trials(99).unwrap_err(),
        store.finish(99, RunStatus::Finished).unwrap_err(),
        store.save(&trial(99, 0, "dev")).unwrap_err(),
    ];
    for error in errors {
        assert!(error.to_string().contains("no run `99`"), "{error}");
        let hint = error.hint().unwrap();
        assert!(
            hint.contains("weir list") && hint.contains(&run.id.to_string()),
            "{hint}"
        );
    }
}

#[test]
fn readers_see_finished_trials_while_a_run_writes() {
    let (_folder, path, mut store) = new();
    let run = store.begin_run(&plan(40), &host(), "0.1.0").unwrap();
    let reader = Store::open(&path).unwrap();
    for block in 0..40 {
        store.save(&trial(run.id, block, "dev")).unwrap();
        assert_eq!(reader.trials(run.id).unwrap().len(), block as usize + 1);
        assert_eq!(reader.runs().unwrap()[0].done, block + 1);
    }
    // a reader in the middle of its reading does not hold the writer up
    let slow = Connection::open(&path).unwrap();
    slow.execute_batch("BEGIN; SELECT count(*) FROM trial;")
        .unwrap();
    store.save(&trial(run.id, 40, "dev")).unwrap();
    let seen: i64 = slow
        .query_row("SELECT count(*) FROM trial", [], |row| row.get(0))
        .unwrap();
    assert_eq!((seen, reader.trials(run.id).unwrap().len()), (40, 41));
}

#[test]
fn many_may_make_the_same_new_store_at_once() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weir.db");
        let together = Barrier::new(8);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    together.wait();
                    let mut store = Store::open(&path).unwrap();
                    store.begin_run(&plan(1), &host(), "0.1.0").unwrap();
                });
            }
        });
        assert_eq!(Store::open(&path).unwrap().runs().unwrap().len(), 8);
    }
}

#[test]
fn a_resumed_run_is_under_way_again_and_tries_what_failed_once_more() {
    let (_folder, _path, mut store) = new();
    let run = store.begin_run(&plan(1), &host(), "0.1.0").unwrap();
    let kept = trial(run.id, 0, "dev");
    store.save(&kept).unwrap();
    store.save(&failed(run.id, 0, "nginx")).unwrap();
    store.finish(run.id, RunStatus::Stopped).unwrap();

    store.resume(run.id).unwrap();
    assert_eq!(store.trials(run.id).unwrap(), [kept]);
    assert_eq!(store.run(run.id).unwrap().status, RunStatus::Begun);
    store.save(&trial(run.id, 0, "nginx")).unwrap();
    assert!(store.resume(99).is_err());
}

fn calibration() -> Calibration {
    let mut response = Distribution::default();
    (0..100).for_each(|i| response.record(50_000 + i * 7_919));
    Calibration {
        measured: "2026-01-01T00:00:00Z".parse().unwrap(),
        weir: "0.1.0".to_owned(),
        host: host(),
        closed_loops: vec![ClosedLoop {
            throughput: 123_456.789,
            cpu_per_request: 5.4e-6,
            busy: 0.97,
        }],
        ring: Vec::new(),
        races: Vec::new(),
        connections: 100,
        rate: 5_000.0,
        woken: response.clone(),
        lateness: Distribution::default(),
        others: None,
        response,
    }
}

#[test]
fn a_calibration_holds_for_its_machine_and_its_version() {
    let (_folder, path, mut store) = new();
    assert_eq!(store.calibration(&host(), "0.1.0").unwrap(), None);
    let (mut first, second) = (calibration(), calibration());
    first.closed_loops[0].throughput = 1.0;
    store.save_calibration(&first).unwrap();
    store.save_calibration(&second).unwrap();
    drop(store);

    let store = Store::open(&path).unwrap();
    let found = |host: &Host, weir| store.calibration(host, weir).unwrap();
    assert_eq!(found(&host(), "0.1.0"), Some(second), "the latest");
    assert_eq!(found(&host(), "0.2.0"), None);
    let (cores, kernel) = (4, "6.19".to_owned());
    assert_eq!(found(&Host { cores, ..host() }, "0.1.0"), None);
    assert_eq!(found(&Host { kernel, ..host() }, "0.1.0"), None);
}

/// A store of the version before keeps its runs.
#[test]
fn an_older_store_learns_to_keep_calibrations() {
    let (_folder, path, mut store) = new();
    let run = store.begin_run(&plan(1), &host(), "0.1.0").unwrap();
    drop(store);
    let older = Connection::open(&path).unwrap();
    older.execute("DROP TABLE calibration", []).unwrap();
    let cut = "ALTER TABLE run DROP COLUMN cut";
    older.execute(cut, []).unwrap();
    older.execute("DROP TABLE series", []).unwrap();
    older.execute("DROP TABLE stacks", []).unwrap();
    let stage = "ALTER TABLE trial RENAME COLUMN variant TO stage";
    older.execute(stage, []).unwrap();
    let turn = "ALTER TABLE trial RENAME COLUMN turn TO again";
    older.execute(turn, []).unwrap();
    let stages = r#"UPDATE run SET plan = replace(plan, '"variants"', '"stages"')"#;
    assert_eq!(older.execute(stages, []).unwrap(), 1);
    older.pragma_update(None, "user_version", 1).unwrap();
    drop(older);

    let mut store = Store::open(&path).unwrap();
    store.save_calibration(&calibration()).unwrap();
    assert!(store.calibration(&host(), "0.1.0").unwrap().is_some());
    assert_eq!(store.run(run.id).unwrap(), run);
}
