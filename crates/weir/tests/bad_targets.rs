//! URLs that cannot be loaded: refused, reset, stalled, half a body, garbage. One clear error each.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::support::through::by_a_stranger;
use crate::support::{Place, Said, scripted};
use serde_json::Value;
use testkit::{Refusing, ScriptedPeer, Step, answer};

fn bench(url: &str, more: &[&str]) -> (Place, Said) {
    let place = Place::new();
    let mut args = vec!["bench", url, "-c", "4", "-n", "20", "--warm-up", "0s"];
    args.extend(more);
    let said = place.run(&args);
    (place, said)
}

fn peer(steps: Vec<Step>) -> (ScriptedPeer, String) {
    scripted(move |_| steps.clone())
}

#[test]
fn refused() {
    let nobody = Refusing::new();
    let (place, said) = bench(&format!("http://{}/", nobody.address()), &[]);
    said.fails(9, &["connection refused", "nothing listens"]);
    place.assert_clean();
}

#[test]
fn reset() {
    let (_peer, url) = peer(vec![Step::Read, Step::Reset]);
    bench(&url, &[]).1.fails(9, &["reset before the response"]);
}

#[test]
fn stalled() {
    let (_peer, url) = peer(vec![Step::Read, Step::Stall]);
    bench(&url, &["--timeout", "200ms"])
        .1
        .fails(9, &["no response within 0.2 s"]);
}

#[test]
fn half_a_body() {
    let half = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this".to_vec();
    let (_peer, url) = peer(vec![Step::Read, Step::Send(half), Step::Close]);
    bench(&url, &[]).1.fails(9, &["closed during the response"]);
}

#[test]
fn garbage() {
    let (_peer, url) = peer(vec![
        Step::Read,
        Step::Send(b"\x16\x03\x01 what?\r\n\r\n".to_vec()),
        Step::Close,
    ]);
    bench(&url, &[])
        .1
        .fails(9, &["not a valid response", "does not speak HTTP"]);
}

#[test]
fn always_the_wrong_status() {
    let (_peer, url) = peer(Step::serve(answer(500, &[], "sorry")));
    bench(&url, &[]).1.fails(9, &["unexpected status", "500"]);
}

#[test]
fn urls_that_make_no_sense() {
    for (url, word) in [
        ("ftp://127.0.0.1/", "ftp"),
        ("http:///", "http:///"),
        ("fcgi://127.0.0.1/", "it names no port"),
        ("scgi://", "it names no host"),
        ("uwsgi:///path", "it names no host"),
        ("fcgi:127.0.0.1:9000", "it names no host"),
        ("ajp://127.0.0.1:99999/", "port"),
        ("gopher+unix:/run/app.sock|/", "unsupported scheme `gopher`"),
        ("scgi+unix:", "it names no socket"),
        ("scgi+unix:|/", "it names no socket"),
        ("scgi+unix:/run/app.sock|path", "`path` is not a path"),
        ("scgi+unix:/run/app.sock|", "`` is not a path"),
    ] {
        bench(url, &[]).1.fails(2, &["cannot load", word]);
    }
    // a word alone is a host's name
    bench("nonsense", &[])
        .1
        .fails(9, &["cannot load", "`nonsense`"]);
}

/// A sound target's facts. Whether they can be trusted depends on how busy the machine is, so the exit
/// code is held against the doubts.
fn facts(said: &Said) -> Value {
    let facts = said.load();
    let doubts = facts["doubts"].as_array().unwrap();
    let disqualified = doubts.iter().any(|doubt| doubt["disqualifies"] == true);
    assert_eq!(said.code, if disqualified { 4 } else { 0 }, "{}", said.out);
    facts
}

#[test]
fn a_sound_target_is_loaded_and_accounted_for() {
    let (peer, url) = peer(Step::serve(answer(200, &[], "hello")));
    let (place, said) = bench(&url, &["--json", "--contains", "hello"]);
    let facts = facts(&said);
    assert_eq!(facts["load"]["scheduled"], 20);
    assert_eq!(facts["load"]["completed"], 20);
    assert_eq!(peer.requests().len(), 20);
    assert_eq!(peer.connections(), 4);
    place.assert_clean();
}

