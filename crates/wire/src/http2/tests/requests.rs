//! What is sent.

use super::super::frame::CONTINUATION;
use super::super::hpack::Decoder;
use super::*;

/// A frame of what was said: kind, flags, stream, payload.
type Frame = (u8, u8, u32, Vec<u8>);

fn frames(mut bytes: &[u8]) -> Vec<Frame> {
    let mut frames = Vec::new();
    while let [_, a, b, kind, flags, c, d, e, f, rest @ ..] = bytes {
        let length = usize::from(u16::from_be_bytes([*a, *b]));
        let (payload, rest) = rest.split_at(length);
        frames.push((
            *kind,
            *flags,
            u32::from_be_bytes([*c, *d, *e, *f]),
            payload.to_vec(),
        ));
        bytes = rest;
    }
    frames
}

fn fields(block: &[u8]) -> Vec<String> {
    let mut fields = Vec::new();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let add = |name: &[u8], value: &[u8]| {
        fields.push(format!("{}: {}", text(name), text(value)));
        Ok(())
    };
    Decoder::default().decode(block, add).unwrap();
    fields
}

fn sent(client: &mut Client, request: &Request) -> Vec<Frame> {
    client.ask(9, request);
    frames(&client.said())
}

#[test]
fn a_connection_begins_with_its_preface() {
    let mut out = Vec::new();
    let session = Http2::open(&Setup::default(), &mut out);
    assert!(session.is_ready());
    let rest = out.strip_prefix(PREFACE).unwrap();
    let [(SETTINGS, 0, 0, settings), (WINDOW_UPDATE, 0, 0, more)] = &frames(rest)[..] else {
        panic!("{out:?}");
    };
    assert_eq!(
        settings[..8],
        [0, 2, 0, 0, 0, 0, 0, 4],
        "no push, and windows"
    );
    assert_eq!(settings[8..], WINDOW.to_be_bytes());
    assert_eq!(*more, (WINDOW - FIRST_WINDOW).to_be_bytes());
}

#[test]
fn a_request_is_one_frame() {
    let mut client = Client::new(2, &[]);
    let ask = Ask {
        headers: &[("X-Own", "some"), ("Host", "other"), ("TE", "trailers")],
        ..asking("GET")
    };
    let request = Http2::prepare(&ask).unwrap();
    let block = match &sent(&mut client, &request)[..] {
        [(HEADERS, flags, 1, block)] if *flags == END_HEADERS | END_STREAM => block.clone(),
        other => panic!("{other:?}"),
    };
    let wanted = [
        ":scheme: http",
        ":method: GET",
        ":authority: other",
        ":path: /a?b=c",
        "user-agent: weir",
        "x-own: some",
        "te: trailers",
    ];
    assert_eq!(fields(&block), wanted);
    assert_eq!(sent(&mut client, &request)[0].2, 3, "the next stream");
}

#[test]
fn inside_tls_the_scheme_says_so() {
    let setup = Setup {
        secure: true,
        ..Setup::default()
    };
    let mut out = Vec::new();
    let mut session = Http2::open(&setup, &mut out);
    out.clear();
    session.send(0, &Http2::prepare(&asking("GET")).unwrap(), &mut out);
    assert_eq!(fields(&frames(&out)[0].3)[0], ":scheme: https");
}

#[test]
fn what_only_http_1_has_is_refused() {
    for name in ["Connection", "keep-alive", "Transfer-Encoding", "Upgrade"] {
        let ask = Ask {
            headers: &[(name, "x")],
            ..asking("GET")
        };
        assert_eq!(Http2::prepare(&ask).unwrap_err().part, "header name");
    }
    let ask = Ask {
        path: "/a b",
        ..asking("GET")
    };
    assert_eq!(Http2::prepare(&ask).unwrap_err().part, "path");
}

