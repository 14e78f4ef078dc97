//! Samples over time are kept apart from the trial that they are of.

use facts::{host, plan, trial};
use record::{CounterKind, Outcome, Series, Trial};
use rusqlite::Connection;
use store::{Store, StoreError};

#[allow(dead_code, reason = "each test file uses its part")]
mod facts;

fn series(values: &[f64]) -> Series {
    Series {
        of: "nginx".to_owned(),
        pid: Some(7),
        name: "cpu-user".to_owned(),
        kind: CounterKind::Total,
        unit: "seconds".to_owned(),
        at: (0..values.len())
            .map(|second| second as f64 - 0.1)
            .collect(),
        values: values.to_vec(),
    }
}

fn with(series: &[Series], mut trial: Trial) -> Trial {
    if let Outcome::Measured(measured) = &mut trial.outcome {
        measured.observed.series = series.to_vec();
    }
    trial
}

#[test]
fn a_trial_is_read_without_its_series_and_each_gets_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weir.db");
    let mut store = Store::open(&path).unwrap();
    let run = store.begin_run(&plan(2), &host(), "0.1.0").unwrap();
    let own = [series(&[0.1, 1.0 / 3.0]), series(&[2.0])];
    let observed = with(&own, trial(run.id, 0, "nginx"));
    let other = with(&own[1..], trial(run.id, 1, "nginx"));
    let plain = trial(run.id, 0, "dev");
    let all = [&observed, &plain, &other];
    for trial in all {
        store.save(trial).unwrap();
    }

    let mut read = store.trials(run.id).unwrap();
    assert_eq!(read[0], with(&[], observed.clone()));
    assert_eq!(store.series(&read[0]).unwrap(), own);
    assert_eq!(store.series(&read[1]).unwrap(), []);
    store.add_series(&mut read).unwrap();
    assert_eq!(read.iter().collect::<Vec<_>>(), all);

    let plain = Connection::open(&path).unwrap();
    let inside = "SELECT count(*) FROM trial WHERE outcome LIKE '%cpu-user%'";
    let count: i64 = plain.query_row(inside, [], |row| row.get(0)).unwrap();
    assert_eq!(count, 0);
    plain.pragma_update(None, "foreign_keys", true).unwrap();
    plain
        .execute("DELETE FROM trial WHERE variant = 'nginx'", [])
        .unwrap();
    let left = "SELECT count(*) FROM series";
    let left: i64 = plain.query_row(left, [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0, "they go with their trial");
}

#[test]
fn a_series_that_cannot_be_read_back_is_refused_with_its_trial() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("weir.db")).unwrap();
    let run = store.begin_run(&plan(1), &host(), "0.1.0").unwrap();
    let broken = with(&[series(&[f64::NAN])], trial(run.id, 0, "nginx"));
    let error = store.save(&broken).unwrap_err();
    assert!(matches!(error, StoreError::Unreadable { .. }), "{error}");
    assert!(store.trials(run.id).unwrap().is_empty());
}
