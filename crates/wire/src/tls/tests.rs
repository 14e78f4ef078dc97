mod server;

use std::io::{Read, Write};

use super::*;
use crate::testing::asking;
use crate::{Event, Http1};
use server::Server;

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const UNTIL_CLOSE: &[u8] = b"HTTP/1.1 200 OK\r\n\r\nhello";

/// A protocol that must be negotiated.
struct Choosy(Http1);

impl Session for Choosy {
    type Request = <Http1 as Session>::Request;
    const ALPN: &'static [&'static [u8]] = &[b"h2"];
    const NEEDS_ALPN: bool = true;

    fn prepare(ask: &Ask<'_>) -> Result<Self::Request, Unsendable> {
        Http1::prepare(ask)
    }

    fn length(request: &Self::Request) -> usize {
        Http1::length(request)
    }

    fn open(setup: &Setup, out: &mut Vec<u8>) -> Self {
        out.extend_from_slice(b"preface");
        Self(Http1::open(setup, out))
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }

    fn send(&mut self, exchange: Exchange, request: &Self::Request, out: &mut Vec<u8>) {
        self.0.send(exchange, request, out);
    }

    fn receive(
        &mut self,
        bytes: &[u8],
        out: &mut Vec<u8>,
        on: impl FnMut(Exchange, Event<'_>),
    ) -> Result<(), Malformed> {
        self.0.receive(bytes, out, on)
    }

    fn close(&mut self, on: impl FnMut(Exchange, Event<'_>)) -> End {
        self.0.close(on)
    }
}

/// What a client has seen.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    body: Vec<u8>,
    done: Option<bool>,
}

impl Seen {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Body(piece) => self.body.extend_from_slice(piece),
            Event::Done { keep } => self.done = Some(keep),
            _ => {}
        }
    }
}

/// Shakes hands, what the server sends cut into pieces of this size.
fn shake<S: Session>(
    server: &mut Server,
    client: &mut Tls<S>,
    out: &mut Vec<u8>,
    size: usize,
) -> Result<(), Malformed> {
    while !out.is_empty() {
        let bytes = server.take(out);
        for piece in bytes.chunks(size) {
            client.receive(piece, out, |_, event| panic!("{event:?}"))?;
        }
    }
    Ok(())
}

/// An open connection with one request sent, which the server has read.
fn asked(server: &mut Server, size: usize) -> Tls<Http1> {
    let mut out = Vec::new();
    let mut client = Tls::<Http1>::open(&server.setup, &mut out);
    assert!(!client.is_ready());
    shake(server, &mut client, &mut out, size).unwrap();
    assert!(client.is_ready());
    let request = Http1::prepare(&asking("GET")).unwrap();
    client.send(0, &request, &mut out);
    let owed = server.take(&mut out);
    assert!(server.asked().starts_with("GET /a?b=c HTTP/1.1\r\n"));
    client.receive(&owed, &mut out, |_, _| {}).unwrap();
    client
}

fn feed(client: &mut Tls<Http1>, bytes: &[u8], size: usize) -> Result<Seen, Malformed> {
    let mut seen = Seen::default();
    for piece in bytes.chunks(size) {
        client.receive(piece, &mut Vec::new(), |_, event| seen.take(event))?;
    }
    Ok(seen)
}

#[test]
fn records_may_be_cut_anywhere() {
    for size in 1..64 {
        let mut server = Server::new(&[]);
        let mut client = asked(&mut server, size);
        let seen = feed(&mut client, &server.answer(ANSWER), size).unwrap();
        let wanted = Seen {
            body: b"hello".to_vec(),
            done: Some(true),
        };
        assert_eq!(seen, wanted, "pieces of {size}");
    }
}

#[test]
fn a_request_that_is_sent_too_early_waits_for_the_handshake() {
    let mut server = Server::new(&[b"http/1.1"]);
    let mut out = Vec::new();
    let mut client = Tls::<Http1>::open(&server.setup, &mut out);
    client.send(0, &Http1::prepare(&asking("GET")).unwrap(), &mut out);
    shake(&mut server, &mut client, &mut out, usize::MAX).unwrap();
    assert!(server.asked().starts_with("GET /a?b=c"));
    assert_eq!(server.tls.alpn_protocol(), Some(&b"http/1.1"[..]));
}

