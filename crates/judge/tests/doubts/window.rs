//! Doubts about the window.

use judge::DoubtKind::{LastRequests, NotStationary, ShortWindow};
use record::Tail;

use super::spoiled;
use crate::lab::{doubts, facts, kinds, trial};

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

/// 1,000 requests in 2 s.
#[test]
fn last_requests_that_took_much_of_the_window_are_told() {
    let late = |requests, seconds| {
        let mut trial = trial(0, "a", 500.0);
        facts(&mut trial).load.tail = Some(Tail { requests, seconds });
        trial
    };
    assert_eq!(kinds(&late(3, 0.3)), []);
    assert_eq!(kinds(&late(500, 1.0)), [], "as quick as the others");
    let told = late(3, 1.0);
    assert_eq!(kinds(&told), [(LastRequests, false)]);
    assert_eq!(
        doubts(&told)[0].because,
        "the last 3 of 1,000 requests took 1.00 s of 2.00 s, and other connections had nothing left to send: 997 requests/s \
         before that, 500 in all"
    );
    let mut short = trial(0, "a", 9_999.0);
    facts(&mut short).load.tail = Some(Tail {
        requests: 1,
        seconds: 0.09,
    });
    assert_eq!(kinds(&short), []);
}
