//! What is said while a wait goes on.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::support::Place;

/// Its import goes on until the file `go` is there.
const WAITS: &str = "
import os, time
while not os.path.exists('go'):
    time.sleep(0.05)
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

/// In a pipe: the app waits for the line that says that it is waited for.
#[test]
fn a_wait_says_for_what_it_is_and_how_long_at_most() {
    let place = Place::new();
    place.app(WAITS);
    place.plan("[[variant]]\nname = \"one\"\ntitle = \"the one\"\nserver = \"gunicorn\"\n");
    let mut weir = place
        .weir(&["run", "plan.toml", "--ready-timeout", "1h"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(weir.stderr.take().unwrap()).lines();
    let mut next = || lines.next().map(Result::unwrap);
    let words = "taking the reference responses from the one: ";
    let line = loop {
        let line = next().expect("it waits for the app");
        if line.starts_with(words) {
            break line;
        }
    };
    let limit = line.contains(" s so far, ") && line.ends_with(" at most");
    assert!(limit, "{line}");
    place.write("app/go", "");
    while next().is_some() {}
    // 4: on a busy machine so short a load may not be trusted
    let code = weir.wait().unwrap().code();
    assert!([Some(0), Some(4)].contains(&code), "{code:?}");
    place.assert_clean();
}
