//! What an open loop must get right, each after a flaw that popular load generators have.

mod common;
#[path = "open_loop/refused.rs"]
mod refused;
#[path = "open_loop/slow.rs"]
mod slow;
#[path = "open_loop/unsent.rs"]
mod unsent;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::{run, run_until, to};
use load::{Body, Event, Job};
use record::{Amount, Arrivals, Process, Shape, Spread, WarmUpPlan};
use slow::{Slow, run_with_stall, stalling};
use testkit::{Gate, ScriptedPeer, Step, answer};

fn ok() -> Vec<u8> {
    answer(200, &[], "ok\n")
}

/// `rate` requests per second in equal gaps for `seconds`.
fn open(peer: &ScriptedPeer, rate: f64, seconds: f64) -> Job {
    let mut job = to(peer);
    job.load.amount = Amount::Seconds(seconds);
    job.load.shape = Shape::Open(Arrivals {
        process: Process::Constant,
        segments: Arrivals::steady(rate),
        max_outstanding: Arrivals::MAX_OUTSTANDING,
        seed: 3,
    });
    job
}

fn arrivals(job: &mut Job) -> &mut Arrivals {
    match &mut job.load.shape {
        Shape::Open(arrivals) => arrivals,
        Shape::Closed { .. } | Shape::Recorded { .. } => unreachable!(),
    }
}

#[test]
fn the_rate_is_exact_over_all_threads_and_connections() {
    // wrk2 and h2load miss odd rates, rates below the threads, and fractional ones.
    for (rate, seconds, connections, threads, expected) in [
        (1_000.0, 0.5, 10, 3, 500),
        (333.0, 1.0, 5, 2, 333),
        (0.5, 1.0, 10, 3, 1),
        (2.5, 0.8, 4, 4, 2),
    ] {
        let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
        let mut job = open(&peer, rate, seconds);
        job.load.connections = connections;
        job.load.threads = threads;
        job.load.warm_up = WarmUpPlan::Seconds(0.1);
        common::part(&mut job).expected.body = Body::Exact(b"ok\n".to_vec());
        let facts = run(&job).unwrap();
        assert_eq!(facts.scheduled, expected, "{rate}/s for {seconds} s");
        assert_eq!(facts.completed + facts.drained, expected);
        assert!((facts.seconds - seconds).abs() < 1e-9, "{}", facts.seconds);
        let offered = facts.offered.unwrap();
        assert!((offered - expected as f64 / seconds).abs() < 1e-6);
        assert_eq!(facts.response.count(), expected);
        assert_eq!((facts.dropped, facts.engine.threads), (0, threads));
        assert_eq!(facts.shape, job.load.shape);
    }
}

#[test]
fn the_pool_is_opened_before_the_window() {
    // The warm-up has fewer requests than there are connections; all are open all the same.
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = open(&peer, 100.0, 0.3);
    job.load.connections = 40;
    job.load.threads = 2;
    job.load.warm_up = WarmUpPlan::Seconds(0.05);
    let facts = run(&job).unwrap();
    assert_eq!((peer.connections(), facts.connects), (40, 40));
    assert_eq!(facts.connect.count(), 40);
    assert_eq!((facts.scheduled, facts.warm_up.requests), (30, 5));
    assert_eq!(peer.requests().len(), 35);
}

/// A server with a worker for each connection that it has accepted waits for what these ask for, and for no others.
#[test]
fn connections_that_are_open_are_used_before_others_are_opened() {
    let peer = ScriptedPeer::tcp(|_| Step::serve_once(ok()));
    let mut job = open(&peer, 100.0, 0.1);
    job.load.connections = 20;
    job.load.threads = 1;
    job.load.warm_up = WarmUpPlan::Seconds(0.1);
    let facts = run(&job).unwrap();
    assert_eq!((facts.scheduled, facts.warm_up.requests), (10, 10));
    assert_eq!(
        peer.connections(),
        20,
        "half of them are open after the warm-up"
    );
}

