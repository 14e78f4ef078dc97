//! `weir bench` over WebSocket: what a user types, and what they are told.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use crate::support::{Place, Said};

/// A server that echoes messages of less than 126 bytes, and says which it was sent last.
fn echo() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("ws://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for connection in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || serve(connection));
        }
    });
    url
}

/// Until the client goes.
fn serve(mut connection: TcpStream) -> Option<()> {
    let mut lines = BufReader::new(connection.try_clone().ok()?);
    let (mut line, mut accept, mut path) = (String::new(), String::new(), String::new());
    while line != "\r\n" {
        line.clear();
        lines
            .read_line(&mut line)
            .ok()
            .filter(|length| *length > 0)?;
        if let Some(key) = line.strip_prefix("Sec-WebSocket-Key: ") {
            accept = wire::websocket::accept(key.trim());
        }
        if line.starts_with("GET ") {
            path.clone_from(&line);
        }
    }
    let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
    let head = format!("{head}Sec-WebSocket-Accept: {accept}\r\n\r\n");
    connection.write_all(head.as_bytes()).ok()?;
    loop {
        let mut header = [0; 6];
        lines.read_exact(&mut header).ok()?;
        let mut message = vec![0; usize::from(header[1] & 0x7f)];
        lines.read_exact(&mut message).ok()?;
        for (byte, key) in message.iter_mut().zip(header[2..].iter().cycle()) {
            *byte ^= key;
        }
        if path.contains("/upper") {
            message.make_ascii_uppercase();
        }
        let answer = [&[0x81, message.len() as u8], &message[..]].concat();
        connection.write_all(&answer).ok()?;
    }
}

fn bench(url: &str, more: &[&str]) -> Said {
    let place = Place::new();
    let mut args = vec!["bench", url, "-c", "2", "-n", "20", "--warm-up", "0s"];
    args.extend(more);
    place.run(&args)
}

#[test]
fn messages_are_echoed() {
    let url = echo();
    for more in [
        &[][..],
        &["--body", "hello"],
        &["--body", ""],
        &["--no-keep-alive"],
        &["--body", "what is said", "--contains", "is"],
    ] {
        let said = bench(&url, more);
        assert!(
            said.out.contains("20 completed + 0 failed"),
            "{more:?} {}{}",
            said.out,
            said.err
        );
        assert!(said.out.contains("WebSocket"), "{}", said.out);
    }
    let upper = format!("{url}upper");
    bench(&upper, &[]).fails(9, &["unexpected body", "HELLO FROM WEIR"]);
    let other = bench(&upper, &["--contains", "HELLO"]);
    assert!(
        other.out.contains("20 completed"),
        "{}{}",
        other.out,
        other.err
    );
}

#[test]
fn options_that_make_no_sense() {
    let url = "ws://127.0.0.1:1/";
    bench(url, &["--streams", "2"]).fails(2, &["`--streams` does not go with WebSocket"]);
    bench(url, &["--pipeline", "2"]).fails(2, &["`--pipeline` does not go with WebSocket"]);
    bench(url, &["--http2"]).fails(2, &["`--http2` does not go with WebSocket"]);
    bench(url, &["--page"]).fails(2, &["one message, again and again", "--page"]);
    let post = bench(url, &["-X", "POST"]);
    assert_eq!(post.code, 2, "{}", post.err);
    assert!(
        post.err.contains("method `POST` cannot be sent"),
        "{}",
        post.err
    );
}
