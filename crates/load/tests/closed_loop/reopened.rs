//! Connections that the server closes.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::atomic::AtomicBool;

use load::Event;
use record::{Cause, Target, WarmUpPlan};
use testkit::{Gate, ScriptedPeer, Step, answer};

use super::ok;
use crate::common::{job, run, run_until, to};

#[test]
fn a_server_that_closes_is_reopened_and_no_error() {
    let peer = ScriptedPeer::tcp(|_| {
        vec![
            Step::Times(2, vec![Step::Read, Step::Send(ok())]),
            Step::Read,
            Step::Send(answer(200, &[("Connection", "close")], "bye")),
        ]
    });
    let mut job = to(&peer);
    job.load.connections = 1;
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.connects), (20, 7));
}

#[test]
fn the_keep_alive_race_is_no_error() {
    // The server closes a kept connection without a word, just as the next request is on its way.
    for last in [Step::Close, Step::Reset] {
        let peer = ScriptedPeer::tcp(move |_| {
            vec![Step::Read, Step::Send(ok()), Step::Read, last.clone()]
        });
        let mut job = to(&peer);
        job.load.connections = 1;
        let facts = run(&job).unwrap();
        assert_eq!((facts.scheduled, facts.completed), (20, 20));
        assert_eq!((facts.failures(), facts.connects), (0, 20));
        assert_eq!(facts.response.count(), 20);
    }
}

#[test]
fn the_keep_alive_race_is_retried_once_only() {
    // The second connection drops the request, too: now it is an error.
    let peer = ScriptedPeer::tcp(|connection| match connection {
        0 => vec![Step::Read, Step::Send(ok()), Step::Read, Step::Close],
        1 => vec![Step::Read, Step::Close],
        _ => Step::serve(ok()),
    });
    let mut job = to(&peer);
    job.load.connections = 1;
    let facts = run(&job).unwrap();
    assert_eq!(facts.failed, [(Cause::ClosedBeforeAnswer, 1)].into());
    assert_eq!(facts.completed, 19);
}

#[test]
fn a_server_may_close_idle_connections_while_the_workers_wait() {
    let gate = Gate::new();
    let held = gate.clone();
    let peer = ScriptedPeer::tcp(move |connection| {
        let leaves = vec![
            Step::Read,
            Step::Send(ok()),
            Step::Await(held.clone()),
            Step::Close,
        ];
        if connection < 2 {
            leaves
        } else {
            Step::serve(ok())
        }
    });
    let mut job = to(&peer);
    job.load.warm_up = WarmUpPlan::Requests(2);
    let facts = run_until(&job, &AtomicBool::new(false), &mut |event| {
        if matches!(event, Event::Opened(_)) {
            gate.open();
        }
    })
    .unwrap();
    assert_eq!((facts.completed, facts.failures()), (20, 0));
}

/// A server that ends, with several requests on a connection: each is refused once, however soon the system says so.
#[test]
fn a_server_that_is_gone_refuses_each_request_once() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut job = job(Target::Tcp(listener.local_addr().unwrap()));
    let peer = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut asked, mut piece) = (Vec::<u8>::new(), [0; 4096]);
        while asked.windows(4).filter(|four| *four == b"\r\n\r\n").count() < 3 {
            let length = stream.read(&mut piece).unwrap();
            assert!(length > 0, "three requests at once");
            asked.extend_from_slice(&piece[..length]);
        }
        stream.write_all(&ok()).unwrap();
        drop(listener);
    });
    job.may_break = true;
    job.load.connections = 1;
    job.load.streams = 3;
    let facts = run(&job).unwrap();
    peer.join().unwrap();
    assert_eq!((facts.scheduled, facts.completed), (20, 1));
    assert_eq!(facts.failed, [(Cause::Refused, 19)].into());
}
