//! What no mock can show: a writer that is really killed, and a disk that is really full.
//!
//! The scenarios need processes of their own, so this file is its own harness: started without
//! its child's word it plays the scenarios, with it it is the child.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use facts::{host, plan, trial};
use store::{Store, StoreError};

mod facts;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["child-write", path] => write_until_killed(Path::new(path)),
        ["child-fill", folder] => fill_a_small_disk(Path::new(folder)),
        _ => {
            a_killed_writer_loses_no_finished_trial();
            println!("a killed writer loses no finished trial ... ok");
            a_full_disk_is_told_and_keeps_what_is_finished();
            println!("a full disk is told and keeps what is finished ... ok");
        }
    }
    ExitCode::SUCCESS
}

/// Saves trials for ever, and says so after each.
fn write_until_killed(path: &Path) {
    let mut store = Store::open(path).unwrap();
    let run = store.begin_run(&plan(u32::MAX), &host(), "0.1.0").unwrap();
    for block in 0.. {
        store.save(&trial(run.id, block, "dev")).unwrap();
        println!("{block}");
    }
}

fn a_killed_writer_loses_no_finished_trial() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weir.db");
    // killed after different numbers of trials, so that the kill falls into different moments
    for (id, last) in (1..).zip([0, 1, 3, 8, 20, 45, 90, 150]) {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg("child-write")
            .arg(&path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(said.any(|line| line.unwrap() == last.to_string()));
        child.kill().unwrap();
        let unread = said.map_while(Result::ok).count() as u32;
        assert!(!child.wait().unwrap().success());

        let mut store = Store::open(&path).unwrap();
        let run = store.latest().unwrap();
        assert_eq!(run.id, id);
        assert_eq!(run.status, record::RunStatus::Begun);
        let trials = store.trials(run.id).unwrap();
        // the one trial that was committed but not yet announced may be there as well
        let finished = last + 1 + unread;
        let kept = trials.len() as u32;
        assert!(
            kept == finished || kept == finished + 1,
            "{kept} of {finished}"
        );
        for (block, kept) in (0..).zip(&trials) {
            let mut expected = trial(run.id, block, "dev");
            expected.started = kept.started;
            assert_eq!(*kept, expected);
        }
        store.save(&trial(run.id, kept, "dev")).unwrap();
    }
}

fn a_full_disk_is_told_and_keeps_what_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    // a mount namespace of its own: the small disk is gone with the child, whatever happens to it
    let child = testkit::with_own_mounts()
        .arg(std::env::current_exe().unwrap())
        .arg("child-fill")
        .arg(folder.path())
        .status()
        .unwrap();
    assert!(child.success(), "the child failed: {child}");
}

/// Saves trials to a disk of 2 MiB until it is full.
fn fill_a_small_disk(folder: &Path) {
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
        .arg(folder)
        .status()
        .unwrap();
    assert!(mounted.success());
    // one that was closed while there was room
    let small = folder.join("small.db");
    let mut store = Store::open(&small).unwrap();
    let run = store.begin_run(&plan(1), &host(), "0.1.0").unwrap();
    store.save(&trial(run.id, 0, "dev")).unwrap();
    drop(store);

    let path = folder.join("weir.db");
    let mut store = Store::open(&path).unwrap();
    let run = store.begin_run(&plan(u32::MAX), &host(), "0.1.0").unwrap();
    let mut finished = 0;
    let error = loop {
        match store.save(&trial(run.id, finished, "dev")) {
            Ok(()) => finished += 1,
            Err(error) => break error,
        }
    };
    assert!(finished > 3, "the disk was full after {finished} trials");
    assert!(
        matches!(error, StoreError::Full { run: Some(1), .. }),
        "{error:?}"
    );
    assert!(
        error.to_string().contains(&path.display().to_string()),
        "{error}"
    );
    let hint = error.hint().unwrap();
    assert!(
        hint.contains("--store PATH") && hint.contains("--resume 1"),
        "{hint}"
    );

    // readable in this process, and by another that opens it while the disk is full
    assert_eq!(store.trials(run.id).unwrap().len(), finished as usize);
    drop(store);
    let store = Store::open(&path).unwrap();
    assert_eq!(store.trials(run.id).unwrap().len(), finished as usize);

    // no store can be made on it either, and that is told in the same words
    let ballast = vec![0; 2 << 20];
    std::fs::write(folder.join("ballast"), ballast).unwrap_err();
    let error = Store::open(&folder.join("another.db")).unwrap_err();
    assert!(matches!(error, StoreError::Full { .. }), "{error:?}");

    // what is read needs no room
    let small = Store::open_to_read(&small).unwrap();
    assert_eq!(small.trials(run.id).unwrap().len(), 1);
}
