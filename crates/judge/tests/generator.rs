//! What the load generator took of the CPU time, and which trials are witnesses of it.

use crate::lab::{claim, facts, run, saturated, trials, variant_of};
use judge::{Holds, judge};
use record::{Cause, Metric, Trial};

const SHARE: &str = "generator-cpu of `a` within 0.28 .. 0.29";

fn busy() -> Vec<Trial> {
    let all = trials("a", &[400.0; 6]).into_iter();
    all.map(saturated).collect()
}

/// The verdict of a claim with this condition.
fn said(condition: &str, trials: &[Trial]) -> Holds {
    let mut run = run(&["a"]);
    run.plan.claims = vec![claim(&[condition])];
    judge(&run, trials).claims[0].holds
}

#[test]
fn the_share_is_of_what_both_took() {
    let judged = judge(&run(&["a"]), &trials("a", &[400.0; 6]));
    let share = variant_of(&judged, "a").figures[&Metric::GeneratorCpu].value;
    assert!((share - 0.2 / 0.7).abs() < 1e-9, "{share}");
    let mut unwatched = trials("a", &[400.0; 6]);
    for trial in &mut unwatched {
        facts(trial).processes.retain(|one| one.owner == "weir");
    }
    let judged = judge(&run(&["a"]), &unwatched);
    let figures = &variant_of(&judged, "a").figures;
    assert!(!figures.contains_key(&Metric::GeneratorCpu));
}

#[test]
fn a_busy_generator_is_a_witness_of_its_share_and_of_nothing_else() {
    assert_eq!(said(SHARE, &busy()), Holds::Holds);
    for other in [
        "throughput of `a` < 500",
        "goodput of `a` < 500",
        "cpu-per-request of `a` < 1",
        "errors of `a` <= 0",
        "peak-memory of `a` > 0",
        "mean of `a` > 0.001",
    ] {
        assert_eq!(said(other, &busy()), Holds::CannotTell, "{other}");
    }
}

#[test]
fn what_else_is_wrong_with_a_trial_spoils_the_share_too() {
    let mut failing = busy();
    for trial in &mut failing {
        let load = &mut facts(trial).load;
        load.completed = 500;
        load.failed.insert(Cause::Reset, 500);
    }
    assert_eq!(said(SHARE, &failing), Holds::CannotTell);
}
