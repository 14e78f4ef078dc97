//! An app that is compared with another commit of itself: the last lines say what became of it.

use judge::{Judged, Revised, Verdict};
use record::{App, Metric, Run, RunStatus};
use report::{html, terminal, words};

use crate::sample;
use crate::terminal::plain;

/// A version that has so much of the throughput of the other one.
fn version(verdict: Verdict, ratio: f64) -> Revised {
    let of = |metric, ratio, verdict| sample::comparison(metric, "after", "before", ratio, verdict);
    Revised {
        variant: "after".to_owned(),
        over: "before".to_owned(),
        commit: Some("v2-1-g4b1c9d2".to_owned()),
        over_commit: Some("v2".to_owned()),
        metric: Metric::Throughput,
        comparisons: vec![
            of(Metric::Throughput, ratio, verdict),
            of(Metric::P99, 1.4, Verdict::Worse),
            of(Metric::PeakMemory, 0.8, Verdict::Better),
        ],
        wanted: None,
        failure: None,
    }
}

/// A run of which this is the opinion.
fn judged(run: &Run, version: Revised) -> Judged {
    let mut judged = sample::judged(run, &sample::trials(run));
    judged.decision = None;
    judged.revised = vec![version];
    judged
}

/// What a terminal shows of it, wherever its lines end.
fn shown(change: impl FnOnce(&mut Run), version: Revised) -> String {
    let mut run = sample::run();
    change(&mut run);
    let judged = judged(&run, version);
    let text = terminal::run(&sample::findings(&run, &[], &judged), &[], 100);
    let text = plain(&text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_last_lines_answer_what_became_slower() {
    let text = shown(|_| (), version(Verdict::Worse, 0.8));
    let said = "`after` at v2-1-g4b1c9d2 is slower than `before` at v2";
    let last = format!(
        "{said} worse 0.800 × [0.768, 0.828] the throughput; 1.40 × [1.34, 1.45] the 99th percentile of the response time \
         better 0.800 × [0.768, 0.828] the peak memory"
    );
    assert!(text.ends_with(&last), "{text}");
    let headline = format!("{said}: 0.800 × [0.768, 0.828] the throughput.");
    assert!(text.contains(&headline), "{text}");
    assert!(!text.contains("Run `"), "{text}");
    for (verdict, ratio, words) in [
        (
            Verdict::Better,
            1.2,
            "`after` at v2-1-g4b1c9d2 is faster than `before` at v2",
        ),
        (
            Verdict::Same,
            1.0,
            "`after` at v2-1-g4b1c9d2 is as fast as `before` at v2",
        ),
    ] {
        let text = shown(|_| (), version(verdict, ratio));
        assert!(text.contains(words), "{text}");
    }
}

/// The same of one that cannot be told, and would be by so many blocks.
fn open(wanted: Option<u32>, change: impl FnOnce(&mut Run)) -> String {
    let version = Revised {
        wanted,
        ..version(Verdict::CannotTell, 0.97)
    };
    shown(change, version)
}

#[test]
fn what_cannot_be_told_says_what_to_run() {
    let some = open(Some(20), |_| ());
    let said = "It cannot be told whether `after` at v2-1-g4b1c9d2 is slower or faster than `before` at v2 worse ";
    assert!(some.contains(said), "{some}");
    let next = "next about 20 blocks would most likely tell: run it again with `--blocks 20`";
    assert!(some.ends_with(next), "{some}");
    let none = open(None, |_| ());
    assert!(
        none.contains("next more blocks would hardly tell: "),
        "{none}"
    );
    let cut = open(Some(5), |run| run.status = RunStatus::Stopped);
    let next = "next `weir run --resume 12` runs what is left of it";
    assert!(cut.ends_with(next), "{cut}");
}

#[test]
fn a_metric_that_is_open_says_what_to_run_too() {
    let mut version = version(Verdict::Same, 1.0);
    let open = &mut version.comparisons[1];
    (open.verdict, open.wanted) = (Verdict::CannotTell, Some(31));
    let text = shown(|_| (), version);
    assert!(
        text.contains(" unsure 1.40 × [1.34, 1.45] the 99th"),
        "{text}"
    );
    assert!(text.ends_with("run it again with `--blocks 31`"), "{text}");
}

#[test]
fn a_version_that_was_not_measured_says_why() {
    let failed = Revised {
        comparisons: Vec::new(),
        commit: None,
        failure: Some("no trial of `after` counts: it did not start".to_owned()),
        ..version(Verdict::Same, 1.0)
    };
    let text = shown(|_| (), failed);
    let said = "`after` and `before` at v2 could not be compared: no trial of `after` counts: it did not start next the doubts";
    assert!(text.contains(said), "{text}");
}

#[test]
fn a_page_says_the_same_and_nothing_is_to_be_deployed() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let judged = judged(&run, version(Verdict::Worse, 0.8));
    let page = html::page(&sample::findings(&run, &trials, &judged));
    let page = scraper::Html::parse_document(&page);
    assert_eq!(page.errors, Vec::<std::borrow::Cow<str>>::new());
    let heading = scraper::Selector::parse("#revised-1").unwrap();
    let heading: Vec<String> = page
        .select(&heading)
        .map(|of| of.text().collect())
        .collect();
    assert_eq!(
        heading,
        ["after at v2-1-g4b1c9d2 is slower than before at v2"]
    );
    let decision = scraper::Selector::parse("#decision").unwrap();
    assert_eq!(page.select(&decision).count(), 0);
    let mut unasked = run.clone();
    unasked.plan.claims.clear();
    assert!(words::undecided(&unasked, &judged).is_empty());
}

/// By variants where they serve several folders, else by the folder.
#[test]
fn each_side_is_told_with_its_commit_in_every_form() {
    let mut run = sample::run();
    let app = App {
        dir: "/srv/before".into(),
        ..run.plan.app.clone()
    };
    run.plan.variants[0].app = Some(Box::new(app));
    let commits = [("/srv/guestbook", "v2-1-g4b1c9d2"), ("/srv/before", "v2")];
    let commits = commits.map(|(dir, commit)| (dir.to_owned(), commit.to_owned()));
    run.plan.revisions = commits.into();
    run.plan.variants.truncate(2);
    let trials = sample::trials(&run);
    let told = "`flask-dev` at v2, `one-worker` at v2-1-g4b1c9d2";
    assert_eq!(words::revisions(&run.plan).as_deref(), Some(told));
    let judged = sample::judged(&run, &trials);
    let of = sample::findings(&run, &trials, &judged);
    let markdown = of.markdown();
    assert!(
        markdown.contains(&format!("\n\nCommit: {told}\n\n| variant |")),
        "{markdown}"
    );
    run.plan.revisions.remove("/srv/before");
    let one = words::revisions(&run.plan);
    assert_eq!(one.as_deref(), Some("`one-worker` at v2-1-g4b1c9d2"));
    run.plan.revisions.clear();
    assert_eq!(words::revisions(&run.plan), None);
}
