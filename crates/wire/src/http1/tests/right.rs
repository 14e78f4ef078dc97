use proptest::prelude::*;

use super::*;

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
