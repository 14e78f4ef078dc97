//! What to type after a run that does not say what to deploy.

use judge::{Doubt, DoubtKind, Judged, Verdict};
use record::{Run, RunStatus};
use report::{terminal, words};

use crate::sample;
use crate::terminal::plain;

/// What is told after a run that asked nothing in particular.
fn undecided(change: impl FnOnce(&mut Run, &mut Judged)) -> Vec<String> {
    let mut run = sample::run();
    run.plan.claims.clear();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    judged.decision = None;
    change(&mut run, &mut judged);
    words::undecided(&run, &judged)
}

#[test]
fn a_run_that_does_not_say_what_to_deploy_says_what_to_type() {
    let by_hand = "`weir write 12:VARIANT DIR` writes the files of one that you choose: ";
    let whole = undecided(|_, _| ());
    assert!(
        whole.len() == 1 && whole[0].starts_with(by_hand),
        "{whole:?}"
    );
    let stopped = undecided(|run, _| run.status = RunStatus::Stopped);
    assert_eq!(stopped[0], "`weir run --resume 12` runs what is left of it");
    let quick = undecided(|run, _| run.plan.blocks = 1);
    assert!(
        quick[0].starts_with("it has 1 block, and an interval needs "),
        "{quick:?}"
    );
    assert!(stopped[1..] == whole && quick[1..] == whole);

    let decided = undecided(|run, judged| *judged = sample::judged(run, &sample::trials(run)));
    let asked_more = undecided(|run, _| run.plan.claims = sample::run().plan.claims);
    assert!(decided.is_empty() && asked_more.is_empty());
    let beside = undecided(|run, _| {
        run.plan.claims = sample::run().plan.claims;
        run.plan.to_deploy = true;
    });
    assert_eq!(
        beside, whole,
        "what is required beside it takes nothing away"
    );
}

#[test]
fn what_is_for_development_is_not_among_those_to_choose_from() {
    let mut run = sample::run();
    run.plan.claims.clear();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    judged.decision = None;
    let told = |judged: &Judged| {
        let by_hand = words::undecided(&run, judged).pop().unwrap();
        let text = plain(&terminal::run(
            &sample::findings(&run, &[], judged),
            &[],
            200,
        ));
        let text: Vec<_> = text.split_whitespace().collect();
        (by_hand, text.join(" "))
    };
    let left_out = "left out `flask-dev`: made for development, and not to be deployed";
    let (all, text) = told(&judged);
    assert!(
        all.contains("`flask-dev`") && !text.contains(left_out),
        "{text}"
    );
    judged.lead.development = vec!["flask-dev".to_owned()];
    let (some, text) = told(&judged);
    assert!(
        !some.contains("flask-dev") && some.contains("`one-worker`"),
        "{some}"
    );
    assert!(text.contains(left_out), "{text}");
    // where there is no other one they are what there is
    judged.lead.development = judged.lead.rivals.clone();
    let (those, text) = told(&judged);
    assert!(those == all && !text.contains(left_out), "{text}");
}

#[test]
fn what_may_be_much_slower_is_said_with_how_much_and_what_would_tell() {
    let mut run = sample::run();
    run.plan.claims.clear();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    judged.decision = None;
    let mut wide = judged.lead.comparisons[0].clone();
    (wide.ratio, wide.interval, wide.one_ended) = (1.0, Some((0.622, 1.71)), false);
    (wide.wanted, wide.verdict) = (Some(40), Verdict::CannotTell);
    let (of, over) = (wide.of.clone(), wide.over.clone());
    judged.too_wide = Some(wide);
    let text = plain(&terminal::run(
        &sample::findings(&run, &[], &judged),
        &[],
        100,
    ));
    let text: Vec<_> = text.split_whitespace().collect();
    let text = text.join(" ");
    for words in [
        format!(
            "because not decided: `{of}` is surely cheaper than `{over}`, and may be up to 38 % slower: "
        ),
        "next about 40 blocks would most likely tell by throughput".to_owned(),
    ] {
        assert!(text.contains(&words), "{words}: {text}");
    }
}

#[test]
fn a_run_on_a_machine_that_is_never_quiet_is_told_how_to_count_it() {
    let disturb_as = |judged: &mut Judged, kind, disqualifies| {
        let doubt = Doubt {
            kind,
            disqualifies,
            because: "`dpkg` took 41 % of the machine".into(),
            advice: "end it".into(),
        };
        judged.variants[0].doubts.push((doubt, 2));
    };
    let disturb = |judged: &mut Judged, disqualifies| {
        disturb_as(judged, DoubtKind::Disturbed, disqualifies);
    };
    let counts = |lines: &[String]| {
        lines
            .iter()
            .any(|line| line.contains("`--shared` counts trials"))
    };
    assert!(counts(&undecided(|_, judged| disturb(judged, true))));
    assert!(!counts(&undecided(|_, judged| disturb(judged, false))));
    let starved = |judged: &mut Judged| disturb_as(judged, DoubtKind::Starved, true);
    assert!(counts(&undecided(|_, judged| starved(judged))));
    assert!(!counts(&undecided(|run, judged| {
        disturb(judged, true);
        run.plan.shared = true;
    })));
    let stopped = undecided(|run, judged| {
        disturb(judged, true);
        run.status = RunStatus::Stopped;
    });
    assert!(counts(&stopped[..1]), "{stopped:?}");
    assert!(
        stopped[1].starts_with("`weir run --resume 12`"),
        "{stopped:?}"
    );
}
