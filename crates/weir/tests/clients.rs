//! How clients behave, as it is typed: they try again, give up, open new connections, warm up.

use std::time::Duration;

use crate::support::{PATIENCE, Place, Said};
use serde_json::Value;
use testkit::{Origin, ScriptedPeer, Speech, Step, Turn, answer, eventually};

fn ok() -> Step {
    Step::Send(answer(200, &[], "ok"))
}

fn busy() -> Step {
    Step::Send(answer(503, &[], "busy"))
}

/// Every other answer is a 503.
fn moody() -> ScriptedPeer {
    let round = vec![Step::Read, busy(), Step::Read, ok()];
    ScriptedPeer::tcp(move |_| vec![Step::Forever(round.clone())])
}

/// Its first connection does that, the others serve.
fn first_is(steps: Vec<Step>) -> ScriptedPeer {
    ScriptedPeer::tcp(move |connection| match connection {
        0 => steps.clone(),
        _ => vec![Step::Forever(vec![Step::Read, ok()])],
    })
}

fn bench(peer: &ScriptedPeer, more: &[&str]) -> Said {
    let url = format!("http://{}/", peer.address());
    let args = ["bench", &url, "-c", "2", "-n", "40"];
    Place::new().run(&[&args, more].concat())
}

/// So few answers make no figures to trust, and it says so.
fn load(said: &Said) -> Value {
    said.measured();
    said.load()["load"].clone()
}

fn cold(peer: &ScriptedPeer, more: &[&str]) -> Value {
    load(&bench(
        peer,
        &[&["--warm-up", "0s", "--json"], more].concat(),
    ))
}

/// Every word, whatever the lines.
fn flat(said: &Said) -> String {
    let words: Vec<_> = said.out.split_whitespace().collect();
    words.join(" ")
}

#[test]
fn what_failed_is_tried_again() {
    let of = cold(&moody(), &["--retries", "2"]);
    assert_eq!((&of["completed"], &of["retries"]), (&40.into(), &40.into()));
    assert_eq!(
        (&of["sent"], &of["statuses"]["503"]),
        (&80.into(), &40.into())
    );
    let alone = cold(&moody(), &[]);
    let [right, wrong] = [&alone["completed"], &alone["failed"]["status"]].map(Value::as_u64);
    // the two connections need not carry the same
    assert!((19..=21).contains(&right.unwrap()), "{right:?}");
    assert_eq!(right.unwrap() + wrong.unwrap(), 40);
    assert_eq!(alone["retries"], 0);
    let said = bench(&moody(), &["--warm-up", "0s", "--retries", "1"]);
    let told = "retries 40 of 40 requests: 2.00 attempts per request";
    assert!(flat(&said).contains(told), "{}", said.out);
}

#[test]
fn a_retry_waits_and_what_the_user_waits_begins_with_the_first_try() {
    let more = [
        "--warm-up",
        "0s",
        "--json",
        "--retries",
        "1",
        "--backoff",
        "50ms",
    ];
    let said = bench(&moody(), &more);
    assert_eq!(load(&said)["completed"], 40);
    let json = said.load();
    let mean = |times: &str| json[times]["mean"].as_f64().unwrap();
    // the pause is in the response time, and not in the service time of the try that was answered
    assert!(mean("response") >= 0.05, "{}", mean("response"));
    assert!(mean("response") >= mean("service") + 0.05 * 0.999);
}

#[test]
fn what_is_slow_is_asked_again_elsewhere() {
    let peer = first_is(vec![Step::Read, Step::Stall]);
    let of = cold(&peer, &["--retries", "3", "--retry-after", "100ms"]);
    assert_eq!(
        (&of["completed"], &of["timed_out"]),
        (&40.into(), &0.into())
    );
    let retries = of["retries"].as_u64().unwrap();
    assert!(retries >= 1);
    assert_eq!(of["sent"].as_u64(), Some(40 + retries));
}

