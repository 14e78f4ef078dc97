//! The best of a run, and of which others that is sure: one verdict for one pair.

use crate::lab::{run, trial, trials};
use judge::{Judged, Side, Verdict, judge};
use record::{Arrivals, Load, Metric, Process, Shape, Variant};

/// A machine that slows down to a third, so that all figures have wide intervals.
const DRIFT: [f64; 6] = [900.0, 700.0, 600.0, 500.0, 400.0, 300.0];

fn times(factor: f64) -> Vec<f64> {
    DRIFT.iter().map(|rate| rate * factor).collect()
}

fn verdicts(judged: &Judged) -> Vec<(&str, Verdict)> {
    let comparisons = judged.lead.comparisons.iter();
    comparisons
        .map(|of| (of.over.as_str(), of.verdict))
        .collect()
}

#[test]
fn the_headline_the_table_and_compare_say_the_same_of_a_pair() {
    let run = run(&["slow", "fast", "near"]);
    let near = [2.6, 2.6, 2.5, 2.4, 2.6, 2.6];
    let near: Vec<f64> = DRIFT
        .iter()
        .zip(near)
        .map(|(rate, factor)| rate * factor)
        .collect();
    let all = [
        trials("slow", &DRIFT),
        trials("fast", &times(2.54)),
        trials("near", &near),
    ]
    .concat();
    let judged = judge(&run, &all);
    // their own intervals overlap: 300 to 900 against 762 to 2,286
    let figure = |variant: usize| {
        judged.variants[variant].figures[&Metric::Throughput]
            .interval
            .unwrap()
    };
    assert!(figure(0).1 > figure(1).0);
    assert_eq!(judged.lead.rivals[0], "fast");
    let told = verdicts(&judged);
    assert!(told.contains(&("slow", Verdict::Better)), "{told:?}");
    assert!(told.contains(&("near", Verdict::CannotTell)), "{told:?}");
    for of in &judged.lead.comparisons {
        let side = |variant: &'static str| -> Side { (&run, &all, Some(variant)) };
        let over = if of.over == "slow" {
            side("slow")
        } else {
            side("near")
        };
        let compared = judge::compare(side("fast"), over).unwrap();
        let same = compared
            .iter()
            .find(|other| other.metric == Metric::Throughput);
        assert_eq!(same, Some(of));
    }
    let table = &judged.variants[1].against_baseline[0];
    assert_eq!(table.verdict, Verdict::Better);
    let slow = judged.lead.comparisons.iter().find(|of| of.over == "slow");
    assert_eq!(slow, Some(table));
}

/// The best median may belong to a variant that another one beats in each block that both have.
#[test]
fn a_variant_that_another_surely_beats_does_not_lead() {
    let run = run(&["a", "b"]);
    let fast = [300.0; 7];
    let mut all = trials("a", &[&fast[..], &[100.0; 6]].concat());
    all.extend((7..13).map(|block| trial(block, "b", 110.0)));
    let judged = judge(&run, &all);
    let figure = |variant: usize| judged.variants[variant].figures[&Metric::Throughput].value;
    assert!(figure(0) > figure(1));
    assert_eq!(
        judged.variants[1].against_baseline[0].verdict,
        Verdict::Better
    );
    assert_eq!(judged.lead.rivals, ["b", "a"]);
    assert_eq!(verdicts(&judged), [("a", Verdict::Better)]);
}

/// At a given rate all that keep up answer as much; what differs is how soon.
#[test]
fn variants_that_do_other_work_do_not_compete() {
    let mut run = run(&["a", "b", "c"]);
    let at = |rate| Load {
        shape: Shape::Open(Arrivals {
            process: Process::Poisson,
            segments: Arrivals::steady(rate),
            max_outstanding: Arrivals::MAX_OUTSTANDING,
            seed: 1,
        }),
        ..run.plan.load.clone()
    };
    let (hundred, thousand) = (at(100.0), at(1_000.0));
    let set = |variant: &mut Variant, load: &Load| variant.load = Some(load.clone());
    set(&mut run.plan.variants[0], &hundred);
    set(&mut run.plan.variants[1], &hundred);
    set(&mut run.plan.variants[2], &thousand);
    let all = [
        trials("a", &[100.0; 6]),
        trials("b", &[120.0; 6]),
        trials("c", &[900.0; 6]),
    ]
    .concat();
    let lead = judge(&run, &all).lead;
    assert_eq!((lead.metric, lead.entered), (Metric::Mean, 2));
    assert_eq!(lead.rivals, ["b", "a"], "the shortest first");
    run.plan.variants[1].route = "/other".into();
    let lead = judge(&run, &all).lead;
    assert_eq!((lead.entered, lead.rivals), (1, vec!["a".to_owned()]));
}
