//! Every target over its samples, and over a number of mutations of them.

use std::collections::BTreeSet;
use std::fs;

use fuzz::{Budget, TARGETS, drive, samples};

/// Inputs for each target: some seconds in all.
const INPUTS: u64 = 4_000;

#[test]
fn nothing_panics_and_no_cut_changes_the_meaning() {
    std::thread::scope(|scope| {
        for target in TARGETS {
            scope.spawn(move || {
                let samples = samples(target).unwrap();
                assert!(samples.len() >= 5, "`{}` has samples", target.name);
                let outcome = drive(target, &samples, Budget::Inputs(INPUTS), 1);
                if let Err(input) = outcome {
                    panic!("`{}`: {}", target.name, input.escape_ascii());
                }
            });
        }
    });
}

#[test]
fn each_folder_of_samples_has_its_target_and_names_are_unique() {
    let names: BTreeSet<_> = TARGETS
        .iter()
        .map(|target| target.name.to_owned())
        .collect();
    assert_eq!(names.len(), TARGETS.len());
    let folders = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus")).unwrap();
    let folders: BTreeSet<_> = folders
        .map(|folder| folder.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(folders, names);
}
