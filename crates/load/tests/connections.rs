//! What connections carry: pipelined requests, so many of them, old versions, many sockets.

use crate::common::{self, job, run, to};
use load::{Body, NullServer};
use record::{Amount, Cause, Protocol, Target, WarmUpPlan};
use testkit::{Nginx, ScriptedPeer, Step, answer};

fn ok() -> Vec<u8> {
    answer(200, &[], "ok\n")
}

#[test]
fn nginx_answers_what_is_pipelined() {
    let nginx = Nginx::start("keepalive_requests 100000; location / { return 200 \"ok\\n\"; }");
    let mut job = job(Target::Tcp(nginx.address()));
    job.load.connections = 3;
    job.load.streams = 8;
    job.load.amount = Amount::Requests(5_000);
    job.load.warm_up = WarmUpPlan::Requests(50);
    common::part(&mut job).expected.body = Body::Exact(b"ok\n".to_vec());
    let facts = run(&job).unwrap();
    assert_eq!(
        (facts.completed, facts.failures(), facts.connects),
        (5_000, 0, 3)
    );
    assert_eq!(facts.service.count(), 5_000, "each has a time of its own");
}

#[test]
fn so_many_are_under_way_and_no_more() {
    // Answers come only when all four requests of a connection are there: fewer would wait forever.
    let four = Step::Times(4, vec![Step::Read]);
    let answers = Step::Send(ok().repeat(4));
    let peer = ScriptedPeer::tcp(move |_| vec![Step::Forever(vec![four.clone(), answers.clone()])]);
    let mut job = to(&peer);
    job.load.streams = 4;
    job.load.amount = Amount::Requests(80);
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.failures()), (80, 0));
    assert_eq!(peer.requests().len(), 80);
}

#[test]
fn what_is_pipelined_behind_a_closing_answer_is_asked_again() {
    let closing = answer(200, &[("Connection", "close")], "ok\n");
    let peer = ScriptedPeer::tcp(move |_| {
        vec![
            Step::Read,
            Step::Send(ok()),
            Step::Read,
            Step::Send(closing.clone()),
            Step::Close,
        ]
    });
    let mut job = to(&peer);
    job.load.connections = 1;
    job.load.streams = 2;
    job.load.amount = Amount::Requests(20);
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.failures()), (20, 0), "{facts:?}");
    assert_eq!(facts.connects, 10);
}

/// A server that takes every second request of a connection and ends it without a word (RFC 9110, section 9.2.2).
#[test]
fn what_might_do_twice_what_was_asked_once_is_not_sent_again() {
    for (method, again) in [
        ("GET", true),
        ("PUT", true),
        ("POST", false),
        ("PATCH", false),
    ] {
        let peer =
            ScriptedPeer::tcp(move |_| vec![Step::Read, Step::Send(ok()), Step::Read, Step::Close]);
        let mut job = to(&peer);
        job.load.connections = 1;
        job.load.amount = Amount::Requests(20);
        common::part(&mut job).request.method = method.to_owned();
        let facts = run(&job).unwrap();
        let wanted = if again { (20, 0) } else { (10, 10) };
        assert_eq!(
            (facts.completed, facts.failures()),
            wanted,
            "{method}: {facts:?}"
        );
        let lost = facts.failed.get(&Cause::ClosedBeforeAnswer).copied();
        assert_eq!(lost.unwrap_or(0), wanted.1, "{method}");
        assert_eq!(facts.sent_again > 0, again, "{method}");
        // what the server got is what was scheduled and what weir says that it sent again
        let got = peer.requests().len() as u64;
        assert_eq!(got, 20 + facts.sent_again, "{method}");
    }
}

#[test]
fn connections_carry_so_many_requests() {
    let nginx = Nginx::start("location / { return 200 \"ok\\n\"; }");
    for streams in [1, 3] {
        let mut job = job(Target::Tcp(nginx.address()));
        job.load.connections = 4;
        job.load.streams = streams;
        job.load.per_connection = Some(10);
        job.load.amount = Amount::Requests(1_000);
        let facts = run(&job).unwrap();
        assert_eq!((facts.completed, facts.failures()), (1_000, 0));
        assert!((100..=104).contains(&facts.connects), "{}", facts.connects);
    }
}

#[test]
fn http_1_0() {
    let nginx = Nginx::start("location / { return 200 \"$server_protocol $http_connection\"; }");
    for (keep_alive, said, connects) in [(true, "HTTP/1.0 keep-alive", 2), (false, "HTTP/1.0 ", 50)]
    {
        let mut job = job(Target::Tcp(nginx.address()));
        job.protocol = Protocol::Http10;
        job.load.keep_alive = keep_alive;
        job.load.amount = Amount::Requests(50);
        common::part(&mut job).expected.body = Body::Exact(said.into());
        let facts = run(&job).unwrap();
        assert_eq!((facts.completed, facts.connects), (50, connects));
    }
}

/// More than are opened at once: those that come later are opened while the first ones are in use.
#[test]
fn all_of_many_connections_are_opened() {
    let server = NullServer::start().unwrap();
    let mut job = job(Target::Tcp(server.address()));
    job.load.connections = 1_600;
    job.load.amount = Amount::Requests(16_000);
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.failures()), (16_000, 0));
    assert_eq!(facts.connects, 1_600);
}

/// Where each request has a connection of its own, none is opened before the window, which may be over before all have begun.
/// The accounts and Little's law hold for those that have.
#[test]
fn a_window_may_be_over_before_all_connections_are_opened() {
    let server = NullServer::start().unwrap();
    let mut job = job(Target::Tcp(server.address()));
    job.load.connections = 4_000;
    job.load.keep_alive = false;
    job.load.amount = Amount::Seconds(0.05);
    // on a busy machine it may be over before anything has begun
    let begun = |_| Some(run(&job).unwrap()).filter(|facts| facts.connects >= 1_000);
    let facts = (0..20).find_map(begun).expect("a window with connections");
    assert_eq!(facts.failures(), 0, "{facts:?}");
    let slots = facts.slot_time.expect("a closed loop has slots");
    let idle = slots.idle / (4_000.0 * facts.seconds);
    assert!(
        idle > 0.3,
        "most of them were not there most of the time: {idle}"
    );
}

/// One of two requests on a connection is not answered in time, and the connection is closed: what becomes of the other.
#[test]
fn what_shares_a_connection_with_one_that_times_out_is_asked_again_unless_that_does_it_twice() {
    for (method, again) in [("GET", true), ("POST", false)] {
        let peer = ScriptedPeer::tcp(move |connection| {
            if connection > 0 {
                return Step::serve(ok());
            }
            let two = Step::Times(2, vec![Step::Read]);
            vec![two, Step::Send(ok()), Step::Read, Step::Stall]
        });
        let mut job = to(&peer);
        job.load.connections = 1;
        job.load.streams = 2;
        job.load.timeout = 0.5;
        common::part(&mut job).request.method = method.to_owned();
        let facts = run(&job).unwrap();
        assert_eq!(facts.sent_again > 0, again, "{method}: {facts:?}");
        if again {
            continue;
        }
        assert_eq!((facts.completed, facts.timed_out), (18, 1), "{facts:?}");
        assert_eq!(facts.failed, [(Cause::ClosedBeforeAnswer, 1)].into());
        assert_eq!(peer.requests().len(), 20, "each was asked once");
    }
}
