//! The origin, and clients that send it what no client should.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use client::{Answer, Origin, Upstream};
use record::{Forwarded, Malformed};

const GET: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";

fn origin(answer: Answer) -> Origin {
    Origin::start(answer, None, || {}).unwrap()
}

fn connect(origin: &Origin) -> TcpStream {
    let url = origin.url();
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let socket = TcpStream::connect(address).unwrap();
    socket.set_nodelay(true).unwrap();
    socket
        .set_read_timeout(Some(Duration::from_mins(1)))
        .unwrap();
    socket
}

/// What comes until this many responses of the default answer are there, or the end.
fn responses(socket: &mut TcpStream, count: usize) -> String {
    let mut text = String::new();
    let mut buffer = [0; 4096];
    while text.matches("\r\n\r\n").count() < count || !text.ends_with("ok\n") {
        match socket.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(length) => text += &String::from_utf8_lossy(&buffer[..length]),
        }
    }
    text
}

#[test]
fn requests_of_each_kind_are_answered_and_counted() {
    let first = Arc::new(AtomicU32::new(0));
    let called = Arc::clone(&first);
    let origin = Origin::start(Answer::default(), None, move || {
        called.fetch_add(1, Ordering::Relaxed);
    });
    let origin = origin.unwrap();
    let mut kept = connect(&origin);
    // three at once, the second with a body in chunks
    let second =
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n";
    kept.write_all(&[GET, second, GET].concat()).unwrap();
    assert_eq!(responses(&mut kept, 3).matches("200 OK").count(), 3);
    // a body that waits to be told
    kept.write_all(
        b"PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n",
    )
    .unwrap();
    let mut told = [0; 25];
    kept.read_exact(&mut told).unwrap();
    assert_eq!(&told, b"HTTP/1.1 100 Continue\r\n\r\n");
    kept.write_all(b"hi").unwrap();
    assert!(responses(&mut kept, 1).contains("200 OK"));
    let mut once = connect(&origin);
    once.write_all(b"GET / HTTP/1.0\r\n\r\n").unwrap();
    let mut all = String::new();
    once.read_to_string(&mut all).unwrap();
    assert!(all.contains("Connection: close"), "{all}");
    let unused = connect(&origin);
    drop((kept, once, unused));
    let talk = origin.end();
    assert_eq!((talk.requests, talk.connections, talk.unused), (5, 3, 1));
    assert_eq!((talk.http10, talk.closing, talk.expecting), (1, 1, 1));
    assert_eq!((talk.unfinished, talk.misread.len()), (0, 0));
    assert!(talk.at_once >= 2 && talk.data_segments >= 4, "{talk:?}");
    assert_eq!(first.load(Ordering::Relaxed), 1);
}

#[test]
fn a_response_is_as_late_as_was_asked_for() {
    let delay = Duration::from_millis(30);
    let origin = origin(Answer {
        delay,
        ..Answer::default()
    });
    let mut socket = connect(&origin);
    let before = std::time::Instant::now();
    for _ in 0..3 {
        socket.write_all(GET).unwrap();
        responses(&mut socket, 1);
    }
    assert!(before.elapsed() >= 3 * delay);
    // one that leaves before its response, and one that only has nothing more to say
    let mut gone = connect(&origin);
    gone.write_all(GET).unwrap();
    drop(gone);
    socket.write_all(GET).unwrap();
    socket.shutdown(std::net::Shutdown::Write).unwrap();
    assert!(responses(&mut socket, 1).contains("200 OK"));
    assert!(origin.end().requests >= 4);
}

/// Many large responses that are asked for at once, and read late: none is prepared before the one before it was sent.
#[test]
fn a_client_that_reads_late_gets_everything() {
    let body = vec![b'#'; 4 << 20];
    let origin = origin(Answer {
        body: body.into(),
        ..Answer::default()
    });
    let mut socket = connect(&origin);
    socket.write_all(&GET.repeat(8)).unwrap();
    socket.shutdown(std::net::Shutdown::Write).unwrap();
    let mut all = Vec::new();
    socket.read_to_end(&mut all).unwrap();
    let heads = all.split(|byte| *byte == b'#').map(<[u8]>::len);
    assert_eq!(all.len() - heads.sum::<usize>(), 8 * (4 << 20));
    assert_eq!(origin.end().requests, 8);
}

#[test]
fn ugly_clients_are_turned_away_and_the_next_is_served() {
    let origin = origin(Answer::default());
    let mut bytes: Vec<(Vec<u8>, Malformed)> = vec![
        (b"\x16\x03\x01\x02\x00\x01\x00".to_vec(), Malformed::Tls),
        (
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
            Malformed::Http2,
        ),
        (b"\x1b[31m\0\xff\r\n\r\n".to_vec(), Malformed::Head),
    ];
    // a head without an end
    let endless = [GET[..GET.len() - 2].to_vec(), vec![b'x'; 4 << 20]].concat();
    bytes.push((endless, Malformed::TooLong));
    for (bytes, _) in &bytes {
        let mut socket = connect(&origin);
        let _ = socket.write_all(bytes); // which may be cut off
        let mut answer = String::new();
        let _ = socket.read_to_string(&mut answer);
        // who still sent what nobody reads may have been reset
        assert!(
            answer.starts_with("HTTP/1.1 400 ") || answer.is_empty() && bytes.len() > 1 << 20,
            "{answer}"
        );
    }
    let mut half = connect(&origin);
    half.write_all(b"GET / HT").unwrap();
    let mut silent: Vec<_> = (0..50).map(|_| connect(&origin)).collect();
    let mut good = connect(&origin);
    good.write_all(GET).unwrap();
    assert!(responses(&mut good, 1).contains("200 OK"));
    silent.clear();
    drop((half, good));
    let talk = origin.end();
    let kinds: Vec<_> = talk.misread.iter().map(|of| of.why).collect();
    let mut expected: Vec<_> = bytes.iter().map(|(_, why)| *why).collect();
    expected.sort_unstable();
    assert_eq!(kinds, expected);
    for of in &talk.misread {
        assert!(of.sample.is_ascii() && of.sample.len() <= 400, "{of:?}");
    }
    assert_eq!((talk.requests, talk.unfinished), (1, 1));
}