/// The URL's scheme decides what is spoken, and `+unix:` where.
#[test]
fn app_servers_are_loaded_without_a_front_end() {
    const ANSWER: &[u8] = b"Status: 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    let end = b"\x01\x03\0\x01\0\x08\0\0\0\0\0\0\0\0\0\0";
    let record = [&[1, 6, 0, 1, 0, ANSWER.len() as u8, 0, 0], ANSWER, end].concat();
    let packets = b"AB\0\x0a\x04\0\xc8\0\x02OK\0\0\0AB\0\x08\x03\0\x05helloAB\0\x02\x05\x01";
    for (scheme, first, answer) in [
        ("fcgi", b"\x01\x01\0\x01".as_slice(), record),
        ("scgi", b"", ANSWER.to_vec()),
        ("uwsgi", b"\0", ANSWER.to_vec()),
        ("ajp", b"\x124", packets.to_vec()),
    ] {
        let peer = ScriptedPeer::unix(move |_| {
            vec![Step::ReadBytes(40), Step::Send(answer.clone()), Step::Stall]
        });
        let url = format!("{scheme}+unix:{}|/page", peer.path().display());
        let (_, said) = bench(&url, &["--json", "--contains", "hello", "--no-keep-alive"]);
        assert_eq!(facts(&said)["load"]["completed"], 20, "{scheme}");
        let request = peer.requests().remove(0);
        assert!(request.starts_with(first), "{scheme}: {request:?}");
    }
}

#[test]
fn the_wrong_protocol_is_named() {
    let (peer, _url) = peer(vec![
        Step::ReadBytes(40),
        Step::Send(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec()),
        Step::Stall,
    ]);
    let url = format!("fcgi://{}/", peer.address());
    bench(&url, &[])
        .1
        .fails(9, &["not a valid response", "does not speak FastCGI"]);
}

#[test]
fn a_unix_socket_is_loaded() {
    let peer = ScriptedPeer::unix(|_| Step::serve(answer(200, &[], "hello")));
    let socket = peer.path();
    let (_, said) = bench("/", &["--unix", socket.to_str().unwrap(), "--json"]);
    assert_eq!(facts(&said)["load"]["completed"], 20);
}

#[test]
fn what_is_wrong_with_a_socket_is_named() {
    let place = Place::new();
    place.write("file", "");
    place.write("folder/file", "");
    let gone = ScriptedPeer::unix(|_| vec![]);
    let listener = place.path("closed.sock");
    drop(std::os::unix::net::UnixListener::bind(&listener).unwrap());
    drop(gone);
    let load = |path: &str| {
        let url = format!("http+unix:{}|/", place.path(path).display());
        place.run(&["bench", &url, "-c", "2", "-n", "4", "--warm-up", "0s"])
    };
    load("none.sock").fails(9, &["no such socket", "there is nothing at it"]);
    load("file/none.sock").fails(9, &["no such socket"]);
    load("file").fails(9, &["not a socket", "check the path"]);
    load("folder").fails(9, &["not a socket"]);
    load("closed.sock").fails(9, &["connection refused", "nothing listens"]);
    // root may do everything: somebody else, who passes every folder above it, sees this
    let peer = ScriptedPeer::unix(|_| vec![]);
    let socket = peer.path();
    let allow = |path: &Path, mode| {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    };
    allow(&place.path(""), 0o755);
    allow(socket.parent().unwrap(), 0o755);
    allow(&socket, 0o000);
    let url = format!("http+unix:{}|/", socket.display());
    let said = by_a_stranger(&place, &["bench", &url, "-n", "1"]);
    allow(&socket, 0o700); // the peer ends by a connection of its own
    said.fails(9, &["permission denied", "writable"]);
}

#[test]
fn a_name_without_an_address_is_the_targets_fault() {
    bench("http://no.such.host.invalid/", &[]).1.fails(
        9,
        &[
            "no address is known for host `no.such.host.invalid`",
            "check the name",
        ],
    );
}
