//! Servers that send without end and never read: what is pending for them is bounded, and the
//! connection fails with a name.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use crate::common::{self, job, run};
use load::{Job, LoadError, MOST_PENDING};
use record::{Amount, Cause, Crowd, Habit, LoadFacts, Protocol, Target, Tls};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection};
use testkit::{Authority, Certified, ScriptedPeer, Step};

/// Bytes that a worker reads at once: what one reading makes it owe comes on top of the bound.
const READING: usize = 64 * 1024;

/// An HTTP/2 frame of this kind on the connection itself.
fn frame(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = (payload.len() as u32).to_be_bytes()[1..].to_vec();
    bytes.extend([kind, 0, 0, 0, 0, 0]);
    bytes.extend(payload);
    bytes
}

const SETTINGS: u8 = 4;
const PING: u8 = 6;

fn many(bytes: &[u8]) -> Vec<u8> {
    bytes.repeat(READING / bytes.len())
}

/// A server that sends this again and again, and reads nothing.
fn flooding(greeting: Vec<u8>, flood: &[u8]) -> ScriptedPeer {
    let flood = many(flood);
    ScriptedPeer::tcp(move |_| {
        vec![
            Step::Send(greeting.clone()),
            Step::Forever(vec![Step::Send(flood.clone())]),
        ]
    })
}

/// One request on one connection, whatever becomes of it.
fn one(target: Target, protocol: Protocol) -> Job {
    let mut job = job(target);
    job.protocol = protocol;
    job.load.connections = 1;
    job.load.amount = Amount::Requests(1);
    job.load.timeout = 60.0; // far longer than a flood takes to reach the bound
    job.may_break = true;
    job
}

/// The load ends by the bound, and not by its time limit.
fn is_cut(job: &Job) -> LoadFacts {
    let facts = run(job).unwrap();
    assert_eq!(
        facts.failed,
        [(Cause::Unread, 1)].into(),
        "{:?}",
        facts.examples
    );
    let told = &facts.examples[&Cause::Unread];
    let pending: usize = told.split(' ').next().unwrap().parse().unwrap();
    assert!(pending > MOST_PENDING, "{told}");
    assert!(pending <= MOST_PENDING + 2 * READING, "{told}");
    facts
}

fn is_cut_from(protocol: Protocol, greeting: Vec<u8>, flood: &[u8]) {
    let peer = flooding(greeting, flood);
    is_cut(&one(Target::Tcp(peer.address()), protocol));
}

#[test]
fn http2_pings() {
    is_cut_from(Protocol::Http2, frame(SETTINGS, &[]), &frame(PING, &[7; 8]));
}

#[test]
fn http2_settings() {
    is_cut_from(Protocol::Http2, frame(SETTINGS, &[]), &frame(SETTINGS, &[]));
}

#[test]
fn ajp_calls_for_a_body() {
    let call = b"AB\x00\x03\x06\x1f\xfa";
    is_cut_from(Protocol::Ajp, Vec::new(), call);
}

/// Serves each connection in a thread, which ends when the client goes away.
fn serving(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> Target {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let target = Target::Tcp(listener.local_addr().unwrap());
    let serve = Arc::new(serve);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = Arc::clone(&serve);
            thread::spawn(move || serve(stream));
        }
    });
    target
}

#[test]
fn websocket_pings() {
    let target = serving(|stream| {
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let mut lines = lines.by_ref().map_while(Result::ok);
        let key =
            lines.find_map(|line| line.strip_prefix("Sec-WebSocket-Key: ").map(str::to_owned));
        let accept = wire::websocket::accept(&key.unwrap());
        let mut stream = stream;
        let agreed = format!(
            "HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Accept: {accept}\r\n\r\n"
        );
        stream.write_all(agreed.as_bytes()).unwrap();
        let pings = many(&[0x89, 4, b'p', b'i', b'n', b'g']);
        while stream.write_all(&pings).is_ok() {}
    });
    is_cut(&one(target, Protocol::WebSocket));
}

