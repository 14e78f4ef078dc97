//! Claims hold, do not hold, or cannot be told; and it is said why.

use crate::lab::{claim, facts, failed, run, trial, trial_of, trials};
use judge::{ClaimVerdict, Holds, judge};
use record::{Cause, OtherProgram, Others, Trial};

pub(crate) fn decide(expect: &[&str], all: &[Trial]) -> ClaimVerdict {
    let mut run = run(&["a", "b"]);
    run.plan.claims = vec![claim(expect)];
    judge(&run, all).claims.remove(0)
}

/// `b` is 1.4 to 1.6 times as fast as `a` in each of `blocks`.
pub(crate) fn faster(blocks: usize) -> Vec<Trial> {
    let ratios = [1.4, 1.5, 1.6, 1.5, 1.45, 1.55].iter().cycle().take(blocks);
    let rates: Vec<f64> = ratios.map(|ratio| 400.0 * ratio).collect();
    [trials("a", &vec![400.0; blocks]), trials("b", &rates)].concat()
}

pub(crate) fn holds(expect: &str, all: &[Trial]) -> Holds {
    decide(&[expect], all).holds
}

#[test]
fn ratios_are_decided_by_their_interval() {
    let all = faster(6);
    let ratio = "throughput of `b` / throughput of `a`";
    for (bound, expected) in [
        (">= 1.3", Holds::Holds),
        (">= 1.7", Holds::DoesNotHold),
        (">= 1.5", Holds::CannotTell),
        ("within 1.3 .. 1.7", Holds::Holds),
        ("within 0.9 .. 1.35", Holds::DoesNotHold),
        ("within 1.45 .. 1.7", Holds::CannotTell),
        ("> 1.2 and < 1.9", Holds::Holds),
        ("> 1.2 and < 1.3", Holds::DoesNotHold),
    ] {
        assert_eq!(
            holds(&format!("{ratio} {bound}"), &all),
            expected,
            "{bound}"
        );
    }
    let decided = decide(&[&format!("{ratio} >= 1.3")], &all);
    let condition = &decided.conditions[0];
    assert!((condition.value.unwrap() - 1.5).abs() < 0.001);
    assert!((condition.interval.unwrap().0 - 1.4262).abs() < 0.001);
    assert_eq!(decided.reason, None);
    assert_eq!(
        (decided.id.as_str(), decided.reported.as_str()),
        ("A1", "1.10 x")
    );
}

/// Twice as fast from `a` to `b`, and half as much again from `c` to `d`: four thirds.
#[test]
fn a_ratio_of_ratios_is_taken_within_each_block() {
    let mut run = run(&["a", "b", "c", "d"]);
    let text = "throughput of `b` / throughput of `a` / (throughput of `d` / throughput of `c`)";
    run.plan.claims = vec![claim(&[&format!("{text} within 1.32 .. 1.35")])];
    // the whole machine drifts by a half from block to block
    let drift = [400.0, 600.0, 420.0, 580.0, 390.0, 610.0];
    let rates = |factor: f64| drift.map(|rate| rate * factor);
    let all = [("a", 1.0), ("b", 2.0), ("c", 0.5), ("d", 0.75)];
    let all = all.map(|(name, factor)| trials(name, &rates(factor)));
    let decided = judge(&run, &all.concat()).claims.remove(0);
    assert_eq!(decided.holds, Holds::Holds, "{decided:?}");
    assert!((decided.conditions[0].value.unwrap() - 4.0 / 3.0).abs() < 1e-3);
}

#[test]
fn what_tests_a_text_decides_nothing() {
    let mut run = run(&["a", "b"]);
    run.plan.claims = vec![claim(&["throughput of `b` / throughput of `a` >= 1.3"])];
    run.plan.claims[0].since = Some("it is another `a`".into());
    let tests = ["throughput of `a` > 500", "throughput of `b` > 500"];
    run.plan.claims[0].since_expect = tests.map(record::Condition::read).into();
    let decided = judge(&run, &faster(6)).claims.remove(0);
    assert_eq!(decided.holds, Holds::Holds);
    let since: Vec<_> = decided.since.iter().map(|of| of.holds).collect();
    assert_eq!(since, [Holds::DoesNotHold, Holds::Holds]);
}

