//! `weir bench URL --sweep` and `--spike`.

use std::io::Read as _;
use std::process::{Child, Stdio};

use crate::support::{PATIENCE, Place, loads_of, peer};
use serde_json::Value;
use testkit::ScriptedPeer;

#[test]
fn every_form_has_every_point() {
    let (_peer, url) = peer();
    let place = Place::new();
    let of = |format| {
        let args = [
            "bench",
            &url,
            "--sweep",
            "connections=1,2:4:2",
            "-n",
            "400",
            "--warm-up",
            "0s",
            "--format",
            format,
        ];
        let said = place.run(&args);
        said.measured();
        said.out
    };
    let json: Value = serde_json::from_str(&of("json")).unwrap();
    assert_eq!(json["run"]["plan"]["search"], "sweep");
    let points = loads_of(&json);
    let told = |key: &str| -> Vec<_> { points.iter().map(|of| of["load"][key].clone()).collect() };
    assert_eq!(told("connections"), [1, 2, 4]);
    assert_eq!(told("completed"), [400, 400, 400]);

    let csv = of("csv");
    let mut heads = csv.lines().next().unwrap().split(',');
    let at = heads.position(|head| head == "load").unwrap();
    let names: Vec<_> = csv
        .lines()
        .map(|row| row.split(',').nth(at).unwrap())
        .collect();
    let wanted = [
        "load",
        "\"1 connection\"",
        "\"2 connections\"",
        "\"4 connections\"",
    ];
    assert_eq!(names, wanted, "{csv}");
    let ndjson = of("ndjson");
    let lines = ndjson
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let kinds: Vec<_> = lines.map(|line| line["type"].clone()).collect();
    assert_eq!(kinds.last().unwrap(), "summary");
    assert!(kinds.len() >= 4, "{kinds:?}");
    let markdown = of("markdown");
    assert!(markdown.contains("| 4 connections | 4 |"), "{markdown}");
    let text = of("text");
    assert!(text.starts_with("most was "), "{text}");
    assert!(text.contains("2 connections"), "{text}");
}

#[test]
fn a_threshold_names_the_point_that_crossed_it() {
    let (_peer, url) = peer();
    let place = Place::new();
    let sweep = ["bench", &url, "--sweep", "rate=20:60:x3", "-d", "2s"];
    let constant = ["--arrivals", "constant", "--warm-up", "0s"];
    let gate = ["--fail-if", "throughput > 40"];
    let said = place.run(&[&sweep[..], &constant, &gate].concat());
    said.crosses();
    for words in [
        "`throughput > 40 at 20.0 req/s`: not crossed",
        "✗ `throughput > 40 at 60.0 req/s`: crossed",
    ] {
        assert!(said.out.contains(words), "`{words}`: {}", said.out);
    }
}

/// Presses Ctrl-C when the peer has seen so many connections.
fn interrupted(mut child: Child, peer: &ScriptedPeer, connections: usize) -> Value {
    assert!(testkit::eventually(PATIENCE, || peer.connections() >= connections));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let mut out = String::new();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    serde_json::from_str(&out).unwrap()
}

#[test]
fn ctrl_c_reports_the_points_that_there_are() {
    let place = Place::new();
    let start = |args: &[&str]| {
        let mut weir = place.weir(args);
        let weir = weir.stdout(Stdio::piped()).stderr(Stdio::null());
        weir.spawn().unwrap()
    };
    let (sweep, survey);
    {
        let (peer, url) = peer();
        let args = ["bench", &url, "--sweep", "connections=1,2", "-d", "2s"];
        let child = start(&[&args[..], &["--warm-up", "0s", "--json"]].concat());
        // the first point has one, so that the second runs
        sweep = interrupted(child, &peer, 3);
    }
    let points = loads_of(&sweep);
    assert_eq!(points.len(), 2);
    assert_eq!(points[0]["load"]["connections"], 1);
    let ended = "ended by you before it was over";
    assert!(
        sweep["headline"].as_str().unwrap().ends_with(ended),
        "{sweep}"
    );
    {
        let (peer, url) = peer();
        let child = start(&["bench", &url, "--survey-seconds", "20s", "--json"]);
        // one, two, and the step with four has begun
        survey = interrupted(child, &peer, 4);
    }
    assert_eq!(survey["run"]["plan"]["search"], "survey");
    assert!(survey["judged"]["peak"]["rate"]["value"].as_f64().unwrap() > 0.0);
    assert!(
        survey["headline"].as_str().unwrap().ends_with(ended),
        "{survey}"
    );
}

#[test]
fn a_spike_is_in_the_middle() {
    let (_peer, url) = peer();
    let args = ["bench", &url, "--spike", "100:1000", "-d", "1s"];
    let more = ["--arrivals", "constant", "--warm-up", "0s", "--json"];
    let said = Place::new().run(&[&args[..], &more].concat());
    said.measured();
    let json = said.load();
    assert_eq!(json["load"]["scheduled"], 190);
    assert_eq!(json["load"]["shape"]["open"]["segments"][1]["to"], 1000.0);
}

#[test]
fn what_contradicts_itself_is_one_clear_error() {
    for (args, words) in [
        (
            &["--sweep", "connections=1,2", "-c", "4"][..],
            "say the same",
        ),
        (&["--sweep", "rate=1,2", "-R", "4"], "say the same"),
        (&["--sweep", "rate=1,2", "--spike", "1:2"], "--spike"),
        (&["--sweep", "rate=2:1:1"], "never gets there"),
        (&["--spike", "1:2:3"], "needs two rates"),
        (&["--spike", "1:2", "-R", "1"], "--rate"),
        (
            &["--sweep", "streams=1,2", "--script", "a.lua"],
            "`--sweep` is several loads, and `--script` makes",
        ),
        (
            &["--sweep", "connections=1,2", "--replay", "a.log"],
            "hint: run `weir bench` once for each value",
        ),
        (&["--sweep", "rate=1,2", "--page"], "and `--page` makes"),
        (
            &["--goal", "p99 < 1s", "--script", "a.lua"],
            "hint: look for the rate of the URL alone",
        ),
    ] {
        let said = Place::new().run(&[&["bench", "http://127.0.0.1:9/"], args].concat());
        assert_eq!(said.code, 2, "{args:?}: {}", said.err);
        assert!(said.err.contains(words), "{args:?}: {}", said.err);
    }
}
