//! As many connections as were asked for, all kept busy.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use load::{Body, Event};
use record::{Amount, Target};
use testkit::{Gate, ScriptedPeer, Step, eventually};

use super::ok;
use crate::common::{self, run, run_until, to};

#[test]
fn connections_and_requests_are_exact() {
    // wrk opens 9 connections for `-t3 -c10`; hey rounds `-n` down to a multiple of `-c`.
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.connections = 10;
    job.load.threads = 3;
    job.load.amount = Amount::Requests(1_003);
    common::part(&mut job).expected.body = Body::Exact(b"ok\n".to_vec());
    let facts = run(&job).unwrap();
    assert_eq!((facts.scheduled, facts.completed), (1_003, 1_003));
    assert_eq!(peer.requests().len(), 1_003);
    assert_eq!(
        (peer.connections(), facts.connects, facts.connections),
        (10, 10, 10)
    );
    assert_eq!(facts.engine.threads, 3);
    assert_eq!(facts.statuses, [(200, 1_003)].into());
    assert_eq!(facts.bodies.compared, 1_003);
    assert_eq!(facts.bytes_received, 1_003 * ok().len() as u64);
    assert_eq!(facts.bytes_sent, 1_003 * peer.requests()[0].len() as u64);
    for times in [
        &facts.service,
        &facts.response,
        &facts.first_byte,
        &facts.lateness,
    ] {
        assert_eq!(times.count(), 1_003);
    }
    assert_eq!(facts.connect.count(), 10);
}

#[test]
fn fewer_requests_than_connections() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.connections = 10;
    job.load.threads = 3;
    job.load.amount = Amount::Requests(4);
    assert_eq!(run(&job).unwrap().completed, 4);
    assert_eq!(peer.connections(), 4);
}

#[test]
fn threads_never_outnumber_connections() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.threads = 8;
    assert_eq!(run(&job).unwrap().engine.threads, 2);
}

#[test]
fn connections_are_opened_at_once_and_all_kept_busy() {
    let gate = Gate::new();
    let held = gate.clone();
    let peer =
        ScriptedPeer::tcp(move |_| vec![Step::Read, Step::Await(held.clone()), Step::Send(ok())]);
    let mut job = to(&peer);
    job.load.connections = 7;
    job.load.threads = 2;
    job.load.amount = Amount::Requests(7);
    std::thread::scope(|scope| {
        let load = scope.spawn(|| run(&job));
        assert!(eventually(Duration::from_secs(20), || peer
            .requests()
            .len()
            == 7));
        gate.open();
        assert_eq!(load.join().unwrap().unwrap().completed, 7);
    });
    assert_eq!(peer.most_open(), 7);
}

#[test]
fn a_running_load_says_how_many_connections_are_open() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.connections = 5;
    job.load.threads = 2;
    job.load.amount = Amount::Seconds(1.5);
    let mut open = Vec::new();
    run_until(&job, &AtomicBool::new(false), &mut |event| {
        if let Event::Tick(tick) = &event {
            open.push(tick.connections);
        }
    })
    .unwrap();
    assert_eq!(open.iter().max(), Some(&5), "{open:?}");
}

#[test]
fn without_keep_alive_each_request_has_its_connection() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.keep_alive = false;
    let facts = run(&job).unwrap();
    assert_eq!(
        (facts.completed, facts.connects, facts.connect.count()),
        (20, 20, 20)
    );
    assert_eq!(peer.connections(), 20);
    let request = String::from_utf8(peer.requests().remove(0)).unwrap();
    assert!(request.contains("\r\nConnection: close\r\n"), "{request}");
}

#[test]
fn opening_a_connection_is_inside_the_response_time() {
    // wrk starts its clock at the first write, so that `Connection: close` looks cheap.
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.keep_alive = false;
    job.load.connections = 1;
    let facts = run(&job).unwrap();
    let mean = |times: &record::Distribution| times.mean().unwrap();
    let outside = mean(&facts.response) - mean(&facts.service);
    // Each value is kept to a microsecond or a thousandth.
    let rounding = 2e-6 + mean(&facts.response) * 2e-3;
    assert!(
        outside + rounding >= mean(&facts.connect),
        "{outside} {}",
        mean(&facts.connect)
    );
}

#[test]
fn unix_sockets_carry_the_same_load() {
    let peer = ScriptedPeer::unix(|_| Step::serve(ok()));
    let mut job = common::job(Target::Unix(peer.path()));
    assert_eq!(run(&job).unwrap().completed, 20);
    job.load.keep_alive = false;
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.connects), (20, 20));
}
