//! Doubts about the window.

use judge::DoubtKind::{NotStationary, ShortWindow};

use super::spoiled;
use crate::lab::{doubts, kinds, trial};

#[test]
fn a_short_window_is_told() {
    assert_eq!(kinds(&trial(0, "a", 9_999.0)), []);
    assert_eq!(kinds(&trial(0, "a", 20_000.0)), [(ShortWindow, false)]);
    assert_eq!(
        doubts(&trial(0, "a", 20_000.0))[0].because,
        "the window lasted 50.0 ms"
    );
}

#[test]
fn a_window_without_an_answer_disqualifies() {
    let empty = spoiled(|facts| {
        facts.load.completed = 0;
        facts.load.in_flight = facts.load.scheduled;
        facts.load.drained = facts.load.scheduled;
    });
    assert_eq!(kinds(&empty), [(ShortWindow, true)]);
    let because = &doubts(&empty)[0].because;
    assert!(
        because.ends_with("no request had a response in it"),
        "{because}"
    );
}

#[test]
fn a_load_that_was_never_stationary_is_told() {
    let warm_up = |stationary| spoiled(move |facts| facts.load.warm_up.stationary = stationary);
    assert_eq!(kinds(&warm_up(None)), []);
    assert_eq!(kinds(&warm_up(Some(true))), []);
    let never = warm_up(Some(false));
    assert_eq!(kinds(&never), [(NotStationary, false)]);
    let because = &doubts(&never)[0].because;
    assert!(because.ends_with("in a warm-up of 0.100 s"), "{because}");
}
