//! Requests that never get their answer: how long they are waited for, and where they are counted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use load::{Event, Job, LoadError, Trouble};
use record::{Amount, Arrivals, Cause, LoadFacts, Shape, Spread, WarmUpPlan};
use testkit::{Gate, ScriptedPeer, Step};

use super::ok;
use crate::common::{run, run_until, to};

/// Nobody waits so long: a load that does not end before its time limit is one that never ends.
const NEVER: f64 = 3600.0;
/// Longest that a test waits for a load to end, on however busy a machine.
const PATIENCE: Duration = Duration::from_mins(3);

/// Connection 0 takes requests and never answers any; the others do.
fn one_hangs() -> ScriptedPeer {
    ScriptedPeer::tcp(|connection| {
        if connection == 0 {
            vec![Step::Read, Step::Stall]
        } else {
            Step::serve(ok())
        }
    })
}

/// What the load comes to, which ends though its time limit is far away.
fn ends(job: &Job) -> Result<LoadFacts, LoadError> {
    let mut job = job.clone();
    job.load.timeout = NEVER;
    let (tell, told) = channel();
    std::thread::spawn(move || {
        let _ = tell.send(run(&job)); // nobody waits for it any more
    });
    told.recv_timeout(PATIENCE).expect("the load has no end")
}

fn seconds(peer: &ScriptedPeer, seconds: f64) -> Job {
    let mut job = to(peer);
    job.load.amount = Amount::Seconds(seconds);
    job
}

#[test]
fn what_is_not_answered_by_the_end_is_in_the_distribution_as_at_least_that_long() {
    let peer = one_hangs();
    let facts = ends(&seconds(&peer, 0.5)).unwrap();
    assert!(facts.completed > 0);
    let drain = facts.drain.as_ref().unwrap();
    assert_eq!((drain.unanswered, drain.cut_off), (1, 1));
    assert_eq!(facts.response.count(), facts.completed + facts.in_flight);
    assert!(
        facts.response.max().unwrap() > 0.5,
        "longer than the window"
    );
    assert!(facts.service.max().unwrap() > 0.4);
    let slowest = &facts.slowest[0];
    assert!(
        slowest.response > 0.5 && slowest.first_byte.is_none(),
        "{slowest:?}"
    );
    both_slots_are_busy(&facts);
}

/// Little's law to the last request: two slots carry one request each at all times, the one that was
/// cut off among them.
fn both_slots_are_busy(facts: &LoadFacts) {
    let time = facts.slot_time.unwrap();
    let kept = facts.response.mean().unwrap() * facts.response.count() as f64;
    let spent = kept - time.beyond + time.failed + time.thought + time.idle;
    let slots = spent / facts.seconds;
    assert!((slots / 2.0 - 1.0).abs() < 0.01, "{slots} slots: {time:?}");
}

#[test]
fn a_server_that_is_gone_before_it_has_answered_leaves_its_requests_unanswered() {
    let gate = Gate::new();
    let held = gate.clone();
    let peer = ScriptedPeer::tcp(move |connection| {
        if connection == 0 {
            vec![Step::Read, Step::Await(held.clone()), Step::Reset]
        } else {
            Step::serve(ok())
        }
    });
    let mut job = seconds(&peer, 0.5);
    (job.load.timeout, job.load.drain) = (NEVER, Some(NEVER));
    let facts = run_until(&job, &AtomicBool::new(false), &mut |event| {
        if matches!(&event, Event::Tick(tick) if tick.draining.is_some()) {
            gate.open();
        }
    })
    .unwrap();
    let drain = facts.drain.as_ref().unwrap();
    assert_eq!((drain.unanswered, drain.cut_off), (1, 0), "{drain:?}");
    assert_eq!(drain.lost.values().sum::<u64>(), 1, "{drain:?}");
    assert_eq!(facts.failures(), 0, "it failed after the window");
    assert_eq!(facts.response.count(), facts.completed + facts.in_flight);
    assert!(facts.response.max().unwrap() > 0.5);
    both_slots_are_busy(&facts);
}

