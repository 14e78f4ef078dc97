use proptest::prelude::*;

use super::*;
use crate::Incomplete;
use crate::testing::{asking, cut_anywhere, every_cut, malformed, sent, whole};

fn records(parts: &[(u8, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (kind, content) in parts {
        record(*kind, content, &mut out);
    }
    out
}

/// A record with padding, as libfcgi writes it.
fn padded(kind: u8, content: &[u8], padding: u8) -> Vec<u8> {
    let mut out = records(&[(kind, content)]);
    out[6] = padding;
    out.extend(vec![0xee; usize::from(padding)]);
    out
}

const COMPLETE: &[u8] = &[0; 8];
const HEAD: &[u8] = b"Status: 200 OK\r\nContent-Type: text/plain\r\n\r\n";

/// Answers that are right, all with the body `hello`.
fn right() -> Vec<Vec<u8>> {
    let end = records(&[(STDOUT, b""), (END_REQUEST, COMPLETE)]);
    let exit_status = records(&[(END_REQUEST, &[0, 0, 1, 0, 0, 0, 0, 0])]);
    vec![
        records(&[
            (STDOUT, HEAD),
            (STDOUT, b"hello"),
            (STDOUT, b""),
            (END_REQUEST, COMPLETE),
        ]),
        records(&[
            (STDOUT, b"Content-Length: 5\r\n\r\nhello"),
            (END_REQUEST, COMPLETE),
        ]),
        records(&[
            (STDERR, b"a warning"),
            (STDOUT, b"X: y\r\n\r\nhe"),
            (STDERR, b"another"),
            (STDOUT, b"llo"),
            (STDERR, b""),
            (STDOUT, b""),
            (END_REQUEST, COMPLETE),
        ]),
        [
            padded(STDOUT, HEAD, 5),
            padded(STDOUT, b"hello", 255),
            padded(STDOUT, b"", 8),
            padded(END_REQUEST, COMPLETE, 1),
        ]
        .concat(),
        [records(&[(STDOUT, b"HTTP/1.1 200 OK\r\n\r\nhello")]), end].concat(),
        [
            records(&[
                (STDOUT, b"Sta"),
                (STDOUT, b"tus: 200\r"),
                (STDOUT, b"\n\r\n"),
                (STDOUT, b"hello"),
            ]),
            exit_status,
        ]
        .concat(),
    ]
}

#[test]
fn right_answers_cut_anywhere() {
    for bytes in right() {
        every_cut::<FastCgi>(&bytes, &|answer| {
            assert_eq!(
                (answer.status, answer.body.as_slice()),
                (200, b"hello".as_slice())
            );
            assert!(answer.keep);
        });
    }
}

#[test]
fn wrong_answers() {
    let ok = b"X: y\r\n\r\nok";
    let ended = |content: &[u8]| records(&[(STDOUT, ok), (END_REQUEST, content)]);
    let status = |status: u8| records(&[(END_REQUEST, &[0, 0, 0, 0, status, 0, 0, 0])]);
    let mut other_request = records(&[(STDOUT, ok)]);
    other_request[3] = 2;
    let endless = vec![b'y'; 60_000];
    for (bytes, why) in [
        (
            b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(),
            Malformed::Frame,
        ),
        (vec![2, STDOUT, 0, 1, 0, 0, 0, 0], Malformed::Frame),
        (other_request, Malformed::Frame),
        (records(&[(STDIN, b"")]), Malformed::Frame),
        (records(&[(BEGIN_REQUEST, COMPLETE)]), Malformed::Frame),
        (records(&[(11, COMPLETE)]), Malformed::Frame),
        (
            records(&[(STDOUT, ok), (STDOUT, b""), (STDOUT, b"more")]),
            Malformed::Frame,
        ),
        (ended(b"short"), Malformed::Frame),
        (ended(&[0, 0, 0, 0, 4, 0, 0, 0]), Malformed::Frame),
        (status(1), Malformed::CannotMultiplex),
        (status(2), Malformed::Overloaded),
        (status(3), Malformed::UnknownRole),
        (status(0), Malformed::Empty),
        (
            records(&[(STDERR, b"no"), (STDOUT, b""), (END_REQUEST, COMPLETE)]),
            Malformed::Empty,
        ),
        (
            records(&[(STDOUT, b"X: y\r\n"), (END_REQUEST, COMPLETE)]),
            Malformed::Cut,
        ),
        (
            records(&[
                (STDOUT, b"Content-Length: 9\r\n\r\nok"),
                (END_REQUEST, COMPLETE),
            ]),
            Malformed::Cut,
        ),
        (
            records(&[(STDOUT, b"Content-Length: 1\r\n\r\nok")]),
            Malformed::Unasked,
        ),
        (records(&[(STDOUT, b"no colon\r\n\r\n")]), Malformed::Head),
        (
            records(&[(STDOUT, &endless), (STDOUT, &endless), (STDOUT, &endless)]),
            Malformed::TooLong,
        ),
    ] {
        let shown = &bytes[..bytes.len().min(60)];
        assert_eq!(malformed::<FastCgi>(&bytes), why, "{shown:?}");
    }
}

#[test]
fn bytes_after_the_end_are_nobodys() {
    let mut bytes = right().remove(0);
    bytes.extend(records(&[(STDERR, b"late")]));
    assert_eq!(
        whole::<FastCgi>("GET", &[&bytes]),
        Err(Incomplete::Malformed(Malformed::Unasked))
    );
}

#[test]
fn ends_that_come_too_soon() {
    assert_eq!(whole::<FastCgi>("GET", &[]), Err(Incomplete::BeforeAnswer));
    for bytes in right() {
        for length in 1..bytes.len() {
            let early = whole::<FastCgi>("GET", &[&bytes[..length]]);
            assert_eq!(early, Err(Incomplete::Truncated), "{length}");
        }
    }
}

#[test]
fn a_body_after_head_is_dropped() {
    let bytes = records(&[
        (STDOUT, b"Content-Length: 5\r\n\r\nhel"),
        (STDOUT, b"lo"),
        (END_REQUEST, COMPLETE),
    ]);
    let answer = whole::<FastCgi>("HEAD", &[&bytes]).unwrap();
    assert_eq!((answer.body.len(), answer.keep), (0, true));
}

#[test]
fn a_kept_connection_carries_request_after_request() {
    let mut out = Vec::new();
    let mut session = FastCgi::open(&crate::Setup::default(), &mut out);
    let request = FastCgi::prepare(&asking("GET")).unwrap();
    for wanted in 0..3 {
        assert_eq!(session.capacity(), 1);
        session.send(wanted, &request, &mut out);
        assert_eq!(session.capacity(), 0);
        let (mut body, mut done, mut complaint) = (Vec::new(), None, Vec::new());
        for byte in right()[2].chunks(1) {
            session
                .receive(byte, &mut out, |exchange, event| {
                    assert_eq!(exchange, wanted);
                    match event {
                        Event::Body(piece) => body.extend_from_slice(piece),
                        Event::Stderr(piece) => complaint.extend_from_slice(piece),
                        Event::Done { keep } => done = Some(keep),
                        Event::FirstByte | Event::Head { .. } | Event::Failed(_) => {}
                    }
                })
                .unwrap();
        }
        assert_eq!((body.as_slice(), done), (b"hello".as_slice(), Some(true)));
        assert_eq!(complaint, b"a warninganother");
    }
    assert_eq!(session.close(|_, _| ()), End::Idle);
}

#[test]
fn a_connection_that_is_not_to_be_kept() {
    let ask = Ask {
        keep_alive: false,
        ..asking("GET")
    };
    let mut out = Vec::new();
    let mut session = FastCgi::open(&crate::Setup::default(), &mut out);
    session.send(0, &FastCgi::prepare(&ask).unwrap(), &mut out);
    assert_eq!(out[10], 0, "the flag");
    let mut kept = None;
    let take = |_: Exchange, event: Event<'_>| {
        if let Event::Done { keep } = event {
            kept = Some(keep);
        }
    };
    session.receive(&right()[0], &mut Vec::new(), take).unwrap();
    assert_eq!((kept, session.capacity()), (Some(false), 0));
}

#[test]
fn requests() {
    let long = "y".repeat(100_000);
    let ask = Ask {
        headers: &[("X-Long", &long)],
        ..asking("GET")
    };
    let request = sent::<FastCgi>(&ask);
    assert_eq!(
        request[..16],
        [1, 1, 0, 1, 0, 8, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    );
    let (mut kinds, mut params) = (Vec::new(), Vec::new());
    let mut frames = Frames::new(HEADER, length_of_record);
    frames
        .receive(&request, |record| {
            kinds.push((record[1], record.len() - HEADER));
            if record[1] == PARAMS {
                params.extend_from_slice(&record[HEADER..]);
            }
            Ok(())
        })
        .unwrap();
    let origin = b"\x0b\x09REMOTE_ADDR127.0.0.1\x0b\x05REMOTE_PORT54321";
    assert!(params.ends_with(origin));
    let rest = params.len() - 65_535 - origin.len();
    let origin = (4, origin.len());
    assert_eq!(
        kinds,
        [(1, 8), (4, 65_535), (4, rest), origin, (4, 0), (5, 0)]
    );
    assert!(params.starts_with(b"\x0e\x01CONTENT_LENGTH0"));
    let pair = [b"\x0b\x80\x01\x86\xa0HTTP_X_LONGyyy"];
    assert!(
        params
            .windows(pair[0].len())
            .any(|window| window == pair[0])
    );
}

proptest! {
    #[test]
    fn garbage_never_panics(which in 0usize..6, kept in 0usize..120, noise in prop::collection::vec(any::<u8>(), 0..300), cut in 1usize..50) {
        let mut bytes: Vec<u8> = right()[which].iter().copied().take(kept).collect();
        bytes.extend(noise);
        let _ = cut_anywhere::<FastCgi>(&bytes, cut);
    }

    /// A body comes out of records as it went in, wherever reads fall.
    #[test]
    fn records_are_joined(pieces in prop::collection::vec((prop::collection::vec(any::<u8>(), 1..400), any::<u8>()), 0..8), read in 1usize..300) {
        let mut bytes = records(&[(STDOUT, HEAD)]);
        for (piece, padding) in &pieces {
            bytes.extend(padded(STDOUT, piece, *padding));
        }
        bytes.extend(records(&[(STDOUT, b""), (END_REQUEST, COMPLETE)]));
        let body: Vec<u8> = pieces.into_iter().flat_map(|(piece, _)| piece).collect();
        prop_assert_eq!(cut_anywhere::<FastCgi>(&bytes, read).unwrap().body, body);
    }
}