#[test]
fn a_connection_carries_so_many_requests() {
    let peer = first_is(vec![Step::Forever(vec![Step::Read, ok()])]);
    let of = cold(&peer, &["--per-connection", "5"]);
    let opened = of["connects"].as_u64().unwrap();
    // the last ones of the two may carry fewer
    assert!((8..=9).contains(&opened), "{opened}");
    assert_eq!(
        (&of["completed"], &of["sent_again"]),
        (&40.into(), &0.into())
    );
    assert_eq!(
        (peer.connections() as u64, peer.requests().len()),
        (opened, 40)
    );
    let both = bench(&peer, &["--per-connection", "5", "--no-keep-alive"]);
    assert_eq!(both.code, 2);
}

#[test]
fn each_time_limit_has_its_name_in_the_report() {
    let mute = || first_is(vec![Step::Read, Step::Stall]);
    // long beside what a busy machine adds to a response
    let limit = ["--first-byte-timeout", "700ms"];
    let of = cold(&mute(), &limit);
    assert_eq!(
        (&of["completed"], &of["timed_out"]),
        (&39.into(), &1.into())
    );
    assert_eq!(of["time_limits"]["first-byte"], 1);
    let said = bench(&mute(), &[&["--warm-up", "0s"], &limit[..]].concat());
    assert!(
        flat(&said).contains("1 × timed out: no first byte in time"),
        "{}",
        said.out
    );
    // once a byte is here, that limit is kept
    let begun = Step::Send(b"HTTP/1.1 200 OK\r\n".to_vec());
    let of = cold(
        &first_is(vec![Step::Read, begun, Step::Stall]),
        &["--first-byte-timeout", "700ms", "--timeout", "1500ms"],
    );
    assert_eq!(
        (&of["completed"], &of["time_limits"]["whole"]),
        (&39.into(), &1.into())
    );
}

#[test]
fn opening_a_connection_has_a_time_limit() {
    // a port that accepts, and never answers a TLS handshake
    let peer = ScriptedPeer::tcp(|_| vec![Step::Stall]);
    let url = format!("https://{}/", peer.address());
    let args = ["bench", &url, "-k", "-c", "2", "-n", "6", "--warm-up", "0s"];
    let limit = ["--connect-timeout", "150ms"];
    let said = Place::new().run(&[&args[..], &limit].concat());
    said.fails(9, &["no connection within 0.15 s"]);
    let said = Place::new().run(&[&args[..], &["--timeout", "200ms"]].concat());
    said.fails(9, &["no response within 0.2 s"]);
    let peer = ScriptedPeer::tcp(|_| vec![Step::Stall]);
    let said = bench(&peer, &["--warm-up", "0s", "--first-byte-timeout", "150ms"]);
    said.fails(9, &["no first byte within 0.15 s"]);
}

#[test]
fn a_warm_up_until_stationary_is_the_default_and_is_told() {
    // Long beside what a busy machine adds to it.
    let origin = Origin::start(Speech::Http1, |_| Turn::Answer(Duration::from_millis(100)));
    let url = format!("http://{}/", origin.address());
    let rate = [
        "-R",
        "200",
        "--arrivals",
        "constant",
        "-c",
        "100",
        "-d",
        "200ms",
    ];
    let bench = |more: &[&str]| Place::new().run(&[&["bench", &url], &rate[..], more].concat());
    // One warm-up may be cut short by a busy machine, which is told then; not one after the other.
    let settles = || {
        let told = flat(&bench(&[]));
        let warm_up = told.split("warm-up ").nth(1).unwrap_or(&told).to_owned();
        let settled = warm_up.contains(", until stationary window");
        assert!(
            settled || warm_up.contains("never became stationary"),
            "{told}"
        );
        settled
    };
    assert!(eventually(PATIENCE, settles), "never stationary");
    let of = load(&bench(&["--json"]));
    let warm_up = &of["warm_up"];
    let (requests, seconds) = (&warm_up["requests"], &warm_up["seconds"]);
    let (requests, seconds) = (requests.as_u64().unwrap(), seconds.as_f64().unwrap());
    // It lasts for two seconds where it is not stationary before: as long as the load, but not less.
    let is_stationary = warm_up["stationary"] == true;
    assert!(is_stationary || (1.9..6.0).contains(&seconds), "{warm_up}");
    // four looks at least, and at the rate of the load
    assert!(
        seconds >= 1.6 && requests as f64 >= 0.5 * 200.0 * seconds,
        "{requests} {seconds}"
    );
}
