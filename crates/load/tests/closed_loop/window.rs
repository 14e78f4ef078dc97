//! What a window counts, and what stays outside of it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use load::{Event, LoadError};
use record::{Amount, Distribution, Target, WarmUpPlan};
use testkit::{Gate, Origin, ScriptedPeer, Speech, Step, Turn};

use super::ok;
use crate::common::{job, run, run_until, to};

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
    job.load.drain = Some(60.0); // however busy the machine is
    let facts = run_until(&job, &AtomicBool::new(false), &mut |event| {
        if matches!(&event, Event::Tick(tick) if tick.draining.is_some()) {
            gate.open();
        }
    })
    .unwrap();
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

/// Two connections, of which one's first answer takes 0.7 s longer than the window: the other goes on meanwhile if that is waited
/// for in any case, and is left alone if answers had been quick. What it asks then is in no figure.
#[test]
fn load_goes_on_while_what_is_in_flight_is_waited_for() {
    for (drain, goes_on) in [(Some(60.0), true), (None, false)] {
        let asked = AtomicU64::new(0);
        let origin = Origin::start(Speech::Http1, move |_| {
            let first = asked.fetch_add(1, Ordering::Relaxed) == 0;
            Turn::Answer(Duration::from_millis(if first { 1000 } else { 5 }))
        });
        let mut job = job(Target::Tcp(origin.address()));
        job.load.amount = Amount::Seconds(0.3);
        job.load.drain = drain;
        let facts = run(&job).unwrap();
        assert_eq!(facts.scheduled, facts.accounted());
        assert_eq!(facts.drained, facts.in_flight, "{facts:?}");
        assert_eq!(facts.response.count(), facts.completed + facts.drained);
        let asked = facts.scheduled + facts.trailed;
        assert_eq!(asked, origin.account().received, "{facts:?}");
        assert_eq!(facts.sent, asked, "{facts:?}");
        // 140 answers of 5 ms in 0.7 s
        assert_eq!(facts.trailed > 20, goes_on, "{facts:?}");
        let share = facts.scheduled as f64 / asked as f64;
        assert!((facts.counted_share() - share).abs() < 1e-9);
    }
}

/// The last of 80 requests takes long, and nothing is left to send meanwhile: the window has it, and says so. The server did
/// not stand still.
#[test]
fn the_last_of_a_number_of_requests_is_told_and_no_silence() {
    let origin = Origin::start(Speech::Http1, |number| {
        Turn::Answer(Duration::from_millis(if number == 79 { 1000 } else { 2 }))
    });
    let mut job = job(Target::Tcp(origin.address()));
    job.load.connections = 4;
    job.load.amount = Amount::Requests(80);
    let facts = run(&job).unwrap();
    let tail = facts.tail.unwrap();
    assert!((1..4).contains(&tail.requests), "{tail:?}");
    let lost = tail.lost(facts.seconds, facts.completed);
    assert!(lost > 0.2 * facts.seconds, "{tail:?} of {}", facts.seconds);
    let since = facts.seconds - tail.seconds;
    let silent = facts.silent.unwrap().stretches;
    assert!(
        silent.iter().all(|of| of.until < since + 1e-6),
        "{silent:?}"
    );
    job.load.amount = Amount::Seconds(0.1);
    assert_eq!(run(&job).unwrap().tail, None, "there is more to send");
}

#[test]
fn ticks_and_the_end_tell_all_of_a_window() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.amount = Amount::Seconds(0.3);
    let (mut told, mut ended) = (Distribution::default(), None);
    let facts = run_until(&job, &AtomicBool::new(false), &mut |event| match event {
        Event::Tick(tick) => told.merge(&tick.recent),
        Event::Closed(tick) => {
            told.merge(&tick.recent);
            ended = Some(tick);
        }
        _ => {}
    })
    .unwrap();
    let ended = ended.unwrap();
    assert_eq!(ended.completed, facts.completed);
    assert_eq!(told.count(), facts.response.count());
    assert!((ended.lasted.unwrap() - facts.seconds).abs() < 1e-9);
    assert!(ended.elapsed >= 0.3, "{ended:?}");
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
            Event::Opened(_) => {
                at_opening = peer.requests().len() as u64;
                order.push("opened");
            }
            Event::Closed(_) => order.push("closed"),
            _ => {}
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

/// The first three requests are answered soon, and all others late: four connections that asked at once would have met one of these.
/// A warm-up of a number of requests has these among them.
#[test]
fn a_warm_up_tells_how_long_a_response_takes_alone() {
    let facts = |plan| {
        let origin = Origin::start(Speech::Http1, |number| {
            Turn::Answer(Duration::from_millis(if number < 3 { 1 } else { 200 }))
        });
        let mut job = job(Target::Tcp(origin.address()));
        job.load.connections = 4;
        job.load.warm_up = plan;
        let facts = run(&job).unwrap();
        let asked = facts.sent + facts.warm_up.requests;
        assert_eq!(asked, origin.account().received, "{facts:?}");
        facts
    };
    for plan in [WarmUpPlan::Stationary(0.5), WarmUpPlan::Requests(8)] {
        let told = facts(plan);
        let (alone, mean) = (told.warm_up.alone.unwrap(), told.service.mean().unwrap());
        assert!(alone < mean / 2.0, "{alone} and {mean}");
        assert!(plan != WarmUpPlan::Requests(8) || told.warm_up.requests == 8);
    }
    assert_eq!(facts(WarmUpPlan::Requests(6)).warm_up.alone, None);
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
fn between_two_ticks_of_a_window_others_may_look() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.amount = Amount::Seconds(600.0);
    let (stop, mut told) = (AtomicBool::new(false), Vec::new());
    run_until(&job, &stop, &mut |event| {
        match event {
            Event::Look => told.push("look"),
            Event::Tick(_) => told.push("tick"),
            _ => {}
        }
        stop.store(told.len() >= 4, Ordering::Relaxed);
    })
    .unwrap();
    assert_eq!(told[..4], ["look", "tick", "look", "tick"]);
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
