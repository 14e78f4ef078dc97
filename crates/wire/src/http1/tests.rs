use proptest::prelude::*;

use super::*;
use crate::{Answer, Cgi, Collector, Incomplete};

fn ask(method: &str) -> Ask<'_> {
    Ask {
        method,
        path: "/a?b=c",
        host: "example",
        headers: &[],
        body: &[],
        keep_alive: true,
        cgi: Cgi::default(),
    }
}

/// The answer from `pieces`, the peer closing after them if the answer is not whole by then.
fn collect(method: &str, pieces: &[&[u8]]) -> Result<Answer, Incomplete> {
    let (mut collector, _) = Collector::<Http1>::new(&ask(method)).unwrap();
    let mut whole = None;
    for piece in pieces {
        if let Some(answer) = collector.receive(piece, &mut Vec::new())? {
            whole = Some(answer);
        }
    }
    whole.map_or_else(|| collector.close(), Ok)
}

fn get(bytes: &str) -> Result<Answer, Incomplete> {
    collect("GET", &[bytes.as_bytes()])
}

fn malformed(bytes: &str) -> Malformed {
    match get(bytes) {
        Err(Incomplete::Malformed(why)) => why,
        other => panic!("expected a malformed answer for {bytes:?}, got {other:?}"),
    }
}

/// Answers that are right, with the body and whether the connection is kept.
const RIGHT: &[(&str, &str, bool)] = &[
    (
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n",
        "ok\n",
        true,
    ),
    (
        "HTTP/1.1 200 OK\r\ncontent-length:3\r\nCONNECTION: Close\r\n\r\nok\n",
        "ok\n",
        false,
    ),
    ("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "", true),
    ("\r\nHTTP/1.1 200 OK\nContent-Length: 1\n\nx", "x", true),
    (
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
        "ok",
        true,
    ),
    (
        "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok",
        "ok",
        true,
    ),
    (
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "ok",
        false,
    ),
    (
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok",
        "ok",
        true,
    ),
    (
        "HTTP/1.0 200 OK\r\n\r\nuntil the end",
        "until the end",
        false,
    ),
    ("HTTP/1.1 200 OK\r\n\r\n", "", false),
    (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\ncoded",
        "coded",
        false,
    ),
    (
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\ny",
        "y",
        true,
    ),
    (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "abc",
        true,
    ),
    (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n3;name=\"v\"\r\nabc\r\n0A \r\n0123456789\r\n00;last\r\nTrailer: x\r\nOther: y\r\n\r\n",
        "abc0123456789",
        true,
    ),
    (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n1\r\na\r\n0\r\n\r\n",
        "a",
        false,
    ),
    (
        "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone",
        "none",
        true,
    ),
    ("HTTP/1.1 204 No Content\r\n\r\n", "", true),
    (
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 77\r\n\r\n",
        "",
        true,
    ),
];

#[test]
fn right_answers() {
    for (bytes, body, keep) in RIGHT {
        let answer = get(bytes).unwrap_or_else(|why| panic!("{bytes:?}: {why}"));
        assert_eq!(String::from_utf8_lossy(&answer.body), *body, "{bytes:?}");
        assert_eq!(answer.keep, *keep, "{bytes:?}");
    }
}

#[test]
fn right_answers_byte_by_byte() {
    for (bytes, body, keep) in RIGHT {
        let pieces: Vec<&[u8]> = bytes.as_bytes().chunks(1).collect();
        let answer = collect("GET", &pieces).unwrap_or_else(|why| panic!("{bytes:?}: {why}"));
        assert_eq!(String::from_utf8_lossy(&answer.body), *body, "{bytes:?}");
        assert_eq!(answer.keep, *keep, "{bytes:?}");
    }
}

proptest! {
    /// Where reads fall must not change what an answer is, headers included.
    #[test]
    fn right_answers_split_anywhere(which in 0..RIGHT.len(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let bytes = RIGHT[which].0.as_bytes();
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len())).collect();
        at.extend([0, bytes.len()]);
        at.sort_unstable();
        let pieces: Vec<&[u8]> = at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
        prop_assert_eq!(collect("GET", &pieces), collect("GET", &[bytes]));
    }

    /// Nothing that a peer sends may panic, and reads may fall anywhere in it.
    #[test]
    fn garbage_never_panics(start in 0..RIGHT.len(), keep in 0usize..80, noise in prop::collection::vec(any::<u8>(), 0..300), cut in 1usize..50) {
        let mut bytes: Vec<u8> = RIGHT[start].0.bytes().take(keep).collect();
        bytes.extend(noise);
        let pieces: Vec<&[u8]> = bytes.chunks(cut).collect();
        let _ = collect("GET", &pieces);
    }

    /// A body comes out of chunks as it went in.
    #[test]
    fn chunks_are_joined(body in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..40), 0..8), read in 1usize..30) {
        let mut bytes = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
        for chunk in &body {
            bytes.extend(format!("{:x}\r\n", chunk.len()).bytes());
            bytes.extend(chunk);
            bytes.extend(b"\r\n");
        }
        bytes.extend(b"0\r\n\r\n");
        let pieces: Vec<&[u8]> = bytes.chunks(read).collect();
        prop_assert_eq!(collect("GET", &pieces).unwrap().body, body.concat());
    }
}