#[test]
fn a_number_of_requests_is_exact_and_its_rate_is_told() {
    for process in [Process::Constant, Process::Poisson] {
        let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
        let mut job = open(&peer, 2_000.0, 1.0);
        arrivals(&mut job).process = process;
        job.load.amount = Amount::Requests(501);
        job.load.connections = 5;
        job.load.threads = 2;
        let facts = run(&job).unwrap();
        assert_eq!((facts.scheduled, facts.completed), (501, 501));
        assert_eq!(peer.requests().len(), 501);
        let offered = facts.offered.unwrap();
        match process {
            Process::Constant => assert!((offered - 2_000.0).abs() < 1e-3, "{offered}"),
            // 501 gaps: five standard deviations are 22 %.
            Process::Poisson => assert!((offered / 2_000.0 - 1.0).abs() < 0.25, "{offered}"),
        }
    }
}

#[test]
fn a_stall_is_in_the_response_times_and_nothing_vanishes() {
    // wrk's closed loop sends one request per connection into a stall and calls it one slow answer.
    let gate = Gate::new();
    let peer = stalling(20, &gate);
    let mut job = open(&peer, 400.0, 1.5);
    let facts = run_with_stall(&job, &gate, Duration::from_secs(1));
    assert_eq!(facts.scheduled, 600);
    assert_eq!(facts.completed + facts.drained, 600);
    assert_eq!(facts.response.count(), 600);
    // 40 answers took about 0.1 s; then the schedule went on for 0.9 s without any.
    let late = |times: &record::Distribution| {
        let late: u64 = times
            .cells()
            .filter(|(seconds, _)| *seconds > 0.05)
            .map(|(_, count)| count)
            .sum();
        late
    };
    assert!(late(&facts.response) > 200, "{}", late(&facts.response));
    assert!(
        facts.response.quantile(0.99).unwrap() > 0.5,
        "response shows it"
    );
    assert!(
        late(&facts.service) < late(&facts.response) / 4,
        "service: only what was on the wire waited for the server"
    );
    // Who held them back is told: all connections were busy.
    assert!(facts.waited.count() > 200 && facts.waited.max().unwrap() > 0.5);
    // The same peer in a closed loop shows the stall twice, once per connection.
    let again = Gate::new();
    let peer = stalling(20, &again);
    job.target = record::Target::Tcp(peer.address());
    job.load.shape = Shape::default();
    job.load.amount = Amount::Requests(600);
    let closed = run_with_stall(&job, &again, Duration::from_secs(1));
    assert!(late(&closed.response) <= 10, "{}", late(&closed.response));
}

#[test]
fn beyond_the_bound_requests_are_dropped_and_counted() {
    // k6 and Nighthawk drop; zrk's backlog grows without bound.
    let gate = Gate::new();
    let peer = stalling(0, &gate);
    let mut job = open(&peer, 1_000.0, 0.5);
    job.load.threads = 2;
    arrivals(&mut job).max_outstanding = 50;
    let facts = run_with_stall(&job, &gate, Duration::from_millis(700));
    assert_eq!(facts.scheduled, 500);
    // Nothing was answered in the window: two on the wire, 48 waiting, the rest dropped.
    assert_eq!(
        (facts.completed, facts.dropped, facts.in_flight),
        (0, 450, 50)
    );
    assert_eq!(facts.drained, 50);
    assert_eq!(facts.response.count(), 50);
    assert_eq!(peer.requests().len(), 50);
}

#[test]
fn a_server_slower_than_the_rate_is_named_and_its_queue_is_timed() {
    // An answer takes 5 ms: 2 connections carry 400 requests/s at most.
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let slow = Slow::start(Duration::from_millis(5));
    let mut job = open(&peer, 1_000.0, 0.6);
    job.target = record::Target::Tcp(slow.address);
    let facts = run(&job).unwrap();
    assert_eq!(facts.scheduled, 600);
    assert!(facts.completed < 300, "{}", facts.completed);
    assert_eq!(facts.completed + facts.in_flight, 600);
    assert_eq!(facts.drained, facts.in_flight, "the backlog is sent, too");
    assert_eq!(facts.response.count(), 600);
    assert!(facts.waited.count() > 300);
    let (waited, engine) = (
        facts.waited.quantile(0.5).unwrap(),
        facts.lateness.quantile(0.5).unwrap(),
    );
    assert!(waited > 20.0 * engine, "{waited} {engine}");
    assert!(facts.response.quantile(0.9).unwrap() > 10.0 * facts.service.quantile(0.5).unwrap());
}

