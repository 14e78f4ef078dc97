//! Files that are no store, or none that this weir can read or write.

use record::RunStatus;
use rusqlite::Connection;
use store::{Store, StoreError};

use crate::facts::{host, plan, trial};
use crate::new;

#[test]
fn other_files_are_recognised_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    let words = "not a database, but longer than the hundred bytes of a header. ".repeat(30);
    std::fs::write(&text, &words).unwrap();
    let error = Store::open(&text).unwrap_err();
    assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
    assert_eq!(std::fs::read_to_string(&text).unwrap(), words);

    let foreign = folder.path().join("browser.db");
    let made = Connection::open(&foreign).unwrap();
    made.execute_batch("CREATE TABLE run (url TEXT); INSERT INTO run VALUES ('x')")
        .unwrap();
    drop(made);
    let before = std::fs::read(&foreign).unwrap();
    let error = Store::open(&foreign).unwrap_err();
    assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
    assert_eq!(std::fs::read(&foreign).unwrap(), before);
}

#[test]
fn a_later_schema_is_refused() {
    let (_folder, path, store) = new();
    drop(store);
    let later = Connection::open(&path).unwrap();
    later.pragma_update(None, "user_version", 41).unwrap();
    drop(later);
    let error = Store::open(&path).unwrap_err();
    assert!(
        matches!(error, StoreError::TooNew { found: 41, .. }),
        "{error}"
    );
    assert!(error.hint().unwrap().contains("update weir"));
}

#[test]
fn a_damaged_store_is_told() {
    let (_folder, path, mut store) = new();
    let run = store.begin_run(&plan(20), &host(), "0.1.0").unwrap();
    for block in 0..20 {
        store.save(&trial(run.id, block, "dev")).unwrap();
    }
    drop(store);
    let mut bytes = std::fs::read(&path).unwrap();
    let length = bytes.len();
    bytes[4096..length].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    let error = Store::open(&path)
        .and_then(|store| store.trials(run.id))
        .unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("file");
    std::fs::write(&taken, "").unwrap();
    for path in [taken.join("weir.db"), folder.path().to_owned()] {
        let error = Store::open(&path).unwrap_err();
        assert!(matches!(error, StoreError::CannotOpen { .. }), "{error}");
        assert!(
            error.to_string().contains(&path.display().to_string()),
            "{error}"
        );
        assert!(error.hint().unwrap().contains("--store PATH"));
    }
}

#[test]
fn a_store_that_was_removed_or_replaced_is_told_at_the_next_write() {
    let (_folder, path, mut store) = new();
    let run = store.begin_run(&plan(1), &host(), "0.1.0").unwrap();
    store.save(&trial(run.id, 0, "dev")).unwrap();
    std::fs::remove_file(&path).unwrap();
    let told = |error: StoreError| {
        assert!(matches!(error, StoreError::Gone { .. }), "{error}");
        assert!(error.hint().unwrap().contains("--store PATH"));
    };
    told(store.save(&trial(run.id, 1, "dev")).unwrap_err());
    told(store.finish(run.id, RunStatus::Finished).unwrap_err());
    std::fs::write(&path, "another file").unwrap();
    told(store.finish(run.id, RunStatus::Finished).unwrap_err());
}

#[test]
fn to_look_at_a_store_that_is_not_there_does_not_make_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("typing error.db");
    let store = Store::open_to_read(&path).unwrap();
    assert_eq!(store.runs().unwrap().len(), 0);
    let error = store.run(37).unwrap_err().to_string();
    assert!(error.contains("typing error.db"), "{error}");
    drop(store);
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
