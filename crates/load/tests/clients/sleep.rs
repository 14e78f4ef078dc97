//! Users that sleep before their requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use load::{
    Asked, Event, Expected, Job, Pace, Request, RequestSource, RequestStream, Traffic, Turn, Turns,
    What,
};
use record::{Amount, Arrivals, Process, Shape, Spread, WarmUpPlan};
use testkit::{Gate, ScriptedPeer, Step};

use super::{any, get, ok};
use crate::common::{run, run_until, to};

/// Sleeps for so many nanoseconds before the first request of a thread, and for so many before each other.
#[derive(Debug)]
struct Sleepy {
    first: u64,
    others: u64,
}

impl Sleepy {
    fn each(sleep: u64) -> Self {
        Self {
            first: sleep,
            others: sleep,
        }
    }
}

impl RequestSource for Sleepy {
    fn names(&self) -> Vec<String> {
        vec!["asked".into()]
    }

    fn expected(&self) -> Vec<Expected> {
        vec![any()]
    }

    fn prepared(&self) -> Vec<Request> {
        vec![get("/")]
    }

    fn stream(&self, _: usize, _: usize, _: usize) -> Result<Box<dyn RequestStream>, String> {
        Ok(Box::new(Sleeps {
            next: self.first,
            others: self.others,
        }))
    }
}

struct Sleeps {
    next: u64,
    others: u64,
}

impl RequestStream for Sleeps {
    fn begin(&mut self, _: usize, _: u64) -> Result<Asked, String> {
        Ok(Asked {
            what: What::Prepared(0),
            name: 0,
            expected: 0,
            delay: std::mem::replace(&mut self.next, self.others),
        })
    }
}

/// `rate` requests per second in equal gaps for `seconds`.
fn at_a_rate(peer: &ScriptedPeer, users: Sleepy, rate: f64, seconds: f64) -> Job {
    let mut job = to(peer);
    job.traffic = Traffic::Made(Arc::new(users));
    job.load.amount = Amount::Seconds(seconds);
    job.load.shape = Shape::Open(Arrivals {
        process: Process::Constant,
        segments: Arrivals::steady(rate),
        max_outstanding: Arrivals::MAX_OUTSTANDING,
        seed: 3,
    });
    job
}

/// Two users that sleep for 50 ms before each request carry 40 requests per second at most.
#[test]
fn what_users_sleep_at_a_rate_is_told() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let job = at_a_rate(&peer, Sleepy::each(50_000_000), 100.0, 0.4);
    let facts = run(&job).unwrap();
    assert_eq!(facts.failures(), 0);
    assert!(!facts.waited.is_empty(), "requests wait for a free user");
    // each response comes after a whole sleep; at the end each of both users may be in another one, or after it
    let whole = 0.05 * facts.completed as f64;
    let most = whole + 2.0 * 0.05;
    let told = facts.asleep;
    assert!(
        (whole - 1e-6..=most + 1e-6).contains(&told),
        "{whole} to {most}: {told}"
    );
    assert!(told <= 2.0 * facts.seconds, "{told} of {}", facts.seconds);
    assert!(
        !facts.light.is_empty(),
        "while a user sleeps its connection asks for nothing"
    );
    let each = facts.sleep_each();
    assert!((each - 0.05).abs() < 1e-9, "whole sleeps: {each}");
    let awake = run(&at_a_rate(&peer, Sleepy::each(0), 100.0, 0.1)).unwrap();
    assert!(awake.asleep <= 0.0, "{}", awake.asleep);
}

/// The first response comes when the window has closed. After it the user sleeps before each request that fell due in the
/// window: until all are answered, or until nobody waits any longer. Then the one that it sleeps before has a response time where
/// it has waited for longer than that.
#[test]
fn what_waits_for_a_user_at_the_end_is_accounted_for_after_its_sleep() {
    for (sleep, drain, all, untimed) in [
        (20_000_000, 10.0, true, 0),
        (2_000_000_000, 2.0, false, 0),
        (3_600_000_000_000, 2.0, false, 1),
    ] {
        let gate = Gate::new();
        let held = gate.clone();
        let peer = ScriptedPeer::tcp(move |_| {
            let mut steps = vec![Step::Read, Step::Await(held.clone()), Step::Send(ok())];
            steps.extend(Step::serve(ok()));
            steps
        });
        let users = Sleepy {
            first: 0,
            others: sleep,
        };
        let mut job = at_a_rate(&peer, users, 50.0, 0.2);
        job.load.connections = 1;
        job.load.drain = Some(drain);
        let facts = run_until(&job, &AtomicBool::new(false), &mut |event| {
            if matches!(&event, Event::Tick(tick) if tick.lasted.is_some()) {
                gate.open();
            }
        });
        let facts = facts.unwrap();
        assert_eq!(facts.in_flight, facts.scheduled, "{facts:?}");
        let answered = if all { facts.scheduled } else { 1 };
        assert_eq!(facts.drained, answered, "{facts:?}");
        let timed = facts.response.count();
        assert_eq!(timed, facts.scheduled - untimed, "{facts:?}");
        assert!(facts.asleep <= 0.0, "not in the window: {}", facts.asleep);
    }
}

/// Both users sleep as the window ends, and more requests wait for them than there are users.
#[test]
fn users_that_sleep_at_the_end_go_on_with_what_waits_for_them() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = at_a_rate(&peer, Sleepy::each(50_000_000), 100.0, 0.2);
    job.load.drain = Some(60.0);
    let facts = run(&job).unwrap();
    assert!(facts.in_flight > 2, "{facts:?}");
    assert_eq!(facts.drained, facts.in_flight, "{facts:?}");
    assert!(facts.asleep <= 2.0 * facts.seconds + 1e-6, "{facts:?}");
}

