//! A trial that was put aside or lost is taken again: the last attempt stands, and those before it are told.

use crate::lab::{facts, failed, run, saturated, trial, trials};
use judge::{DoubtKind, TakenAgain, TakenTwice};
use record::{Cause, Metric, OtherProgram, Others, Trial};

/// The hypervisor took an eighth of the machine away.
fn disturbed(mut trial: Trial) -> Trial {
    facts(&mut trial).stolen = 0.12;
    trial
}

fn attempt(number: u32, trial: Trial) -> Trial {
    Trial {
        attempt: number,
        ..trial
    }
}

#[test]
fn the_last_attempt_stands_and_those_before_it_enter_nothing() {
    let run = run(&["a", "b"]);
    let mut all = trials("a", &[100.0; 6]);
    all.extend(trials("b", &[200.0; 6]));
    all[2] = disturbed(trial(2, "a", 10.0));
    all.push(attempt(1, disturbed(trial(2, "a", 20.0))));
    all.push(attempt(2, trial(2, "a", 100.0)));
    let judged = judge::judge(&run, &all);
    let variant = &judged.variants[0];
    assert_eq!((variant.counted, variant.left_out), (6, 0));
    assert!(variant.doubts.is_empty(), "{:?}", variant.doubts);
    assert_eq!(
        variant.figures[&Metric::Throughput].interval,
        Some((100.0, 100.0))
    );
    assert_eq!(judged.variants[1].against_baseline[0].pairs, 6);
    let [again] = &variant.taken_again[..] else {
        panic!("{:?}", variant.taken_again)
    };
    assert_eq!((again.doubt, again.trials), (Some(DoubtKind::StolenCpu), 2));
    assert!(again.because.contains("12.0 %"), "{}", again.because);
    let told: Vec<_> = judged.trials.iter().filter(|of| of.taken_again).collect();
    assert_eq!(told.len(), 2);
    assert!(
        told.iter()
            .all(|of| !of.counts && of.variant == "a" && of.block == 2)
    );
}

#[test]
fn one_lost_trial_of_three_does_not_void_every_verdict() {
    let run = run(&["a", "b"]);
    let mut all = trials("a", &[100.0; 3]);
    all.extend(trials("b", &[200.0; 3]));
    all[2] = failed(2, "a");
    let verdict = |all: &[Trial]| judge::judge(&run, all).variants[1].against_baseline[0].interval;
    assert_eq!(verdict(&all), None);
    all.push(attempt(1, trial(2, "a", 100.0)));
    let (low, high) = verdict(&all).expect("three blocks have both");
    assert!((low - 2.0).abs() < 1e-9 && (high - 2.0).abs() < 1e-9);
    let lost = TakenAgain {
        doubt: None,
        because: "`gunicorn` was not ready after 10 s".into(),
        trials: 1,
    };
    assert_eq!(judge::judge(&run, &all).variants[0].taken_again, [lost]);
}

/// Whatever the last attempt is, it is the one: nobody picks.
#[test]
fn a_worse_attempt_is_not_exchanged_for_a_better_one() {
    let run = run(&["a"]);
    let mut all = trials("a", &[100.0; 6]);
    let mut wrong = attempt(1, trial(0, "a", 100.0));
    facts(&mut wrong).load.failed.insert(Cause::Body, 1);
    all.push(wrong);
    let judged = judge::judge(&run, &all);
    assert_eq!(
        (judged.variants[0].counted, judged.variants[0].left_out),
        (5, 1)
    );
}

#[test]
fn transient_doubts_are_not_of_the_variant() {
    let run = run(&["a"]);
    let kind = |trial: &Trial| judge::transient(&run, trial).map(|doubt| doubt.kind);
    assert_eq!(kind(&trial(0, "a", 100.0)), None);
    assert_eq!(kind(&failed(0, "a")), None, "it has no facts");
    assert_eq!(
        kind(&disturbed(trial(0, "a", 100.0))),
        Some(DoubtKind::StolenCpu)
    );
    let mut late = trial(0, "a", 100.0);
    facts(&mut late).load.seconds *= 3.0;
    assert_eq!(kind(&late), Some(DoubtKind::LittlesLaw));
    // told, and it counts
    let mut little = trial(0, "a", 1e6);
    facts(&mut little).stolen = 0.12;
    assert_eq!(kind(&little), None);
    // a generator that is too slow stays so
    assert_eq!(kind(&saturated(trial(0, "a", 100.0))), None);
    assert_eq!(kind(&disturbed(saturated(trial(0, "a", 100.0)))), None);
    // errors are the server's, however disturbed the machine was: with them it is tried again, without it not
    let mut errors = trial(0, "a", 100.0);
    let load = &mut facts(&mut errors).load;
    load.completed -= 100;
    load.failed.insert(Cause::Status, 100);
    assert_eq!(kind(&errors), None);
    assert_eq!(kind(&disturbed(errors)), Some(DoubtKind::StolenCpu));
    // what other programs bring about is told with their names
    let mut beside = disturbed(trial(0, "a", 100.0));
    facts(&mut beside).observed.others = Some(Others {
        seconds: 2.0,
        share: 0.5,
        ..Others::default()
    });
    assert_eq!(kind(&beside), Some(DoubtKind::Disturbed));
    // a wrong body is a finding, and never taken again
    let mut wrong = disturbed(trial(0, "a", 100.0));
    let load = &mut facts(&mut wrong).load;
    load.completed -= 1;
    load.failed.insert(Cause::Body, 1);
    assert_eq!(kind(&wrong), None);
}

/// Another program took half of the machine.
fn beside(name: &str, mut trial: Trial) -> Trial {
    facts(&mut trial).observed.others = Some(Others {
        seconds: 2.0,
        share: 0.5,
        programs: vec![OtherProgram {
            name: name.to_owned(),
            seconds: 2.0,
            ..OtherProgram::default()
        }],
        unseen: 0.0,
    });
    trial
}

#[test]
fn what_others_made_weir_repeat_is_counted_over_all_runs() {
    let run = run(&["a"]);
    let quiet = trials("a", &[100.0; 6]);
    let mut taken = TakenTwice::default();
    taken.add(&run, &quiet);
    assert_eq!(taken.words(), None, "nothing was repeated");
    let mut all = quiet.clone();
    // the hypervisor is no program, and what was not taken again took no time of others
    all[0] = disturbed(trial(0, "a", 100.0));
    all.push(attempt(1, trial(0, "a", 100.0)));
    all[1] = beside("cc1", trial(1, "a", 100.0));
    taken.add(&run, &all);
    assert_eq!(taken.words(), None);
    all[2] = beside("dpkg", trial(2, "a", 100.0));
    all.push(attempt(1, beside("dpkg", trial(2, "a", 100.0))));
    all.push(attempt(2, trial(2, "a", 100.0)));
    all[3] = beside("hog", trial(3, "a", 100.0));
    all.push(attempt(1, trial(3, "a", 100.0)));
    taken.add(&run, &all);
    let told = "3 of 23 trials of all plans had to be repeated beside `dpkg` and `hog`: that time is missing here";
    assert_eq!(taken.words().as_deref(), Some(told));
    for _ in 0..50 {
        taken.add(&run, &quiet);
    }
    assert_eq!(taken.words(), None, "3 of 323 are few");
}
