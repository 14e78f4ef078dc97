//! Claims beside the noise floor: how far from its edge a ratio has to be.

use crate::lab::{again, claim, run, saturated, trials};
use judge::{ClaimVerdict, Holds, judge};
use record::Trial;

/// `a` against itself lies 15 % apart in each block, and comes to 429 req/s; `b` does 480, and so do `c` and `d`.
fn shifted() -> Vec<Trial> {
    [
        trials("a", &[400.0; 6]),
        again("a", &[460.0; 6]),
        trials("b", &[480.0; 6]),
        trials("c", &[480.0; 6]),
        trials("d", &[480.0; 6]),
    ]
    .concat()
}

fn decide(expect: &str, all: &[Trial], noise_floor: Option<&str>) -> ClaimVerdict {
    let mut run = run(&["a", "b", "c", "d"]);
    run.plan.noise_floor = noise_floor.map(str::to_owned);
    run.plan.claims = vec![claim(&[expect])];
    judge(&run, all).claims.remove(0)
}

fn holds(expect: &str) -> Holds {
    decide(expect, &shifted(), Some("a")).holds
}

#[test]
fn a_ratio_nearer_to_its_edge_than_equal_trials_are_cannot_be_told() {
    let ratio = "throughput of `b` / throughput of `a`";
    for (bound, expected) in [
        (">= 0.95", Holds::Holds),
        (">= 1.05", Holds::CannotTell),
        ("< 1.05", Holds::CannotTell),
        (">= 1.2", Holds::CannotTell),
        (">= 1.4", Holds::DoesNotHold),
        ("within 0.9 .. 1.4", Holds::Holds),
        ("within 0.9 .. 1.2", Holds::CannotTell),
        ("within 0.5 .. 0.9", Holds::DoesNotHold),
    ] {
        assert_eq!(holds(&format!("{ratio} {bound}")), expected, "{bound}");
    }
    let near = format!("{ratio} >= 1.05");
    assert_eq!(decide(&near, &shifted(), None).holds, Holds::Holds);
    let because = decide(&near, &shifted(), Some("a")).reason.unwrap();
    let expected = "equal trials of `a` are 15.0 % apart and more, and the edge is nearer than that: more blocks tell only \
                    if they come together";
    assert_eq!(because, expected);
}

/// What chance does to equal trials it does to others too, and is in the interval.
#[test]
fn equal_trials_that_chance_put_apart_say_nothing() {
    let all = [
        trials("a", &[400.0; 6]),
        again("a", &[300.0, 560.0, 330.0, 590.0, 310.0, 540.0]),
        trials("b", &[480.0; 6]),
        trials("c", &[480.0; 6]),
    ]
    .concat();
    let ratio = "throughput of `b` / throughput of `c` >= 0.9";
    assert_eq!(decide(ratio, &all, Some("a")).holds, Holds::Holds);
}

#[test]
fn what_is_measured_is_shown_as_it_is() {
    let ratio = "throughput of `b` / throughput of `a` >= 1.05";
    let beside = decide(ratio, &shifted(), Some("a"));
    let alone = decide(ratio, &shifted(), None);
    assert_eq!(beside.conditions[0].interval, alone.conditions[0].interval);
    assert_eq!(beside.conditions[0].value, alone.conditions[0].value);
}

#[test]
fn a_ratio_of_ratios_may_be_off_by_two_such_differences() {
    let against = "throughput of `b` / throughput of `a` / (throughput of `d` / throughput of `c`)";
    assert_eq!(holds(&format!("{against} >= 0.95")), Holds::CannotTell);
    assert_eq!(holds(&format!("{against} >= 0.9")), Holds::Holds);
}

#[test]
fn a_figure_by_itself_has_no_noise_floor_and_a_metric_has_its_own() {
    assert_eq!(holds("throughput of `b` >= 479"), Holds::Holds);
    let memory = "peak-memory of `b` / peak-memory of `a` within 0.999 .. 1.001";
    assert_eq!(holds(memory), Holds::Holds);
}

#[test]
fn what_is_known_from_one_end_lies_as_far_from_its_edge() {
    let outran = |trial: Trial| {
        if trial.variant == "b" {
            saturated(trial)
        } else {
            trial
        }
    };
    let all: Vec<Trial> = shifted().into_iter().map(outran).collect();
    let ratio = "throughput of `b` / throughput of `a`";
    let of = |bound: &str| decide(&format!("{ratio} {bound}"), &all, Some("a")).holds;
    assert_eq!(of(">= 0.95"), Holds::Holds);
    assert_eq!(of(">= 1.05"), Holds::CannotTell);
}

/// Equal trials are as far apart as they are, whichever variant another one's trials stand for.
#[test]
fn an_exchange_leaves_the_noise_floor_as_it_is() {
    let mut run = run(&["a", "b"]);
    run.plan.noise_floor = Some("a".to_owned());
    run.plan.claims = vec![claim(&["throughput of `b` / throughput of `a` >= 0.95"])];
    let all: Vec<Trial> = shifted()
        .into_iter()
        .filter(|trial| ["a", "b"].contains(&trial.variant.as_str()))
        .collect();
    let found = judge::exchanges(&run, &all);
    // the other way round it is 0.894, which is 6 % from the edge
    let two = ["b", "a"].map(str::to_owned);
    assert_eq!(found[0].of, Some((two, Holds::CannotTell)));
}