/// An origin that passes all on to what listens there.
fn passing_on(host: &str) -> Origin {
    origin(Answer {
        to: Some(Upstream {
            address: host.parse().unwrap(),
            host: host.to_owned(),
        }),
        ..Answer::default()
    })
}

#[test]
fn requests_are_passed_on_and_the_server_answers_them() {
    let real = origin(Answer {
        status: 201,
        body: Arc::from(&b"really ok\n"[..]),
        ..Answer::default()
    });
    let url = real.url();
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let front = passing_on(host);
    let mut socket = connect(&front);
    let post =
        b"POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n";
    socket.write_all(&[GET, post].concat()).unwrap();
    let said = responses(&mut socket, 2);
    assert_eq!(said.matches("HTTP/1.1 201 ").count(), 2, "{said}");
    assert_eq!(said.matches("really ok\n").count(), 2, "{said}");
    assert!(!said.contains("close"), "that is between the two: {said}");
    drop(socket);
    let (talk, heard) = (front.end(), real.end());
    assert_eq!((talk.requests, talk.connections), (2, 1));
    assert_eq!((heard.requests, heard.connections), (2, 2));
    assert_eq!(heard.bodies.small, 1, "as long as its body in chunks was");
    let all = Forwarded {
        answered: 2,
        statuses: [(201, 2)].into(),
        ..Forwarded::default()
    };
    assert_eq!(talk.forwarded, Some(all));
}

#[test]
fn a_server_that_closes_its_connection_closes_the_clients_too() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let front = passing_on(&listener.local_addr().unwrap().to_string());
    let server = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let mut asked = [0; 1024];
        let length = socket.read(&mut asked).unwrap();
        let last = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\nok\n";
        socket.write_all(last).unwrap();
        String::from_utf8_lossy(&asked[..length]).into_owned()
    });
    let mut socket = connect(&front);
    socket.write_all(GET).unwrap();
    let mut said = String::new();
    socket.read_to_string(&mut said).unwrap(); // it ends
    let closes = said.contains("Connection: close\r\n") && said.ends_with("ok\n");
    assert!(closes, "{said}");
    let asked = server.join().unwrap();
    assert!(!asked.contains("close"), "it was free to keep it: {asked}");
    drop(socket);
    let talk = front.end();
    assert_eq!((talk.requests, talk.closing), (1, 0));
    let all = Forwarded {
        answered: 1,
        closed: 1,
        statuses: [(200, 1)].into(),
        ..Forwarded::default()
    };
    assert_eq!(talk.forwarded, Some(all));
}

#[test]
fn a_server_without_a_whole_response_is_told_and_counted() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let front = passing_on(&listener.local_addr().unwrap().to_string());
    let server = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let _ = socket.read(&mut [0; 1024]);
        let half = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhi";
        socket.write_all(half).unwrap();
    });
    let ask = || {
        let mut socket = connect(&front);
        let last = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        socket.write_all(last).unwrap();
        let mut said = String::new();
        socket.read_to_string(&mut said).unwrap();
        assert!(said.starts_with("HTTP/1.1 502 "), "{said}");
        assert!(said.contains("weir: no response from 127.0.0.1:"), "{said}");
    };
    ask(); // half of one comes
    server.join().unwrap();
    ask(); // nobody listens any more
    let told = front.end().forwarded.unwrap();
    assert_eq!((told.answered, told.failed), (0, 2));
    assert!(told.example.unwrap().contains("closed during the response"));
}

#[test]
fn a_connection_whose_last_response_came_is_not_open() {
    let origin = origin(Answer::default());
    let ask = || {
        let mut socket = connect(&origin);
        let last = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        socket.write_all(last).unwrap();
        socket.read_to_end(&mut Vec::new()).unwrap();
        socket
    };
    let sockets = [ask(), ask(), ask()];
    let talk = origin.end();
    assert_eq!((talk.connections, talk.at_once), (3, 1));
    drop(sockets);
}

#[test]
fn nobody_waits_for_a_server_after_the_end() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let front = passing_on(&listener.local_addr().unwrap().to_string());
    let mut socket = connect(&front);
    socket.write_all(GET).unwrap();
    let (mut asked, _) = listener.accept().unwrap();
    // half of the time that the server would have had for a response
    let patience = Duration::from_secs(15);
    asked.set_read_timeout(Some(patience)).unwrap();
    asked.read_exact(&mut [0; 4]).unwrap();
    assert_eq!(front.end().requests, 1);
    let mut rest = String::new();
    asked.read_to_string(&mut rest).unwrap();
    assert!(rest.starts_with("/ HTTP/1.1\r\n"), "{rest}");
}
