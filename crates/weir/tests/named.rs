//! Requests that have names are told by name, whatever makes them fall due.

use std::process::Stdio;

use crate::support::{PATIENCE, Place, nginx};

const MIX: &str = r#"
[[request]]
name = "front page"
path = "/"
weight = 3
[[request]]
name = "search"
path = "/search"
"#;

#[test]
fn the_parts_of_a_mix_are_named_in_every_shape() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    place.write("mix.toml", MIX);
    for shape in [
        &["-n", "100"][..],
        &["-n", "100", "--think", "1ms"],
        &["-R", "200", "-d", "1s"],
        &["--ramp", "50:400", "-d", "1s"],
        &["-R", "200", "-d", "1s", "--format", "markdown"],
    ] {
        let mix = ["bench", &url, "--mix", "mix.toml", "--warm-up", "0s"];
        let said = place.run(&[&mix[..], shape].concat());
        said.measured();
        for name in ["front page", "search"] {
            assert!(said.out.contains(name), "{shape:?} `{name}`: {}", said.out);
        }
    }
}

#[test]
fn pages_and_recordings_are_named() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let bench = |more: &[&str]| {
        let args = ["bench", &url, "--warm-up", "0s"];
        let said = place.run(&[&args[..], more].concat());
        said.measured();
        said.out
    };
    let page = bench(&["--page", "-n", "20", "-c", "6"]);
    assert!(page.contains("document, returning"), "{page}");
    let line =
        |method| format!("h - - [01/May/2024:10:00:00 +0000] \"{method} / HTTP/1.1\" 200 5\n");
    place.write("access.log", &(line("GET") + &line("HEAD")));
    let replay = bench(&["--replay", "access.log"]);
    assert!(
        replay.contains("by name") && replay.contains("HEAD"),
        "{replay}"
    );
    let entry = |path| {
        format!(
            r#"{{"startedDateTime":"2024-05-01T10:00:00.000Z","time":1,
            "request":{{"method":"GET","url":"{url}{path}","httpVersion":"HTTP/1.1","headers":[]}},
            "response":{{"status":200}}}}"#
        )
    };
    let entries = [entry("a?1"), entry("a?2"), entry("b")].join(",");
    let har = format!(r#"{{"log":{{"version":"1.2","entries":[{entries}]}}}}"#);
    place.write("a.har", &har);
    let replay = bench(&["--replay", "a.har"]);
    let flat = replay.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("GET /a 2 0 "), "both queries: {replay}");
    assert!(flat.contains("GET /b 1 0 "), "{replay}");
}

/// What is read by `head` ends well.
#[test]
fn a_reader_that_is_gone_is_no_failure() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let mut weir = place.weir(&["bench", &url, "-d", "1s", "--warm-up", "0s", "--json"]);
    let mut child = weir
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = testkit::eventually(PATIENCE, || child.try_wait().unwrap().is_some());
    assert!(ended);
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(!err.contains("panicked"), "{err}");
    assert!([Some(0), Some(4)].contains(&output.status.code()), "{err}");
}
