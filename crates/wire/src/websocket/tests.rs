mod upgrades;

use proptest::prelude::*;

use super::*;
use crate::testing::asking;

/// A server's frame.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut out = vec![first];
    match payload.len() {
        short @ 0..=125 => out.push(short as u8),
        length @ 126..=0xffff => {
            out.push(126);
            out.extend((length as u16).to_be_bytes());
        }
        length => {
            out.push(127);
            out.extend((length as u64).to_be_bytes());
        }
    }
    out.extend(payload);
    out
}

fn request() -> Request {
    WebSocket::prepare(&Ask {
        body: b"hello",
        ..asking("GET")
    })
    .unwrap()
}

fn agreement(request: &Request) -> Vec<u8> {
    let accept = &request.accept;
    format!("HTTP/1.1 101 Yes\r\nUpgrade: WebSocket\r\nConnection: keep-alive, upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n")
        .into_bytes()
}

#[derive(Debug, Default, PartialEq)]
struct Heard {
    status: u16,
    body: Vec<u8>,
    done: Option<bool>,
    failed: Option<Failure>,
    owed: Vec<u8>,
}

/// What a connection makes of an upgrade's answer and of what follows, in pieces of this size.
fn heard(answer: &[u8], frames: &[u8], request: &Request, size: usize) -> Result<Heard, Malformed> {
    let mut out = Vec::new();
    let mut session = WebSocket::open(&Setup::default(), &mut out);
    session.send(7, request, &mut out);
    assert_eq!(
        (out.as_slice(), session.capacity()),
        (request.upgrade.as_slice(), 0)
    );
    let mut heard = Heard::default();
    for piece in [answer, frames].concat().chunks(size) {
        session.receive(piece, &mut heard.owed, |exchange, event| {
            assert_eq!(exchange, 7);
            match event {
                Event::Head { status, .. } => heard.status = status,
                Event::Body(piece) => heard.body.extend_from_slice(piece),
                Event::Done { keep } => heard.done = Some(keep),
                Event::Failed(why) => heard.failed = Some(why),
                Event::FirstByte | Event::Stderr(_) => {}
            }
        })?;
    }
    Ok(heard)
}

fn after_upgrade(frames: &[u8]) -> Result<Heard, Malformed> {
    let request = request();
    let answer = agreement(&request);
    let whole = heard(&answer, frames, &request, usize::MAX);
    for size in [1, 2, 3, 7] {
        assert_eq!(
            heard(&answer, frames, &request, size),
            whole,
            "pieces of {size}"
        );
    }
    whole
}

#[test]
fn an_upgrade_and_a_masked_message() {
    let request = request();
    let text = String::from_utf8(request.upgrade.clone()).unwrap();
    assert!(text.starts_with(
        "GET /a?b=c HTTP/1.1\r\nHost: example:81\r\nUser-Agent: weir\r\nUpgrade: websocket\r\n"
    ));
    assert!(
        text.ends_with("Sec-WebSocket-Version: 13\r\n\r\n"),
        "{text}"
    );
    assert_eq!(request.message[..2], [0x81, 0x85]);
    let (key, masked) = request.message[2..].split_at(4);
    let clear: Vec<u8> = masked
        .iter()
        .zip(key)
        .map(|(byte, key)| byte ^ key)
        .collect();
    assert_eq!(clear[..4], b"hell"[..]);
    for (length, header) in [(125, 2), (126, 4), (65_535, 4), (65_536, 10)] {
        let body = vec![0xff; length];
        let request = WebSocket::prepare(&Ask {
            body: &body,
            ..asking("GET")
        })
        .unwrap();
        assert_eq!(request.message.len(), header + 4 + length);
        assert_eq!(request.message[0], 0x82, "no text");
    }
    let headers = [("Sec-WebSocket-Extensions", "permessage-deflate")];
    let extended = WebSocket::prepare(&Ask {
        headers: &headers,
        ..asking("GET")
    });
    assert_eq!(extended.unwrap_err().part, "header name");
    assert_eq!(
        WebSocket::prepare(&asking("POST")).unwrap_err().part,
        "method"
    );
}

#[test]
fn right_answers_cut_anywhere() {
    let whole = frame(0x81, b"hello");
    let fragments = [frame(0x01, b"hel"), frame(0x80, b"lo")].concat();
    let pinged = [
        frame(0x89, b"abc"),
        frame(0x01, b""),
        frame(0x8a, b""),
        frame(0x00, b"hello"),
        frame(0x80, b""),
    ]
    .concat();
    for frames in [whole, fragments, pinged.clone()] {
        let heard = after_upgrade(&frames).unwrap();
        assert_eq!(
            (heard.status, heard.body.as_slice(), heard.done),
            (101, b"hello".as_slice(), Some(true))
        );
    }
    let request = request();
    let owed = heard(&agreement(&request), &pinged, &request, 1)
        .unwrap()
        .owed;
    let pong = owed.strip_prefix(&request.message[..]).unwrap();
    assert_eq!(pong[..2], [0x8a, 0x83]);
    assert_eq!(pong[6] ^ pong[2], b'a');
    let large = vec![b'x'; 70_000];
    assert_eq!(after_upgrade(&frame(0x82, &large)).unwrap().body, large);
}

