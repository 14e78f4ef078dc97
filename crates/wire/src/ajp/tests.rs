mod uploads;

use proptest::prelude::*;

use super::*;
use crate::Incomplete;
use crate::testing::{asking, cut_anywhere, every_cut, malformed, sent, whole};

fn packet(payload: &[u8]) -> Vec<u8> {
    let mut out = b"AB".to_vec();
    out.extend((payload.len() as u16).to_be_bytes());
    out.extend(payload);
    out
}

fn text(text: &str) -> Vec<u8> {
    let mut out = (text.len() as u16).to_be_bytes().to_vec();
    out.extend(text.bytes());
    out.push(0);
    out
}

/// `SEND_HEADERS` with one header whose name is given by its code, and the others.
fn head(status: u16, length: Option<&str>, more: &[(&str, &str)]) -> Vec<u8> {
    let mut out = vec![4];
    out.extend(status.to_be_bytes());
    out.extend(text("Reason"));
    out.extend((more.len() as u16 + u16::from(length.is_some())).to_be_bytes());
    if let Some(length) = length {
        out.extend([0xa0, 3]);
        out.extend(text(length));
    }
    for (name, value) in more {
        out.extend(text(name));
        out.extend(text(value));
    }
    packet(&out)
}

/// `SEND_BODY_CHUNK`, with the null byte after it or without.
fn body(piece: &[u8], null: bool) -> Vec<u8> {
    let mut out = vec![3];
    out.extend((piece.len() as u16).to_be_bytes());
    out.extend(piece);
    out.extend(null.then_some(0));
    packet(&out)
}

fn end(reuse: bool) -> Vec<u8> {
    packet(&[5, u8::from(reuse)])
}

/// Answers that are right, all with the body `hello`.
fn right() -> Vec<Vec<u8>> {
    let more = [("X-A", "b"), ("Set-Cookie", "c=d")];
    vec![
        [head(200, Some("5"), &more), body(b"hello", true), end(true)].concat(),
        [
            head(200, None, &[]),
            body(b"hel", false),
            body(b"", true),
            body(b"lo", false),
            end(true),
        ]
        .concat(),
        [
            head(100, None, &[]),
            head(200, Some("5"), &[]),
            body(b"hello", true),
            end(true),
        ]
        .concat(),
        [
            packet(&[6, 0x1f, 0xfa]),
            head(200, None, &more),
            body(b"hello", true),
            packet(&[5, 1, 0, 0]),
        ]
        .concat(),
    ]
}

#[test]
fn right_answers_cut_anywhere() {
    for bytes in right() {
        every_cut::<Ajp>(&bytes, &|answer| {
            assert_eq!(
                (answer.status, answer.body.as_slice()),
                (200, b"hello".as_slice())
            );
            assert!(answer.keep);
        });
    }
    let answer = whole::<Ajp>("GET", &[&right()[0]]).unwrap();
    assert_eq!(answer.header("content-length").unwrap(), "5");
    assert_eq!(answer.header("x-a").unwrap(), "b");
}

#[test]
fn connections_are_kept_if_the_end_says_so() {
    let bytes = |reuse| [head(200, None, &[]), end(reuse)].concat();
    assert!(whole::<Ajp>("GET", &[&bytes(true)]).unwrap().keep);
    assert!(!whole::<Ajp>("GET", &[&bytes(false)]).unwrap().keep);
    let ask = Ask {
        keep_alive: false,
        ..asking("GET")
    };
    let (mut collector, _) = crate::Collector::<Ajp>::new(&ask).unwrap();
    let answer = collector
        .receive(&bytes(true), &mut Vec::new())
        .unwrap()
        .unwrap();
    assert!(!answer.keep, "not asked for");
}

