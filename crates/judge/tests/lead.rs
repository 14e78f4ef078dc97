//! The best of a run, and of which others that is sure: one verdict for one pair.

use crate::lab::{run, trial, trials};
use judge::{Beaten, Judged, Side, Verdict, judge};
use record::{Arrivals, Load, Metric, Process, Shape, Trial, Variant};

/// A machine that slows down to a third, so that all figures have wide intervals.
const DRIFT: [f64; 6] = [900.0, 750.0, 600.0, 500.0, 400.0, 300.0];

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
    // their own intervals overlap: 329 to 849 against 836 to 2,156
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

/// `a` is the fastest by its median and scatters, `b` is surely slower than `c`, and `a` cannot be told apart from either.
fn scattered() -> Vec<Trial> {
    [
        trials("a", &[340.0, 130.0, 340.0, 130.0, 340.0, 130.0]),
        trials("b", &[150.0; 6]),
        trials("c", &[200.0; 6]),
    ]
    .concat()
}

#[test]
fn what_another_surely_beats_does_not_lead_beside_the_first() {
    let judged = judge(&run(&["c", "a", "b"]), &scattered());
    let lead = &judged.lead;
    assert_eq!(lead.rivals, ["a", "c", "b"]);
    let (c, b) = (("c", Verdict::CannotTell), ("b", Verdict::CannotTell));
    assert_eq!(verdicts(&judged), [c, b]);
    assert_eq!(lead.leaders, ["a", "c"]);
    let by = |of: &Beaten| (of.rival.clone(), of.by.clone());
    let beaten: Vec<_> = lead.beaten.iter().map(by).collect();
    assert_eq!(beaten, [("b".to_owned(), "c".to_owned())]);
    // so does the table, and what is to be deployed
    let table = &judged.variants[2].against_baseline[0];
    assert_eq!(table.verdict, Verdict::Worse);
    let decision = judged.decision.unwrap();
    assert_eq!((decision.variant, decision.over), ("c".to_owned(), None));
    assert_eq!(decision.as_good, ["a"]);
}

#[test]
fn the_baseline_does_not_stay_where_another_than_the_first_surely_beats_it() {
    let decision = judge(&run(&["b", "a", "c"]), &scattered()).decision;
    let decision = decision.unwrap();
    assert_eq!(
        (decision.variant.as_str(), decision.over.as_deref()),
        ("c", Some("b"))
    );
    assert_eq!(decision.simpler_than.as_deref(), Some("a"));
    assert_eq!(decision.brings[0].metric, Metric::Throughput);
    assert_eq!(decision.as_good, ["a"]);
}

/// Each two of them have other blocks in common, and in these each is beaten once.
#[test]
fn where_each_is_beaten_none_leads_and_none_is_to_be_deployed() {
    let rates = [
        (0..6, "a", 100.0),
        (0..6, "b", 200.0),
        (6..12, "b", 100.0),
        (6..12, "c", 200.0),
        (12..18, "c", 100.0),
        (12..18, "a", 200.0),
    ];
    let of = rates.into_iter();
    let of = of.flat_map(|(blocks, name, rate)| blocks.map(move |block| trial(block, name, rate)));
    let judged = judge(&run(&["a", "b", "c"]), &of.collect::<Vec<_>>());
    assert_eq!(judged.lead.leaders, [] as [&str; 0]);
    assert!(!judged.lead.beaten.is_empty());
    assert_eq!(judged.decision, None);
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

/// The highest rate at which a goal holds is no closed loop's throughput, and is compared with rates that were looked for by
/// the same goal.
#[test]
fn a_variant_that_looks_for_a_rate_does_not_compete_with_closed_loops() {
    let mut run = run(&["a", "b", "c"]);
    let usual = run.plan.load.clone();
    let goal = |text: &str| Load {
        goal: Some(text.to_owned()),
        ..usual.clone()
    };
    run.plan.variants[1].load = Some(goal("p99 < 200ms"));
    let all = [
        trials("a", &[100.0; 6]),
        trials("b", &[900.0; 6]),
        trials("c", &[50.0; 6]),
    ]
    .concat();
    let judged = judge(&run, &all);
    let lead = &judged.lead;
    assert_eq!((lead.metric, lead.entered), (Metric::Throughput, 2));
    assert_eq!(lead.rivals, ["a", "c"]);
    assert!(judged.variants[1].against_baseline.is_empty());
    run.plan.variants[0].load = Some(goal("p99 < 200ms"));
    let judged = judge(&run, &all);
    assert_eq!(judged.lead.metric, Metric::Throughput);
    assert_eq!(judged.lead.rivals, ["b", "a"]);
    run.plan.variants[1].load = Some(goal("p99 < 500ms"));
    assert_eq!(judge(&run, &all).lead.rivals, ["a"]);
}