#[test]
fn a_wrong_answer_after_the_window_is_counted_too() {
    let gate = Gate::new();
    let held = gate.clone();
    let peer = ScriptedPeer::tcp(move |connection| {
        if connection == 0 {
            let wrong = testkit::answer(500, &[], "oh no");
            let held = Step::Await(held.clone());
            vec![Step::Read, held, Step::Send(wrong), Step::Stall]
        } else {
            Step::serve(ok())
        }
    });
    let mut job = seconds(&peer, 0.5);
    job.load.drain = Some(NEVER);
    let facts = run_until(&job, &AtomicBool::new(false), &mut |event| {
        if matches!(&event, Event::Tick(tick) if tick.draining.is_some()) {
            gate.open();
        }
    })
    .unwrap();
    let drain = facts.drain.as_ref().unwrap();
    assert_eq!(drain.wrong, [(Cause::Status, 1)].into());
    assert_eq!((drain.unanswered, facts.failures()), (0, 0));
    both_slots_are_busy(&facts);
}

#[test]
fn what_is_under_way_when_it_is_interrupted_is_kept() {
    let peer = one_hangs();
    let mut job = seconds(&peer, 600.0);
    job.load.timeout = NEVER;
    let stop = AtomicBool::new(false);
    let facts = run_until(&job, &stop, &mut |event| {
        // long beside what passes until the workers have begun
        if matches!(&event, Event::Tick(tick) if tick.completed > 0 && tick.elapsed > 1.0) {
            stop.store(true, Ordering::Relaxed);
        }
    })
    .unwrap();
    let drain = facts.drain.as_ref().unwrap();
    assert_eq!(facts.in_flight, drain.unanswered);
    assert_eq!(drain.unanswered, drain.cut_off);
    assert!(drain.interrupted);
    assert_eq!(facts.response.count(), facts.completed + facts.in_flight);
    let longest = facts.response.max().unwrap();
    assert!(
        (longest / facts.seconds - 1.0).abs() < 0.1,
        "as long as the window: {longest}"
    );
    both_slots_are_busy(&facts);
}

#[test]
fn an_open_loops_queue_is_at_least_that_long_too() {
    let peer = ScriptedPeer::tcp(|_| vec![Step::Read, Step::Stall]);
    let mut job = seconds(&peer, 0.5);
    job.may_break = true;
    job.load.shape = Shape::Open(Arrivals {
        process: record::Process::Constant,
        segments: Arrivals::steady(100.0),
        max_outstanding: Arrivals::MAX_OUTSTANDING,
        seed: 3,
    });
    let facts = ends(&job).unwrap();
    let drain = facts.drain.as_ref().unwrap();
    assert_eq!((facts.scheduled, facts.in_flight), (50, 50));
    assert_eq!((drain.unanswered, drain.cut_off), (50, 50));
    assert_eq!((facts.response.count(), facts.service.count()), (50, 2));
    assert!(facts.response.max().unwrap() > 0.5);
}

#[test]
fn a_silent_warm_up_ends_and_leaves_nothing_behind() {
    // The connections of the warm-up are never answered, those opened after it are. What is not
    // answered must not be taken for the window's.
    let peer = |silent: usize| {
        ScriptedPeer::tcp(move |connection| {
            if connection < silent {
                vec![Step::Read, Step::Stall]
            } else {
                Step::serve(ok())
            }
        })
    };
    // one that is to become stationary would wait for an hour
    let plans = [WarmUpPlan::Seconds(0.3), WarmUpPlan::Stationary(3_600.0)];
    // of which the first request is sent alone
    for (streams, plan, connections) in [(1, plans[0], 2), (3, plans[0], 2), (1, plans[1], 3)] {
        let peer = peer(connections);
        let mut job = seconds(&peer, 0.5);
        job.load.warm_up = plan;
        job.load.streams = streams;
        let facts = ends(&job).unwrap();
        let silent = connections as u64 * u64::from(streams);
        assert_eq!(facts.warm_up.failed, silent, "{:?}", facts.warm_up);
        assert!(facts.completed > 0);
        assert_eq!((facts.failures(), facts.timed_out), (0, 0));
        assert_eq!(facts.unanswered(), 0);
        assert_eq!(facts.response.count(), facts.completed + facts.drained);
    }
}

