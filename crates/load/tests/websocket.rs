//! WebSocket echoes: a real server, and peers that get it wrong.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use crate::common::peers::Peer;
use crate::common::{self, job, run};
use load::{Body, Job, LoadError, Status};
use record::{Amount, Cause, LoadFacts, Protocol, Target, Tls};
use testkit::Authority;
use wire::websocket::accept;

const MESSAGE: &[u8] = b"hello";

/// A load of echoes.
fn echo(target: Target, path: &str) -> Job {
    let mut job = job(target);
    job.protocol = Protocol::WebSocket;
    say(&mut job, MESSAGE);
    common::part(&mut job).request.path = path.into();
    job
}

fn say(job: &mut Job, message: &[u8]) {
    let part = common::part(job);
    part.request.body = message.to_vec();
    part.expected.status = Status::Is(101);
    part.expected.body = Body::Exact(message.to_vec());
}

fn all_right(job: &Job) -> LoadFacts {
    let facts = run(job).unwrap_or_else(|error| panic!("{job:?}: {error}"));
    let Amount::Requests(requests) = job.load.amount else {
        panic!()
    };
    assert_eq!(facts.completed, requests, "{:?}", facts.examples);
    assert_eq!(facts.bodies.compared, requests);
    facts
}

#[test]
fn a_real_server_over_tcp_and_a_unix_socket() {
    for unix in [false, true] {
        let peer = Peer::echo(unix, None);
        let target = || peer.targets()[0].clone();
        let mut job = echo(target(), "/");
        job.load.amount = Amount::Requests(2_000);
        assert_eq!(all_right(&job).connects, 2);
        job.load.amount = Amount::Requests(20);
        let large: Vec<u8> = (0..300_000).map(|at| at as u8).collect();
        for message in [&b""[..], "\u{20ac}".as_bytes(), &large[..65_536], &large] {
            say(&mut job, message);
            all_right(&job);
        }
        assert_eq!(all_right(&echo(target(), "/pieces")).connects, 2);
        let mut closing = echo(target(), "/");
        closing.load.keep_alive = false;
        assert_eq!(all_right(&closing).connects, 20);
        // what a server closes in good order between two messages is opened anew
        let closed = run(&echo(target(), "/times/5")).unwrap();
        assert!(closed.connects >= 4, "{closed:?}");
    }
}

#[test]
fn a_real_server_over_tls() {
    let authority = Authority::new();
    let certified = authority.certify("localhost");
    let peer = Peer::echo(false, Some(&certified));
    let mut job = echo(peer.targets()[0].clone(), "/");
    job.load.tls = Some(Tls {
        authorities: Some(authority.file()),
        ..Tls::default()
    });
    let facts = all_right(&job);
    assert_eq!((facts.connects, facts.tls.count()), (2, 2));
}

/// Answers the upgrade that comes with `head` (`ACCEPT` in it being the right one), if one does.
fn upgraded(connection: &mut TcpStream, head: &str) -> bool {
    let mut asked = Vec::new();
    let mut byte = [0];
    while !asked.ends_with(b"\r\n\r\n") {
        if connection.read(&mut byte).unwrap_or(0) == 0 {
            return false;
        }
        asked.push(byte[0]);
    }
    let asked = String::from_utf8(asked).unwrap();
    let key = asked.split_once("Sec-WebSocket-Key: ").unwrap().1;
    let right = accept(key.lines().next().unwrap());
    let _ = connection.write_all(head.replace("ACCEPT", &right).as_bytes());
    true
}

/// A server that answers each upgrade with `head` (`ACCEPT` in it being the right one), and then each
/// message with `answer`.
fn peer(head: &'static str, answer: &'static [u8]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let Ok(mut connection) = connection else {
                return;
            };
            thread::spawn(move || {
                if !upgraded(&mut connection, head) {
                    return;
                }
                let mut message = [0; 2 + 4 + MESSAGE.len()];
                while connection.read_exact(&mut message).is_ok() {
                    if answer.is_empty() {
                        let _ = connection.shutdown(Shutdown::Both);
                        return;
                    }
                    for byte in answer {
                        let _ = connection.write_all(&[*byte]); // its end is read above
                    }
                }
            });
        }
    });
    address
}

const AGREED: &str = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n\r\n";

#[test]
fn ugly_answers_are_read_rightly() {
    for answer in [
        &b"\x81\x05hello"[..],
        b"\x01\x02he\x00\x00\x80\x03llo",
        b"\x8a\x01x\x01\x00\x00\x05hello\x8a\x00\x80\x00",
    ] {
        let address = peer(AGREED, answer);
        let facts = all_right(&echo(Target::Tcp(address), "/"));
        assert_eq!(facts.connects, 2, "{answer:?}");
    }
}

#[test]
fn each_failure_has_its_name() {
    let stranger = "HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
    for (head, answer, wanted) in [
        (
            stranger,
            &b""[..],
            "not a valid response: the server agrees to an upgrade that was not asked for",
        ),
        (
            "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
            b"",
            "unexpected status: status 403 where 101 was expected",
        ),
        (AGREED, b"\x81\x05hallo", "unexpected body"),
        (
            AGREED,
            b"\x88\x02\x03\xf3",
            "given up by the peer with error code 1011",
        ),
        (
            AGREED,
            b"\xc1\x05hello",
            "a record, packet or frame that has no place there",
        ),
        (
            AGREED,
            b"\x81\x85hello1234",
            "a record, packet or frame that has no place there",
        ),
        (AGREED, b"", "closed before the response"),
    ] {
        let error = run(&echo(Target::Tcp(peer(head, answer)), "/")).expect_err(wanted);
        assert!(matches!(error, LoadError::NothingRight { .. }), "{error:?}");
        assert!(error.to_string().contains(wanted), "{wanted}: {error}");
    }
    assert_eq!(Cause::Body.words(), "unexpected body");
}

/// A server that closes the WebSocket together with its message is told the same (RFC 6455, section 5.5.1), though the next
/// message goes over another connection.
#[test]
fn a_close_that_comes_with_a_message_is_answered() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (tell, told) = channel();
    thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let tell = tell.clone();
            thread::spawn(move || {
                let mut message = [0; 2 + 4 + MESSAGE.len()];
                if !upgraded(&mut connection, AGREED)
                    || connection.read_exact(&mut message).is_err()
                {
                    return;
                }
                let mut rest = Vec::new();
                let _ = connection.write_all(b"\x81\x05hello\x88\x02\x03\xe8");
                let _ = connection.read_to_end(&mut rest); // what has come is looked at
                let _ = tell.send(rest);
            });
        }
    });
    let facts = all_right(&echo(Target::Tcp(address), "/"));
    assert_eq!(facts.connects, 20);
    for _ in 0..20 {
        let rest = told.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!(rest.first(), Some(&0x88), "{rest:?}");
    }
}
