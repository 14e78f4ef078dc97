//! The most that a survey's closed loops got, and whether that is the most there is.

use crate::lab::{facts, run, trial};
use judge::{Peak, judge};
use record::{Arrivals, Load, Process, Search, Shape};

/// What a survey with closed loops of these rates found.
fn surveyed(rates: &[f64]) -> Peak {
    let names: Vec<String> = (0..rates.len())
        .map(|at| format!("{} connections", 1 << at))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut run = run(&names);
    run.plan.search = Some(Search::Survey);
    let trials = names
        .iter()
        .zip(rates)
        .map(|(name, rate)| trial(0, name, *rate));
    let trials: Vec<_> = trials.collect();
    judge(&run, &trials).peak.unwrap()
}

#[test]
fn a_survey_that_ended_while_it_gained_says_at_least() {
    let rising = surveyed(&[500.0, 1_000.0, 2_200.0, 4_180.0]);
    assert!(rising.rising && rising.variant == "8 connections");
    let flat = surveyed(&[500.0, 1_000.0, 1_005.0, 1_010.0]);
    assert!(!flat.rising, "{flat:?}");
    let beyond = surveyed(&[500.0, 1_000.0, 990.0]);
    assert!(!beyond.rising && beyond.variant == "2 connections");
}

#[test]
fn a_sweep_ends_where_it_was_told_to() {
    let names = ["1 connection", "2 connections"];
    let mut run = run(&names);
    run.plan.search = Some(Search::Sweep);
    let trials = [trial(0, names[0], 100.0), trial(0, names[1], 200.0)];
    assert!(!judge(&run, &trials).peak.unwrap().rising);
}

#[test]
fn errors_at_more_connections_end_a_survey_as_well() {
    let names = ["1 connection", "2 connections"];
    let mut run = run(&names);
    run.plan.search = Some(Search::Survey);
    let mut trials = [trial(0, names[0], 100.0), trial(0, names[1], 200.0)];
    facts(&mut trials[1]).load.timed_out = 3;
    let peak = judge(&run, &trials).peak.unwrap();
    assert!(!peak.rising && peak.variant == names[0]);
}

/// It takes two windows to fail a rate: of one it is told what it lacked.
#[test]
fn a_rate_that_is_open_says_what_its_window_lacked() {
    let names = ["100 req/s", "200 req/s"];
    let mut run = run(&names);
    run.plan.search = Some(Search::Goal);
    run.plan.goals = vec!["p50 < 80ms".to_owned()];
    for (variant, rate) in run.plan.variants.iter_mut().zip([100.0, 200.0]) {
        variant.load = Some(Load {
            shape: Shape::Open(Arrivals {
                process: Process::Poisson,
                segments: Arrivals::steady(rate),
                max_outstanding: 1_000,
                seed: 1,
            }),
            ..run.plan.load.clone()
        });
    }
    // ten connections of the laboratory's trials wait 100 ms at the one rate, and 50 ms at the other
    let trials = [trial(0, names[0], 100.0), trial(0, names[1], 200.0)];
    let tried = judge(&run, &trials).reached.unwrap().tried;
    let because = tried[0].because.as_ref().unwrap();
    assert!(because.starts_with("`p50 < 80ms`: "), "{because}");
    assert_eq!(tried[1].because, None);
}
