//! HTTP/2 against the real thing: many streams on one connection, and the engine end to end.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::common::{self, job, run};
use load::Body;
use record::{Amount, Protocol, Target, WarmUpPlan};
use testkit::Nginx;
use wire::{Ask, Event, Http2, Session as _, Setup};

const SERVER: &str = "keepalive_requests 500;\n\
    location / { return 200 \"ok\\n\"; }\n\
    location /long { return 200 \"$arg_x\"; }\n\
    location /upload { client_max_body_size 1m; proxy_pass http://unix:nowhere.sock; }";

/// Asks all of these on one connection, as many at once as may be; the answers' statuses and bodies.
fn ask_all(nginx: &Nginx, asks: &[Ask<'_>]) -> BTreeMap<u32, (u16, Vec<u8>)> {
    let mut socket = TcpStream::connect(nginx.address()).unwrap();
    let limit = Some(Duration::from_secs(20));
    socket.set_read_timeout(limit).unwrap();
    let setup = Setup {
        depth: 10,
        ..Setup::default()
    };
    let mut out = Vec::new();
    let mut session = Http2::open(&setup, &mut out);
    let mut waiting = asks.iter().zip(0..);
    let (mut answers, mut done) = (BTreeMap::new(), 0);
    let mut buffer = vec![0; 1 << 16];
    while done < asks.len() {
        while session.capacity() > 0
            && let Some((ask, exchange)) = waiting.next()
        {
            let request = Http2::prepare(ask).unwrap();
            session.send(exchange, &request, &mut out);
        }
        socket.write_all(&std::mem::take(&mut out)).unwrap();
        let length = socket.read(&mut buffer).unwrap();
        assert!(length > 0, "nginx closed the connection");
        let listen = |exchange, event: Event<'_>| {
            let (status, body): &mut (u16, Vec<u8>) = answers.entry(exchange).or_default();
            match event {
                Event::Head { status: said, .. } => *status = said,
                Event::Body(piece) => body.extend_from_slice(piece),
                Event::Done { keep } => {
                    assert!(keep);
                    done += 1;
                }
                Event::Failed(why) => panic!("{exchange}: {why}"),
                Event::FirstByte | Event::Stderr(_) => {}
            }
        };
        session
            .receive(&buffer[..length], &mut out, listen)
            .unwrap();
    }
    answers
}

fn get(path: &str) -> Ask<'_> {
    Ask {
        method: "GET",
        path,
        host: "localhost",
        headers: &[],
        body: &[],
        keep_alive: true,
        cgi: wire::Cgi::default(),
    }
}

#[test]
fn nginx_answers_many_streams_at_once() {
    let nginx = Nginx::start_http2(SERVER);
    let paths: Vec<String> = (0..300).map(|n| format!("/long?x={n}")).collect();
    let asks: Vec<Ask<'_>> = paths.iter().map(|path| get(path)).collect();
    let answers = ask_all(&nginx, &asks);
    for n in 0..300 {
        assert_eq!(answers[&n], (200, n.to_string().into_bytes()));
    }
}

#[test]
fn nginx_takes_other_methods_and_bodies_beyond_its_windows() {
    let nginx = Nginx::start_http2(SERVER);
    let body = vec![b'x'; 300_000]; // its windows begin with 64 KiB
    let head = Ask {
        method: "HEAD",
        ..get("/")
    };
    let post = Ask {
        method: "POST",
        body: &body,
        ..get("/upload")
    };
    let answers = ask_all(&nginx, &[head, post, get("/"), post]);
    assert_eq!(answers[&0], (200, vec![]));
    assert_eq!(answers[&2], (200, b"ok\n".to_vec()));
    // There is nobody behind the front end, which it says once it has read the whole body.
    assert_eq!((answers[&1].0, answers[&3].0), (502, 502));
}

/// Its connections are closed after 500 requests each, with a `GOAWAY`.
#[test]
fn the_engine_loads_nginx() {
    let nginx = Nginx::start_http2(SERVER);
    for target in [Target::Tcp(nginx.address()), Target::Unix(nginx.path())] {
        for (keep_alive, streams) in [(true, 1), (true, 10), (false, 1), (false, 3)] {
            let mut job = job(target.clone());
            job.protocol = Protocol::Http2;
            job.load.connections = 7;
            job.load.threads = 2;
            job.load.keep_alive = keep_alive;
            job.load.streams = streams;
            job.load.warm_up = WarmUpPlan::Requests(100);
            job.load.amount = Amount::Requests(5_000);
            common::part(&mut job).expected.body = Body::Exact(b"ok\n".to_vec());
            let facts = run(&job).unwrap();
            assert_eq!(
                (facts.completed, facts.failures(), facts.timed_out),
                (5_000, 0, 0)
            );
        }
    }
}

/// A server that takes fewer streams at once than are wanted: they take turns, and none waits for all the others to be through.
#[test]
fn streams_beyond_what_the_server_takes_wait_for_their_turn() {
    let nginx = Nginx::start_http2(
        "http2_max_concurrent_streams 2;\n\
         keepalive_requests 1000000;\n\
         location / { return 200 \"ok\\n\"; }",
    );
    let mut job = job(Target::Tcp(nginx.address()));
    job.protocol = Protocol::Http2;
    job.load.connections = 1;
    job.load.streams = 5;
    job.load.amount = Amount::Requests(10_000);
    let facts = run(&job).unwrap();
    assert_eq!(
        (facts.completed, facts.failures(), facts.timed_out),
        (10_000, 0, 0)
    );
    let (longest, all) = (facts.response.max().unwrap(), facts.seconds);
    assert!(longest < all / 2.0, "{longest} s of {all} s");
}