#[test]
fn wrong_answers() {
    let after = |packets: &[Vec<u8>]| {
        [vec![head(200, None, &[])], packets.to_vec()]
            .concat()
            .concat()
    };
    let many: Vec<_> = (0..200).map(|_| ("X", "y")).collect();
    let mut unknown = vec![4, 0, 200, 0, 0, 0, 0, 1, 0xa0, 12];
    unknown.extend(text("v"));
    for (bytes, why) in [
        (
            b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(),
            Malformed::Frame,
        ),
        (b"AX".to_vec(), Malformed::Frame),
        (packet(&[]), Malformed::Frame),
        (packet(&[9]), Malformed::Frame), // nobody sent a ping
        (packet(&[42]), Malformed::Frame),
        (packet(&[4, 0]), Malformed::Frame),
        (packet(&[4, 0, 200, 0, 9, b'x']), Malformed::Frame),
        (packet(&unknown), Malformed::Frame),
        (body(b"hello", true), Malformed::Frame),
        (after(&[head(200, None, &[])]), Malformed::Frame),
        (after(&[packet(&[3, 0, 9, b'x'])]), Malformed::Frame),
        (after(&[packet(&[5])]), Malformed::Frame),
        (end(true), Malformed::Empty),
        (head(101, None, &[]), Malformed::Status),
        (head(0, None, &[]), Malformed::Status),
        (head(1000, None, &[]), Malformed::Status),
        (head(200, Some("x"), &[]), Malformed::Length),
        (
            head(200, Some("1"), &[("Content-Length", "2")]),
            Malformed::Length,
        ),
        (head(200, None, &[("X", "a\r\nY: b")]), Malformed::Head),
        (head(200, None, &[("X: y\r\nZ", "a")]), Malformed::Head),
        (head(200, None, &[("X", "a\r\n\r\nb")]), Malformed::Head),
        (head(200, None, &[("", "a")]), Malformed::Head),
        (head(200, None, &many), Malformed::TooLong),
        (
            [head(200, Some("1"), &[]), body(b"ok", true)].concat(),
            Malformed::Unasked,
        ),
        (
            [head(200, Some("9"), &[]), body(b"ok", true), end(true)].concat(),
            Malformed::Cut,
        ),
    ] {
        let shown = &bytes[..bytes.len().min(60)];
        assert_eq!(malformed::<Ajp>(&bytes), why, "{shown:?}");
    }
}

#[test]
fn ends_that_come_too_soon() {
    assert_eq!(whole::<Ajp>("GET", &[]), Err(Incomplete::BeforeAnswer));
    for bytes in right() {
        for length in 1..bytes.len() {
            let early = whole::<Ajp>("GET", &[&bytes[..length]]);
            assert_eq!(early, Err(Incomplete::Truncated), "{length}");
        }
    }
}

#[test]
fn bytes_after_the_end_are_nobodys() {
    let bytes = [right().remove(0), end(true)].concat();
    assert_eq!(
        whole::<Ajp>("GET", &[&bytes]),
        Err(Incomplete::Malformed(Malformed::Unasked))
    );
}

#[test]
fn answers_without_a_body() {
    for (method, status) in [("HEAD", 200), ("GET", 204), ("GET", 304)] {
        let bytes = [
            head(status, Some("5"), &[]),
            body(b"hello", true),
            end(true),
        ]
        .concat();
        let answer = whole::<Ajp>(method, &[&bytes]).unwrap();
        assert_eq!((answer.status, answer.body.len()), (status, 0));
    }
}

#[test]
fn requests() {
    let ask = Ask {
        headers: &[("X-A", "b"), ("Content-Length", "9"), ("User-Agent", "me")],
        ..asking("GET")
    };
    let request = sent::<Ajp>(&ask);
    let wanted = [
        &[0x12, 0x34, 0, request.len() as u8 - 4, 2, 2][..],
        &text("HTTP/1.1"),
        &text("/a"),
        &text("127.0.0.1"),
        &text("127.0.0.1"),
        &text("example"),
        &[0, 81, 0, 0, 3],
        &text("X-A"),
        &text("b"),
        &[0xa0, 14],
        &text("me"),
        &[0xa0, 11],
        &text("example:81"),
        &[5],
        &text("b=c"),
        &[0xff],
    ]
    .concat();
    assert_eq!(request, wanted);
    let other = sent::<Ajp>(&asking("PATCH"));
    assert_eq!(other[5], 0xff);
    let stored = [&[13][..], &text("PATCH"), &[0xff]].concat();
    assert!(other.ends_with(&stored));
    for length in [8_190, 70_000] {
        let long = "y".repeat(length);
        let large = Ajp::prepare(&Ask {
            headers: &[("X", &long)],
            ..asking("GET")
        })
        .unwrap_err();
        assert_eq!(large.what, "more than the 8192 bytes of a packet");
        let path = format!("/{long}");
        Ajp::prepare(&Ask {
            path: &path,
            ..asking("GET")
        })
        .unwrap_err();
    }
}

proptest! {
    #[test]
    fn garbage_never_panics(which in 0usize..4, kept in 0usize..120, noise in prop::collection::vec(any::<u8>(), 0..300), cut in 1usize..50) {
        let mut bytes: Vec<u8> = right()[which].iter().copied().take(kept).collect();
        bytes.extend(noise);
        let _ = cut_anywhere::<Ajp>(&bytes, cut);
    }

    /// A body comes out of packets as it went in, wherever reads fall.
    #[test]
    fn packets_are_joined(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..400), 0..8), null in any::<bool>(), read in 1usize..300) {
        let mut bytes = head(200, None, &[]);
        for piece in &pieces {
            bytes.extend(body(piece, null));
        }
        bytes.extend(end(true));
        prop_assert_eq!(cut_anywhere::<Ajp>(&bytes, read).unwrap().body, pieces.concat());
    }
}
