use super::*;

/// What is seen of these bytes, in pieces of this size.
fn seen(bytes: &[u8], piece: usize) -> Result<Vec<Request>, Malformed> {
    let mut reader = Reader::default();
    let mut whole = Vec::new();
    for bytes in bytes.chunks(piece) {
        reader.take(bytes);
        loop {
            match reader.read()? {
                Seen::Part => break,
                Seen::Head { .. } => {}
                Seen::Whole(request) => whole.push(request),
            }
        }
        assert!(reader.waiting() <= LONGEST_HEAD + piece);
    }
    Ok(whole)
}

const THREE: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n\
    POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nConnection: Close, TE\r\n\r\nhello\
    PUT /y HTTP/1.0\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\nConnection: keep-alive\r\n\r\n\
    3;x=y\r\nabc\r\n0\r\nTrailer: x\r\n\r\n";

#[test]
fn requests_are_the_same_however_they_are_cut() {
    let expected = [
        Request {
            keep: true,
            ..Request::default()
        },
        Request {
            length: 5,
            ..Request::default()
        },
        Request {
            keep: true,
            http10: true,
            expects: true,
            chunked: true,
            ..Request::default()
        },
    ];
    for piece in [1, 2, 3, 7, 50, 1_000] {
        assert_eq!(seen(THREE, piece).unwrap(), expected, "{piece}");
    }
}

#[test]
fn what_is_no_request_is_named() {
    let long = [b"GET / HTTP/1.1\r\nA: ".as_slice(), &vec![b'x'; 1 << 20]].concat();
    let many = [b"GET / HTTP/1.1\r\n".as_slice(), &b"A: b\r\n".repeat(500)].concat();
    let twice = b"POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (bytes, why) in [
        (&b"\x16\x03\x01\x02\x00\x01"[..], Malformed::Tls),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", Malformed::Http2),
        (b"hello there\r\n\r\n", Malformed::Head),
        (b"\0\0\0\0", Malformed::Head),
        (&long, Malformed::TooLong),
        (&many, Malformed::TooLong),
        (twice, Malformed::Framing),
        (
            b"POST / HTTP/1.1\r\nContent-Length: +5\r\n\r\n",
            Malformed::Framing,
        ),
        (
            b"POST / HTTP/1.1\r\nContent-Length: 5, 6\r\n\r\n",
            Malformed::Framing,
        ),
        (
            b"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
            Malformed::Framing,
        ),
        (
            b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            Malformed::Framing,
        ),
        (
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz",
            Malformed::Framing,
        ),
    ] {
        for piece in [1_000, 1 << 21] {
            assert_eq!(seen(bytes, piece), Err(why), "{}", bytes.escape_ascii());
        }
    }
}