#[test]
fn a_server_that_never_answers_is_told_at_the_end() {
    let peer = ScriptedPeer::tcp(|_| vec![Step::Read, Step::Stall]);
    let mut job = seconds(&peer, 0.3);
    job.load.warm_up = WarmUpPlan::Seconds(0.3);
    let told = ends(&job).unwrap_err();
    let LoadError::NothingRight { trouble, .. } = &told else {
        panic!("{told:?}");
    };
    assert!(matches!(trouble, Trouble::Unanswered(_)), "{told}");
}

#[test]
fn a_drain_goes_on_while_answers_come() {
    // A hundred requests wait at the end; each answer comes alone, and none is cut off.
    let gate = Gate::new();
    let held = gate.clone();
    let peer = ScriptedPeer::tcp(move |_| {
        let mut script = vec![Step::Read, Step::Await(held.clone()), Step::Send(ok())];
        script.extend(Step::serve(ok()));
        script
    });
    let mut job = seconds(&peer, 0.5);
    job.load.connections = 1;
    job.load.shape = Shape::Open(Arrivals {
        process: record::Process::Constant,
        segments: Arrivals::steady(200.0),
        max_outstanding: Arrivals::MAX_OUTSTANDING,
        seed: 3,
    });
    let mut said = Vec::new();
    let facts = run_until(&job, &AtomicBool::new(false), &mut |event| {
        if let Event::Tick(tick) = &event {
            said.push((tick.remaining, tick.draining, tick.in_flight));
            if tick.draining.is_some() {
                gate.open();
            }
        }
    })
    .unwrap();
    assert_eq!((facts.completed, facts.drained), (0, 100));
    let open = said.iter().find(|(remaining, ..)| remaining.is_some());
    assert!(
        open.is_none_or(|(_, draining, _)| draining.is_none()),
        "{said:?}"
    );
    let (_, draining, waiting) = said
        .iter()
        .find(|(_, draining, _)| draining.is_some())
        .unwrap();
    assert!(draining.unwrap() <= 1.0 && *waiting > 0, "{said:?}");
}

#[test]
fn every_second_of_each_slot_is_accounted_for() {
    // Of four connections one fails again and again, one hangs and times out, and two answer.
    let peer = ScriptedPeer::tcp(|connection| match connection % 4 {
        0 => vec![Step::Read, Step::Reset],
        1 => vec![Step::Read, Step::Stall],
        _ => Step::serve(ok()),
    });
    let thinking = |think| Shape::Closed {
        think,
        spread: Spread::Exponential,
    };
    for (shape, amount) in [
        (Shape::default(), Amount::Seconds(1.0)),
        (Shape::default(), Amount::Requests(3_000)),
        (thinking(0.02), Amount::Seconds(1.0)),
        (thinking(0.02), Amount::Requests(200)),
    ] {
        let mut job = to(&peer);
        (job.load.connections, job.load.threads) = (8, 2);
        (job.load.shape, job.load.amount) = (shape, amount);
        job.load.timeout = 0.3;
        let facts = run(&job).unwrap();
        let time = facts.slot_time.unwrap();
        let kept = facts.response.mean().unwrap() * facts.response.count() as f64;
        let spent = kept - time.beyond + time.failed + time.thought + time.idle;
        let slots = spent / facts.seconds;
        assert!(
            (slots / 8.0 - 1.0).abs() < 0.02,
            "{slots} slots, {amount:?}: {time:?}"
        );
    }
}
