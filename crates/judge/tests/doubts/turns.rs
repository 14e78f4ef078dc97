//! The doubt about turns of the engine's loop that responses waited for.

use judge::DoubtKind::LongTurns;
use record::Trial;

use crate::lab::{doubts, facts, kinds, trial};

/// A load at this rate, whose turns took so many nanoseconds each.
fn turned(rate: f64, turns: u64, took: u64) -> Trial {
    let mut trial = trial(0, "a", rate);
    let timed = &mut facts(&mut trial).load.turns;
    (0..turns).for_each(|_| timed.record(took));
    trial
}

#[test]
fn turns_of_more_than_a_tenth_of_the_response_time_are_told() {
    // 10 connections at 400/s: each response takes 25 ms
    assert_eq!(kinds(&turned(400.0, 10_000, 2_400_000)), []);
    let few = turned(400.0, 199, 2_600_000);
    assert_eq!(kinds(&few), [], "too few for any quantile");
    let long = turned(400.0, 10_000, 2_600_000);
    assert_eq!(kinds(&long), [(LongTurns, false)]);
    let because = &doubts(&long)[0].because;
    let words = "turns of the engine's loop took 2.60 ms (p50, more than 2.50 ms)";
    assert!(because.starts_with(words), "{because}");
}

#[test]
fn turns_as_long_as_a_wake_up_may_take_are_no_doubt() {
    // each response takes 250 µs, and a tenth of that is less than 50 µs
    let told = |took| kinds(&turned(40_000.0, 10_000, took)).contains(&(LongTurns, false));
    assert!(!told(49_000));
    assert!(told(51_000));
}

#[test]
fn one_long_turn_in_a_thousand_is_no_doubt() {
    let mut trial = turned(400.0, 10_000, 10_000);
    let timed = &mut facts(&mut trial).load.turns;
    (0..10).for_each(|_| timed.record(200_000_000));
    assert_eq!(kinds(&trial), []);
}
