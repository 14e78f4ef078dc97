//! Rankings: who comes before whom, what ranks that leaves, who is beaten in all, and conditions about them.

mod conditions;

use crate::lab::{facts, failed, run, trial, trials};
use judge::{Judged, Order, Ranking, check_ranking, judge, rivals_by};
use record::{Criterion, Distribution, Metric, Rival, Run, Trial};

const RIVALS: [&str; 4] = ["a", "b", "c", "d"];

fn criterion(metric: Metric) -> Criterion {
    let levels = None;
    Criterion { metric, levels }
}

/// Four rivals by these metrics, of which somebody reported that `a` is the fastest and `d` the slowest.
fn ranked(by: &[Metric]) -> Run {
    let mut run = run(&RIVALS);
    let rival = |(name, reported): (&&str, f64)| Rival {
        variants: (*name).to_owned(),
        reported: Some(reported),
    };
    run.plan.rankings = vec![record::Ranking {
        name: "stacks".to_owned(),
        title: "Four stacks".to_owned(),
        of: RIVALS
            .iter()
            .zip([215.0, 196.0, 170.0, 139.0])
            .map(rival)
            .collect(),
        by: by.iter().copied().map(criterion).collect(),
    }];
    run
}

/// Six blocks that drift by tens of percent, in which variants lie apart as these rates do, but for a percent.
fn blocks(rates: [f64; 4]) -> Vec<Trial> {
    let drift = [1.0, 0.7, 1.2, 0.9, 1.3, 0.8];
    let wobble = |block: usize, place: usize| 1.0 + 0.01 * ((block * 7 + place * 3) as f64).sin();
    let of = |(place, rate): (usize, f64)| {
        let rates: Vec<f64> = (0..6)
            .map(|block| rate * drift[block] * wobble(block, place))
            .collect();
        trials(RIVALS[place], &rates)
    };
    rates.into_iter().enumerate().flat_map(of).collect()
}

fn throughput(judged: &Judged) -> &Order {
    &judged.rankings[0].orders[0]
}

fn ranks(order: &Order) -> Vec<(&str, Option<(u32, u32)>)> {
    let places = order.places.iter();
    places.map(|of| (of.rival.as_str(), of.ranks)).collect()
}

#[test]
fn ranks_are_sure_where_variants_are_far_apart_and_shared_where_they_are_not() {
    let run = ranked(&[Metric::Throughput]);
    let judged = judge(&run, &blocks([200.0, 300.0, 301.0, 100.0]));
    let order = throughput(&judged);
    assert_eq!(order.blocks, 6);
    let all = ranks(order);
    let mut leaders = [all[0].0, all[1].0];
    leaders.sort_unstable();
    assert_eq!(leaders, ["b", "c"]);
    assert_eq!(all[0].1, Some((1, 2)));
    assert_eq!(all[1].1, Some((1, 2)));
    assert_eq!(all[2..], [("a", Some((3, 3))), ("d", Some((4, 4)))]);
    assert_eq!(order.alike, [(1, 2)]);
    let tau = order.agreement.unwrap();
    // of six pairs two are against the report, and the one that is not sure is where `c` comes first
    let value = if all[0].0 == "b" { 1.0 / 3.0 } else { 0.0 };
    assert!((tau.value - value).abs() < 1e-9, "{tau:?} of {all:?}");
    let (low, high) = tau.interval.unwrap();
    assert!(
        low.abs() < 1e-9 && (high - 1.0 / 3.0).abs() < 1e-9,
        "{tau:?}"
    );
}

#[test]
fn the_smaller_is_the_better_of_times() {
    let run = ranked(&[Metric::Mean]);
    let judged = judge(&run, &blocks([100.0, 200.0, 300.0, 400.0]));
    let names: Vec<&str> = ranks(throughput(&judged)).iter().map(|of| of.0).collect();
    assert_eq!(names, ["d", "c", "b", "a"]);
}

#[test]
fn what_fails_is_unranked_with_its_reason_and_keeps_nobody_from_a_rank() {
    let run = ranked(&[Metric::Throughput]);
    let mut all = blocks([200.0, 300.0, 250.0, 100.0]);
    all.retain(|trial| trial.variant != "b" && !(trial.variant == "c" && trial.block == 2));
    all.extend((0..6).map(|block| failed(block, "b")));
    let judged = judge(&run, &all);
    let order = throughput(&judged);
    assert_eq!(ranks(order), [("a", Some((1, 1))), ("d", Some((2, 2)))]);
    let said = |rival: &str| {
        let mut unranked = order.unranked.iter();
        &unranked.find(|of| of.rival == rival).unwrap().because
    };
    assert!(said("b").contains("was not ready"), "{}", said("b"));
    assert!(said("c").contains("in 5 of 6 blocks"), "{}", said("c"));
}

