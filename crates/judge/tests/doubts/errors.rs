//! Doubts about requests that failed, and about the time that they took.

use judge::DoubtKind::{Errors, TimeInFailures};
use record::{Cause, Distribution, Shape, SlotTime, Trial};

use super::{failing, spoiled};
use crate::lab::{doubts, facts, kinds};

#[test]
fn errors_are_told_and_above_one_percent_disqualify() {
    assert_eq!(kinds(&failing(Cause::Refused, 10)), [(Errors, false)]);
    let mut worse = failing(Cause::Refused, 4);
    facts(&mut worse).load.timed_out = 7;
    facts(&mut worse).load.completed -= 7;
    assert_eq!(kinds(&worse), [(Errors, true)]);
    let because = &doubts(&worse)[0].because;
    assert_eq!(
        because,
        "11 of 1,000 requests (1.10 %): 7 × timed out, 4 × connection refused"
    );
}

/// A closed loop's window of 2.5 s on 10 connections, in which so many of the 1,000 requests timed out after 2 s, and
/// the connections spent the rest on the others.
fn timing_out(count: u64) -> Trial {
    spoiled(|facts| {
        let load = &mut facts.load;
        (load.completed, load.timed_out) = (load.completed - count, count);
        let each = (25.0 - 2.0 * count as f64) / load.completed as f64;
        load.response = Distribution::default();
        (0..load.completed).for_each(|_| load.response.record((each * 1e9) as u64));
        (0..count).for_each(|_| load.response.record(2_000_000_000));
    })
}

#[test]
fn few_timeouts_that_take_the_connections_from_the_others_are_told() {
    let none = [].as_slice();
    assert_eq!(kinds(&timing_out(0)), none);
    let (one, four) = (timing_out(1), timing_out(4));
    assert_eq!(kinds(&one), [(Errors, false), (TimeInFailures, false)]);
    assert_eq!(kinds(&four), [(TimeInFailures, true), (Errors, false)]);
    assert_eq!(
        doubts(&four)[0].because,
        "4 requests that failed or had no response took 32.0 % of the connections' time"
    );
}

#[test]
fn failures_whose_times_were_not_kept_take_the_connections_time_too() {
    let mut reset = failing(Cause::ResetInAnswer, 5);
    let load = &mut facts(&mut reset).load;
    load.slot_time = Some(SlotTime {
        failed: 6.0,
        ..SlotTime::default()
    });
    load.response = Distribution::default();
    (0..load.completed).for_each(|_| load.response.record((19e9 / 995.0) as u64));
    let told = [(TimeInFailures, true), (Errors, false)];
    assert_eq!(kinds(&reset), told);
    facts(&mut reset).load.shape = Shape::Recorded {
        requests: 1_000,
        seconds: 2.5,
    };
    assert!(!kinds(&reset).contains(&told[0]), "no turns are taken");
}

#[test]
fn our_own_exhaustion_has_its_own_advice() {
    let (theirs, ours) = (failing(Cause::Refused, 20), failing(Cause::Exhausted, 20));
    assert!(doubts(&ours)[0].advice.contains("this machine"));
    assert!(!doubts(&theirs)[0].advice.contains("this machine"));
}

#[test]
fn what_a_script_fails_with_is_not_looked_for_in_the_stack() {
    let advice = |cause| {
        let told = doubts(&failing(cause, 20));
        let errors = told.iter().find(|doubt| doubt.kind == Errors);
        errors.unwrap().advice.clone()
    };
    let script = advice(Cause::Unasked);
    assert!(
        script.contains("could not make the requests") && !script.contains("log"),
        "{script}"
    );
    assert!(advice(Cause::Refused).contains("the stack's log"));
}
