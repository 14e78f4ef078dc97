//! Blocks of several groups, each of which has the baseline: variants are compared within their group, and by way of it.

use crate::lab::sweep::{families, loaded};
use crate::lab::{again, claim, facts, failed, run, trials, variant_of};
use judge::{Comparison, Holds, Judged, Verdict, judge};
use record::{Criterion, Metric, Ranking, Rival, Trial};

/// What the machine did to each group in each block.
const FIRST: [f64; 6] = [1.0, 0.7, 1.2, 0.9, 1.3, 0.8];
const SECOND: [f64; 6] = [0.5, 1.6, 0.8, 1.9, 0.6, 1.4];

/// A variant's trials in a group, which does so many requests per second where the machine does nothing to it.
fn of_group(group: u32, variant: &str, rate: f64) -> Vec<Trial> {
    let pace = if group == 0 { FIRST } else { SECOND };
    let mut all = trials(variant, &pace.map(|pace| rate * pace));
    for trial in &mut all {
        trial.group = group;
    }
    all
}

/// `b` and `d` are up with the first `a`, and `c` with the second.
fn two_groups() -> Vec<Trial> {
    [
        of_group(0, "a", 400.0),
        of_group(0, "b", 440.0),
        of_group(0, "d", 460.0),
        of_group(1, "a", 400.0),
        of_group(1, "c", 440.0),
    ]
    .concat()
}

/// The same figures, and nobody knows of groups: each block has the second `a` as the other half of an A/A pair.
fn across_time(all: &[Trial]) -> Vec<Trial> {
    let mut all = all.to_vec();
    for trial in &mut all {
        trial.again = trial.variant == "a" && trial.group > 0;
        trial.group = 0;
    }
    all
}

fn throughput(judged: &Judged, variant: &str) -> Comparison {
    let all = &variant_of(judged, variant).against_baseline;
    let found = all.iter().find(|of| of.metric == Metric::Throughput);
    found.expect("both variants ran").clone()
}

#[test]
fn a_variant_is_compared_with_the_baseline_of_its_group() {
    let (run, all) = (run(&["a", "b", "c", "d"]), two_groups());
    let judged = judge(&run, &all);
    for variant in ["b", "c"] {
        let of = throughput(&judged, variant);
        let (low, high) = of.interval.unwrap();
        assert!(low > 1.099 && high < 1.101, "{of:?}");
        assert_eq!((of.pairs, of.verdict), (6, Verdict::Better));
    }
    let blind = judge(&run, &across_time(&all));
    for variant in ["b", "c"] {
        let of = throughput(&blind, variant);
        assert_eq!(of.verdict, Verdict::CannotTell, "{of:?}");
    }
}

#[test]
fn variants_of_different_groups_are_compared_by_way_of_the_baseline() {
    let mut run = run(&["a", "b", "c", "d"]);
    run.plan.claims = vec![
        claim(&["throughput of `c` / throughput of `b` within 0.99 .. 1.01"]),
        claim(&["mean of `c` / mean of `d` > 1.02"]),
    ];
    let rival = |name: &&str| Rival {
        variants: (*name).to_owned(),
        reported: None,
    };
    run.plan.rankings = vec![Ranking {
        name: "stacks".to_owned(),
        title: "Four stacks".to_owned(),
        of: ["a", "c", "d"].iter().map(rival).collect(),
        by: vec![Criterion {
            metric: Metric::Throughput,
            levels: None,
        }],
    }];
    let all = two_groups();
    let judged = judge(&run, &all);
    let blind = judge(&run, &across_time(&all));
    let held = |judged: &Judged| -> Vec<Holds> {
        let claims = judged.claims.iter();
        claims.map(|claim| claim.holds).collect()
    };
    assert_eq!(held(&judged), [Holds::Holds; 2], "{:?}", judged.claims);
    assert_eq!(held(&blind), [Holds::CannotTell; 2], "{:?}", blind.claims);
    let ranks = |judged: &Judged| -> Vec<(String, Option<(u32, u32)>)> {
        let places = judged.rankings[0].orders[0].places.iter();
        places.map(|of| (of.rival.clone(), of.ranks)).collect()
    };
    let sure = |name: &str, rank| (name.to_owned(), Some((rank, rank)));
    assert_eq!(ranks(&judged), [sure("d", 1), sure("c", 2), sure("a", 3)]);
    assert_ne!(ranks(&blind), ranks(&judged));
}

