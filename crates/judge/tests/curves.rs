//! Curves of sweeps: their points, where they turn, and what the workload itself allows.

use crate::lab;
use crate::lab::sweep::{families, loaded, refusing, swept};
use judge::{Counts, Curve, Judged, judge};
use record::{Level, Metric, Trial};

const LEVELS: [f64; 7] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];

/// Ten servers of 10 ms each.
fn saturating(clients: f64) -> f64 {
    (100.0 * clients).min(1_000.0)
}

fn only(judged: &Judged) -> &Curve {
    assert_eq!(judged.curves.len(), 1, "{:?}", judged.curves);
    &judged.curves[0]
}

fn near(value: f64, wanted: f64) -> bool {
    (value / wanted - 1.0).abs() < 0.01
}

#[test]
fn a_sweep_is_a_curve_with_its_raw_points_and_its_knee() {
    let run = families(&["x"], "connections", &LEVELS);
    let judged = judge(&run, &swept("x", &LEVELS, saturating));
    let curve = only(&judged);
    assert_eq!(
        (curve.name().as_str(), &*curve.factor),
        ("x", "connections")
    );
    assert_eq!(curve.counts, Counts::Clients);
    let throughput = curve.points();
    let levels: Vec<f64> = throughput.iter().map(|point| point.level).collect();
    assert_eq!(levels, LEVELS);
    assert!(throughput.iter().all(|point| point.blocks.len() == 6));
    assert!(
        throughput
            .iter()
            .all(|point| point.errors.is_none() && point.ceiling.is_none())
    );
    assert!(near(throughput[3].figure.value, 1_025.0));
    assert!(throughput[3].figure.interval.is_some());
    let p50 = curve
        .line(Metric::P50)
        .expect("a thousand answers carry it");
    assert!(near(p50.points[6].figure.value, 0.1 / 1.025));
    assert!(curve.line(Metric::P99).is_some());
    let knee = curve.knee.unwrap();
    assert!(near(knee.level, 10.0) && !knee.at_end, "{knee:?}");
    assert_eq!(knee.interval, Some((5.0, 20.0)));
    assert!(curve.collapse.is_none());
    let law = curve.law.expect("seven levels");
    assert!(law.alone.interval.is_some() && law.contention.value >= 0.0);
    assert!(law.at(200.0).is_some() && law.at(201.0).is_none());
}

#[test]
fn a_law_that_made_the_points_is_found_with_its_peak() {
    let truth = |n: f64| 100.0 * n / (1.0 + 0.02 * (n - 1.0) + 0.001 * n * (n - 1.0));
    let run = families(&["x"], "connections", &LEVELS);
    let judged = judge(&run, &swept("x", &LEVELS, truth));
    let law = only(&judged).law.unwrap();
    assert!(law.fits() && near(law.contention.value, 0.02), "{law:?}");
    assert!(near(law.peak.unwrap().value, 980.0_f64.sqrt()));
}

#[test]
fn a_collapse_with_errors_is_goodput_and_no_knee() {
    let collapsing = |clients: f64| {
        if clients > 20.0 {
            150.0
        } else {
            saturating(clients)
        }
    };
    let run = families(&["x"], "connections", &LEVELS);
    let trials = swept("x", &LEVELS, collapsing).into_iter();
    let trials: Vec<Trial> = trials
        .map(|trial| {
            let fails = trial.variant.ends_with("=50") || trial.variant.ends_with("=100");
            if fails { refusing(trial, 0.9) } else { trial }
        })
        .collect();
    let judged = judge(&run, &trials);
    let curve = only(&judged);
    let collapse = curve.collapse.expect("a tenth of 150 is left of 1,000");
    assert!(near(collapse.level, 50.0) && near(collapse.after, 20.0));
    assert!(
        curve.points()[5]
            .errors
            .is_some_and(|share| near(share, 0.9))
    );
    assert!(
        near(curve.knee.unwrap().level, 10.0),
        "refusals are quick, not powerful"
    );
    assert!(curve.law.is_none() && curve.no_law.is_some());
    // five blocks cannot be sure
    let fewer = trials
        .into_iter()
        .filter(|trial| trial.block < 5)
        .collect::<Vec<_>>();
    assert!(only(&judge(&run, &fewer)).collapse.is_none());
}

/// A server that is down for so many clients fails the warm-up too.
#[test]
fn a_level_at_which_nothing_is_answered_is_zero_and_not_missing() {
    let run = families(&["x"], "connections", &LEVELS);
    let trials = swept("x", &LEVELS, saturating).into_iter();
    let trials: Vec<Trial> = trials
        .map(|trial| {
            if !trial.variant.ends_with("=100") {
                return trial;
            }
            let mut trial = refusing(trial, 1.0);
            let warm_up = &mut lab::facts(&mut trial).load.warm_up;
            warm_up.failed = std::mem::take(&mut warm_up.requests);
            trial
        })
        .collect();
    let judged = judge(&run, &trials);
    let curve = only(&judged);
    assert!(curve.missing.is_empty() && curve.points()[6].figure.value.abs() < 1e-9);
    assert!(near(curve.collapse.unwrap().level, 100.0));
}

#[test]
fn exchanging_the_ends_of_a_sweep_takes_its_collapse_away() {
    let rising = |clients: f64| if clients > 20.0 { 1_000.0 } else { 100.0 };
    let run = families(&["x"], "connections", &LEVELS);
    let judged = judge(&run, &swept("x", &LEVELS, rising));
    assert!(only(&judged).collapse.is_none());
    assert!(near(only(&judged).peak.unwrap().level, 50.0));
}

