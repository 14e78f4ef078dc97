//! What is said of a variant, from which trials.

use crate::lab::{again, facts, failed, run, saturated, trial, trial_of, trials, variant_of};
use judge::{DoubtKind, judge};
use record::{Cause, Metric};

fn close(got: f64, expected: f64) {
    assert!((got / expected - 1.0).abs() < 2e-3, "{got}, not {expected}");
}

#[test]
fn a_figure_is_the_median_over_blocks_with_its_interval() {
    let rates = [410.0, 390.0, 400.0, 380.0, 420.0, 500.0];
    let judged = judge(&run(&["a"]), &trials("a", &rates));
    let figure = |metric| variant_of(&judged, "a").figures[&metric];
    close(figure(Metric::Throughput).value, 405.0);
    let (low, high) = figure(Metric::Throughput).interval.unwrap();
    // 0.322 of the way from the outermost to the next
    close(low, 383.190);
    close(high, 472.720);
    close(figure(Metric::Mean).value, 10.0 / 405.0);
    close(figure(Metric::P90).value, 10.0 / 405.0);
    close(figure(Metric::Max).value, 10.0 / 405.0);
    // weir's own CPU and memory are not the stack's
    close(figure(Metric::CpuPerRequest).value, 0.5 / 405.0);
    close(figure(Metric::PeakMemory).value, f64::from(35 << 20));
    assert!(figure(Metric::Errors).value.abs() < f64::EPSILON);
    assert_eq!((judged.blocks, variant_of(&judged, "a").counted), (6, 6));
}

#[test]
fn two_blocks_give_figures_and_no_interval() {
    let judged = judge(&run(&["a"]), &trials("a", &[400.0; 2]));
    for (metric, figure) in &variant_of(&judged, "a").figures {
        assert_eq!(figure.interval, None, "{metric:?}");
    }
}

#[test]
fn four_blocks_give_an_interval_of_what_has_logarithms_or_does_not_scatter() {
    let judged = judge(&run(&["a"]), &trials("a", &[400.0, 410.0, 390.0, 405.0]));
    let figure = |metric| variant_of(&judged, "a").figures[&metric];
    let (low, high) = figure(Metric::Throughput).interval.unwrap();
    // R: exp(t.test(log(c(400, 410, 390, 405)))$conf.int)
    close(low, 387.767_847_449);
    close(high, 415.059_103_135);
    assert_eq!(figure(Metric::Errors).interval, Some((0.0, 0.0)));
}

#[test]
fn quantiles_come_from_blocks_or_from_all_of_them_or_not_at_all() {
    let judge_with = |requests| {
        let trials: Vec<_> = (0..6)
            .map(|block| trial_of(block, "a", 400.0, requests))
            .collect();
        judge(&run(&["a"]), &trials)
    };
    // 6 x 100: p90 by block, p99 not even together
    let judged = judge_with(100);
    let a = variant_of(&judged, "a");
    assert!(a.figures[&Metric::P90].interval.is_some());
    assert_eq!(a.too_few, [Metric::P99]);
    assert!(!a.figures.contains_key(&Metric::P99));
    // 6 x 200: p99 of all together, and a merged sample has no honest interval
    let judged = judge_with(200);
    let a = variant_of(&judged, "a");
    close(a.figures[&Metric::P99].value, 10.0 / 400.0);
    assert_eq!(a.figures[&Metric::P99].interval, None);
    assert!(a.too_few.is_empty());
    assert!(
        judged
            .trials
            .iter()
            .all(|trial| !trial.figures.contains_key(&Metric::P99))
    );
    // 6 x 1,000: p99 by block
    let judged = judge_with(1_000);
    assert!(
        variant_of(&judged, "a").figures[&Metric::P99]
            .interval
            .is_some()
    );
}

#[test]
fn one_short_trial_does_not_pick_the_blocks_of_a_quantile() {
    // where one counted trial lacks the samples, the others alone would be a chosen few
    let mut all: Vec<_> = (0..6)
        .map(|block| trial_of(block, "a", 400.0, 200))
        .collect();
    all.push(trial_of(6, "a", 100.0, 90));
    let judged = judge(&run(&["a"]), &all);
    let p90 = variant_of(&judged, "a").figures[&Metric::P90];
    assert_eq!(p90.interval, None);
    close(p90.value, 10.0 / 400.0);
}

#[test]
fn disqualified_and_failed_trials_are_shown_and_enter_nothing() {
    let mut all = trials("a", &[400.0, 400.0, 400.0]);
    all.push(saturated(trial(3, "a", 9_000.0)));
    all.push(failed(4, "a"));
    let judged = judge(&run(&["a"]), &all);
    let a = variant_of(&judged, "a");
    assert_eq!((a.counted, a.left_out, &a.failure), (3, 2, &None));
    assert_eq!(a.response.count(), 3_000);
    close(a.figures[&Metric::Throughput].value, 400.0);
    let (outrun, broken) = (&judged.trials[3], &judged.trials[4]);
    assert!(!outrun.counts && !broken.counts);
    close(outrun.figures[&Metric::Throughput], 9_000.0);
    assert!(broken.figures.is_empty());
    assert_eq!(
        broken.failure.as_deref(),
        Some("`gunicorn` was not ready after 10 s")
    );
}

