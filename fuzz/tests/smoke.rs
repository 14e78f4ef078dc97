//! Every target over its samples, and over a number of mutations of them.

use std::collections::BTreeSet;
use std::fs;

use fuzz::{Budget, drive, samples, targets};
use wire::Protocol;

/// Inputs for each target: some seconds in all.
const INPUTS: u64 = 4_000;

#[test]
fn nothing_panics_and_no_cut_changes_the_meaning() {
    std::thread::scope(|scope| {
        for target in targets() {
            scope.spawn(move || {
                let samples = samples(&target).unwrap();
                assert!(samples.len() >= 5, "`{}` has samples", target.name);
                let outcome = drive(&target, &samples, Budget::Inputs(INPUTS), 1);
                if let Err(input) = outcome {
                    panic!("`{}`: {}", target.name, input.escape_ascii());
                }
            });
        }
    });
}

#[test]
fn each_target_has_samples_and_a_name_of_its_own() {
    let targets = targets();
    let names: BTreeSet<_> = targets
        .iter()
        .map(|target| target.name.to_owned())
        .collect();
    assert_eq!(names.len(), targets.len());
    let folders = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus")).unwrap();
    let folders: BTreeSet<_> = folders
        .map(|folder| folder.unwrap().file_name().into_string().unwrap())
        .collect();
    let missing = names.difference(&folders);
    let missing: Vec<_> = missing
        .filter(|name| Protocol::of_word(name).is_none())
        .collect();
    assert!(
        folders.is_subset(&names) && missing.is_empty(),
        "{missing:?}"
    );
}
