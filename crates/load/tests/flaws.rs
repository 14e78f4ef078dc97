//! Flaws of load generators that no other test rules out; `docs/flaws.md` lists all of them.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::common::{job, run, run_until, to};
use load::Event;
use record::{Amount, Arrivals, Cause, Process, Protocol, Shape, Target};
use socket2::{Domain, Socket, Type};
use testkit::{Gate, Nginx, ScriptedPeer, Step, answer, eventually};

fn ok() -> Vec<u8> {
    answer(200, &[], "ok\n")
}

fn steady(rate: f64) -> Shape {
    Shape::Open(Arrivals {
        process: Process::Constant,
        segments: Arrivals::steady(rate),
        max_outstanding: Arrivals::MAX_OUTSTANDING,
        seed: 1,
    })
}

#[test]
fn a_refused_connection_is_tried_again_until_somebody_listens() {
    // wrk gives a connection up for the rest of the run when `connect` fails at once.
    let late = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    late.bind(&std::net::SocketAddr::from(([127, 0, 0, 1], 0)).into())
        .unwrap();
    let mut job = job(Target::Tcp(late.local_addr().unwrap().as_socket().unwrap()));
    job.load.amount = Amount::Seconds(2.0);
    let mut listens = false;
    let facts = run_until(&job, &AtomicBool::new(false), &mut |event| {
        if matches!(event, Event::Tick(_)) && !listens {
            listens = true;
            late.listen(16).unwrap();
            let late = late.try_clone().unwrap();
            std::thread::spawn(move || serve_two(&late));
        }
    })
    .unwrap();
    assert_eq!(facts.failed.keys().collect::<Vec<_>>(), [&Cause::Refused]);
    assert!(facts.completed > 0);
    assert_eq!(facts.connects, 2, "both connections came back");
}

/// Answers everything on two connections, until they are closed.
fn serve_two(listener: &Socket) {
    use std::io::{Read as _, Write as _};
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let (stream, _) = listener.accept().unwrap();
            scope.spawn(move || {
                let mut request = [0; 4096];
                while (&stream).read(&mut request).is_ok_and(|length| length > 0) {
                    if (&stream).write_all(&ok()).is_err() {
                        break;
                    }
                }
            });
        }
    });
}

#[test]
fn no_wall_clock_is_read() {
    // wrk times with `gettimeofday`, which somebody may set.
    let mut read = 0;
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for wall in ["SystemTime", "ClockId::Realtime", "record::now", "jiff"] {
                assert!(!text.contains(wall), "{}: {wall}", path.display());
            }
            read += 1;
        }
    }
    assert!(read > 20, "{read} files");
}

#[test]
fn more_than_five_hundred_connections_are_kept() {
    // hey keeps at most 500 idle connections, and opens the others anew in silence.
    let nginx = Nginx::start("location / { return 200 \"ok\\n\"; }");
    let mut job = job(Target::Tcp(nginx.address()));
    job.load.connections = 600;
    job.load.amount = Amount::Requests(3_000);
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.connects), (3_000, 600));
}

#[test]
fn the_host_asked_is_the_host_given() {
    // bombardier's default client ignores it.
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.host = "shop.example:8080".to_owned();
    run(&job).unwrap();
    for request in peer.requests() {
        let text = String::from_utf8(request).unwrap();
        assert_eq!(text.matches("\r\nHost: shop.example:8080\r\n").count(), 1);
    }
}

#[test]
fn an_answer_of_another_length_is_no_failure() {
    // ab counts it as failed, and as complete besides.
    let peer = ScriptedPeer::tcp(|_| {
        let lengths = ["a", "bb", "", "cccc"];
        let serve = |body| [Step::Read, Step::Send(answer(200, &[], body))];
        vec![Step::Forever(lengths.into_iter().flat_map(serve).collect())]
    });
    let facts = run(&to(&peer)).unwrap();
    assert_eq!((facts.completed, facts.failures()), (20, 0));
}

#[test]
fn a_low_rate_costs_no_core() {
    // Nighthawk's workers spin, and take from the server what they measure.
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.amount = Amount::Requests(5_000);
    let thousands = run(&job).unwrap().engine.cpu();
    job.load.shape = steady(10.0);
    job.load.amount = Amount::Seconds(2.0);
    let facts = run(&job).unwrap();
    assert_eq!(facts.scheduled, 20);
    // A busy machine leaves a spinning thread a part of a core only; that is far more than it needs, which is a 250th of those.
    let spent = facts.engine.cpu();
    assert!(spent < thousands, "{spent} s, 5,000 cost {thousands} s");
}

