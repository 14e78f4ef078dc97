//! Doubts about weir itself, which stood still.

use judge::DoubtKind::{Errors, Paused, RateNotHeld};
use record::{Measured, PauseFacts, Trial};

use super::schedule::open_loop;
use crate::lab::{doubts, facts, kinds, trial};

fn stood_still(facts: &mut Measured, longest: f64, total: f64) {
    facts.load.paused = Some(PauseFacts {
        longest,
        total,
        ..PauseFacts::default()
    });
}

/// A window of 10 s.
fn paused(longest: f64, total: f64) -> Trial {
    let mut trial = trial(0, "a", 100.0);
    stood_still(facts(&mut trial), longest, total);
    trial
}

#[test]
fn a_scheduler_is_late_a_stop_is_told_and_a_long_one_disqualifies() {
    assert_eq!(kinds(&paused(0.0, 0.0)), []);
    // a busy machine: no single turn is long, however many there are
    assert_eq!(kinds(&paused(0.199, 3.0)), []);
    assert_eq!(kinds(&paused(0.2, 0.2)), [(Paused, false)]);
    assert_eq!(kinds(&paused(0.4, 0.49)), [(Paused, false)]);
    assert_eq!(kinds(&paused(0.4, 0.5)), [(Paused, true)]);
    assert_eq!(
        doubts(&paused(4.0, 4.1))[0].because,
        "weir itself was paused for 4.10 s (41.0 % of the window), 4.00 s at a stretch"
    );
}

#[test]
fn a_suspended_machine_is_named() {
    let mut asleep = paused(60.0, 60.0);
    facts(&mut asleep).load.paused.as_mut().unwrap().suspended = 60.0;
    let because = &doubts(&asleep)[0].because;
    assert!(
        because.ends_with("; the machine was suspended for 60.0 s of it"),
        "{because}"
    );
}

#[test]
fn what_fell_due_in_a_pause_is_not_the_servers_fault() {
    // 400 requests/s for 2.5 s
    let slow = |missing: u64, paused: f64| {
        open_loop(move |facts| {
            facts.load.completed -= missing;
            facts.load.in_flight = missing;
            facts.load.waited.record(800_000_000);
            stood_still(facts, paused, paused);
        })
    };
    assert_eq!(kinds(&slow(300, 0.0)), [(RateNotHeld, false)]);
    assert_eq!(kinds(&slow(300, 1.0)), [(Paused, true)]);
    // a short one does not explain what a slow server leaves
    assert_eq!(
        kinds(&slow(300, 0.25)),
        [(Paused, true), (RateNotHeld, false)]
    );
}

#[test]
fn what_timed_out_in_a_pause_sends_nobody_to_the_servers_log() {
    let mut late = paused(4.0, 4.0);
    let load = &mut facts(&mut late).load;
    (load.completed, load.timed_out) = (load.completed - 20, 20);
    assert_eq!(kinds(&late), [(Paused, true), (Errors, true)]);
    let advice = &doubts(&late)[1].advice;
    assert!(advice.starts_with("weir itself was paused"), "{advice}");
}