#[test]
fn a_variant_of_which_nothing_counts_says_why() {
    let run = run(&["a", "b", "c"]);
    let mut all = vec![failed(0, "a"), saturated(trial(0, "b", 400.0))];
    all.extend(trials("other", &[1.0]));
    let judged = judge(&run, &all);
    let why = |name| variant_of(&judged, name).failure.clone().unwrap();
    assert!(why("a").contains("not ready"));
    assert!(why("b").contains("97.0 %"));
    assert_eq!(why("c"), "it has not run");
    assert!(variant_of(&judged, "a").figures.is_empty());
    assert!(variant_of(&judged, "a").too_few.is_empty());
}

#[test]
fn what_runs_twice_in_a_block_has_there_what_the_two_come_to() {
    let mut run = run(&["a"]);
    run.plan.noise_floor = Some("a".to_owned());
    let mut all = trials("a", &[400.0; 6]);
    all.extend(again("a", &[900.0; 6]));
    let judged = judge(&run, &all);
    let a = variant_of(&judged, "a");
    close(a.figures[&Metric::Throughput].value, 600.0);
    assert_eq!((a.counted, a.left_out), (12, 0));
    assert_eq!(a.response.count(), 2 * 6 * 1_000);

    // one of the two that is left out leaves the other
    all[6] = saturated(all[6].clone());
    let judged = judge(&run, &all);
    let a = variant_of(&judged, "a");
    assert_eq!((a.counted, a.left_out), (11, 1));
    close(a.figures[&Metric::Throughput].value, 600.0);

    // of errors in the one and none in the other, their mean
    for failing in &mut all[..6] {
        let load = &mut facts(failing).load;
        load.completed -= 500;
        load.failed.insert(Cause::Refused, 500);
    }
    let judged = judge(&run, &all);
    let a = variant_of(&judged, "a");
    close(a.figures[&Metric::Errors].value, 0.25);
    close(a.figures[&Metric::Throughput].value, 900.0);
}

#[test]
fn errors_are_counted_where_they_happen() {
    // more than half of the trials fail too often to be ranked; the error share knows of them
    let mut all = trials("a", &[400.0; 7]);
    for failing in [0, 1, 3, 5] {
        let load = &mut facts(&mut all[failing]).load;
        load.completed -= 500;
        load.failed.insert(Cause::Refused, 500);
    }
    let judged = judge(&run(&["a"]), &all);
    let a = variant_of(&judged, "a");
    assert_eq!((a.counted, a.left_out), (3, 4));
    close(a.figures[&Metric::Errors].value, 0.5);
    close(a.figures[&Metric::Throughput].value, 400.0);
}

#[test]
fn doubts_are_gathered_by_kind_and_weight_the_worst_first() {
    let mut all = trials("a", &[400.0; 4]);
    for (trial, busiest) in all.iter_mut().zip([0.75, 0.95, 0.75, 0.0]) {
        facts(trial).load.engine.busiest = busiest;
    }
    for trial in &mut all {
        facts(trial).load.warm_up.failed = 50;
    }
    let judged = judge(&run(&["a"]), &all);
    let gathered: Vec<_> = variant_of(&judged, "a")
        .doubts
        .iter()
        .map(|(doubt, count)| (doubt.kind, doubt.disqualifies, *count))
        .collect();
    let expected = [
        (DoubtKind::GeneratorSaturated, true, 1),
        (DoubtKind::WarmUp, false, 4),
        (DoubtKind::GeneratorSaturated, false, 2),
    ];
    assert_eq!(gathered, expected);
    assert!(
        variant_of(&judged, "a").doubts[0]
            .0
            .because
            .contains("95.0 %")
    );
}

#[test]
fn empty_facts_give_no_figure_that_is_no_number() {
    let judged = judge(&run(&["a"]), &[]);
    assert_eq!(judged.blocks, 0);
    let mut nothing = trial(0, "a", 400.0);
    facts(&mut nothing).load = record::LoadFacts::default();
    facts(&mut nothing).processes.clear();
    let judged = judge(&run(&["a"]), &[nothing]);
    assert!(!judged.trials[0].counts, "nothing was answered");
    let figures = &judged.trials[0].figures;
    assert!(
        figures.values().all(|value| value.is_finite()),
        "{figures:?}"
    );
}

#[test]
fn a_baseline_that_failed_is_stood_in_for_by_the_first_variant_that_did_not() {
    let (a, b, c) = (failed(0, "a"), trial(0, "b", 100.0), trial(0, "c", 300.0));
    let judged = judge(&run(&["a", "b", "c"]), &[a, b.clone(), c.clone()]);
    assert_eq!(judged.baseline, "b");
    close(variant_of(&judged, "c").against_baseline[0].ratio, 3.0);
    assert!(variant_of(&judged, "b").against_baseline.is_empty());

    // the A/A half alone may have run before the variant was given up
    let mut second_half = failed(0, "a");
    second_half.again = true;
    let judged = judge(&run(&["a", "b", "c"]), &[second_half, b, c]);
    let reason = variant_of(&judged, "a").failure.clone().unwrap();
    assert_ne!(reason, "it has not run");
}
