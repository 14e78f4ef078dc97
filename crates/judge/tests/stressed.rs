//! What becomes of a variant under stress, and what nothing else makes of it.

use crate::lab::{run, trials};
use judge::judge;
use record::{Failure, Outcome, Run, Step, Stress, Trial};

/// A run of six blocks of two variants, and two kinds of stress.
fn stressed_run() -> (Run, Vec<Trial>) {
    let mut run = run(&["one", "other"]);
    run.plan.blocks = 6;
    run.plan.stress = vec![Stress::SlowClients, Stress::TwiceTheLoad];
    let all = ["one", "other"].map(|name| trials(name, &[100.0, 101.0, 99.0, 102.0, 98.0, 100.0]));
    (run, all.concat())
}

fn under(variant: &str, block: u32, rate: f64) -> Trial {
    let mut trial = trials(variant, &[rate]).remove(0);
    trial.block = block;
    trial
}

fn failed(variant: &str, block: u32, machine: bool) -> Trial {
    let failure = Failure {
        step: Step::Load,
        error: "it died".into(),
        log_tail: Vec::new(),
        machine,
    };
    Trial {
        outcome: Outcome::Failed(failure),
        ..under(variant, block, 1.0)
    }
}

#[test]
fn what_is_left_under_stress_is_a_share_of_the_usual_throughput() {
    let (run, mut all) = stressed_run();
    all.push(under("one", 6, 2.0));
    all.push(under("other", 6, 90.0));
    all.push(failed("one", 7, false));
    let lines = judge(&run, &all).stress;
    let of: Vec<_> = lines
        .iter()
        .map(|of| (of.stress, of.variant.as_str(), of.felled))
        .collect();
    let expected = [
        (Stress::SlowClients, "one", true),
        (Stress::SlowClients, "other", false),
        (Stress::TwiceTheLoad, "one", true),
    ];
    assert_eq!(of, expected);
    let near = |ratio: Option<f64>, share: f64| (ratio.unwrap() / share - 1.0).abs() < 0.01;
    assert!(
        near(lines[0].ratio, 0.02) && near(lines[1].ratio, 0.9),
        "{lines:?}"
    );
    assert_eq!(lines[2].failure.as_deref(), Some("it died"));
}

#[test]
fn what_the_machine_did_fells_no_variant() {
    let (run, mut all) = stressed_run();
    all.push(failed("one", 6, true));
    all.push(failed("other", 6, false));
    let lines = judge(&run, &all).stress;
    let of: Vec<_> = lines
        .iter()
        .map(|of| (of.felled, of.errors, of.failure.is_some()))
        .collect();
    // nothing was asked, so that no share of it failed
    assert_eq!(of, [(false, None, true), (true, None, true)]);
    assert_eq!(lines[0].ratio, None);
}

#[test]
fn nothing_else_knows_of_it() {
    let (run, mut all) = stressed_run();
    let before = judge(&run, &all);
    all.push(under("one", 6, 2.0));
    let after = judge(&run, &all);
    assert_eq!((before.blocks, after.blocks), (6, 6));
    assert_eq!(after.trials.len(), before.trials.len());
    let figures = |judged: &judge::Judged| {
        let variants = judged.variants.iter();
        variants.map(|of| of.figures.clone()).collect::<Vec<_>>()
    };
    assert_eq!(figures(&after), figures(&before));
    assert_eq!(after.lead, before.lead);
}
