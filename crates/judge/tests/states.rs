//! Two states of a variant, block by block.

use crate::lab::{again, run, saturated, trials};
use judge::{TwoStates, judge};
use record::Trial;

const TWO: [f64; 8] = [
    660.0, 1_400.0, 1_380.0, 650.0, 1_410.0, 670.0, 1_390.0, 660.0,
];
const ONE: [f64; 8] = [1_400.0; 8];

fn states(trials: &[Trial]) -> Option<TwoStates> {
    judge(&run(&["a"]), trials).variants[0].states
}

/// Whether a median is this one, but for what a window's nanoseconds round.
fn near(median: f64, wanted: f64) -> bool {
    (median / wanted - 1.0).abs() < 1e-6
}

#[test]
fn blocks_of_two_sizes_are_two_states() {
    let of = states(&trials("a", &TWO)).unwrap();
    assert_eq!((of.slow_blocks, of.blocks), (4, 8));
    assert!(near(of.slow, 660.0) && near(of.fast, 1_395.0), "{of:?}");
    assert_eq!(states(&trials("a", &ONE)), None);
}

#[test]
fn a_trial_that_is_left_out_is_of_no_state() {
    let mut trials = trials("a", &TWO);
    for block in [0, 3] {
        trials[block] = saturated(trials[block].clone());
    }
    assert_eq!(states(&trials), None, "two slow ones are left");
}

#[test]
fn one_half_of_an_a_a_pair_tells() {
    let both = |first: &[f64], second: &[f64]| {
        let all = [trials("a", first), again("a", second)].concat();
        states(&all).map(|of| (of.slow_blocks, of.blocks))
    };
    assert_eq!(both(&TWO, &ONE), Some((4, 8)));
    assert_eq!(both(&ONE, &ONE), None);
}

#[test]
fn a_rate_that_is_looked_for_is_of_no_state() {
    let mut run = run(&["a"]);
    run.plan.load.goal = Some("p99 < 1s".to_owned());
    let judged = judge(&run, &trials("a", &TWO));
    assert_eq!(judged.variants[0].states, None);
}
