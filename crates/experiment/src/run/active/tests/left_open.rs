//! What a look tells of questions that the blocks of a run will most likely leave open.

use record::{Distribution, LoadFacts, Plan};

use super::scripted::{Came, of_plan, sound};
use crate::error::ExperimentError;

/// `b` may be a little faster than `a`, and scatters; the others are far slower.
fn scattered(variant: &str, block: u32, attempt: u32) -> Result<LoadFacts, ExperimentError> {
    let seconds = match variant {
        "a" => 10.0,
        "b" => [8.66, 10.13, 9.25, 10.58][block as usize % 4],
        _ => 30.0,
    };
    let mut load = sound(variant, block, attempt)?;
    load.seconds = seconds;
    load.response = Distribution::default();
    (0..5_000).for_each(|_| load.response.record((seconds * 200_000.0) as u64));
    Ok(load)
}

fn of(blocks: u32, budget: Option<f64>) -> Came {
    let plan = Plan {
        at_least: Some(4),
        ..crate::run::order::tests::plan(1, None, blocks)
    };
    of_plan(&plan, budget, scattered, (&[], &[]))
}

#[test]
fn what_takes_far_more_blocks_than_there_are_is_told_at_the_first_look() {
    let came = of(12, None);
    let first = &came.looked[0];
    assert_eq!((first.blocks, first.of), (4, 12));
    let [open] = first.open.as_slice() else {
        panic!("{first:?}")
    };
    assert_eq!(open.what, "throughput of `a` and of `b`");
    assert!(!open.given_up && open.blocks > 24, "{open:?}");
    // so many are none too many of these
    assert!(of(30, None).looked[0].open.is_empty());
}

#[test]
fn blocks_for_which_there_is_no_time_are_none() {
    // two of six trials of `a` and `b` alone
    let came = of(12, Some(21.0));
    assert_eq!((came.looked[0].blocks, came.looked[0].of), (4, 6));
    assert_eq!(came.looked[0].open.len(), 1);
}