fn server(certified: &Certified) -> Arc<ServerConfig> {
    let chain = CertificateDer::pem_file_iter(&certified.certificate).unwrap();
    let key = PrivateKeyDer::from_pem_file(&certified.key).unwrap();
    let mut config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(chain.map(Result::unwrap).collect(), key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    Arc::new(config)
}

#[test]
fn http2_pings_in_tls() {
    let authority = Authority::new();
    let config = server(&authority.certify("localhost"));
    let target = serving(move |mut stream| {
        let mut tls = ServerConnection::new(Arc::clone(&config)).unwrap();
        tls.set_buffer_limit(None);
        while tls.is_handshaking() {
            tls.complete_io(&mut stream).unwrap();
        }
        let pings = many(&frame(PING, &[7; 8]));
        tls.writer().write_all(&frame(SETTINGS, &[])).unwrap();
        loop {
            tls.writer().write_all(&pings).unwrap();
            while tls.wants_write() {
                if tls.write_tls(&mut stream).is_err() {
                    return;
                }
            }
        }
    });
    let mut job = one(target, Protocol::Http2);
    job.load.tls = Some(Tls {
        authorities: Some(authority.file()),
        ..Tls::default()
    });
    is_cut(&job);
}

/// Where nothing is acknowledged, nothing is owed: no more is sent than was asked for.
#[test]
fn protocols_without_acknowledgements() {
    let http = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    let cgi = b"Status: 200\r\nContent-Length: 0\r\n\r\n";
    let mut fastcgi = vec![1, 6, 0, 1, 0, cgi.len() as u8, 0, 0];
    fastcgi.extend(cgi);
    fastcgi.extend([1, 3, 0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for (protocol, flood, streams) in [
        (Protocol::Http1, &http[..], 1),
        (Protocol::Http1, http, 16),
        (Protocol::Http10, http, 1),
        (Protocol::FastCgi, &fastcgi, 1),
        (Protocol::Scgi, cgi, 1),
        (Protocol::Uwsgi, cgi, 1),
    ] {
        let peer = flooding(Vec::new(), flood);
        let mut job = one(Target::Tcp(peer.address()), protocol);
        job.load.streams = streams;
        job.load.amount = Amount::Requests(64);
        let facts = run(&job).unwrap();
        assert_eq!(facts.failed.keys().collect::<Vec<_>>(), [&Cause::Malformed]);
        assert!(
            facts.bytes_sent < 64 * 1024,
            "{protocol:?}: {}",
            facts.bytes_sent
        );
    }
}

#[test]
fn a_flood_without_one_answer_is_an_error_with_a_hint() {
    let peer = flooding(frame(SETTINGS, &[]), &frame(PING, &[7; 8]));
    let mut job = one(Target::Tcp(peer.address()), Protocol::Http2);
    job.may_break = false;
    let error = run(&job).unwrap_err();
    assert!(matches!(error, LoadError::NothingRight { .. }), "{error:?}");
    let told = error.to_string();
    assert!(told.contains(Cause::Unread.words()), "{told}");
    assert!(error.hint().unwrap().contains("sends without reading"));
}

/// What the user asked to be sent is no flood, however slowly it is read.
#[test]
fn a_large_request_may_wait_for_its_reader() {
    let answer = testkit::answer(200, &[], "ok");
    let body = vec![b'x'; 16 * MOST_PENDING];
    let length = body.len();
    let peer = ScriptedPeer::tcp(move |_| {
        vec![Step::Forever(vec![
            Step::Read,
            Step::ReadBytes(length),
            Step::Send(answer.clone()),
        ])]
    });
    let mut job = one(Target::Tcp(peer.address()), Protocol::Http1);
    common::part(&mut job).request.method = "POST".to_owned();
    common::part(&mut job).request.body = body;
    let facts = run(&job).unwrap();
    assert_eq!(
        (facts.completed, facts.failures()),
        (1, 0),
        "{:?}",
        facts.failed
    );
}

#[test]
fn connections_of_a_crowd() {
    let peer = flooding(frame(SETTINGS, &[]), &frame(PING, &[7; 8]));
    let mut job = one(Target::Tcp(peer.address()), Protocol::Http2);
    job.load.crowd = Crowd {
        idle: 1,
        ..Crowd::default()
    };
    let facts = is_cut(&job);
    let idle = &facts.crowd.as_ref().unwrap().habits[&Habit::Idle];
    assert!(idle.failed[&Cause::Unread] > 0, "{idle:?}");
}
