//! What a look says of questions that more blocks may not decide: why they are open, and how long it would take.

use jiff::{SignedDuration, Timestamp};

use crate::lab::{claim, run, trials};
use judge::{StillOpen, look};
use record::{Metric, Run, Trial};

/// Seconds from one block to the next.
const BLOCK: i64 = 30;

/// A run that may end after any block from the fourth to the twelfth.
fn looked(claims: &[&str]) -> Run {
    let mut run = run(&["a", "b"]);
    run.plan.at_least = Some(4);
    run.plan.blocks = 12;
    run.plan.claims = claims.iter().map(|expect| claim(&[expect])).collect();
    run
}

/// `a` is steady, and `b` a little faster but for its scatter. Both are up at the same time: they begin one second apart.
fn two(blocks: usize) -> Vec<Trial> {
    let off = [1.1550, 0.9870, 1.0815, 0.9450].into_iter().cycle();
    let rates: Vec<f64> = off.take(blocks).map(|off| 400.0 * off).collect();
    let mut all = [trials("a", &vec![400.0; blocks]), trials("b", &rates)].concat();
    all.sort_by_key(|trial| trial.block);
    for (trial, second) in all.iter_mut().zip([0, 1].into_iter().cycle()) {
        let since = i64::from(trial.block) * BLOCK + second;
        trial.started = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(since);
    }
    all
}

fn only(run: &Run, all: &[Trial]) -> StillOpen {
    let open = look(run, all).open;
    let [one] = open.as_slice() else {
        panic!("{open:?}")
    };
    one.clone()
}

#[test]
fn two_variants_are_told_with_the_time_that_more_blocks_take() {
    let open = only(&looked(&[]), &two(4));
    assert_eq!(open.what, "throughput of `a` and of `b`");
    assert!(
        !open.given_up && (13..=100).contains(&open.blocks),
        "{open:?}"
    );
    // each block has two trials, and takes half a minute
    let minutes = f64::from(open.blocks - 4) * BLOCK as f64 / 60.0;
    let wanted = format!(
        "about {} blocks are needed, and there are 4 (about {minutes:.0} min more)",
        open.blocks
    );
    assert!(open.because.ends_with(&wanted), "{open:?}");
}

#[test]
fn a_comparison_that_is_open_says_how_many_blocks_would_tell_by_its_scatter() {
    let wanted = |all: &[Trial]| {
        let judged = judge::judge(&run(&["a", "b"]), all);
        let mut of = judged.variants[1].against_baseline.iter();
        of.find(|of| of.metric == Metric::Throughput)
            .unwrap()
            .wanted
    };
    let blocks = wanted(&two(6)).expect("a few times as many as there are");
    assert!((12..=50).contains(&blocks), "{blocks}");
    let faster = [trials("a", &[400.0; 6]), trials("b", &[800.0; 6])].concat();
    assert_eq!(wanted(&faster), None, "it can be told");
    let pairs = [1.155, 0.987, 1.0815, 0.945, 1.155, 0.987].map(|of| (of, 1.0));
    let of = judge::side_by_side_figures(Metric::Throughput, ("a", "b"), &pairs).unwrap();
    assert_eq!(
        of.wanted,
        Some(blocks),
        "commands that take turns scatter alike"
    );
}

#[test]
fn a_condition_is_told_at_the_first_look_and_given_up_from_half_of_the_blocks_on() {
    let edge = "throughput of `b` / throughput of `a` >= 1.048";
    let run = looked(&[edge]);
    let early = only(&run, &two(4));
    assert_eq!(early.what, edge);
    assert!(!early.given_up && early.blocks > 24, "{early:?}");
    assert!(!look(&run, &two(4)).needed.is_empty());
    let late = only(&run, &two(8));
    assert!(late.given_up && !late.because.is_empty(), "{late:?}");
    assert!(look(&run, &two(8)).needed.is_empty());
}

#[test]
fn of_what_is_decided_nothing_is_told() {
    let run = looked(&["throughput of `b` / throughput of `a` >= 0.2"]);
    assert_eq!(look(&run, &two(4)).open, []);
}
