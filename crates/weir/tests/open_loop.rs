//! `weir bench` at a rate, and with a think time.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::support::{Place, Said, load_of, peer};
use serde_json::Value;
use testkit::{Origin, Speech, Turn};

fn bench(url: &str, more: &[&str]) -> Said {
    let mut args = vec!["bench", url, "-c", "4", "--warm-up", "100ms"];
    args.extend(more);
    Place::new().run(&args)
}

/// The facts of a sound target; on a busy machine there may be doubts.
fn facts(said: &Said) -> Value {
    said.measured();
    said.load()["load"].clone()
}

#[test]
fn a_load_that_makes_no_sense_is_named_as_it_was_typed() {
    let place = Place::new();
    let load = |tool: &str, args: &[&str]| {
        let url = "http://127.0.0.1:9/";
        place.run(&[&[tool, url], args].concat())
    };
    let streams = [
        "-c",
        "20",
        "--http2",
        "--streams",
        "10",
        "-R",
        "1000",
        "-n",
        "1",
    ];
    load("bench", &streams).fails(9, &["connection refused"]);
    let few = [&streams[..], &["--max-outstanding", "100"]].concat();
    let words = "`--max-outstanding`: must be at least the 200 requests";
    load("bench", &few).fails(2, &[words]);
    for (args, words) in [
        (
            ["--timeout", "7200s"],
            "`--timeout`: must be above 0 and at most 3,600 seconds",
        ),
        (["--timeout", "0s"], "write `--timeout 30s`"),
        (
            ["--slow-readers", "4000000"],
            "`--idle`: asks for 4,000,000 connections",
        ),
        (
            ["--backoff", "1s"],
            "`--backoff`: has no effect without `--retries 3`",
        ),
        (
            ["--think-spread", "uniform"],
            "`--think-spread`: has no effect without `--think 0.01s`",
        ),
    ] {
        load("bench", &[&args[..], &["-n", "1"]].concat()).fails(2, &[words]);
    }
    load("wrk", &["-T", "7200s"]).fails(1, &["`-T`: must be above 0 and at most 3,600 seconds"]);
    load("ab", &["-n", "5", "-s", "7200"]).fails(22, &["`-s`: must be above 0"]);
}

#[test]
fn a_rate_is_kept_and_reported() {
    let (peer, url) = peer();
    let rate = ["-R", "200", "-d", "500ms", "--arrivals", "constant"];
    let load = facts(&bench(&url, &[&rate[..], &["--json"]].concat()));
    assert_eq!(load["scheduled"], 100);
    assert_eq!(
        (&load["dropped"], &load["offered"]),
        (&0.into(), &200.0.into())
    );
    assert_eq!(load["shape"]["open"]["process"], "constant");
    assert_eq!(peer.connections(), 4, "the pool is opened");

    let said = bench(&url, &rate);
    for words in [
        "open loop, equal gaps, 200 requests/s",
        "200 req/s offered",
        "100 scheduled = ",
        "+ 0 dropped + ",
        "response",
        "service",
    ] {
        assert!(said.out.contains(words), "`{words}`: {}", said.out);
    }
}

#[test]
fn threads_wait_awake_where_a_core_is_left() {
    let (_peer, url) = peer();
    let rate = ["-R", "200", "-d", "500ms", "-t", "1", "--json"];
    let asleep = facts(&bench(&url, &rate));
    assert_eq!(asleep["engine"]["busy_waited"], Value::Null);
    let awake = bench(&url, &[&rate[..], &["--busy-wait"]].concat());
    if observe::cores() > 1 {
        let waited = facts(&awake)["engine"]["busy_waited"].as_f64().unwrap();
        assert!(waited > 0.0);
    } else {
        awake.fails(2, &["none is left for its others", "leave it out"]);
    }
    let of_all = ["-R", "200", "-c", "1000", "-t", "1000", "--busy-wait"];
    let refused = Place::new().run(&[&["bench", &url], &of_all[..]].concat());
    refused.fails(
        2,
        &["each of 1000 threads, and weir may use", "none is left"],
    );
    bench(&url, &["--busy-wait", "-n", "9"]).fails(2, &["has no effect without `-R 500`"]);
}

#[test]
fn ramps_steps_and_think_time_are_understood() {
    let (_peer, url) = peer();
    let scheduled = |more: &[&str]| {
        let constant = ["-d", "400ms", "--arrivals", "constant", "--json"];
        facts(&bench(&url, &[&constant[..], more].concat()))["scheduled"].clone()
    };
    assert_eq!(scheduled(&["--ramp", "0:500"]), 100);
    assert_eq!(scheduled(&["--steps", "100:400"]), 100);
    let said = bench(&url, &["-n", "8", "--think", "5ms"]);
    assert!(
        said.out.contains("closed loop, 5.00 ms think time"),
        "{}",
        said.out
    );
}