#[test]
fn head_has_no_body() {
    let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
    let answer = collect("HEAD", &[bytes]).unwrap();
    assert_eq!((answer.body.len(), answer.keep), (0, true));
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    assert!(collect("HEAD", &[chunked]).unwrap().keep);
}

#[test]
fn headers_are_kept_in_order() {
    let answer =
        get("HTTP/1.1 200 OK\r\nX-A:  1 \r\nx-b: 2\r\nX-A: 3\r\nContent-Length: 0\r\n\r\n")
            .unwrap();
    let names: Vec<&str> = answer
        .headers
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["x-a", "x-b", "x-a", "content-length"]);
    assert_eq!(answer.header("x-a").unwrap(), "1");
    assert_eq!(answer.header("x-c"), None);
}

#[test]
fn wrong_lengths() {
    for value in [
        "1\r\nContent-Length: 2",
        "1, 2",
        "+5",
        "-1",
        "0x10",
        "abc",
        "",
        ",",
        "99999999999999999999",
    ] {
        let bytes = format!("HTTP/1.1 200 OK\r\nContent-Length: {value}\r\n\r\nok");
        assert_eq!(malformed(&bytes), Malformed::Length, "{value:?}");
    }
}

#[test]
fn broken_chunks() {
    for body in [
        "x\r\n",
        "\r\n",
        "3\r\nabcd\r\n",
        "3\r\nabc0\r\n",
        "-1\r\n",
        "10000000000000000\r\n",
        "3\rabc",
    ] {
        let bytes = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{body}");
        assert_eq!(malformed(&bytes), Malformed::Chunk, "{body:?}");
    }
}

