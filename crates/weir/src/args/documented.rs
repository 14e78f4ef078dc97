//! Commands of the documents are commands of weir.

use std::ffi::OsString;

use super::{apart, command};

const README: &str = include_str!("../../../../README.md");
const IN_CI: &str = include_str!("../../../../docs/in-ci.md");

/// The commands of weir in the blocks of a text, without what a shell does with their output.
fn commands(text: &str) -> Vec<&str> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
            continue;
        }
        let line = line.strip_prefix("$ ").unwrap_or(line);
        if inside && line.starts_with("weir ") {
            let ends = ["  #", " >> "].iter().filter_map(|end| line.find(*end));
            found.push(line[..ends.min().unwrap_or(line.len())].trim_end());
        }
    }
    found
}

#[test]
fn those_for_a_pipeline_can_be_typed() {
    let section = README.split("\n## In CI\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let all = [commands(section), commands(IN_CI)].concat();
    assert!(all.len() >= 8, "{all:?}");
    for typed in all {
        let words = shlex::split(typed).unwrap_or_else(|| panic!("{typed}"));
        let words = apart(words.into_iter().map(OsString::from));
        let read = command().try_get_matches_from(words);
        read.unwrap_or_else(|error| panic!("{typed}: {error}"));
    }
}
