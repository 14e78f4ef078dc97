//! Every doubt is raised by its fact, on its own side of its edge, and by nothing else.

mod answers;
mod connections;
mod errors;
mod littles_law;
mod machine;
mod paused;
mod schedule;
mod stalled;
mod turns;
mod window;

use crate::lab::{REQUESTS, doubts, facts, kinds, trial};
use record::{Cause, Measured, SliceFacts, Trial};

fn spoiled(spoil: impl Fn(&mut Measured)) -> Trial {
    let mut trial = trial(0, "a", 400.0);
    spoil(facts(&mut trial));
    trial
}

/// The same in a window in slices, half of whose requests led in to these.
fn in_slices(mut trial: Trial) -> Trial {
    facts(&mut trial).load.slices = Some(SliceFacts {
        led: REQUESTS,
        ..SliceFacts::default()
    });
    trial
}

/// Turns completed requests into failed ones, so that everything still adds up.
fn failing(cause: Cause, count: u64) -> Trial {
    spoiled(|facts| {
        facts.load.completed -= count;
        facts.load.failed.insert(cause, count);
    })
}

#[test]
fn sound_facts_raise_none() {
    assert_eq!(kinds(&trial(0, "a", 400.0)), []);
}

#[test]
fn a_load_by_itself_is_doubted_by_the_same_rules() {
    let of = |mut trial: Trial| judge::doubts(&facts(&mut trial).load);
    assert_eq!(of(trial(0, "a", 400.0)), []);
    let refused = failing(Cause::Refused, 20);
    assert_eq!(of(refused.clone()), doubts(&refused));
    let mut busy = trial(0, "a", 20_000.0);
    facts(&mut busy).load.engine.busiest = 0.95;
    assert_eq!(of(busy.clone()), doubts(&busy));
}

#[test]
fn the_worst_comes_first_and_each_says_what_to_do() {
    let mut trial = failing(Cause::Status, 20);
    facts(&mut trial).load.engine.busiest = 0.8;
    facts(&mut trial).stolen = 0.3;
    let all = doubts(&trial);
    assert_eq!(all.len(), 3);
    assert!(all.is_sorted_by_key(|doubt| !doubt.disqualifies));
    for doubt in all {
        assert!(
            doubt.because.chars().any(|c| c.is_ascii_digit()),
            "{doubt:?}"
        );
        assert!(
            !doubt.advice.is_empty() && !doubt.advice.contains('\n'),
            "{doubt:?}"
        );
    }
}
