use super::*;

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