#[test]
fn a_long_head_goes_on_in_further_frames() {
    let long = "v".repeat(40_000);
    let ask = Ask {
        headers: &[("x-long", &long)],
        ..asking("GET")
    };
    let request = Http2::prepare(&ask).unwrap();
    // The peer holds no table: the first block has to say that none is used.
    for (given, first) in [(&[][..], 0), (&[(1, 0)], 1)] {
        let mut client = Client::new(2, given);
        let sent = sent(&mut client, &request);
        let kinds: Vec<_> = sent
            .iter()
            .map(|&(kind, flags, id, _)| (kind, flags, id))
            .collect();
        let wanted = [
            (HEADERS, END_STREAM, 1),
            (CONTINUATION, 0, 1),
            (CONTINUATION, END_HEADERS, 1),
        ];
        assert_eq!(kinds, wanted);
        assert_eq!(sent[0].3.len(), 16_383 + first);
        let block: Vec<u8> = sent.into_iter().flat_map(|(.., payload)| payload).collect();
        assert_eq!(block[0] == 0x20, first == 1);
        assert_eq!(
            fields(&block).last().unwrap().len(),
            40_000 + "x-long: ".len()
        );
        client.ask(1, &request);
        assert_eq!(client.said()[9], 0x86, "said once");
    }
}

/// Lengths of the `DATA` frames, by stream, and whether they end it.
fn lengths(bytes: &[u8]) -> Vec<(u32, usize, bool)> {
    let data = frames(bytes).into_iter().filter(|frame| frame.0 == DATA);
    data.map(|(_, flags, stream, payload)| (stream, payload.len(), flags == END_STREAM))
        .collect()
}

fn post(body: &[u8]) -> Request {
    let ask = Ask {
        body,
        ..asking("POST")
    };
    Http2::prepare(&ask).unwrap()
}

#[test]
fn a_body_follows_its_head() {
    let mut client = Client::new(1, &[]);
    let sent = sent(&mut client, &post(b"hello"));
    let (HEADERS, END_HEADERS, 1, block) = &sent[0] else {
        panic!("{sent:?}");
    };
    assert!(fields(block).contains(&"content-length: 5".to_owned()));
    assert_eq!(sent[1..], [(DATA, END_STREAM, 1, b"hello".to_vec())]);
    // No body, and yet the server is told so.
    let empty = Http2::prepare(&asking("POST")).unwrap();
    let mut client = Client::new(1, &[]);
    let [(HEADERS, _, 1, block)] = &super::requests::sent(&mut client, &empty)[..] else {
        panic!("one frame");
    };
    assert!(fields(block).contains(&"content-length: 0".to_owned()));
}

#[test]
fn a_body_waits_for_its_windows() {
    let mut client = Client::new(4, &[(4, 20_000)]);
    client.ask(0, &post(&vec![b'x'; 50_000]));
    assert_eq!(
        lengths(&client.said()),
        [(1, 16_384, false), (1, 3616, false)]
    );
    // The connection's window is 65 535, of which the second stream takes its 20 000 as well.
    client.ask(1, &post(&vec![b'x'; 20_000]));
    assert_eq!(
        lengths(&client.said()),
        [(3, 16_384, false), (3, 3616, true)]
    );
    // The stream's window widens, and the connection's now is the narrower.
    client.hear(&window(1, 100_000));
    assert_eq!(
        lengths(&client.said()),
        [(1, 16_384, false), (1, 9151, false)]
    );
    client.hear(&window(0, 465));
    assert_eq!(lengths(&client.said()), [(1, 465, false)]);
    client.hear(&window(0, 100_000));
    assert_eq!(lengths(&client.said()), [(1, 4000, true)]);
}

#[test]
fn room_that_is_taken_back_must_be_given_twice() {
    let mut client = Client::new(1, &[(4, 1000)]);
    client.ask(0, &post(&[b'x'; 3000]));
    assert_eq!(lengths(&client.said()), [(1, 1000, false)]);
    client.hear(&settings(&[(4, 0)])); // 1000 below nothing
    client.hear(&window(1, 1000));
    assert_eq!(lengths(&client.said()), []);
    client.hear(&settings(&[(4, 500)]));
    assert_eq!(lengths(&client.said()), [(1, 500, false)]);
    client.hear(&window(1, 1500));
    assert_eq!(lengths(&client.said()), [(1, 1500, true)]);
}

#[test]
fn an_answer_before_the_whole_request_ends_it() {
    let mut client = Client::new(1, &[(4, 1000)]);
    client.ask(0, &post(&[b'x'; 3000]));
    client.said();
    assert_eq!(
        client.hear(&head(1, OK, true)),
        ["0 begins", "0 200", "0 done"]
    );
    let reset = framed(super::super::frame::RST_STREAM, 0, 1, &8u32.to_be_bytes());
    assert_eq!(client.said(), reset);
    client.hear(&window(1, 1000)); // late, and of no consequence
    assert_eq!((client.said(), client.session.capacity()), (vec![], 1));
}
