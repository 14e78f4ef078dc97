//! Conditions about ranks, and about how far an order agrees with the reported one.

use super::{blocks, ranked};
use crate::lab::{claim, failed};
use judge::{Holds, judge};
use record::condition::RankExpect;
use record::{Condition, Metric, Run, Trial};

fn decided(run: &mut Run, all: &[Trial], expect: &str) -> (Holds, String) {
    Condition::read(expect)
        .check(&run.plan.variants, &run.plan.rankings)
        .unwrap();
    run.plan.claims = vec![claim(&[expect])];
    let verdict = judge(run, all).claims.remove(0);
    (verdict.holds, verdict.reason.unwrap_or_default())
}

#[test]
fn conditions_are_decided_by_what_is_sure() {
    let mut run = ranked(&[Metric::Throughput, Metric::Mean]);
    let all = blocks([200.0, 300.0, 301.0, 100.0]);
    let mut said = |expect: &str| decided(&mut run, &all, expect).0;
    for (expect, holds) in [
        ("rank of `b` in `stacks` <= 2", Holds::Holds),
        ("rank of `b` in `stacks` <= 1", Holds::CannotTell),
        ("rank of `d` in `stacks` < 4", Holds::DoesNotHold),
        ("rank by mean of `d` in `stacks` >= 4", Holds::Holds),
        ("agreement of `stacks` > 0.5", Holds::DoesNotHold),
        ("agreement of `stacks` >= 0.0 and < 1", Holds::Holds),
        ("agreement of `stacks` > 0.2", Holds::CannotTell),
    ] {
        assert_eq!(said(expect), holds, "{expect}");
    }
    let few: Vec<Trial> = all.iter().filter(|of| of.block < 3).cloned().collect();
    let (holds, reason) = decided(&mut run, &few, "rank of `b` in `stacks` <= 2");
    assert_eq!(holds, Holds::CannotTell);
    assert!(
        reason.contains("3 blocks cannot give ranks: 6 are needed"),
        "{reason}"
    );
    let mut gone = all.clone();
    gone.retain(|trial| trial.variant != "b");
    gone.push(failed(0, "b"));
    let (_, reason) = decided(&mut run, &gone, "rank of `b` in `stacks` <= 2");
    assert!(reason.contains("`b` has no rank"), "{reason}");
}

#[test]
fn an_open_rank_says_how_many_blocks_it_takes() {
    let mut run = ranked(&[Metric::Throughput]);
    let mut all = blocks([200.0, 300.0, 301.0, 100.0]);
    // `c` is a percent faster, and is surely so after some blocks more
    for expect in [
        "rank of `b` in `stacks` <= 1",
        "agreement of `stacks` > 0.2",
    ] {
        let (holds, reason) = decided(&mut run, &all, expect);
        assert_eq!(holds, Holds::CannotTell, "{expect}");
        let told = reason.split_once("about ").map_or("", |(_, told)| told);
        let needed = told.split_once(" blocks are needed, and there are 6");
        let (needed, _) = needed.unwrap_or_else(|| panic!("{reason}"));
        let needed: u32 = needed.parse().unwrap();
        assert!((8..=40).contains(&needed), "{expect}: {reason}");
    }
    // no number tells two that are always the same
    all.retain(|trial| trial.variant != "c");
    let same = all.iter().filter(|trial| trial.variant == "b").cloned();
    let same: Vec<Trial> = same
        .map(|trial| Trial {
            variant: "c".to_owned(),
            ..trial
        })
        .collect();
    all.extend(same);
    let (_, reason) = decided(&mut run, &all, "rank of `b` in `stacks` <= 1");
    assert!(reason.ends_with("1000 blocks would not tell"), "{reason}");
}

/// Two that go on alone take as many blocks more as they would beside the others.
#[test]
fn who_was_left_out_of_later_blocks_makes_no_rank_nearer() {
    let mut run = ranked(&[Metric::Throughput]);
    let first = blocks([200.0, 300.0, 299.2, 100.0]);
    let later = first.iter().cloned().map(|trial| Trial {
        block: trial.block + 6,
        ..trial
    });
    let mut all: Vec<Trial> = first.iter().cloned().chain(later).collect();
    let mut more = |all: &[Trial]| {
        let (_, reason) = decided(&mut run, all, "rank of `b` in `stacks` <= 1");
        let told = reason.split_once("about ").map_or("", |(_, told)| told);
        let told = told.split_once(" blocks are needed, and there are ");
        let (needed, there) = told.unwrap_or_else(|| panic!("{reason}"));
        needed.parse::<u32>().unwrap() - there.parse::<u32>().unwrap()
    };
    let beside = more(&all);
    all.retain(|of| of.block < 6 || ["b", "c"].contains(&&*of.variant));
    let alone = more(&all);
    assert!(beside.abs_diff(alone) <= 3, "{beside} and {alone}");
}

#[test]
fn wrong_conditions_say_what_was_meant() {
    let run = ranked(&[Metric::Throughput]);
    let said = |text: &str| {
        let error = Condition::read(text)
            .check(&run.plan.variants, &run.plan.rankings)
            .unwrap_err();
        format!("{error}; {}", error.hint().unwrap())
    };
    for (text, words) in [
        ("rank of `e` in `stacks` <= 3", "`stacks` does not rank `e`"),
        ("rank of `a` in `stakcs` <= 3", "did you mean `stacks`?"),
        ("rank of `a` <= 3", "expected `in`, found `<=`"),
        ("rank `a` in `stacks` <= 3", "expected `of`"),
        (
            "rank by p99 of `a` in `stacks` <= 3",
            "it ranks by `throughput`",
        ),
        ("rank by speed of `a` in `stacks` <= 3", "expected a metric"),
        ("agreement of `a` >= 0.5", "no ranking is called `a`"),
        ("agreement of `stacks`", "expected `<`"),
    ] {
        assert!(said(text).contains(words), "{text}: {}", said(text));
    }
    let mut none = run.clone();
    none.plan.rankings[0]
        .of
        .iter_mut()
        .for_each(|of| of.reported = None);
    let error = Condition::read("agreement of `stacks` > 0")
        .check(&none.plan.variants, &none.plan.rankings);
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("there is no reported order")
    );
    assert!(RankExpect::parse("throughput of `a` > 1").is_err());
}
