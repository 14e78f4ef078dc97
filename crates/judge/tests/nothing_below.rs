//! Ratios with nothing to divide by.

use crate::lab::{self, REQUESTS, claim, facts, trial};
use judge::Holds;
use record::Trial;

/// `a` answers, and of `b` nothing comes in time, but for the blocks of which `b` answers too.
fn trials(blocks: u32, answered: &[u32]) -> Vec<Trial> {
    let both = (0..blocks).flat_map(|block| {
        let mut silent = trial(block, "b", 100.0);
        if !answered.contains(&block) {
            let load = &mut facts(&mut silent).load;
            (load.completed, load.timed_out) = (0, REQUESTS);
            load.statuses.clear();
        }
        [trial(block, "a", 100.0), silent]
    });
    both.collect()
}

fn holds(expect: &str, trials: &[Trial]) -> Holds {
    let mut run = lab::run(&["a", "b"]);
    run.plan.claims = vec![claim(&[expect])];
    judge::judge(&run, trials).claims[0].holds
}

#[test]
fn what_is_above_nothing_is_above_any_number() {
    let (over, under) = (
        "goodput of `a` / goodput of `b` >= 3",
        "goodput of `b` / goodput of `a` >= 3",
    );
    assert_eq!(holds(over, &trials(4, &[])), Holds::Holds);
    assert_eq!(
        holds("goodput of `a` / goodput of `b` < 3", &trials(4, &[])),
        Holds::DoesNotHold
    );
    assert_eq!(holds(over, &trials(2, &[])), Holds::CannotTell, "too few");
    assert_eq!(holds(over, &trials(3, &[])), Holds::Holds);
    assert_eq!(
        holds(over, &trials(4, &[2])),
        Holds::CannotTell,
        "not in each"
    );
    assert_eq!(holds(under, &trials(4, &[])), Holds::CannotTell, "zero");
}