#[test]
fn a_connection_that_waits_for_its_turn_does_not_time_out() {
    // wrk2 counts one timeout after the other for connections that rest longer than the limit.
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.connections = 8;
    job.load.shape = steady(4.0);
    job.load.amount = Amount::Seconds(1.0);
    job.load.timeout = 0.6;
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed + facts.drained, facts.timed_out), (4, 0));
}

#[test]
fn the_first_byte_is_the_heads() {
    // oha's is the first of the body.
    let gate = Gate::new();
    let until = gate.clone();
    let (head, body) = (ok()[..10].to_vec(), ok()[10..].to_vec());
    let peer = ScriptedPeer::tcp(move |_| {
        let (head, body) = (head.clone(), body.clone());
        vec![
            Step::Read,
            Step::Send(head),
            Step::Await(until.clone()),
            Step::Send(body),
        ]
    });
    let mut job = to(&peer);
    job.load.connections = 1;
    job.load.amount = Amount::Requests(1);
    let facts = std::thread::scope(|scope| {
        let load = scope.spawn(|| run(&job));
        assert!(eventually(Duration::from_secs(20), || peer
            .requests()
            .len()
            == 1));
        let sent = Instant::now();
        let pause = Duration::from_secs(1);
        assert!(eventually(Duration::from_secs(20), || sent.elapsed() > pause));
        gate.open();
        load.join().unwrap().unwrap()
    });
    let (first, whole) = (
        facts.first_byte.max().unwrap(),
        facts.service.max().unwrap(),
    );
    assert!(first + 0.1 < whole, "{first} {whole}");
}

#[test]
fn no_request_is_made_up() {
    // wrk and goose add answers that nobody gave, to make up for those that were not asked for.
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    for shape in [Shape::default(), steady(300.0)] {
        let mut job = to(&peer);
        job.load.shape = shape;
        job.load.amount = Amount::Seconds(0.2);
        let before = peer.requests().len();
        let facts = run(&job).unwrap();
        let asked = (peer.requests().len() - before) as u64;
        let timed = facts.completed + facts.drained;
        assert_eq!(asked, timed + facts.trailed);
        assert_eq!(facts.response.count(), timed);
        assert_eq!(facts.service.count(), timed);
    }
}

#[test]
fn each_pipelined_request_has_a_time_of_its_own() {
    // wrk takes one time for all that was sent ahead together: the last answer's.
    let gate = Gate::new();
    let until = gate.clone();
    let peer = ScriptedPeer::tcp(move |_| {
        vec![
            Step::Times(4, vec![Step::Read]),
            Step::Send(ok().repeat(2)),
            Step::Await(until.clone()),
            Step::Send(ok().repeat(2)),
        ]
    });
    let mut job = to(&peer);
    job.load.connections = 1;
    job.load.streams = 4;
    job.load.amount = Amount::Requests(4);
    let facts = std::thread::scope(|scope| {
        let load = scope.spawn(|| run(&job));
        let patience = Duration::from_secs(20);
        assert!(eventually(patience, || peer.requests().len() == 4));
        let (asked, pause) = (Instant::now(), Duration::from_secs(1));
        assert!(eventually(patience, || asked.elapsed() > pause));
        gate.open();
        load.join().unwrap().unwrap()
    });
    assert_eq!(facts.service.count(), 4);
    let (half, slowest) = (
        facts.service.quantile(0.5).unwrap(),
        facts.service.max().unwrap(),
    );
    assert!(half + 0.1 < slowest, "{half} {slowest}");
}

#[test]
fn a_stream_that_ended_is_no_success_by_that() {
    // h2load's rate counts every stream that was completed, whatever its status.
    let nginx = Nginx::start_http2(
        "keepalive_requests 10000;\n\
         location / { if ($request_id ~ \"^[0-7]\") { return 500; } return 200 \"ok\\n\"; }",
    );
    let mut job = job(Target::Tcp(nginx.address()));
    job.protocol = Protocol::Http2;
    job.load.streams = 10;
    job.load.amount = Amount::Requests(400);
    let facts = run(&job).unwrap();
    assert_eq!(facts.failed.keys().collect::<Vec<_>>(), [&Cause::Status]);
    assert_eq!(facts.completed + facts.failures(), 400);
    assert!(facts.completed < 400);
}
