//! Commands that ask a program its version, and the home in which they run.

use std::path::Path;

use crate::support::catalogue_with;
use stack::State;

const ASKED: &str = r#"
name = "asked"
kind = "app-server"
title = "a program that says where its home is"
home = "none"
runs = ["wsgi"]
listens = { http1 = ["tcp"] }
argv = ["serve"]
stop = { signal = "TERM", grace = 1 }
find = { program = "sh", version = { argv = ["{{ program }}", "-c", 'SCRIPT'], pattern = 'at (\S+)' } }
"#;

/// What is found of a program that says its version by this script.
fn found(script: &str) -> State {
    let catalogue = catalogue_with("asked.toml", &ASKED.replace("SCRIPT", script)).unwrap();
    let found = stack::probe(&catalogue, None, |entry| entry.name == "asked");
    found.into_iter().next().unwrap().state
}

#[test]
fn what_a_program_leaves_at_home_when_it_is_asked_goes_with_the_answer() {
    let script = r#"mkdir -p "$HOME/.config/left" && echo "at $HOME""#;
    let State::Version(home) = found(script) else {
        panic!("it is there");
    };
    assert_ne!(home, std::env::var("HOME").unwrap());
    assert!(Path::new(&home).is_absolute(), "{home}");
    assert!(!Path::new(&home).exists(), "{home}");
}

#[test]
fn a_program_that_says_nothing_elsewhere_is_asked_at_home() {
    let home = std::env::var("HOME").unwrap();
    let script = format!("[ \"$HOME\" = \"{home}\" ] && echo \"at $HOME\"");
    assert_eq!(found(&script), State::Version(home));
}