#[test]
fn few_blocks_give_an_order_and_no_ranks() {
    let run = ranked(&[Metric::Throughput, Metric::Mean]);
    let mut all = blocks([200.0, 300.0, 250.0, 100.0]);
    all.retain(|trial| trial.block < 5);
    let judged = judge(&run, &all);
    let order = throughput(&judged);
    assert_eq!(ranks(order)[0], ("b", None));
    assert!(order.alike.is_empty() && order.agreement.unwrap().interval.is_none());
    assert!(judged.rankings[0].pareto.is_none());
}

fn with_memory(mut all: Vec<Trial>, of: impl Fn(&str) -> u64) -> Vec<Trial> {
    for trial in &mut all {
        let memory = of(&trial.variant);
        for process in &mut facts(trial).processes {
            process.peak_rss = memory;
        }
    }
    all
}

/// So few times that all blocks together carry no p99.
fn few() -> Distribution {
    let mut times = Distribution::default();
    (0..100).for_each(|_| times.record(1_000_000));
    times
}

#[test]
fn who_is_fast_or_small_is_in_the_pareto_set_and_who_is_neither_is_not() {
    let run = ranked(&[Metric::Throughput, Metric::PeakMemory, Metric::P99]);
    let memory = |variant: &str| if variant == "d" { 10 << 20 } else { 50 << 20 };
    let mut all = with_memory(blocks([200.0, 300.0, 301.0, 100.0]), memory);
    for trial in &mut all {
        facts(trial).load.response = few();
    }
    let judged = judge(&run, &all);
    let pareto = judged.rankings[0].pareto.clone().unwrap();
    assert_eq!(
        pareto.metrics,
        [Metric::Throughput, Metric::PeakMemory],
        "nobody has a p99"
    );
    assert_eq!(pareto.members, ["b", "c", "d"]);
    assert_eq!(pareto.beaten[0].rival, "a");
    let p99: &Ranking = &judged.rankings[0];
    assert!(
        p99.orders[2].unranked[0]
            .because
            .contains("too few responses")
    );
}

#[test]
fn rankings_that_make_no_sense_are_refused() {
    let run = ranked(&[Metric::Throughput]);
    let variants = &run.plan.variants;
    let base = &run.plan.rankings[0];
    let refused = |change: &dyn Fn(&mut record::Ranking)| {
        let mut ranking = base.clone();
        change(&mut ranking);
        let flaw = check_ranking(&ranking, variants).unwrap_err();
        format!("{}: {} ({})", flaw.key, flaw.problem, flaw.hint)
    };
    assert!(check_ranking(base, variants).is_ok());
    let said = refused(&|of| of.of[1].variants = "x".to_owned());
    assert!(said.contains("of[1]: no variant is called `x`"), "{said}");
    let said = refused(&|of| of.of[1].variants = "a".to_owned());
    assert!(said.contains("twice"), "{said}");
    let said = refused(&|of| of.of.truncate(1));
    assert!(said.contains("nothing to compare with"), "{said}");
    let said = refused(&|of| of.by[0].metric = Metric::Errors);
    assert!(said.contains("nothing is ranked by `errors`"), "{said}");
    let said = refused(&|of| of.by[0].levels = Some("rate=3".to_owned()));
    assert!(said.contains("by[0]"), "{said}");
    assert!(rivals_by(variants, "a", "server").is_err());
}

#[test]
fn rivals_that_never_met_are_not_ranked() {
    let run = ranked(&[Metric::Throughput]);
    let apart = [trial(0, "a", 200.0), trial(1, "b", 300.0)];
    let judged = judge(&run, &apart);
    let order = throughput(&judged);
    assert!(order.places.is_empty());
    let because: Vec<&str> = order
        .unranked
        .iter()
        .map(|of| of.because.as_str())
        .collect();
    assert_eq!(because.len(), 4, "nobody is forgotten");
    assert!(
        because[3].contains("no block has a figure of all"),
        "{because:?}"
    );
}

/// The first trial of a block may come late; an order over blocks that not all share is none.
#[test]
fn a_rival_alone_is_first_of_one() {
    let run = ranked(&[Metric::Throughput]);
    let judged = judge(&run, &[trial(0, "c", 100.0)]);
    assert_eq!(ranks(throughput(&judged)), [("c", None)]);
    assert_eq!(throughput(&judged).unranked.len(), 3);
}
