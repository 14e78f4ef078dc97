//! Answers that are right, whatever the cuts between the bytes.

use super::super::frame::{CONTINUATION, PADDED, PING, PRIORITY, WITH_PRIORITY};
use super::*;
use crate::testing::{every_cut, whole};
use crate::{Answer, Incomplete};

fn fields(answer: &Answer) -> Vec<(&str, &str)> {
    let headers = answer.headers.iter();
    headers
        .map(|(name, value)| (name.as_str(), str::from_utf8(value).unwrap()))
        .collect()
}

#[test]
fn a_head_and_a_body() {
    let block = block(
        "404",
        &[("content-length", "5"), ("x-own", "one"), ("x-own", "two")],
    );
    let bytes = [
        settings(&[(3, 128)]),
        framed(SETTINGS, ACK, 0, &[]),
        head(1, &block, false),
        data(1, b"he", false),
        data(1, b"", false),
        data(1, b"llo", true),
    ];
    every_cut::<Http2>(&bytes.concat(), &|answer| {
        assert_eq!(
            (answer.status, answer.body.as_slice(), answer.keep),
            (404, &b"hello"[..], true)
        );
        let wanted = [("content-length", "5"), ("x-own", "one"), ("x-own", "two")];
        assert_eq!(fields(&answer), wanted);
    });
}

#[test]
fn padding_priorities_interim_answers_trailers_and_the_unknown() {
    let early = block("103", &[("link", "</a.css>")]);
    let padded = [&[3, 0, 0, 0, 0, 9][..], OK, &[0; 3]].concat();
    let bytes = [
        settings(&[]),
        framed(0x0c, 0xff, 0, b"ORIGIN, or whatever it may be"),
        framed(PRIORITY, 0, 1, &[0, 0, 0, 0, 1]),
        window(0, 1000),
        window(1, 1000),
        head(1, &early, false),
        head(1, &block("100", &[]), false),
        framed(HEADERS, END_HEADERS | PADDED | WITH_PRIORITY, 1, &padded),
        framed(DATA, PADDED, 1, b"\x04hell\0\0\0\0"),
        framed(PING, 0, 0, b"12345678"),
        framed(DATA, PADDED, 1, b"\x01\0"),
        framed(DATA, PADDED, 1, b"\0o"),
        head(1, &[0, 1, b't', 1, b'v'], true),
    ];
    every_cut::<Http2>(&bytes.concat(), &|answer| {
        assert_eq!(
            (answer.status, answer.body.as_slice()),
            (200, &b"hello"[..])
        );
        assert!(fields(&answer).is_empty(), "{answer:?}");
    });
}

#[test]
fn a_head_in_many_frames() {
    let block = block("200", &[("x-long", &"v".repeat(300))]);
    let (first, rest) = block.split_at(5);
    let (second, third) = rest.split_at(100);
    let bytes = [
        settings(&[]),
        framed(HEADERS, END_STREAM, 1, first),
        framed(CONTINUATION, 0, 1, second),
        framed(CONTINUATION, 0, 1, &[]),
        framed(CONTINUATION, END_HEADERS, 1, third),
    ];
    every_cut::<Http2>(&bytes.concat(), &|answer| {
        assert_eq!(answer.header("x-long").unwrap().len(), 300);
        assert!(answer.body.is_empty());
    });
}

#[test]
fn answers_without_a_body_may_say_how_long_it_would_be() {
    let head = |status| {
        let block = block(status, &[("content-length", "77")]);
        [settings(&[]), head(1, &block, true)].concat()
    };
    for (method, status) in [("HEAD", "200"), ("GET", "304"), ("GET", "204")] {
        let answer = whole::<Http2>(method, &[&head(status)]).unwrap();
        assert!(answer.body.is_empty(), "{method} {status}");
    }
    let cut = whole::<Http2>("GET", &[&head("200")]);
    assert_eq!(cut, Err(Incomplete::Malformed(Malformed::Length)));
}

#[test]
fn an_end_of_stream_says_how_far_the_oldest_answer_had_come() {
    let cut = |bytes: &[Vec<u8>]| whole::<Http2>("GET", &[&bytes.concat()]).unwrap_err();
    assert_eq!(cut(&[]), Incomplete::BeforeAnswer);
    assert_eq!(cut(&[settings(&[])]), Incomplete::BeforeAnswer);
    let begun = [settings(&[]), head(1, OK, false)];
    assert_eq!(cut(&begun), Incomplete::Truncated);
    let mut client = Client::new(2, &[]);
    assert_eq!(client.session.close(|_, _| ()), End::Idle);
    assert_eq!(client.session.capacity(), 0);
}

/// Equal blocks do not mean equal heads once the table has changed.
#[test]
fn a_known_block_is_read_anew_when_the_table_changed() {
    let added = |value: u8| [OK, &[0x40, 1, b'n', 1, value]].concat();
    let newest = [0x88, 0xbe]; // 200, and the newest field of the table
    let mut client = Client::new(8, &[]);
    client.get(8);
    let mut values = Vec::new();
    for (stream, block) in [
        (1, added(b'a')),
        (3, newest.to_vec()),
        (5, newest.to_vec()),
        (7, added(b'b')),
        (9, newest.to_vec()),
        (11, newest.to_vec()),
        (13, added(b'b')),
        (15, newest.to_vec()),
    ] {
        let bytes = head(stream, &block, true);
        let session = &mut client.session;
        let listen = |_, event: Event<'_>| {
            if let Event::Head { fields, .. } = event {
                values.push(fields[3]);
            }
        };
        session.receive(&bytes, &mut Vec::new(), listen).unwrap();
    }
    assert_eq!(values, b"aaabbbbb");
}
