//! What the app's own command is called where its program is named.

use crate::lab::stage::{first, process, server};
use record::{Knob, ServerFacts};

/// What to do about a program that this command line started, and that has all of a core.
fn told(line: &str) -> String {
    let found = first(|facts| {
        let given = Knob::Text(line.to_owned());
        facts.stack.servers = vec![ServerFacts {
            knobs: vec![("command".to_owned(), given)],
            ..server("own", &[])
        }];
        facts.processes = vec![process("own", 0.98)];
    });
    found.finding.next
}

#[test]
fn a_program_is_called_what_it_was_started_by() {
    let starts = |line: &str, called: &str| {
        let next = told(line);
        let begin = format!("run more processes of `{called}`: several instances");
        assert!(next.starts_with(&begin), "{next}");
    };
    starts("python3 served.py", "python3 served.py");
    starts("", "app:app");
    let long = format!("node --flag {}", "x".repeat(28));
    assert_eq!(long.len(), 40);
    starts(&long, &long);
    // no word is cut: half of an address does not show that it has a password
    starts(
        "serve --db postgres://ann:hunter2longpass@db/x",
        "serve --db …",
    );
    starts(&"x".repeat(41), "own");
    // what would end the words that name it, and what is no text
    starts("sh -c `id`", "own");
    starts("serve\u{1b}[2J", "own");
}