#[test]
fn a_kept_connection_carries_message_after_message() {
    let request = request();
    let mut out = Vec::new();
    let mut session = WebSocket::open(&Setup::default(), &mut out);
    session.send(0, &request, &mut out);
    let first = [agreement(&request), frame(0x81, b"hello")].concat();
    session.receive(&first, &mut out, |_, _| ()).unwrap();
    for exchange in 1..4 {
        assert_eq!(session.capacity(), 1);
        out.clear();
        session.send(exchange, &request, &mut out);
        assert_eq!(out, *request.message, "no further upgrade");
        let mut done = false;
        let mut take = |of: Exchange, event: Event<'_>| {
            done |= of == exchange && event == Event::Done { keep: true }
        };
        session
            .receive(&frame(0x81, b"hello"), &mut Vec::new(), &mut take)
            .unwrap();
        assert!(done);
    }
    assert_eq!(session.close(|_, _| ()), End::Idle);
}

#[test]
fn closes() {
    for (payload, code) in [(&b""[..], 1005), (b"\x03\xe9going", 1001)] {
        let frames = [frame(0x01, b"he"), frame(0x88, payload), frame(0x81, b"x")].concat();
        let heard = after_upgrade(&frames).unwrap();
        assert_eq!(heard.failed, Some(Failure::Reset(code)));
        assert_eq!(
            (heard.done, heard.body.as_slice()),
            (None, b"he".as_slice())
        );
    }
    let idle = [frame(0x81, b"hello"), frame(0x88, b"\x03\xe8")].concat();
    let heard = after_upgrade(&idle).unwrap();
    assert_eq!((heard.done, heard.failed), (Some(true), None));
    let close = &heard.owed[heard.owed.len() - 8..];
    assert_eq!(close[..2], [0x88, 0x82], "the close is answered");
}

#[test]
fn wrong_frames() {
    let hello = || frame(0x81, b"hello");
    for (frames, why) in [
        (frame(0x80, b"x"), Malformed::Frame),
        (
            [frame(0x01, b"x"), frame(0x81, b"y")].concat(),
            Malformed::Frame,
        ),
        (frame(0xc1, b"x"), Malformed::Frame),
        (frame(0x83, b"x"), Malformed::Frame),
        (frame(0x8b, b"x"), Malformed::Frame),
        (frame(0x09, b"x"), Malformed::Frame),
        (frame(0x89, &[0; 126]), Malformed::Frame),
        (frame(0x88, b"x"), Malformed::Frame),
        (vec![0x81, 0x81, 1, 2, 3, 4, 5], Malformed::Frame),
        (vec![0x81, 126, 0, 125], Malformed::Frame),
        (
            vec![0x81, 127, 0, 0, 0, 0, 0, 0, 0xff, 0xff],
            Malformed::Frame,
        ),
        (vec![0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], Malformed::Frame),
        ([hello(), hello()].concat(), Malformed::Unasked),
    ] {
        assert_eq!(after_upgrade(&frames), Err(why), "{frames:?}");
    }
}

#[test]
fn ends_that_come_too_soon() {
    let request = request();
    let bytes = [agreement(&request), frame(0x81, b"hello")].concat();
    let upgrade = agreement(&request).len();
    for length in 0..bytes.len() {
        let mut out = Vec::new();
        let mut session = WebSocket::open(&Setup::default(), &mut out);
        session.send(0, &request, &mut out);
        session
            .receive(&bytes[..length], &mut out, |_, _| ())
            .unwrap();
        let before = length == 0 || (upgrade..upgrade + 2).contains(&length);
        let wanted = if before {
            End::BeforeAnswer
        } else {
            End::Truncated
        };
        assert_eq!(session.close(|_, _| ()), wanted, "{length}");
    }
}

proptest! {
    #[test]
    fn garbage_never_panics(noise in prop::collection::vec(any::<u8>(), 0..300), kept in 0usize..20, size in 1usize..50) {
        let request = request();
        let frames = [&frame(0x81, b"hello hello hello")[..kept], &noise[..]].concat();
        let whole = heard(&agreement(&request), &frames, &request, usize::MAX);
        prop_assert_eq!(heard(&agreement(&request), &frames, &request, size), whole);
        let _ = heard(&noise, b"", &request, size);
    }
}
