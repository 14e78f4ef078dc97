//! `weir bench` sends what was asked for, and says before it begins what cannot be.

use crate::support::{Place, peer, said};

/// A warm-up that nobody asked for would be a hundred thousand more orders.
#[test]
fn a_number_of_posts_is_that_number() {
    let (posted, url) = peer();
    let place = Place::new();
    let base = ["bench", url.as_str(), "-n", "50", "-X", "POST"];
    place.run(&base).measured();
    assert_eq!(posted.requests().len(), 50);
    place.run(&[&base[..], &["-R", "500"]].concat()).measured();
    assert_eq!(posted.requests().len(), 100);
    place
        .run(&[&base[..], &["--warm-up", "600ms"]].concat())
        .measured();
    assert!(
        posted.requests().len() > 150,
        "a warm-up that was asked for"
    );
    let help = place.run(&["bench", "--help"]).out;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("Requests to measure (from 100 on with a warm-up)"));
    assert!(help.contains("then these are all that is sent"));
}

/// Who asks for ten requests does not ask for thousands before them.
#[test]
fn a_number_of_requests_is_warmed_up_by_a_fifth_of_it_and_a_few_are_not() {
    let place = Place::new();
    for (asked, sent) in [("10", 10), ("99", 99), ("100", 120), ("500", 600)] {
        let (peer, url) = peer();
        place.run(&["bench", &url, "-n", asked]).measured();
        assert_eq!(peer.requests().len(), sent, "{asked}");
    }
    // nor does a rate look at how long a response takes
    let (peer, url) = peer();
    place
        .run(&["bench", &url, "-n", "10", "-R", "500"])
        .measured();
    assert_eq!(peer.requests().len(), 10);
}

#[test]
fn files_that_cannot_be_written_are_told_before_the_load() {
    let (peer, url) = peer();
    let place = Place::new();
    let hdr = place.path("no/times.hdr").display().to_string();
    let missing = format!("no folder `{}`", place.path("no").display());
    let base = ["bench", url.as_str(), "-n", "50"];
    let told = place.run(&[&base[..], &["--hdr", &hdr]].concat());
    told.fails(2, &[&missing]);
    let told = place.run(&[&base[..], &["--out", "/proc/foo"]].concat());
    told.fails(2, &["`/proc/foo`"]);
    assert!(!told.err.contains(".weir-"), "{}", told.err);
    assert_eq!(peer.requests().len(), 0, "nothing was loaded");
    let out = place.path("new/report").display().to_string();
    let base = [&base[..], &["--out", &out]].concat();
    place.run(&base).measured();
    assert!(place.path("new/report/run.json").exists());
}

#[test]
fn errors_name_what_was_typed() {
    let (_peer, url) = peer();
    let place = Place::new();
    let bench = |more: &[&str]| place.run(&[&["bench", url.as_str(), "-n", "50"], more].concat());
    let told = bench(&["--pipeline", "0"]);
    told.fails(2, &["`--pipeline"]);
    assert!(!told.err.contains("--streams"), "{}", told.err);
    for option in ["-c", "-n", "-t", "-R", "-d"] {
        let told = place.run(&["bench", &url, option, "-1"]);
        told.fails_with(2);
        assert!(!told.err.contains("-- -1"), "{}", told.err);
    }
    bench(&["--latency"]).measured();
}

#[test]
fn more_connections_than_ports_are_what_this_machine_has_not() {
    let (peer, url) = peer();
    let place = Place::new();
    let told = place.run(&["bench", &url, "-c", "70000", "-d", "1s"]);
    told.fails(11, &["70000 connections", "local port", "use `-c "]);
    assert_eq!(peer.connections(), 0);
    let told = place.run(&["bench", &url, "--sweep", "connections=1,70000", "-n", "10"]);
    told.fails(11, &["local port"]);
    assert_eq!(peer.connections(), 0);
}

#[test]
fn every_table_fits_a_narrow_terminal() {
    let (_peer, url) = peer();
    let place = Place::new();
    let at_60 = |more: &[&str]| {
        let mut weir = place.weir(&[&["bench", url.as_str()], more].concat());
        weir.env("COLUMNS", "60");
        let out = said(weir).out;
        let widest = out.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(60), "{out}");
        out
    };
    let one = at_60(&["-n", "12000", "-R", "20000", "--warm-up", "0s"]);
    assert!(one.contains("not shown at this width: "), "{one}");
    let head = one
        .lines()
        .find(|line| line.trim_start().starts_with("latency"));
    let head = head.unwrap();
    for kept in ["p50", "p99"] {
        assert!(head.contains(kept), "{one}");
    }
    at_60(&[
        "--sweep",
        "connections=1,2",
        "-n",
        "2000",
        "--warm-up",
        "0s",
    ]);
    at_60(&["--survey-seconds", "2s"]);
    at_60(&["--ramp", "100:400", "-d", "1s", "--warm-up", "0s"]);
}
