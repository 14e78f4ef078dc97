//! What to type after a run that does not say what to deploy.

use judge::{Doubt, DoubtKind, Judged};
use record::{Run, RunStatus};
use report::words;

use crate::sample;

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
