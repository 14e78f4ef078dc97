//! What a closed loop must get right, each after a flaw that popular load generators have.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::{run, run_until, to};
use load::{Body, Event, LoadError};
use record::{Amount, Cause, Target, WarmUpPlan};
use testkit::{Gate, ScriptedPeer, Step, answer, eventually};

fn ok() -> Vec<u8> {
    answer(200, &[], "ok\n")
}

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
    job.load.timeout = 0.15;
    let facts = run(&job).unwrap();
    assert_eq!(
        (facts.completed, facts.timed_out, facts.failures()),
        (19, 1, 0)
    );
    assert_eq!(facts.response.count(), 20);
    assert!(
        facts.response.max().unwrap() >= 0.1499,
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
    job.load.timeout = 0.1;
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.timed_out), (19, 1));
    assert_eq!(facts.first_byte.count(), 20);
}

#[test]
fn wrong_answers_are_failures_and_no_throughput() {
    // h2load, wrk, oha: a 500 counts in requests per second.
    let peer = ScriptedPeer::tcp(|connection| {
        if connection == 0 {
            Step::serve(answer(500, &[], "oh no"))
        } else {
            Step::serve(ok())
        }
    });
    let facts = run(&to(&peer)).unwrap();
    let wrong = facts.failed[&Cause::Status];
    assert_eq!(facts.completed + wrong, 20);
    assert_eq!(
        facts.statuses,
        [(200, facts.completed), (500, wrong)].into()
    );
    assert_eq!(facts.service.count(), facts.completed);
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
        "a wrong answer does not cost its connection"
    );
}

#[test]
fn wrong_bodies_are_failures() {
    let peer = ScriptedPeer::tcp(|connection| {
        if connection == 0 {
            Step::serve(answer(200, &[], "no!"))
        } else {
            Step::serve(ok())
        }
    });
    let mut job = to(&peer);
    common::part(&mut job).expected.body = Body::Exact(b"ok\n".to_vec());
    let facts = run(&job).unwrap();
    assert!(facts.failed[&Cause::Body] >= 1);
    assert_eq!(facts.bodies.compared, 20);
    assert_eq!(
        facts.bodies.example.as_deref(),
        Some("differs from byte 0 on: `no!`")
    );
}

#[test]
fn a_window_of_seconds_accounts_for_what_is_in_flight() {
    // oha aborts and forgets what is in flight at the end; here it is drained and its time kept.
    let gate = Gate::new();
    let held = gate.clone();
    let peer = ScriptedPeer::tcp(move |connection| {
        let slow = vec![
            Step::Read,
            Step::Await(held.clone()),
            Step::Send(ok()),
            Step::Stall,
        ];
        if connection == 0 {
            slow
        } else {
            Step::serve(ok())
        }
    });
    let mut job = to(&peer);
    job.load.amount = Amount::Seconds(0.3);
    let facts = std::thread::scope(|scope| {
        let load = scope.spawn(|| run(&job));
        let began = Instant::now();
        assert!(eventually(Duration::from_secs(20), || began.elapsed()
            > Duration::from_millis(500)));
        gate.open();
        load.join().unwrap().unwrap()
    });
    assert!((facts.seconds - 0.3).abs() < 1e-9);
    assert!((1..=2).contains(&facts.in_flight), "{}", facts.in_flight);
    assert_eq!(facts.drained, facts.in_flight);
    assert_eq!(facts.response.count(), facts.completed + facts.drained);
    assert!(
        facts.response.max().unwrap() > 0.3,
        "the slowest is in the distribution"
    );
    assert_eq!(facts.intervals.len(), 100);
}

#[test]
fn the_warm_up_is_thrown_away() {
    for plan in [WarmUpPlan::Requests(50), WarmUpPlan::Seconds(0.1)] {
        let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
        let mut job = to(&peer);
        job.load.warm_up = plan;
        let mut at_opening = 0;
        let mut order = Vec::new();
        let facts = run_until(&job, &AtomicBool::new(false), &mut |event| match event {
            Event::Opened => {
                at_opening = peer.requests().len() as u64;
                order.push("opened");
            }
            Event::Closed => order.push("closed"),
            Event::WarmUp(_) | Event::Tick(_) => {}
        })
        .unwrap();
        assert_eq!(order, ["opened", "closed"]);
        assert_eq!((facts.scheduled, facts.completed), (20, 20));
        assert_eq!(
            facts.warm_up.requests, at_opening,
            "workers are idle when the window opens"
        );
        assert!(plan != WarmUpPlan::Requests(50) || at_opening == 50);
        assert!(facts.warm_up.seconds > 0.0 && facts.warm_up.failed == 0);
        assert_eq!(peer.requests().len() as u64, at_opening + 20);
        // The connections of the warm-up are the window's.
        assert_eq!(
            (peer.connections(), facts.connects, facts.connect.count()),
            (2, 2, 2)
        );
    }
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
        if event == Event::Opened {
            gate.open();
        }
    })
    .unwrap();
    assert_eq!((facts.completed, facts.failures()), (20, 0));
}

#[test]
fn a_stopped_load_keeps_what_it_measured() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.amount = Amount::Seconds(600.0);
    let stop = AtomicBool::new(false);
    let mut ticks = Vec::new();
    let facts = run_until(&job, &stop, &mut |event| {
        if let Event::Tick(tick) = event {
            stop.store(tick.completed > 0 && tick.p99.is_some(), Ordering::Relaxed);
            ticks.push(tick);
        }
    })
    .unwrap();
    assert!(facts.completed > 0 && facts.seconds < 600.0 && facts.seconds > 0.0);
    assert!(
        ticks
            .iter()
            .any(|tick| tick.rate > 0.0 && tick.of.is_none()),
        "{ticks:?}"
    );
}

#[test]
fn a_load_stopped_in_its_warm_up_has_nothing_to_say() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.warm_up = WarmUpPlan::Seconds(600.0);
    let stop = AtomicBool::new(false);
    let outcome = run_until(&job, &stop, &mut |event| {
        assert!(matches!(event, Event::WarmUp(_)), "{event:?}");
        stop.store(true, Ordering::Relaxed);
    });
    assert!(
        matches!(outcome, Err(LoadError::Interrupted)),
        "{outcome:?}"
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

#[test]
fn littles_law_holds() {
    // connections = throughput x mean response time; hey and wrk have printed what breaks it.
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.connections = 8;
    job.load.threads = 2;
    job.load.amount = Amount::Seconds(2.0);
    let facts = run(&job).unwrap();
    let connections = facts.throughput() * facts.response.mean().unwrap();
    assert!((connections / 8.0 - 1.0).abs() < 0.1, "{connections}");
}

#[test]
fn the_engine_says_what_it_cost() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.amount = Amount::Requests(5_000);
    let engine = run(&job).unwrap().engine;
    assert!(
        engine.cpu_user >= 0.0 && engine.cpu_system >= 0.0 && engine.cpu() > 0.0,
        "{engine:?}"
    );
    assert!(engine.busiest > 0.0 && engine.busiest <= 1.0, "{engine:?}");
}
