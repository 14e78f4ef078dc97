//! Scatter from start to start, and within a start.

use crate::lab::{facts, run, trial};
use judge::{Scatter, judge};
use record::{Interval, Trial};

/// Trials of three variants: each start is faster or slower by `between`, each tenth of a window by `within`, and a whole
/// block by a tenth, in turn.
fn trials(blocks: u32, between: f64, within: f64) -> Vec<Trial> {
    of_group(0, ["a", "b", "c"], blocks, (between, within))
}

/// The same in a group of each block, of which the second runs at half the pace in every third block.
fn of_group(
    group: u32,
    names: [&str; 3],
    blocks: u32,
    (between, within): (f64, f64),
) -> Vec<Trial> {
    let turn = |number: u32| if number.is_multiple_of(2) { 1.0 } else { -1.0 };
    let mut all = Vec::new();
    for block in 0..blocks {
        let slowed = group > 0 && block.is_multiple_of(3);
        let usual = if slowed { 500.0 } else { 1_000.0 };
        for (at, name) in (0..).zip(names) {
            // starts of a variant and those of a block sum up to nothing
            let start = [1.0, -1.0, 0.0, 1.0, -1.0, 0.0][((at + block) % 3) as usize];
            let pace = usual * f64::from(at + 1) * (between * start + 0.1 * turn(block)).exp();
            let mut trial = trial(block, name, pace);
            trial.group = group;
            let load = &mut facts(&mut trial).load;
            let slice = load.seconds / 100.0;
            let rate = |number: u32| pace * (1.0 + within * turn(number / 10));
            let intervals = (0..100).map(|number| Interval {
                until: slice * f64::from(number + 1),
                completed: (1e6 * slice * rate(number)) as u64,
            });
            load.intervals = intervals.collect();
            all.push(trial);
        }
    }
    all
}

fn scatter(blocks: u32, between: f64, within: f64) -> Option<Scatter> {
    judge(&run(&["a", "b", "c"]), &trials(blocks, between, within)).scatter
}

#[test]
fn a_blocks_own_pace_is_no_scatter_and_the_two_are_told_apart() {
    let starts = scatter(6, 0.05, 0.0).unwrap();
    // 12 of 18 trials are off by 5 %, with 10 degrees of freedom
    let wanted = (12.0 * 0.05_f64.powi(2) / 10.0).sqrt();
    assert!((starts.between - wanted).abs() < 1e-3, "{starts:?}");
    assert!(starts.within < 1e-3, "{starts:?}");
    let tenths = scatter(6, 0.0, 0.1).unwrap();
    // ten values that are off by a tenth, and of them the mean
    let wanted = 0.1 * (10.0_f64 / 9.0 / 10.0).sqrt();
    assert!((tenths.within - wanted).abs() < 1e-3, "{tenths:?}");
    assert!(
        tenths.between < 1e-3,
        "a window's own scatter explains it: {tenths:?}"
    );
}

/// The baseline is in both groups of a block.
#[test]
fn what_the_machine_did_to_a_group_is_no_scatter() {
    let run = run(&["a", "b", "c", "d", "e"]);
    let scatter = |between: f64| {
        let of = |group, names| of_group(group, names, 6, (between, 0.0));
        let all = [of(0, ["a", "b", "c"]), of(1, ["a", "d", "e"])].concat();
        judge(&run, &all).scatter.unwrap()
    };
    let none = scatter(0.0);
    assert!(none.between < 1e-3, "{none:?}");
    let starts = scatter(0.05);
    // 24 of 36 trials are off by 5 %, of five variants in twelve places
    let wanted = (24.0 * 0.05_f64.powi(2) / 20.0).sqrt();
    assert!((starts.between - wanted).abs() < 1e-3, "{starts:?}");
}

#[test]
fn a_rate_that_is_looked_for_scatters_with_the_search() {
    let mut run = run(&["a", "b", "c"]);
    run.plan.load.goal = Some("p99 < 1s".to_owned());
    assert_eq!(judge(&run, &trials(6, 0.05, 0.0)).scatter, None);
}

#[test]
fn it_needs_four_blocks() {
    assert!(scatter(4, 0.05, 0.1).is_some());
    assert_eq!(scatter(3, 0.05, 0.1), None);
}