#[test]
fn what_waits_beyond_its_time_limit_times_out_unsent() {
    let peer = ScriptedPeer::tcp(|connection| {
        if connection < 2 {
            vec![Step::Read, Step::Stall]
        } else {
            Step::serve(ok())
        }
    });
    let mut job = open(&peer, 200.0, 0.6);
    job.load.timeout = 0.2;
    let facts = run(&job).unwrap();
    assert_eq!(facts.scheduled, 120);
    // Two were sent and not answered; more had waited for 0.2 s when these gave way.
    assert!(facts.timed_out >= 2, "{}", facts.timed_out);
    assert_eq!(facts.response.count(), 120);
    assert!(facts.response.max().unwrap() >= 0.1999);
    assert!(facts.completed > 40, "{}", facts.completed);
}

#[test]
fn poisson_arrivals_are_random_and_repeatable() {
    let scheduled = |seed| {
        let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
        let mut job = open(&peer, 1_000.0, 0.4);
        arrivals(&mut job).process = Process::Poisson;
        arrivals(&mut job).seed = seed;
        run(&job).unwrap().scheduled
    };
    let first = scheduled(1);
    assert_eq!(first, scheduled(1));
    let others: Vec<u64> = (2..6).map(scheduled).collect();
    assert!(others.iter().any(|count| *count != first), "{others:?}");
}

#[test]
fn a_ramp_is_climbed() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = open(&peer, 1.0, 1.0);
    arrivals(&mut job).segments = Arrivals::ramp(&[0.0, 1_000.0], 1.0);
    let facts = run(&job).unwrap();
    assert_eq!(facts.scheduled, 500);
    // zrk tells the rate of the last slice: 1,000/s here.
    let offered = facts.offered.unwrap();
    assert!((offered - 500.0).abs() < 1e-6, "{offered}");
    let half: u64 = facts.intervals[..50]
        .iter()
        .map(|slice| slice.completed)
        .sum();
    // A quarter falls due in the first half; a stalled machine can only answer fewer of them there.
    assert!(half <= 126, "{half}");
}

#[test]
fn an_interrupted_open_loop_says_what_it_saw() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = open(&peer, 500.0, 3_600.0);
    job.load.threads = 2;
    let stop = AtomicBool::new(false);
    let facts = run_until(&job, &stop, &mut |event| {
        if matches!(event, Event::Tick(tick) if tick.completed > 50) {
            stop.store(true, Ordering::Relaxed);
        }
    })
    .unwrap();
    assert!(facts.completed > 50 && facts.seconds < 3_600.0);
    let expected = facts.offered.unwrap() * facts.seconds;
    assert!((facts.scheduled as f64 - expected).abs() < 1.0);
}

#[test]
fn connections_that_are_closed_while_they_rest_are_opened_again() {
    let peer = ScriptedPeer::tcp(|_| vec![Step::Read, Step::Send(ok()), Step::Close]);
    let mut job = open(&peer, 200.0, 0.5);
    job.load.warm_up = WarmUpPlan::Seconds(0.1);
    let facts = run(&job).unwrap();
    assert_eq!(facts.scheduled, 100);
    assert_eq!(facts.completed + facts.drained, 100);
    assert_eq!(facts.failures(), 0);
}

#[test]
fn a_think_time_lies_between_answers_and_requests() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.shape = Shape::Closed {
        think: 0.02,
        spread: Spread::Fixed,
    };
    job.load.connections = 4;
    job.load.threads = 2;
    job.load.amount = Amount::Requests(40);
    let began = Instant::now();
    let facts = run(&job).unwrap();
    assert_eq!((facts.scheduled, facts.completed), (40, 40));
    assert_eq!((peer.requests().len(), peer.connections()), (40, 4));
    // Ten each, with nine pauses: the think time passes, and is in no response time.
    assert!(began.elapsed() >= Duration::from_millis(9 * 20));
    assert_eq!(facts.offered, None);
    job.load.amount = Amount::Seconds(0.3);
    let facts = run(&job).unwrap();
    assert!(facts.completed <= 4 * 16, "{}", facts.completed);
    assert!((facts.seconds - 0.3).abs() < 1e-9);
}
