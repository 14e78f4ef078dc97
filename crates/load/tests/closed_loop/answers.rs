//! Slow, missing and wrong answers.

use std::time::{Duration, Instant};

use load::Body;
use record::Cause;
use testkit::{Gate, ScriptedPeer, Step, answer, eventually};

use super::ok;
use crate::common::{self, run, to};

/// A peer whose first connection has this answer to each request.
fn first_gets(other: Vec<u8>) -> ScriptedPeer {
    ScriptedPeer::tcp(move |connection| {
        Step::serve(if connection == 0 { other.clone() } else { ok() })
    })
}

#[test]
fn slow_answers_are_counted_with_their_time() {
    // wrk drops answers slower than its time limit from the latency table.
    let gate = Gate::new();
    let held = gate.clone();
    let peer = ScriptedPeer::tcp(move |connection| {
        let slow = vec![Step::Read, Step::Await(held.clone()), Step::Send(ok())];
        if connection == 0 {
            slow
        } else {
            Step::serve(ok())
        }
    });
    let mut job = to(&peer);
    job.load.connections = 1;
    let began = Instant::now();
    let facts = std::thread::scope(|scope| {
        let load = scope.spawn(|| run(&job));
        assert!(eventually(Duration::from_secs(20), || peer
            .requests()
            .len()
            == 1));
        let sent = Instant::now();
        assert!(eventually(Duration::from_secs(20), || sent.elapsed()
            > Duration::from_millis(60)));
        gate.open();
        load.join().unwrap().unwrap()
    });
    assert_eq!(facts.completed, 20);
    let slowest = facts.response.max().unwrap();
    assert!(
        slowest >= 0.059 && slowest <= began.elapsed().as_secs_f64(),
        "{slowest}"
    );
}

#[test]
fn what_never_answers_times_out_and_is_recorded() {
    // wrk never reports a request that is not answered at all.
    let peer = ScriptedPeer::tcp(|connection| {
        if connection == 0 {
            vec![Step::Read, Step::Stall]
        } else {
            Step::serve(ok())
        }
    });
    let mut job = to(&peer);
    job.load.timeout = 1.0;
    let facts = run(&job).unwrap();
    assert_eq!(
        (facts.completed, facts.timed_out, facts.failures()),
        (19, 1, 0)
    );
    assert_eq!(facts.response.count(), 20);
    assert!(
        facts.response.max().unwrap() >= 0.999,
        "{:?}",
        facts.response.max()
    );
    let whole = facts.response.max().unwrap();
    let parts = [facts.service.max(), facts.first_byte.max()];
    assert!(
        parts.iter().all(|part| part.unwrap() >= whole / 2.0),
        "{parts:?} of {whole}"
    );
}

#[test]
fn half_an_answer_times_out_too() {
    let peer = ScriptedPeer::tcp(|connection| {
        let half = vec![Step::Read, Step::Send(ok()[..10].to_vec()), Step::Stall];
        if connection == 0 {
            half
        } else {
            Step::serve(ok())
        }
    });
    let mut job = to(&peer);
    job.load.timeout = 1.0;
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.timed_out), (19, 1));
    assert_eq!(facts.first_byte.count(), 20);
}

#[test]
fn wrong_answers_are_failures_and_no_throughput() {
    // h2load, wrk, oha: a 500 counts in requests per second.
    let peer = first_gets(answer(500, &[], "oh no"));
    let facts = run(&to(&peer)).unwrap();
    let wrong = facts.failed[&Cause::Status];
    assert_eq!(facts.completed + wrong, 20);
    assert_eq!(
        facts.statuses,
        [(200, facts.completed), (500, wrong)].into()
    );
    // bombardier: the time of a failure is latency, and a quick failure makes a server quick.
    for times in [&facts.service, &facts.response, &facts.first_byte] {
        assert_eq!(times.count(), facts.completed);
    }
    assert_eq!(
        facts.examples[&Cause::Status],
        "status 500 where 200 was expected: `oh no`"
    );
    assert_eq!(
        facts.bodies.example.as_ref(),
        Some(&facts.examples[&Cause::Status])
    );
    assert_eq!(
        peer.connections(),
        2,
        "a wrong response does not cost its connection"
    );
}

#[test]
fn lengths_of_right_bodies_are_told() {
    let peer = first_gets(answer(200, &[], "another page"));
    let facts = run(&to(&peer)).unwrap();
    let lengths = facts.bodies.lengths.unwrap();
    assert_eq!((lengths.shortest, lengths.longest), (3, 12));
}

#[test]
fn wrong_bodies_are_failures() {
    let peer = first_gets(answer(200, &[], "no!"));
    let mut job = to(&peer);
    common::part(&mut job).expected.body = Body::Exact(b"ok\n".to_vec());
    let facts = run(&job).unwrap();
    assert!(facts.failed[&Cause::Body] >= 1);
    assert_eq!(facts.bodies.compared, 20);
    assert_eq!(
        facts.bodies.example.as_deref(),
        Some("differs at byte 0: `no!` where `ok\\n` was expected")
    );
}

/// What comes of a clock that goes from 9:50 to 10:09 in 20 answers.
fn clock(body: impl Fn(u32) -> String + Send + 'static) -> record::LoadFacts {
    let peer = ScriptedPeer::tcp(move |_| {
        let told = |minute| answer(200, &[], &body(minute));
        let told = (590..610).map(told);
        told.flat_map(|answer| [Step::Read, Step::Send(answer)])
            .collect()
    });
    let mut job = to(&peer);
    job.load.connections = 1;
    let expected = b"it is 9:50, and all is well".to_vec();
    common::part(&mut job).expected.body = Body::But(expected, std::iter::once(6..10).collect());
    run(&job).unwrap()
}

#[test]
fn a_body_that_grows_with_its_clock_is_right() {
    let facts = clock(|now| format!("it is {}:{:02}, and all is well", now / 60, now % 60));
    assert_eq!((facts.completed, facts.failures()), (20, 0));
    assert_eq!(facts.bodies.compared, 20);
}

#[test]
fn a_body_that_loses_as_much_text_as_its_clock_grows_is_wrong() {
    let facts = clock(|now| {
        let left = if now < 600 { "well" } else { "wel" };
        format!("it is {}:{:02}, and all is {left}", now / 60, now % 60)
    });
    assert_eq!((facts.completed, facts.failed[&Cause::Body]), (10, 10));
    assert_eq!(
        facts.examples[&Cause::Body],
        "27 bytes where 28 were expected: `it is 10:00, and all is wel`"
    );
}