#[test]
fn what_the_workload_allows_is_said_only_where_the_wait_is_known() {
    let mut run = families(&["x"], "connections", &LEVELS);
    // a wait of 100 ms: 10 per client and second, of which the server reaches nearly all
    let trials = swept("x", &LEVELS, |clients| (9.5 * clients).min(200.0));
    assert!(judge(&run, &trials).ceilings.is_empty());
    run.plan.app.routes[0].wait = Some(0.1);
    let judged = judge(&run, &trials);
    let ceiling = |place: usize| only(&judged).points()[place].ceiling.unwrap();
    assert!(
        near(ceiling(3).most, 100.0) && ceiling(3).reached,
        "{:?}",
        ceiling(3)
    );
    assert!(near(ceiling(6).most, 1_000.0) && !ceiling(6).reached);
    assert_eq!(judged.ceilings.len(), LEVELS.len());
    // a window that ends in the middle of a wait counts less, and is no slower for it
    let mut cut = swept("x", &LEVELS, |clients| (9.3 * clients).min(200.0));
    for trial in &mut cut {
        lab::facts(trial).load.seconds *= 1.04;
    }
    let cut = judge(&run, &cut);
    assert!(only(&cut).points()[3].ceiling.unwrap().reached);
    // a page fetches assets that wait for nothing
    for variant in &mut run.plan.variants {
        variant.load.as_mut().unwrap().page = Some(record::Visitors {
            connections: 1,
            visits: record::Visits::Both,
        });
    }
    assert!(judge(&run, &trials).ceilings.is_empty());
}

#[test]
fn a_variant_outside_of_sweeps_has_a_ceiling_too() {
    let mut run = lab::run(&["plain"]);
    run.plan.app.routes[0].wait = Some(0.05);
    let judged = judge(&run, &lab::trials("plain", &[195.0; 6]));
    assert_eq!(judged.ceilings[0].variant, "plain");
    // 10 connections / 50 ms
    assert!(near(judged.ceilings[0].ceiling.most, 200.0) && judged.ceilings[0].ceiling.reached);
    assert!(judged.curves.is_empty());
}

#[test]
fn a_knob_has_a_peak_and_neither_a_knee_nor_a_law() {
    let levels = [1.0, 10.0, 50.0];
    let run = families(&["x"], "maxconn", &levels);
    let blocks = (0..6).flat_map(|block| levels.map(|level| (block, level)));
    let trials: Vec<Trial> = blocks
        .map(|(block, level)| loaded(block, &format!("x@maxconn={level}"), 10.0, 500.0 - level))
        .collect();
    let judged = judge(&run, &trials);
    let curve = only(&judged);
    assert_eq!(curve.counts, Counts::Other);
    assert!(near(curve.peak.unwrap().level, 1.0));
    assert!(curve.knee.is_none() && curve.law.is_none() && curve.no_law.is_none());
}

#[test]
fn other_factors_make_curves_of_their_own_and_words_are_no_levels() {
    let mut run = families(&["x"], "connections", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    for (place, variant) in run.plan.variants.iter_mut().enumerate() {
        let sweep = variant.sweep.as_mut().unwrap();
        let server = ["puma", "thin"][place / 3];
        sweep.levels.push(Level {
            factor: "server".to_owned(),
            level: server.to_owned(),
            number: None,
        });
    }
    let trials: Vec<Trial> = (run.plan.variants.iter())
        .flat_map(|variant| (0..2).map(|block| loaded(block, &variant.name, 10.0, 100.0)))
        .collect();
    let judged = judge(&run, &trials);
    let names: Vec<String> = judged.curves.iter().map(Curve::name).collect();
    assert_eq!(names, ["x@server=puma", "x@server=thin"]);
    let why = judged.curves[0].no_law.as_deref().unwrap();
    assert!(why.contains("3 levels are too few"), "{why}");
    assert!(judged.curves[0].points()[0].figure.interval.is_none());
}

#[test]
fn a_level_that_failed_is_named_with_its_reason() {
    let run = families(&["x"], "connections", &LEVELS);
    let mut trials = swept("x", &LEVELS, saturating);
    trials.retain(|trial| trial.variant != "x@connections=5");
    trials.push(lab::failed(0, "x@connections=5"));
    let judged = judge(&run, &trials);
    let missing = &only(&judged).missing;
    assert_eq!(missing.len(), 1);
    assert!(
        missing[0].why.contains("was not ready"),
        "{}",
        missing[0].why
    );
}

/// What a condition means is fixed before a result is seen.
#[test]
fn points_that_a_run_added_are_drawn_and_enter_no_condition() {
    let mut run = families(&["x"], "connections", &LEVELS);
    run.plan.variants[4].sweep.as_mut().unwrap().added = true;
    run.plan.claims = vec![lab::claim(&["largest throughput of `x` > 0"])];
    let peaked = |clients: f64| {
        if (clients - 20.0).abs() < 0.5 {
            900.0
        } else {
            100.0
        }
    };
    let judged = judge(&run, &swept("x", &LEVELS, peaked));
    assert!(only(&judged).points()[4].added);
    assert!(near(judged.claims[0].conditions[0].value.unwrap(), 102.5));
}
