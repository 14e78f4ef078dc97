//! Answers that are right although they are ugly.

use load::Body;
use record::Amount;
use testkit::{Gate, ScriptedPeer, Step, answer};

use crate::common::{self, run, to};

/// Answers that are right although they are ugly; the body is always `hello`.
fn ugly() -> Vec<(&'static str, Vec<Step>)> {
    let send = |text: &str| Step::Send(text.into());
    let each = |steps: Vec<Step>| vec![Step::Forever([vec![Step::Read], steps].concat())];
    let once = |steps: Vec<Step>| [vec![Step::Read], steps].concat();
    let whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;ext=\"x\"\r\nhe\r\n3\r\nllo\r\n0\r\nTrailer: t\r\n\r\n";
    vec![
        ("byte by byte", each(vec![Step::SendBytewise(whole.into())])),
        ("chunked", each(vec![send(chunked)])),
        (
            "chunked byte by byte",
            each(vec![Step::SendBytewise(chunked.into())]),
        ),
        (
            "interim first",
            each(vec![send("HTTP/1.1 103 Early Hints\r\n\r\n"), send(whole)]),
        ),
        (
            "until close",
            once(vec![
                send("HTTP/1.1 200 OK\r\n\r\nhel"),
                send("lo"),
                Step::Close,
            ]),
        ),
        (
            "1.0 until close",
            once(vec![send("HTTP/1.0 200 OK\r\n\r\nhello"), Step::Close]),
        ),
        (
            "1.0 with length",
            once(vec![send(
                "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            )]),
        ),
        (
            "close announced",
            once(vec![send(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello",
            )]),
        ),
        ("close not announced", once(vec![send(whole), Step::Close])),
        (
            "bare line feeds",
            each(vec![send("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello")]),
        ),
        (
            "before the request",
            vec![Step::Forever(vec![Step::Read, send(whole)])],
        ),
    ]
}

#[test]
fn ugly_answers_are_read_rightly() {
    for (name, script) in ugly() {
        let peer = ScriptedPeer::tcp(move |_| script.clone());
        let mut job = to(&peer);
        common::part(&mut job).expected.body = Body::Exact(b"hello".to_vec());
        let facts = run(&job).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(
            (facts.completed, facts.failures()),
            (20, 0),
            "{name}: {:?}",
            facts.examples
        );
    }
}

#[test]
fn answers_without_a_body() {
    for (method, status, head) in [
        (
            "HEAD",
            200,
            "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n",
        ),
        ("GET", 204, "HTTP/1.1 204 No Content\r\n\r\n"),
        (
            "GET",
            304,
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n",
        ),
    ] {
        let peer = ScriptedPeer::tcp(move |_| Step::serve(head));
        let mut job = to(&peer);
        common::part(&mut job).request.method = method.to_owned();
        common::part(&mut job).expected.status = load::Status::Is(status);
        let facts = run(&job).unwrap();
        assert_eq!((facts.completed, facts.connects), (20, 2), "{status}");
        let sent = peer.requests().remove(0);
        assert!(sent.starts_with(method.as_bytes()));
    }
}

#[test]
fn a_large_body_is_checked_to_its_last_byte() {
    let body = "0123456789abcdef".repeat(40_000); // 640 kB, many reads
    for (last, right) in [("f", true), ("g", false)] {
        let sent = format!("{}{last}", &body[..body.len() - 1]);
        let peer = ScriptedPeer::tcp(move |_| Step::serve(answer(200, &[], &sent)));
        let mut job = to(&peer);
        common::part(&mut job).expected.body = Body::Exact(body.clone().into_bytes());
        let outcome = run(&job);
        assert_eq!(outcome.is_ok(), right, "{:?}", outcome.err());
    }
}

#[test]
fn a_request_larger_than_the_socket_takes_is_sent_whole() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(answer(200, &[], "ok")));
    let mut job = to(&peer);
    job.load.amount = Amount::Requests(2);
    common::part(&mut job)
        .request
        .headers
        .push(("x-long".to_owned(), "y".repeat(8_000_000)));
    assert_eq!(run(&job).unwrap().completed, 2);
    assert!(
        peer.requests()
            .iter()
            .all(|request| request.len() > 8_000_000)
    );
}

#[test]
fn an_answer_before_the_request_is_whole_ends_its_connection() {
    // It never reads the request, which does not fit into the socket's buffers.
    let peer = ScriptedPeer::tcp(|_| {
        let early = Step::Send(answer(413, &[], "too large"));
        vec![early, Step::Await(Gate::new())]
    });
    let mut job = to(&peer);
    job.load.amount = Amount::Requests(4);
    common::part(&mut job).expected.status = load::Status::Is(413);
    common::part(&mut job)
        .request
        .headers
        .push(("x-long".to_owned(), "y".repeat(8_000_000)));
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.connects), (4, 4));
}