#[test]
fn large_requests_and_answers_take_many_records() {
    let mut server = Server::new(&[]);
    server.tls.set_buffer_limit(None);
    let mut out = Vec::new();
    let mut client = Tls::<Http1>::open(&server.setup, &mut out);
    shake(&mut server, &mut client, &mut out, usize::MAX).unwrap();
    let body = vec![7; 1 << 20];
    let ask = Ask {
        body: &body,
        ..asking("POST")
    };
    client.send(0, &Http1::prepare(&ask).unwrap(), &mut out);
    let mut read = Vec::new();
    for piece in out.chunks(8 * 1024) {
        server.take(&mut piece.to_vec());
        let mut plain = vec![0; 64 * 1024];
        while let Ok(length @ 1..) = server.tls.reader().read(&mut plain) {
            read.extend_from_slice(&plain[..length]);
        }
    }
    assert!(read.ends_with(&body));
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
    let bytes = server.answer(&[head.as_bytes(), &body].concat());
    let seen = feed(&mut client, &bytes, 64 * 1024).unwrap();
    assert!(seen.body == body && seen.done == Some(true));
    assert!(client.incoming.is_empty() && client.incoming.capacity() <= 2 * BITE);
}

#[test]
fn an_end_that_anybody_could_have_made_completes_no_answer() {
    let mut server = Server::new(&[]);
    let mut client = asked(&mut server, usize::MAX);
    let seen = feed(&mut client, &server.answer(UNTIL_CLOSE), usize::MAX).unwrap();
    assert_eq!(seen.done, None);
    let end = client.close(|_, event| panic!("{event:?}"));
    assert_eq!(end, End::Truncated);
}

#[test]
fn an_end_that_the_peer_has_announced_completes_an_answer() {
    let mut server = Server::new(&[]);
    let mut client = asked(&mut server, usize::MAX);
    server.tls.writer().write_all(UNTIL_CLOSE).unwrap();
    server.tls.send_close_notify();
    let mut seen = feed(&mut client, &server.owes(), 1).unwrap();
    feed(&mut client, &vec![0; 4 * BITE], 1000).unwrap();
    assert!(client.incoming.is_empty(), "what follows is not kept");
    assert_eq!(client.close(|_, event| seen.take(event)), End::Complete);
    assert_eq!(seen.done, Some(false));
}

#[test]
fn a_whole_answer_needs_no_announced_end() {
    let mut server = Server::new(&[]);
    let mut client = asked(&mut server, usize::MAX);
    let seen = feed(&mut client, &server.answer(ANSWER), usize::MAX).unwrap();
    assert_eq!(seen.done, Some(true));
    assert_eq!(client.close(|_, _| {}), End::Idle);
}

#[test]
fn a_broken_record_is_no_answer() {
    let mut server = Server::new(&[]);
    let mut client = asked(&mut server, usize::MAX);
    let mut bytes = server.answer(ANSWER);
    *bytes.last_mut().unwrap() ^= 1;
    let why = feed(&mut client, &bytes, usize::MAX).unwrap_err();
    assert_eq!(why, Malformed::Tls(TlsFault::Broken));
    assert_eq!(client.capacity(), 0);
    assert!(
        client.detail().unwrap().contains("decrypt"),
        "{:?}",
        client.detail()
    );
}

#[test]
fn what_is_not_http_is_shown_in_clear() {
    let mut server = Server::new(&[]);
    let mut client = asked(&mut server, usize::MAX);
    let bytes = server.answer(b"SSH-2.0-OpenSSH\r\n\r\n");
    let why = feed(&mut client, &bytes, usize::MAX).unwrap_err();
    assert_eq!(why, Malformed::Head);
    assert!(client.clear(&bytes).starts_with(b"SSH-2.0"));
}

#[test]
fn something_else_than_tls_is_known_from_its_first_bytes() {
    let server = Server::new(&[]);
    let mut client = Tls::<Http1>::open(&server.setup, &mut Vec::new());
    let why = feed(&mut client, ANSWER, usize::MAX).unwrap_err();
    assert_eq!(why, Malformed::Tls(TlsFault::NotTls));
}

#[test]
fn a_protocol_that_must_be_chosen_is_refused_when_it_is_not() {
    let mut server = Server::new(&[]);
    let mut out = Vec::new();
    let mut client = Tls::<Choosy>::open(&server.setup, &mut out);
    let why = shake(&mut server, &mut client, &mut out, usize::MAX).unwrap_err();
    assert_eq!(why.to_string(), "the server does not speak h2 over TLS");
    assert_eq!(client.capacity(), 0);
}

#[test]
fn what_the_protocol_says_first_is_said_in_secret() {
    let mut server = Server::new(&[b"h2"]);
    let mut out = Vec::new();
    let mut client = Tls::<Choosy>::open(&server.setup, &mut out);
    shake(&mut server, &mut client, &mut out, usize::MAX).unwrap();
    assert!(client.is_ready());
    assert_eq!(server.asked(), "preface");
}
