//! How even the machine's own speed was.

use crate::lab::{facts, run, trial};
use judge::{Pace, judge};
use record::Trial;

fn pace(before: &[Option<f64>]) -> Option<Pace> {
    let trials: Vec<Trial> = (0..)
        .zip(before)
        .map(|(block, pace)| {
            let mut trial = trial(block, "a", 100.0);
            facts(&mut trial).observed.pace = *pace;
            trial
        })
        .collect();
    judge(&run(&["a"]), &trials).pace
}

#[test]
fn the_slowest_is_a_share_of_the_fastest() {
    let seen = pace(&[Some(90.0), None, Some(50.0), Some(100.0), Some(80.0)]);
    let wanted = Pace {
        lowest: 0.5,
        trials: 4,
    };
    assert_eq!(seen, Some(wanted));
}

#[test]
fn of_few_trials_and_of_what_was_stored_before_nothing_is_said() {
    assert_eq!(pace(&[Some(90.0), Some(50.0), Some(100.0)]), None);
    assert_eq!(pace(&[None; 6]), None);
}