#[test]
fn exchanging_the_variants_contradicts_what_held() {
    let all = faster(6);
    assert_eq!(
        holds("throughput of `b` / throughput of `a` >= 1.3", &all),
        Holds::Holds
    );
    assert_eq!(
        holds("throughput of `a` / throughput of `b` >= 1.3", &all),
        Holds::DoesNotHold
    );
    assert_eq!(
        holds("mean of `b` / mean of `a` < 0.75", &all),
        Holds::Holds
    );
    assert_eq!(
        holds("median of `a` / median of `b` < 0.75", &all),
        Holds::DoesNotHold
    );
}

#[test]
fn single_figures_are_decided_too() {
    let all = faster(6);
    assert_eq!(holds("throughput of `a` >= 399", &all), Holds::Holds);
    assert_eq!(holds("mean of `a` < 0.02", &all), Holds::DoesNotHold);
    assert_eq!(holds("throughput of `b` > 600", &all), Holds::CannotTell);
    assert_eq!(holds("errors of `a` < 0.01", &all), Holds::Holds);
}

#[test]
fn a_claim_fails_with_one_condition_and_holds_with_all() {
    let all = faster(6);
    let (yes, no, open) = (
        "throughput of `a` > 300",
        "throughput of `a` > 500",
        "throughput of `b` > 600",
    );
    for (expect, expected) in [
        (vec![yes, yes], Holds::Holds),
        (vec![yes, no], Holds::DoesNotHold),
        (vec![open, no], Holds::DoesNotHold),
        (vec![yes, open], Holds::CannotTell),
        (vec![], Holds::CannotTell),
    ] {
        let decided = decide(&expect, &all);
        assert_eq!(decided.holds, expected, "{expect:?}");
        assert_eq!(decided.conditions.len(), expect.len());
        assert_eq!(decided.reason.is_some(), expected == Holds::CannotTell);
    }
}

fn reason(expect: &str, all: &[Trial]) -> String {
    let decided = decide(&[expect], all);
    assert_eq!(decided.holds, Holds::CannotTell, "{expect}");
    decided.reason.expect("what cannot be told has a reason")
}

/// A package installation that took this share of the machine.
fn dpkg(share: f64) -> Others {
    Others {
        seconds: 0.4,
        share,
        programs: vec![OtherProgram {
            name: "dpkg".to_owned(),
            seconds: 0.4,
            processes: 1,
            pid: Some(4711),
        }],
        ..Others::default()
    }
}

#[test]
fn what_cannot_be_told_says_why() {
    let ratio = "throughput of `b` / throughput of `a` >= 1.3";
    assert_eq!(reason(ratio, &faster(1)), "one block gives no interval");
    assert_eq!(
        reason(ratio, &faster(2)),
        "2 blocks give no 95 % interval: 3 are needed"
    );
    let few = "2 blocks give no 95 % interval: 3 are needed";
    assert_eq!(reason("mean of `a` < 1", &faster(2)), few);
    assert_eq!(holds("mean of `a` < 1", &faster(3)), Holds::Holds);
    // none failed in any block
    assert_eq!(reason("errors of `a` < 0.01", &faster(2)), few);
    assert_eq!(holds("errors of `a` < 0.01", &faster(3)), Holds::Holds);
    let open = reason("throughput of `b` / throughput of `a` >= 1.5", &faster(6));
    assert_eq!(
        open,
        "the interval 1.43 to 1.57 reaches over the edge: 1.50 lies so near to it that 1000 blocks would not tell"
    );
    let open = reason("throughput of `b` / throughput of `a` >= 1.45", &faster(6));
    assert_eq!(
        open,
        "the interval 1.43 to 1.57 reaches over the edge: about 14 blocks are needed, and there are 6"
    );
    let mut beside = faster(6);
    for (trial, share) in beside.iter_mut().zip([0.1, 0.15]) {
        facts(trial).observed.others = Some(dpkg(share));
    }
    let open = reason("throughput of `b` / throughput of `a` >= 1.45", &beside);
    assert!(
        open.ends_with("; `dpkg` disturbed 2 of 12 trials"),
        "{open}"
    );
    let broken = [trials("a", &[400.0; 6]), vec![failed(0, "b")]].concat();
    let expected = "no trial of `b` counts: `gunicorn` was not ready after 10 s";
    assert_eq!(reason(ratio, &broken), expected);
    let few: Vec<Trial> = (0..6)
        .map(|block| trial_of(block, "a", 400.0, 100))
        .collect();
    assert_eq!(
        reason("p99 of `a` < 1", &few),
        "too few responses for p99 of `a`: each trial needs 1,000"
    );
    let apart = [trials("a", &[400.0; 2]), vec![trial(5, "b", 600.0)]].concat();
    assert!(reason(ratio, &apart).contains("no block has"));
    assert!(reason("loudness of `a` < 1", &faster(6)).contains("expected a metric"));
    assert_eq!(
        reason("mean of `zzz` < 1", &faster(6)),
        "no variant is called `zzz`"
    );
    let missing = trials("a", &[400.0; 6]);
    assert!(reason("mean of `b` < 1", &missing).contains("it has not run"));
    let merged: Vec<Trial> = (0..6)
        .map(|block| trial_of(block, "a", 400.0, 200))
        .collect();
    assert!(reason("p99 of `a` < 1", &merged).contains("all blocks together"));
}

