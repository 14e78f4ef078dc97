//! `weir bench --replay`: every request of a recording is asked, once, and waited for.

use std::collections::BTreeMap;

use crate::support::{Place, peer};
use serde_json::Value;
use testkit::ScriptedPeer;

/// An access log of so many requests, each with a path of its own, fifty a second.
fn log(place: &Place, requests: usize) {
    let line = |number| {
        let (second, path) = (number / 50, format!("/{number}"));
        format!(
            "127.0.0.1 - - [01/May/2024:10:00:{second:02} +0000] \"GET {path} HTTP/1.1\" 200 5\n"
        )
    };
    let lines: String = (0..requests).map(line).collect();
    place.write("access.log", &lines);
}

fn replay(place: &Place, url: &str, more: &[&str]) -> Value {
    let args = ["bench", url, "--replay", "access.log", "--json"];
    let said = place.run(&[&args[..], more].concat());
    said.measured();
    let json = said.load();
    json["load"].clone()
}

/// How often each path was asked for.
fn asked(peer: &ScriptedPeer) -> BTreeMap<String, usize> {
    let mut asked = BTreeMap::new();
    for request in peer.requests() {
        let text = String::from_utf8(request).unwrap();
        let path = text.split(' ').nth(1).unwrap().to_owned();
        *asked.entry(path).or_default() += 1;
    }
    asked
}

#[test]
fn one_or_two_requests_are_waited_for() {
    let place = Place::new();
    for requests in [1, 2] {
        let (peer, url) = peer();
        log(&place, requests);
        let load = replay(&place, &url, &[]);
        for (key, count) in [
            ("scheduled", requests),
            ("completed", requests),
            ("in_flight", 0),
        ] {
            assert_eq!(load[key], count, "{key}: {load}");
        }
        assert_eq!(asked(&peer).len(), requests);
    }
}

#[test]
fn threads_neither_repeat_a_request_nor_skip_one() {
    let place = Place::new();
    log(&place, 60);
    // Three connections in two threads: one of them has twice as many as the other.
    let threads = ["-t", "2", "-c", "3"];
    for (how, wanted) in [
        (&["--pace", "asap", "--warm-up", "0s", "-n", "60"][..], 60),
        (&["--pace", "asap", "--warm-up", "0s", "-n", "25"], 25),
        (&["--pace", "4x", "-n", "25"], 25),
        (&["--pace", "4x"], 60),
    ] {
        let (peer, url) = peer();
        let load = replay(&place, &url, &[&threads[..], how].concat());
        assert_eq!(load["completed"], wanted, "{how:?}: {load}");
        let asked = asked(&peer);
        assert!(
            asked.values().all(|times| *times == 1),
            "{how:?}: {asked:?}"
        );
        let first = (0..wanted).map(|number| format!("/{number}"));
        let missing: Vec<_> = first.filter(|path| !asked.contains_key(path)).collect();
        assert!(missing.is_empty(), "{how:?}: {missing:?} of {asked:?}");
    }
    // More than it holds begins again.
    let (peer, url) = peer();
    let twice = ["--pace", "asap", "--warm-up", "0s", "-n", "120"];
    replay(&place, &url, &[&threads[..], &twice].concat());
    assert!(asked(&peer).values().all(|times| *times == 2));
}

/// What may change a server is asked for on demand alone.
#[test]
fn methods_that_are_not_safe_are_left_out_unless_all_are_wanted() {
    let place = Place::new();
    let line = |number: usize, method: &str| {
        let time = "01/May/2024:10:00:00 +0000";
        format!("127.0.0.1 - - [{time}] \"{method} /{number} HTTP/1.1\" 200 5\n")
    };
    let lines = [line(1, "GET"), line(2, "POST"), line(3, "GET")];
    place.write("access.log", &lines.concat());
    let sent = |more: &[&str]| {
        let (peer, url) = peer();
        let args = ["bench", &url, "--replay", "access.log"];
        let said = place.run(&[&args[..], more].concat());
        said.measured();
        let text = |request: Vec<u8>| String::from_utf8(request).unwrap();
        let requests = peer.requests().into_iter().map(text);
        let line = |text: String| text.split(" HTTP/").next().unwrap().to_owned();
        let mut sent: Vec<_> = requests.map(line).collect();
        sent.sort();
        sent.dedup();
        (sent, said.err)
    };
    let (safe, told) = sent(&[]);
    assert_eq!(safe, ["GET /1", "GET /3"]);
    assert!(told.contains("1 left out for their method"), "{told}");
    let (all, told) = sent(&["--replay-methods", "all"]);
    assert_eq!(all, ["GET /1", "GET /3", "POST /2"]);
    assert!(!told.contains("left out for"), "{told}");
    place.write("access.log", &lines[1]);
    place
        .run(&["bench", "http://127.0.0.1:1/", "--replay", "access.log"])
        .fails(5, &["--replay-methods all"]);
}
