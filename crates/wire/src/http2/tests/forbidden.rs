//! What a peer must not send.

use proptest::prelude::*;

use super::super::frame::{CONTINUATION, GOAWAY, PADDED, PING, PRIORITY, PUSH_PROMISE, RST_STREAM};
use super::*;
use crate::testing::malformed;

/// Why frames after the peer's settings are none, whole and byte by byte alike.
fn wrong(frames: &[Vec<u8>]) -> Malformed {
    malformed::<Http2>(&[settings(&[]), frames.concat()].concat())
}

#[test]
fn another_protocol() {
    for bytes in [
        b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(),
        framed(PING, 0, 0, b"12345678"),
        framed(SETTINGS, ACK, 0, &[]),
        head(1, OK, true),
    ] {
        assert_eq!(malformed::<Http2>(&bytes), Malformed::Preface);
    }
}

/// All of these are frames that have no place there.
fn all_wrong(cases: &[(&str, &[Vec<u8>])]) {
    for (what, frames) in cases {
        let why = std::panic::catch_unwind(|| wrong(frames));
        assert_eq!(why.ok(), Some(Malformed::Frame), "{what}");
    }
}

#[test]
fn frames_of_streams_that_have_no_place() {
    let long = vec![0; 16_385];
    all_wrong(&[
        ("DATA on stream 0", &[data(0, b"x", false)]),
        ("on an even stream", &[data(2, b"x", false)]),
        ("on a stream not opened", &[data(3, b"x", false)]),
        ("HEADERS on stream 0", &[head(0, OK, false)]),
        ("on a stream not opened", &[head(3, OK, false)]),
        ("too long", &[head(1, OK, false), data(1, &long, false)]),
        (
            "RST_STREAM of three bytes",
            &[framed(RST_STREAM, 0, 1, &[0; 3])],
        ),
        ("on stream 0", &[framed(RST_STREAM, 0, 0, &[0; 4])]),
        (
            "on a stream not opened",
            &[framed(RST_STREAM, 0, 5, &[0; 4])],
        ),
        (
            "WINDOW_UPDATE of five bytes",
            &[framed(WINDOW_UPDATE, 0, 0, &[0; 5])],
        ),
        ("on a stream not opened", &[window(3, 1)]),
        ("PRIORITY of four bytes", &[framed(PRIORITY, 0, 1, &[0; 4])]),
        ("on stream 0", &[framed(PRIORITY, 0, 0, &[0; 5])]),
        (
            "a push",
            &[framed(PUSH_PROMISE, END_HEADERS, 1, &[0, 0, 0, 2, 0x88])],
        ),
    ]);
}

#[test]
fn frames_of_the_connection_that_have_no_place() {
    let long = vec![0; 16_385];
    all_wrong(&[
        ("too long a frame", &[framed(0x20, 0, 0, &long)]),
        ("SETTINGS on a stream", &[framed(SETTINGS, 0, 1, &[])]),
        ("of five bytes", &[framed(SETTINGS, 0, 0, &[0; 5])]),
        (
            "acknowledged with content",
            &[framed(SETTINGS, ACK, 0, &[0; 6])],
        ),
        ("push wished for", &[settings(&[(2, 1)])]),
        (
            "frames shorter than any peer's",
            &[settings(&[(5, 16_383)])],
        ),
        ("frames longer than can be", &[settings(&[(5, 1 << 24)])]),
        ("PING of seven bytes", &[framed(PING, 0, 0, &[0; 7])]),
        ("on a stream", &[framed(PING, 0, 1, &[0; 8])]),
        ("GOAWAY of seven bytes", &[framed(GOAWAY, 0, 0, &[0; 7])]),
        ("on a stream", &[framed(GOAWAY, 0, 1, &[0; 8])]),
    ]);
}

#[test]
fn blocks_and_padding_that_do_not_fit() {
    let part = framed(HEADERS, 0, 1, OK);
    let begun = head(1, OK, false);
    let padded = |flags, payload: &[u8]| framed(HEADERS, END_HEADERS | flags, 1, payload);
    all_wrong(&[
        (
            "padding longer than its DATA",
            &[begun.clone(), framed(DATA, PADDED, 1, &[3, 0, 0])],
        ),
        ("without its length", &[begun, framed(DATA, PADDED, 1, &[])]),
        (
            "padding longer than its HEADERS",
            &[padded(PADDED, &[2, 0x88])],
        ),
        ("without its length", &[padded(PADDED, &[])]),
        ("HEADERS without a priority", &[padded(0x20, &[0; 4])]),
        (
            "CONTINUATION of nothing",
            &[framed(CONTINUATION, END_HEADERS, 1, OK)],
        ),
        (
            "another's CONTINUATION",
            &[part.clone(), framed(CONTINUATION, 0, 3, OK)],
        ),
        ("HEADERS inside a block", &[part.clone(), head(1, OK, true)]),
        ("DATA inside a block", &[part.clone(), data(1, b"x", true)]),
        (
            "PING inside a block",
            &[part.clone(), framed(PING, 0, 0, &[0; 8])],
        ),
        (
            "an unknown frame inside a block",
            &[part, framed(0x77, 0, 1, &[])],
        ),
    ]);
}

#[test]
fn windows_that_cannot_be() {
    let most = (1 << 31) - 1;
    for frames in [
        vec![window(0, 0)],
        vec![window(1, 0)],
        vec![window(0, most)],
        vec![settings(&[(4, 1 << 31)])],
    ] {
        assert_eq!(wrong(&frames), Malformed::FlowControl);
    }
}