/// Five of six blocks have errors, and looks want more confidence than ranks of six give.
#[test]
fn a_figure_that_is_zero_in_a_block_says_what_it_lacks() {
    let mut run = run(&["a"]);
    run.plan.at_least = Some(4);
    run.plan.claims = vec![claim(&["errors of `a` < 50%"])];
    let mut all = trials("a", &[400.0; 6]);
    for failing in &mut all[1..] {
        let load = &mut facts(failing).load;
        load.completed -= 100;
        load.failed.insert(Cause::Refused, 100);
    }
    let decided = judge(&run, &all).claims.remove(0);
    assert_eq!(decided.holds, Holds::CannotTell);
    let because = decided.reason.unwrap();
    assert!(because.contains("zero in some of 6 blocks"), "{because}");
}

#[test]
fn one_block_still_shows_its_value() {
    let decided = decide(
        &["throughput of `b` / throughput of `a` >= 1.3"],
        &faster(1),
    );
    let condition = &decided.conditions[0];
    assert!((condition.value.unwrap() - 1.4).abs() < 0.001);
    assert_eq!(condition.interval, None);
}

/// The exchange that changes this claim's verdict, and what it becomes; `None` where no exchange does.
fn exchanged(expect: &str, variants: &[(&str, f64)]) -> Option<([String; 2], Holds)> {
    let names: Vec<&str> = variants.iter().map(|(name, _)| *name).collect();
    let all = variants.iter().flat_map(|(name, rate)| {
        let rates: Vec<f64> = (0..6).map(|block| rate + f64::from(block)).collect();
        trials(name, &rates)
    });
    let mut run = run(&names);
    run.plan.claims = vec![claim(&[expect])];
    let found = judge::exchanges(&run, &all.collect::<Vec<_>>());
    assert_eq!(found.len(), 1, "it is decided");
    found.into_iter().next().unwrap().of
}

#[test]
fn an_exchange_of_trials_shows_whether_a_verdict_can_fail() {
    let three = [("a", 400.0), ("b", 800.0), ("c", 1_600.0)];
    let two = |one: &str, other: &str| [one.to_owned(), other.to_owned()];
    assert_eq!(
        exchanged("throughput of `b` / throughput of `a` >= 1.5", &three),
        Some((two("b", "a"), Holds::DoesNotHold))
    );
    // two equal ones stay so, and another in the place of one of them does not
    let equal = [("a", 400.0), ("b", 400.0), ("c", 800.0)];
    assert_eq!(
        exchanged(
            "throughput of `b` / throughput of `a` within 0.9 .. 1.1",
            &equal
        ),
        Some((two("b", "c"), Holds::DoesNotHold))
    );
    assert_eq!(
        exchanged("throughput of `b` / throughput of `a` > 0.01", &three),
        None
    );
}
