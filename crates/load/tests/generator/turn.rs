//! What a turn of the engine's loop does to what is sent and answered in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use load::{Event, Traffic};
use record::{Amount, Target};
use testkit::{Gate, Nginx, Origin, ScriptedPeer, Speech, Step, Turn, answer, eventually};

use crate::common::{job, run, run_until, to};
use crate::{Busy, PATIENCE, steady};

fn ok() -> Vec<u8> {
    answer(200, &[], "ok\n")
}

/// Share of the gaps between requests, as the server saw them, that are within a half of the gap
/// that was wanted.
fn even(gap: u64) -> f64 {
    let origin = Origin::start(Speech::Http1, |_| Turn::Answer(Duration::ZERO));
    let mut job = job(Target::Tcp(origin.address()));
    job.load.connections = 8;
    job.load.shape = steady(1e9 / gap as f64);
    job.load.amount = Amount::Seconds(0.5);
    run(&job).unwrap();
    let account = origin.account();
    let mut received: Vec<u64> = account.exchanges().map(|of| of.received).collect();
    received.sort_unstable();
    let gaps = received.windows(2).map(|two| two[1] - two[0]);
    let even = gaps.filter(|found| (gap / 2..gap * 3 / 2).contains(found));
    even.count() as f64 / received.len() as f64
}

#[test]
fn equal_gaps_reach_the_server_as_equal_gaps() {
    // wrk2 sends at ticks of a millisecond: three or four requests at once here, then none. A busy
    // machine may do the same to anybody now and then; ticks do it to each run.
    let mut best = 0.0_f64;
    let enough = || {
        best = best.max(even(300_000));
        best > 0.5
    };
    assert!(eventually(PATIENCE, enough), "{best} of the gaps at most");
}

#[test]
fn each_answer_of_a_long_turn_has_a_time_of_its_own() {
    // h1load reads the clock once for all that a turn of its loop finds.
    let gate = Gate::new();
    let held = gate.clone();
    let peer =
        ScriptedPeer::tcp(move |_| vec![Step::Read, Step::Await(held.clone()), Step::Send(ok())]);
    let busy = Busy {
        after_each: Duration::from_millis(20),
        ..Busy::default()
    };
    let mut job = to(&peer);
    job.traffic = Traffic::Made(Arc::new(busy.clone()));
    job.load.connections = 10;
    job.load.amount = Amount::Requests(10);
    std::thread::scope(|scope| {
        let load = scope.spawn(|| run(&job));
        assert!(eventually(PATIENCE, || peer.requests().len() == 10));
        gate.open();
        assert_eq!(load.join().unwrap().unwrap().completed, 10);
    });
    let ended = busy.seen.ended.lock().unwrap();
    let apart = |two: &[u64]| two[1] - two[0] >= 20_000_000;
    assert!(ended.windows(2).all(apart), "{ended:?}");
}

/// Loads a server that answers each request after the same time, with four requests on each of eight connections and an engine that
/// is busy with each answer. Returns a service time that three quarters of all requests do not exceed, and the longest that the server itself took
/// for one of the others, in seconds. The first answers come all at once, and are looked at one after the other.
fn longest_after_the_first(after_each: Duration) -> (f64, f64) {
    let connections = 8_u32;
    // what is sent while the first answers are looked at is answered after the last of them was
    let delay = after_each * 2 * connections;
    let origin = Origin::start(Speech::Http1, move |_| Turn::Answer(delay));
    let mut job = job(Target::Tcp(origin.address()));
    job.traffic = Traffic::Made(Arc::new(Busy {
        after_each,
        ..Busy::default()
    }));
    job.load.connections = connections;
    job.load.amount = Amount::Requests(4 * u64::from(connections));
    let facts = run(&job).unwrap();
    let account = origin.account();
    let conversations = account.conversations.iter();
    let later = conversations.flat_map(|talk| talk.exchanges.iter().skip(1));
    let own = later.map(|of| of.answered - of.received).max().unwrap();
    // a quarter are first requests, most of them the slowest
    (facts.service.quantile(0.75).unwrap(), own as f64 / 1e9)
}

#[test]
fn no_request_waits_for_the_end_of_the_turn_that_sends_it() {
    // What has not left yet would be told as the server's time. A busy machine may be late now and then, a loop that waits always is.
    let after_each = Duration::from_millis(10);
    let mut longest = (0.0, 0.0);
    let at_once = || {
        longest = longest_after_the_first(after_each);
        longest.0 <= longest.1 + after_each.as_secs_f64()
    };
    assert!(eventually(PATIENCE, at_once), "{longest:?}");
}

#[test]
fn a_live_view_that_stands_still_holds_no_request_up() {
    // Where each result is handed to the view, a slow terminal is a slow load.
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.amount = Amount::Seconds(600.0);
    let stop = AtomicBool::new(false);
    let mut goes_on = None;
    run_until(&job, &stop, &mut |event| {
        if !matches!(event, Event::Tick(_)) || goes_on.is_some() {
            return;
        }
        // Longer than the engine waits between two looks at what it is to tell.
        let began = Instant::now();
        assert!(eventually(PATIENCE, || began.elapsed().as_secs() >= 1));
        let then = peer.requests().len();
        goes_on = Some(eventually(PATIENCE / 2, || {
            peer.requests().len() > then + 100
        }));
        stop.store(true, Ordering::Relaxed);
    })
    .unwrap();
    assert_eq!(goes_on, Some(true), "the load waits for its view");
}

#[test]
fn a_duration_has_no_number_of_requests_in_it() {
    // ab's `-t` implies `-n 50000`: a fast server is loaded for a part of the time.
    let nginx = Nginx::start("keepalive_requests 1000000; location / { return 200 \"ok\\n\"; }");
    let mut job = job(Target::Tcp(nginx.address()));
    job.load.connections = 20;
    job.load.amount = Amount::Seconds(600.0);
    let stop = AtomicBool::new(false);
    let facts = run_until(&job, &stop, &mut |event| {
        if matches!(event, Event::Tick(tick) if tick.completed > 60_000) {
            stop.store(true, Ordering::Relaxed);
        }
    })
    .unwrap();
    assert!(facts.completed > 60_000, "{} requests", facts.completed);
}