fn wrong_head(block: &[u8]) -> Malformed {
    wrong(&[head(1, block, false)])
}

#[test]
fn statuses_that_must_not_be_believed() {
    for block in [
        vec![],                                    // none
        vec![0x88, 0x88],                          // two
        [&[0, 1, b'a', 1, b'b'][..], OK].concat(), // after another field
    ] {
        assert_eq!(wrong_head(&block), Malformed::Head, "{block:?}");
    }
    for status in ["", "20", "abc", "099", "2000", "+20", "101"] {
        assert_eq!(
            wrong_head(&block(status, &[])),
            Malformed::Status,
            "{status}"
        );
    }
    assert_eq!(
        wrong_head(&[0x88, 0xbe]),
        Malformed::Compression,
        "a number of nothing"
    );
}

#[test]
fn fields_that_must_not_be_believed() {
    for field in [
        (":path", "/"),
        (":own", "x"),
        ("X-Own", "x"),
        ("", "x"),
        ("a: b", "x"),
        ("a", "x\r\nb: c"),
        ("a", "x\n"),
        ("a", "x\r\n\r\n"),
        ("a", "x\0"),
        ("a", " x"),
        ("a", "x\t"),
        ("connection", "close"),
        ("transfer-encoding", "chunked"),
    ] {
        assert_eq!(
            wrong_head(&block("200", &[field])),
            Malformed::Head,
            "{field:?}"
        );
    }
    let length = |value| ("content-length", value);
    for fields in [[length("x"), ("a", "b")], [length("1"), length("2")]] {
        assert_eq!(
            wrong_head(&block("200", &fields)),
            Malformed::Length,
            "{fields:?}"
        );
    }
    let many = [("a", "b"); 200];
    assert_eq!(wrong_head(&block("200", &many)), Malformed::TooLong);
}

#[test]
fn answers_that_contradict_themselves() {
    let three = block("200", &[("content-length", "3")]);
    let cases: &[(Malformed, &[Vec<u8>])] = &[
        (Malformed::Length, &[head(1, &three, true)]),
        (
            Malformed::Length,
            &[head(1, &three, false), data(1, b"xx", true)],
        ),
        (
            Malformed::Length,
            &[head(1, &three, false), data(1, b"xxxx", false)],
        ),
        (
            Malformed::Length,
            &[head(1, &block("204", &[]), false), data(1, b"x", true)],
        ),
        (Malformed::Head, &[data(1, b"x", false)]),
        (Malformed::Head, &[head(1, OK, false), head(1, OK, false)]),
        (Malformed::Head, &[head(1, OK, false), head(1, OK, true)]),
        (Malformed::Head, &[head(1, OK, false), head(1, &[], false)]),
        (Malformed::Status, &[head(1, &block("100", &[]), true)]),
    ];
    for (wanted, frames) in cases {
        assert_eq!(wrong(frames), *wanted, "{frames:?}");
    }
}

#[test]
fn heads_without_end() {
    let long = "v".repeat(16_000);
    let block = block(
        "200",
        &[
            ("a", &long),
            ("b", &long),
            ("c", &long),
            ("d", &long),
            ("e", &long),
        ],
    );
    let mut pieces = block.chunks(16_384);
    let mut frames = vec![framed(HEADERS, 0, 1, pieces.next().unwrap())];
    frames.extend(pieces.map(|piece| framed(CONTINUATION, 0, 1, piece)));
    assert_eq!(wrong(&frames), Malformed::TooLong);
    // A small block that names a large field again and again.
    let mut bomb = [&[0x88, 0x40, 1, b'n', 0x7f, 0x81, 0x1e][..], &[b'v'; 3968]].concat();
    bomb.extend([0xbe; 30]);
    assert_eq!(wrong(&[head(1, &bomb, true)]), Malformed::TooLong);
}

#[test]
fn more_than_was_asked() {
    let answer = [head(1, OK, false), data(1, b"ok", true)].concat();
    for more in [data(1, b"x", false), head(1, OK, true)] {
        let mut client = Client::new(1, &[]);
        client.get(1);
        let bytes = [answer.clone(), more].concat();
        assert_eq!(client.try_to_hear(&bytes), Err(Malformed::Unasked));
    }
}

/// Frames of all kinds, with contents that are often nearly right.
fn nearly() -> impl Strategy<Value = Vec<u8>> {
    let payload = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..40),
        Just(OK.to_vec()),
        Just(vec![0; 4]),
        Just(vec![0, 4, 0, 0, 0, 9]),
    ];
    (0..11u8, any::<u8>(), 0..8u32, payload)
        .prop_map(|(kind, flags, stream, payload)| framed(kind, flags, stream, &payload))
}

proptest! {
    /// Whatever comes, nothing panics, and cuts change nothing.
    #[test]
    fn anything_at_all(
        frames in proptest::collection::vec(nearly(), 0..12),
        noise in any::<Vec<u8>>(),
        cut in 1..40usize,
    ) {
        let bytes = [settings(&[]), frames.concat(), noise].concat();
        let listen = |size: usize| {
            let mut client = Client::new(4, &[]);
            client.get(4);
            for piece in bytes.chunks(size) {
                client.try_to_hear(piece)?;
            }
            Ok::<_, Malformed>((client.session.capacity(), client.said()))
        };
        let whole = listen(bytes.len());
        prop_assert_eq!(listen(cut), whole);
    }
}