/// Nothing is made of a figure by itself, and the baseline's is of all its instances.
#[test]
fn figures_stay_as_they_were_measured() {
    let (run, all) = (run(&["a", "b", "c", "d"]), two_groups());
    let (judged, blind) = (judge(&run, &all), judge(&run, &across_time(&all)));
    assert_eq!(variant_of(&judged, "a").counted, 12);
    for variant in ["a", "b", "c", "d"] {
        let figures = |judged: &Judged| variant_of(judged, variant).figures.clone();
        assert_eq!(figures(&judged), figures(&blind));
    }
}

#[test]
fn a_group_without_its_baseline_is_out_of_that_block_and_others_are_not() {
    let (run, mut all) = (run(&["a", "b", "c", "d"]), two_groups());
    let lost = |trial: &&mut Trial| trial.variant == "a" && (trial.block, trial.group) == (2, 1);
    let lost = all.iter_mut().find(lost).unwrap();
    *lost = Trial {
        group: 1,
        ..failed(2, "a")
    };
    let judged = judge(&run, &all);
    let pairs = |variant| throughput(&judged, variant).pairs;
    assert_eq!((pairs("b"), pairs("c")), (6, 5));
    // it is taken again, in its group
    let mut second = of_group(1, "a", 400.0).swap_remove(2);
    second.attempt = 1;
    all.push(second);
    let judged = judge(&run, &all);
    assert_eq!(throughput(&judged, "c").pairs, 6);
    let retaken = judged.trials.iter().filter(|of| of.taken_again);
    let retaken: Vec<(u32, u32)> = retaken.map(|of| (of.block, of.group)).collect();
    assert_eq!(retaken, [(2, 1)]);
}

#[test]
fn where_no_baseline_counts_variants_are_compared_as_they_are() {
    let (run, mut all) = (run(&["a", "b", "c", "d"]), two_groups());
    for trial in all.iter_mut().filter(|trial| trial.variant == "a") {
        facts(trial).stolen = 0.5;
    }
    let judged = judge(&run, &all);
    assert_eq!(judged.baseline, "b");
    assert_eq!(throughput(&judged, "d").verdict, Verdict::Better);
    let of = throughput(&judged, "c");
    assert_eq!((of.pairs, of.verdict), (6, Verdict::CannotTell));
}

#[test]
fn the_noise_floor_is_of_one_group() {
    let mut run = run(&["a", "b", "c", "d"]);
    run.plan.noise_floor = Some("a".to_owned());
    let second = again("a", &FIRST.map(|pace| 404.0 * pace));
    let judged = judge(&run, &[two_groups(), second].concat());
    let floor = judged.noise_floor.as_ref().unwrap();
    assert_eq!(floor.comparison.pairs, 6);
    assert!(floor.share.unwrap() < 0.02, "{floor:?}");
    // the first group's baseline is what its two come to
    let of = throughput(&judged, "b");
    assert!((of.ratio - 440.0 / (400.0_f64 * 404.0).sqrt()).abs() < 1e-6);
    assert!((throughput(&judged, "c").ratio - 1.1).abs() < 1e-6);
}

/// The last level is in the second group: at the pace of that it would be the best in half of the blocks.
#[test]
fn a_curve_turns_where_it_does_at_one_pace() {
    let levels = [1.0, 2.0, 5.0, 10.0, 20.0];
    let rates = [100.0, 200.0, 150.0, 140.0, 180.0];
    let run = families(&["x"], "connections", &levels);
    let of_level = |group: u32, at: usize| -> Vec<Trial> {
        let pace = if group == 0 { FIRST } else { SECOND };
        let name = format!("x@connections={}", levels[at]);
        let one = |(block, pace): (u32, f64)| Trial {
            group,
            ..loaded(block, &name, levels[at], rates[at] * pace)
        };
        (0..).zip(pace).map(one).collect()
    };
    let places = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 4)];
    let all = places.map(|(group, at)| of_level(group, at)).concat();
    let peak = |all: &[Trial]| {
        let judged = judge(&run, all);
        let peak = judged.curves[0].peak.unwrap();
        (peak.level, peak.interval)
    };
    assert_eq!(peak(&all), (2.0, Some((1.0, 5.0))));
    assert_eq!(peak(&across_time(&all)).1, Some((1.0, 20.0)));
}
