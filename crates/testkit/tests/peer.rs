//! The peer does what its script says; nothing else can be tested against it otherwise.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;

use testkit::{Gate, Nginx, Refusing, ScriptedPeer, Step, UnacceptingUnix, answer};

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";

fn ask(mut stream: impl Read + Write) -> std::io::Result<Vec<u8>> {
    stream.write_all(REQUEST)?;
    let mut received = Vec::new();
    stream.read_to_end(&mut received)?;
    Ok(received)
}

#[test]
fn serves_and_remembers() {
    let peer = ScriptedPeer::tcp(|_| Step::serve_once(answer(200, &[("X", "y")], "ok")));
    let received = ask(TcpStream::connect(peer.address()).unwrap()).unwrap();
    assert_eq!(
        received,
        b"HTTP/1.1 200 Status\r\nContent-Length: 2\r\nX: y\r\n\r\nok"
    );
    assert_eq!(peer.requests(), [REQUEST]);
    assert_eq!((peer.connections(), peer.most_open()), (1, 1));
}

#[test]
fn serves_a_unix_socket_byte_by_byte() {
    let peer = ScriptedPeer::unix(|_| vec![Step::Read, Step::SendBytewise(b"slow".to_vec())]);
    assert_eq!(
        ask(UnixStream::connect(peer.path()).unwrap()).unwrap(),
        b"slow"
    );
}

#[test]
fn resets() {
    let peer = ScriptedPeer::tcp(|_| vec![Step::Read, Step::Reset]);
    let error = ask(TcpStream::connect(peer.address()).unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
}

#[test]
fn waits_for_its_gate() {
    let gate = Gate::new();
    let held = gate.clone();
    let peer = ScriptedPeer::tcp(move |_| {
        vec![
            Step::Read,
            Step::Send(b"a".into()),
            Step::Await(held.clone()),
            Step::Send(b"b".into()),
        ]
    });
    let mut stream = TcpStream::connect(peer.address()).unwrap();
    stream.write_all(REQUEST).unwrap();
    let mut byte = [0];
    stream.read_exact(&mut byte).unwrap();
    gate.open();
    stream.read_exact(&mut byte).unwrap();
    assert_eq!(&byte, b"b");
}

#[test]
fn stops_while_clients_stall() {
    let peer = ScriptedPeer::tcp(|_| vec![Step::Await(Gate::new())]);
    let mut stream = TcpStream::connect(peer.address()).unwrap();
    assert!(testkit::eventually(
        std::time::Duration::from_mins(1),
        || peer.connections() == 1
    ));
    drop(peer); // must not hang
    assert_eq!(stream.read(&mut [0]).unwrap_or(0), 0);
}

#[test]
fn refuses() {
    let port = Refusing::new();
    let error = TcpStream::connect(port.address()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
}

#[test]
fn does_not_accept() {
    let full = UnacceptingUnix::new();
    let first = UnixStream::connect(full.path()).unwrap(); // the queue's one place
    assert!(first.peer_addr().is_ok());
}

#[test]
fn nginx_is_real() {
    let nginx = Nginx::start("location / { return 200 \"ok\\n\"; }");
    let mut stream = TcpStream::connect(nginx.address()).unwrap();
    stream.write_all(b"GET / HTTP/1.0\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(
        text.starts_with("HTTP/1.1 200 OK") && text.ends_with("\r\n\r\nok\n"),
        "{text}"
    );
    assert!(UnixStream::connect(nginx.path()).is_ok());
}