#[test]
fn a_seed_repeats_the_arrivals() {
    let (_peer, url) = peer();
    let run = |seed| {
        let args = ["-R", "300", "-d", "300ms", "--seed", seed, "--json"];
        facts(&bench(&url, &args))
    };
    let (one, again) = (run("7"), run("7"));
    assert_eq!(one["shape"]["open"]["process"], "poisson");
    assert_eq!(one["scheduled"], again["scheduled"]);
    // chance may give another seed as many arrivals, and not each of these
    let others = ["8", "9", "10"].map(|seed| run(seed)["scheduled"].clone());
    let differ = others.iter().any(|of| *of != one["scheduled"]);
    assert!(differ, "{others:?}");
}

#[test]
fn contradictions_are_one_clear_error() {
    for (args, words) in [
        (&["-R", "100", "--think", "1s"][..], "--think"),
        (&["-R", "0"], "must be above 0"),
        (&["-R", "fast"], "fast"),
        (&["-R", "1", "--ramp", "1:2"], "--ramp"),
        (
            &["--ramp", "1:2", "-n", "10"],
            "needs a time to change over",
        ),
        (&["--ramp", "100"], "two rates"),
        (
            &["--arrivals", "poisson"],
            "`--arrivals`: has no effect without `--rate 500`",
        ),
        (
            &["-R", "100", "--max-outstanding", "3"],
            "at least the 4 requests",
        ),
        (&["-R", "100", "--arrivals", "bursty"], "bursty"),
    ] {
        let said = bench("http://127.0.0.1:9/", args);
        assert_eq!(said.code, 2, "{args:?}: {}", said.err);
        assert!(said.err.contains(words), "{args:?}: {}", said.err);
    }
}

/// The doubts about 400 requests/s over 8 connections, the text of them all.
fn over_eight(origin: &Origin) -> (Vec<(String, bool)>, String) {
    at_400(origin, &["-c", "8"])
}

/// The same over other connections, or as many as weir takes.
fn at_400(origin: &Origin, connections: &[&str]) -> (Vec<(String, bool)>, String) {
    let url = format!("http://{}/", origin.address());
    let load = ["-R", "400", "-d", "3s", "-t", "1", "--warm-up", "500ms"];
    let load = [&load[..], connections].concat();
    let place = Place::new();
    let said = place.run(&[&["bench", &url, "--out", "told"], &load[..]].concat());
    said.measured();
    let document = std::fs::read_to_string(place.path("told/run.json")).unwrap();
    let document = load_of(&serde_json::from_str(&document).unwrap());
    let doubts = document["doubts"].as_array().unwrap().iter();
    let kind = |doubt: &Value| {
        let kind = doubt["kind"].as_str().unwrap().to_owned();
        (kind, doubt["disqualifies"].as_bool().unwrap())
    };
    (doubts.map(kind).collect(), said.out)
}

#[test]
fn connections_that_are_too_few_are_not_the_servers_fault() {
    // each answer takes 52 ms, however many there are: 154 requests/s over 8 connections
    let origin = Origin::start(Speech::Http1, |_| Turn::Answer(Duration::from_millis(52)));
    let (doubts, text) = over_eight(&origin);
    assert!(doubts.contains(&("connections".to_owned(), true)), "{text}");
    assert!(
        !doubts.iter().any(|(kind, _)| kind == "rate-not-held"),
        "{text}"
    );
    for words in [
        "the connections were too few for the rate",
        "8 connections carry ",
        "`-c ",
    ] {
        assert!(text.contains(words), "`{words}`: {text}");
    }
}

#[test]
fn a_rate_has_as_many_connections_as_it_needs() {
    let origin = Origin::start(Speech::Http1, |_| Turn::Answer(Duration::from_millis(52)));
    let (doubts, text) = at_400(&origin, &[]);
    assert!(
        !doubts.iter().any(|(kind, _)| kind == "connections"),
        "{text}"
    );
    // 400 x 0.052 s, four times, and three times the root of that: 111
    let first = text.lines().next().unwrap_or_default();
    let (_, after) = first.split_once("over ").unwrap_or_default();
    let connections: u32 = after.split(' ').next().unwrap_or_default().parse().unwrap();
    assert!((100..200).contains(&connections), "{text}");
}

#[test]
fn a_server_that_lets_requests_wait_for_each_other_is_still_blamed() {
    // one after the other, 10 ms each: 100 requests/s over any number of connections
    let free = Mutex::new(Instant::now());
    let origin = Origin::start(Speech::Http1, move |_| {
        let mut free = free.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        *free = (*free).max(now) + Duration::from_millis(10);
        Turn::Answer(*free - now)
    });
    let (doubts, text) = over_eight(&origin);
    assert!(
        doubts.contains(&("rate-not-held".to_owned(), false)),
        "{text}"
    );
    assert!(
        !doubts.iter().any(|(kind, _)| kind == "connections"),
        "{text}"
    );
}