/// The user sleeps before its first request alone. The second one waits for it meanwhile, and is not answered.
#[test]
fn what_waits_for_a_user_that_sleeps_is_given_up_in_its_time() {
    let peer = ScriptedPeer::tcp(|_| {
        let answered = vec![Step::Read, Step::Send(ok())];
        vec![Step::Times(1, answered), Step::Read, Step::Stall]
    });
    let users = Sleepy {
        first: 2_500_000_000,
        others: 0,
    };
    let mut job = at_a_rate(&peer, users, 100.0, 0.05);
    job.load.connections = 1;
    job.load.timeout = 3.0;
    job.load.drain = Some(60.0);
    let facts = run(&job).unwrap();
    assert!(facts.unanswered() > 0, "{facts:?}");
    let longest = facts.response.max().unwrap();
    assert!(longest < 1.5 * job.load.timeout, "{longest}");
}

/// Two users that sleep for 50 ms before each of 40 requests take a second for them, and all fall due in less than half of it.
#[test]
fn what_waits_for_a_user_that_sleeps_then_has_that_wait_in_its_response_time() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = at_a_rate(&peer, Sleepy::each(50_000_000), 100.0, 0.4);
    job.load.drain = Some(60.0);
    let facts = run(&job).unwrap();
    let (waited, response) = (facts.waited.max().unwrap(), facts.response.max().unwrap());
    assert!(waited > 0.3, "for a user that is free: {waited}");
    assert!(response > 0.9 * waited, "{response} after {waited}");
    let slowest = &facts.slowest[0];
    assert!(slowest.waited > 0.3, "the wait is told apart: {slowest:?}");
}

/// The only response comes after the window, and its user sleeps then.
#[test]
fn nobody_waits_for_what_a_user_would_send_behind_the_window() {
    let gate = Gate::new();
    let held = gate.clone();
    let peer = ScriptedPeer::tcp(move |_| {
        let mut steps = vec![Step::Read, Step::Await(held.clone()), Step::Send(ok())];
        steps.extend(Step::serve(ok()));
        steps
    });
    let mut job = to(&peer);
    job.traffic = Traffic::Made(Arc::new(Sleepy {
        first: 0,
        others: 100_000_000,
    }));
    job.load.connections = 1;
    job.load.amount = Amount::Seconds(0.2);
    job.load.drain = Some(60.0);
    let facts = run_until(&job, &AtomicBool::new(false), &mut |event| {
        if matches!(&event, Event::Tick(tick) if tick.lasted.is_some()) {
            gate.open();
        }
    });
    let facts = facts.unwrap();
    assert_eq!((facts.in_flight, facts.drained), (1, 1), "{facts:?}");
    assert_eq!(facts.trailed, 0, "{facts:?}");
    assert_eq!(peer.requests().len(), 1);
}

/// Users that sleep for some 30 years are no reason to go on.
#[test]
fn who_stops_a_load_does_not_wait_for_users_that_sleep() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let users = Sleepy {
        first: 0,
        others: 1_000_000_000_000_000_000,
    };
    let stop = AtomicBool::new(false);
    let job = at_a_rate(&peer, users, 50.0, 3_600.0);
    let facts = run_until(&job, &stop, &mut |event| {
        if matches!(&event, Event::Tick(tick) if tick.asleep == 2) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    let facts = facts.unwrap();
    assert_eq!((facts.completed, peer.requests().len()), (1, 1));
    assert!(!facts.has_whole_sleeps(), "none of them ended: {facts:?}");
    assert!(facts.asleep > 0.0 && facts.asleep <= 2.0 * facts.seconds);
    assert!(facts.seconds < 3_600.0, "{}", facts.seconds);
}

/// Between two slices they would sleep on, or begin anew in each.
#[test]
fn a_window_of_users_is_not_cut_into_slices() {
    struct Over;
    impl Turns for Over {
        fn next(&mut self, _: Pace) -> Turn {
            Turn::Over
        }
    }
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.traffic = Traffic::Made(Arc::new(Sleepy::each(0)));
    job.load.amount = Amount::Seconds(0.2);
    let refused = load::run_in_turns(&job, &AtomicBool::new(false), &mut Over, &mut |_| ());
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("can be cut into slices"), "{said}");
    assert_eq!(peer.connections(), 0);
}

#[test]
fn the_think_time_of_a_closed_loop_is_time_asleep() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.load.shape = Shape::Closed {
        think: 0.01,
        spread: Spread::Fixed,
    };
    let facts = run(&job).unwrap();
    let thought = facts.slot_time.unwrap().thought;
    assert!(thought > 0.0);
    assert!((facts.asleep - thought).abs() < 1e-9, "{}", facts.asleep);
}

/// The warm-up ends while the next requests are slept before, and the window's own are due later than those were.
#[test]
fn what_was_to_fall_due_after_the_warm_up_makes_no_request_early() {
    let peer = ScriptedPeer::tcp(|_| Step::serve(ok()));
    let mut job = to(&peer);
    job.traffic = Traffic::Made(Arc::new(Sleepy::each(100_000_000)));
    job.load.warm_up = WarmUpPlan::Seconds(0.15);
    job.load.amount = Amount::Requests(4);
    let facts = run(&job).unwrap();
    assert_eq!((facts.completed, facts.failures()), (4, 0));
    // answered before it is due, a request would have lasted for centuries
    let longest = facts.response.max().unwrap();
    assert!(longest < facts.seconds, "{longest} of {}", facts.seconds);
}
