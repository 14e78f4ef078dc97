mod variables;

use proptest::prelude::*;

use crate::testing::{asking, cut_anywhere, every_cut, malformed, whole};
use crate::{Incomplete, Malformed, Scgi, Session, Uwsgi};

/// Answers that are right, with status and body. The connection ends after each.
const RIGHT: &[(&str, u16, &str)] = &[
    ("Status: 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, "ok"),
    (
        "Content-Type: text/plain\r\n\r\nuntil the end",
        200,
        "until the end",
    ),
    (
        "content-type: text/plain\n\nbare line feeds",
        200,
        "bare line feeds",
    ),
    ("Content-Type: x\r\nSTATUS: 404\r\n\r\nnone", 404, "none"),
    ("Location: /elsewhere\r\n\r\n", 302, ""),
    (
        "Status: 201 Created\r\nLocation: /new\r\n\r\nmade",
        201,
        "made",
    ),
    (
        "Status: 304 Not Modified\r\nContent-Length: 77\r\n\r\n",
        304,
        "",
    ),
    ("Status: 204 No Content\r\n\r\na body all the same", 204, ""),
    (
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok",
        200,
        "ok",
    ),
    ("HTTP/1.0 503 Busy\r\n\r\nlater", 503, "later"),
    (
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nok",
        200,
        "ok",
    ),
    (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        200,
        "ok",
    ),
    ("H: header\r\n\r\nH", 200, "H"),
    ("HTT: header\r\n\r\n", 200, ""),
];

#[test]
fn right_answers_cut_anywhere() {
    for (text, status, body) in RIGHT {
        let check = |answer: crate::Answer| {
            assert_eq!(answer.status, *status, "{text:?}");
            assert_eq!(String::from_utf8_lossy(&answer.body), *body, "{text:?}");
            assert!(!answer.keep, "{text:?}");
        };
        every_cut::<Scgi>(text.as_bytes(), &check);
        every_cut::<Uwsgi>(text.as_bytes(), &check);
    }
}

#[test]
fn wrong_answers() {
    let lines = "X: y\r\n".repeat(200) + "\r\n";
    for (text, why) in [
        ("\x16\x03\x01", Malformed::Head),
        ("no colon\r\n\r\n", Malformed::Head),
        ("\r\n", Malformed::Head), // at least one line
        ("HTTP/1.1 x\r\n", Malformed::Head),
        (
            "HTTP/1.1 101 Switching Protocols\r\n\r\n",
            Malformed::Status,
        ),
        ("Status: OK\r\n\r\n", Malformed::Status),
        ("Status: 2000\r\n\r\n", Malformed::Status),
        ("Status: +20\r\n\r\n", Malformed::Status),
        ("Status:\r\n\r\n", Malformed::Status),
        ("Status: 042\r\n\r\n", Malformed::Status),
        (
            "Status: 100\r\n\r\nX: y\r\nStatus: x\r\n\r\n",
            Malformed::Status,
        ),
        ("Content-Length: x\r\n\r\n", Malformed::Length),
        (
            "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
            Malformed::Length,
        ),
        ("Content-Length: 2\r\n\r\nokay", Malformed::Unasked),
        (
            "X: y\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
            Malformed::Chunk,
        ),
        (&lines, Malformed::TooLong),
    ] {
        let shown = &text[..text.len().min(60)];
        assert_eq!(malformed::<Scgi>(text.as_bytes()), why, "{shown:?}");
        assert_eq!(malformed::<Uwsgi>(text.as_bytes()), why, "{shown:?}");
    }
}

#[test]
fn heads_that_never_end() {
    let endless = format!("X: {}", "y".repeat(200_000));
    let outcome = cut_anywhere::<Scgi>(endless.as_bytes(), 30_000);
    assert_eq!(outcome, Err(Incomplete::Malformed(Malformed::TooLong)));
}

#[test]
fn ends_that_come_too_soon() {
    for (text, why) in [
        ("", Incomplete::BeforeAnswer),
        ("H", Incomplete::Truncated),
        ("HTTP/1.1 200", Incomplete::Truncated),
        ("Status: 200\r\n", Incomplete::Truncated),
        ("Content-Length: 3\r\n\r\nok", Incomplete::Truncated),
    ] {
        assert_eq!(
            whole::<Scgi>("GET", &[text.as_bytes()]),
            Err(why),
            "{text:?}"
        );
    }
}

#[test]
fn a_body_after_head_is_dropped() {
    let text = b"Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";
    let answer = whole::<Scgi>("HEAD", &[text]).unwrap();
    assert_eq!((answer.status, answer.body.len()), (200, 0));
}

#[test]
fn a_connection_carries_one_request() {
    let mut out = Vec::new();
    let mut session = Scgi::open(&crate::Setup::default(), &mut out);
    let request = Scgi::prepare(&asking("GET")).unwrap();
    assert_eq!(session.capacity(), 1);
    session.send(0, &request, &mut out);
    session
        .receive(b"Content-Length: 0\r\n\r\n", &mut out, |_, _| ())
        .unwrap();
    assert_eq!(session.capacity(), 0);
    assert_eq!(
        session.receive(b"x", &mut out, |_, _| ()),
        Err(Malformed::Unasked)
    );
}

proptest! {
    #[test]
    fn garbage_never_panics(which in 0..RIGHT.len(), kept in 0usize..60, noise in prop::collection::vec(any::<u8>(), 0..300), cut in 1usize..50) {
        let mut bytes: Vec<u8> = RIGHT[which].0.bytes().take(kept).collect();
        bytes.extend(noise);
        let _ = cut_anywhere::<Scgi>(&bytes, cut);
        let _ = cut_anywhere::<Uwsgi>(&bytes, cut);
    }
}