#[test]
fn broken_heads() {
    for bytes in [
        "garbage",
        "<html>",
        "\u{0}\u{1}",
        "HTTP/2 200 OK\r\n\r\n",
        "HTTP/1.1 2x0 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
    ] {
        assert_eq!(malformed(bytes), Malformed::Head, "{bytes:?}");
    }
    assert_eq!(
        malformed("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
        Malformed::Status
    );
    assert_eq!(malformed("HTTP/1.1 099 Low\r\n\r\n"), Malformed::Status);
}

#[test]
fn garbage_is_known_when_it_comes() {
    let (mut collector, _) = Collector::<Http1>::new(&ask("GET")).unwrap();
    assert_eq!(collector.receive(b"H", &mut Vec::new()), Ok(None));
    assert_eq!(
        collector.receive(b"ello there", &mut Vec::new()),
        Err(Incomplete::Malformed(Malformed::Head))
    );
}

#[test]
fn heads_are_bounded() {
    let long = format!("HTTP/1.1 200 OK\r\nX: {}", "a".repeat(200 * 1024));
    let pieces: Vec<&[u8]> = long.as_bytes().chunks(4096).collect();
    assert_eq!(
        collect("GET", &pieces),
        Err(Incomplete::Malformed(Malformed::TooLong))
    );
    assert_eq!(malformed(&format!("{long}\r\n\r\n")), Malformed::TooLong);
    let lines = format!("HTTP/1.1 200 OK\r\n{}\r\n", "X: y\r\n".repeat(129));
    assert_eq!(malformed(&lines), Malformed::TooLong);
    let trailers = format!(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n{}",
        "X: y\r\n".repeat(20_000)
    );
    assert_eq!(malformed(&trailers), Malformed::TooLong);
}

#[test]
fn collected_bodies_are_bounded() {
    let flood = vec![b'x'; 1 << 20];
    let mut pieces: Vec<&[u8]> = vec![b"HTTP/1.1 200 OK\r\n\r\n"];
    pieces.extend(std::iter::repeat_n(flood.as_slice(), 65));
    assert_eq!(collect("GET", &pieces), Err(Incomplete::TooLarge));
}

#[test]
fn ends() {
    assert_eq!(get(""), Err(Incomplete::BeforeAnswer));
    for half in [
        "H",
        "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
    ] {
        assert_eq!(get(half), Err(Incomplete::Truncated), "{half:?}");
    }
}

#[test]
fn bytes_after_the_answer_are_malformed() {
    assert_eq!(
        malformed("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok extra"),
        Malformed::Unasked
    );
    let mut session = Http1::open(&crate::Setup::default(), &mut Vec::new());
    assert_eq!(
        session.receive(b"x", &mut Vec::new(), |_, _| ()),
        Err(Malformed::Unasked)
    );
}

#[test]
fn one_connection_carries_many_requests() {
    let request = Http1::prepare(&ask("GET")).unwrap();
    let mut session = Http1::open(&crate::Setup::default(), &mut Vec::new());
    for number in 0..3 {
        assert_eq!(session.capacity(), 1);
        let mut out = Vec::new();
        session.send(number, &request, &mut out);
        assert_eq!(session.capacity(), 0);
        let mut seen = Vec::new();
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        session
            .receive(answer, &mut out, |exchange, event| {
                assert_eq!(exchange, number);
                seen.push(format!("{event:?}").chars().take(9).collect::<String>());
            })
            .unwrap();
        assert_eq!(seen, ["FirstByte", "Head { st", "Body([111", "Done { ke"]);
    }
    assert_eq!(session.close(|_, _| ()), End::Idle);
    assert_eq!(session.capacity(), 0);
}

#[test]
fn requests_as_bytes() {
    let headers = [("X-A", "1"), ("user-agent", "mine")];
    let ask = Ask {
        headers: &headers,
        keep_alive: false,
        ..ask("GET")
    };
    let text = String::from_utf8(Http1::prepare(&ask).unwrap().bytes().to_vec()).unwrap();
    assert_eq!(
        text,
        "GET /a?b=c HTTP/1.1\r\nHost: example\r\nConnection: close\r\nX-A: 1\r\nuser-agent: mine\r\n\r\n"
    );
}

#[test]
fn requests_that_cannot_be_sent() {
    let smuggled = [("X", "a\r\nHost: other")];
    let named = [("X:Y", "a")];
    for (ask, part) in [
        (
            Ask {
                path: "/a b",
                ..ask("GET")
            },
            "path",
        ),
        (
            Ask {
                path: "",
                ..ask("GET")
            },
            "path",
        ),
        (
            Ask {
                host: "a\nb",
                ..ask("GET")
            },
            "host",
        ),
        (
            Ask {
                headers: &smuggled,
                ..ask("GET")
            },
            "header value",
        ),
        (
            Ask {
                headers: &named,
                ..ask("GET")
            },
            "header name",
        ),
        (ask("G T"), "method"),
    ] {
        assert_eq!(Http1::prepare(&ask).unwrap_err().part, part);
    }
    let said = Http1::prepare(&Ask {
        path: "/a b",
        ..ask("GET")
    })
    .unwrap_err()
    .to_string();
    assert_eq!(
        said,
        "path `/a b` cannot be sent: it holds a space or a control character"
    );
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let setup = Setup {
        depth: 3,
        ..Setup::default()
    };
    let mut session = Http1::open(&setup, &mut Vec::new());
    let (get, head) = (ask("GET"), ask("HEAD"));
    let (get, head) = (
        Http1::prepare(&get).unwrap(),
        Http1::prepare(&head).unwrap(),
    );
    let mut out = Vec::new();
    for (exchange, request) in [(7, &get), (3, &head), (5, &get)] {
        assert!(session.capacity() > 0);
        session.send(exchange, request, &mut out);
    }
    assert_eq!(session.capacity(), 0);
    let one = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
    let answers = [one.as_slice(), b"ok", one, one, b"ok"].concat();
    for size in 1..answers.len() {
        let mut session = Http1::open(&setup, &mut Vec::new());
        for (exchange, request) in [(7, &get), (3, &head), (5, &get)] {
            session.send(exchange, request, &mut out);
        }
        let mut done = Vec::new();
        for piece in answers.chunks(size) {
            let outcome = session.receive(piece, &mut out, |exchange, event| {
                if matches!(event, Event::Done { keep: true }) {
                    done.push(exchange);
                }
            });
            assert_eq!(outcome, Ok(()));
        }
        assert_eq!(done, [7, 3, 5], "pieces of {size}");
        assert_eq!(session.capacity(), 3);
        let outcome = session.receive(b"H", &mut out, |_, _| ());
        assert_eq!(outcome, Err(Malformed::Unasked));
    }
}

#[test]
fn nothing_is_pipelined_behind_an_answer_that_closes() {
    let mut session = Http1::open(
        &Setup {
            depth: 2,
            ..Setup::default()
        },
        &mut Vec::new(),
    );
    let request = Http1::prepare(&ask("GET")).unwrap();
    let mut out = Vec::new();
    session.send(1, &request, &mut out);
    session.send(2, &request, &mut out);
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
    let mut done = Vec::new();
    let take = |exchange: Exchange, event: Event<'_>| {
        if let Event::Done { keep } = event {
            done.push((exchange, keep));
        }
    };
    session.receive(answer, &mut out, take).unwrap();
    assert_eq!(done, [(1, false)]);
    assert_eq!(session.capacity(), 0);
    assert_eq!(session.close(|_, _| ()), End::Idle);
}

#[test]
fn bodies_are_sent_with_their_length() {
    let text = |method, body: &[u8]| {
        let ask = Ask {
            body,
            ..ask(method)
        };
        String::from_utf8(Http1::prepare(&ask).unwrap().bytes().to_vec()).unwrap()
    };
    let posted = text("POST", b"a=1");
    assert!(posted.contains("\r\nContent-Length: 3\r\n"), "{posted}");
    assert!(posted.ends_with("\r\n\r\na=1"), "{posted}");
    assert!(text("POST", b"").contains("\r\nContent-Length: 0\r\n"));
    assert!(!text("GET", b"").contains("Content-Length"));
}
