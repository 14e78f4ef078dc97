//! What became of an app from one commit to another.

use crate::lab::{failed, run, trials};
use judge::{Judged, Verdict, commits, compare, judge};
use record::{App, Choice, Metric, Run, Trial};

/// A run of these variants, of which those that are called `after` serve another commit of the app.
fn of_commits(names: &[&str]) -> Run {
    let mut run = run(names);
    let app = App {
        dir: "/srv/after".into(),
        ..run.plan.app.clone()
    };
    let own = run.plan.variants.iter_mut();
    own.filter(|of| of.name.starts_with("after"))
        .for_each(|of| of.app = Some(Box::new(app.clone())));
    let commits = [("/srv/app", "v2"), ("/srv/after", "v2-1-g4b1c9d2")];
    let commits = commits.map(|(dir, commit)| (dir.to_owned(), commit.to_owned()));
    run.plan.revisions = commits.into();
    run
}

/// Six blocks in which the rate is these shares of it.
fn around(variant: &str, rate: f64, shares: [f64; 6]) -> Vec<Trial> {
    trials(variant, &shares.map(|share| share * rate))
}

const EVEN: [f64; 6] = [1.0, 1.01, 0.99, 1.02, 0.98, 1.0];

fn judged(after: f64, shares: [f64; 6]) -> Judged {
    let run = of_commits(&["before", "after"]);
    let all = [
        around("before", 100.0, [1.0; 6]),
        around("after", after, shares),
    ];
    judge(&run, &all.concat())
}

#[test]
fn versions_are_no_stacks_to_deploy_but_faster_or_slower() {
    let judged = judged(80.0, EVEN);
    assert_eq!(judged.decision, None);
    let [version] = judged.revised.as_slice() else {
        panic!("{:?}", judged.revised);
    };
    assert_eq!(
        (version.variant.as_str(), version.over.as_str()),
        ("after", "before")
    );
    assert_eq!(version.commit.as_deref(), Some("v2-1-g4b1c9d2"));
    assert_eq!(version.over_commit.as_deref(), Some("v2"));
    let main = version.main().unwrap();
    assert_eq!(
        (main.metric, main.verdict),
        (Metric::Throughput, Verdict::Worse)
    );
    assert!((0.78..0.82).contains(&main.ratio), "{main:?}");
    let mean = version.comparisons.iter();
    let mean = mean.filter(|of| of.metric == Metric::Mean);
    assert_eq!(
        mean.map(|of| of.verdict).collect::<Vec<_>>(),
        [Verdict::Worse]
    );
    assert_eq!((version.wanted, version.failure.as_deref()), (None, None));
}

#[test]
fn what_cannot_be_told_says_how_many_blocks_would_tell() {
    let even = judged(100.0, EVEN);
    assert_eq!(even.revised[0].main().unwrap().verdict, Verdict::Same);
    assert_eq!(even.revised[0].wanted, None);
    let uneven = judged(100.0, [1.10, 0.98, 1.12, 0.97, 1.11, 1.0]);
    let version = &uneven.revised[0];
    assert_eq!(version.main().unwrap().verdict, Verdict::CannotTell);
    // 4 % off, and within 7 %
    let wanted = version.wanted.unwrap();
    assert!((8..=40).contains(&wanted), "{wanted}");
    let nothing = judged(100.0, [1.4, 0.7, 1.38, 0.72, 1.41, 0.71]);
    assert_eq!(nothing.revised[0].wanted, None, "nobody waits so long");
}

#[test]
fn a_version_that_was_not_measured_says_why() {
    let run = of_commits(&["before", "after"]);
    let all = [around("before", 100.0, EVEN), vec![failed(0, "after")]];
    let judged = judge(&run, &all.concat());
    assert_eq!(judged.decision, None);
    let version = &judged.revised[0];
    assert_eq!((version.main(), version.wanted), (None, None));
    let why = version.failure.as_deref().unwrap();
    assert!(why.starts_with("no trial of `after` counts: "), "{why}");
}

/// Which version is faster is no question of a run in which something else differs as well.
#[test]
fn where_stacks_differ_too_one_is_deployed() {
    let mut run = of_commits(&["before", "after", "fronted"]);
    run.plan.variants[2].fronts = vec![Choice::of("front")];
    let all = [
        around("before", 100.0, EVEN),
        around("after", 200.0, EVEN),
        around("fronted", 150.0, EVEN),
    ];
    let judged = judge(&run, &all.concat());
    assert!(judged.revised.is_empty(), "{:?}", judged.revised);
    assert_eq!(judged.decision.unwrap().variant, "after");
}

#[test]
fn each_stack_compares_its_own_two_versions() {
    let names = ["before-1", "before-2", "after-2", "after-1"];
    let mut run = of_commits(&names);
    for variant in &mut run.plan.variants {
        let server = variant.name.trim_start_matches(|c: char| c != '-');
        variant.server = Some(Choice::of(server));
    }
    let all = names.map(|name| around(name, 100.0, EVEN));
    let judged = judge(&run, &all.concat());
    let pairs = judged.revised.iter();
    let pairs: Vec<_> = pairs.map(|of| (&*of.variant, &*of.over)).collect();
    assert_eq!(pairs, [("after-2", "before-2"), ("after-1", "before-1")]);
}

#[test]
fn a_side_of_a_comparison_has_its_commit() {
    let one = of_commits(&["before", "after"]);
    let before = around("before", 100.0, EVEN);
    let all = [before, around("after", 80.0, EVEN)].concat();
    let known = [Some("v2-1-g4b1c9d2"), Some("v2")];
    let found = compare((&one, &all, Some("after")), (&one, &all, Some("before"))).unwrap();
    assert_eq!(commits(&one, &one, &found[0]), known);
    let mut two = one.clone();
    two.id = 2;
    let found = compare((&two, &all, Some("after")), (&one, &all, Some("before"))).unwrap();
    assert_eq!(found[0].of, "2:after");
    assert_eq!(commits(&two, &one, &found[0]), known);
    two.plan.revisions.clear();
    assert_eq!(commits(&two, &one, &found[0]), [None, Some("v2")]);
}
