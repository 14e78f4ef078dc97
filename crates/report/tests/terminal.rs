//! What a terminal shows, pinned.

mod sample;

use std::path::Path;

use judge::Verdict;
use record::{Arrivals, Cause, Metric, Process, Run, RunStatus, Shape};
use report::terminal::{self, Program};
use textwrap::core::display_width;

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn shown(run: &Run, width: usize) -> String {
    let judged = sample::judged(run, &sample::trials(run));
    let files = [
        ("report", Path::new("report/12.html")),
        ("export", Path::new("report/12.json")),
    ];
    terminal::run(run, &judged, &files, width)
}

#[test]
fn a_run_at_three_widths() {
    for width in [80, 100, 140] {
        let text = plain(&shown(&sample::run(), width));
        insta::assert_snapshot!(format!("run_{width}"), text);
    }
}

#[test]
fn no_line_of_a_run_is_wider_than_the_terminal() {
    for width in 72..200 {
        for line in plain(&shown(&sample::run(), width)).lines() {
            assert!(display_width(line) <= width, "{width}: {line}");
        }
    }
}

#[test]
fn colour_carries_no_meaning_of_its_own() {
    let text = shown(&sample::run(), 100);
    assert_ne!(plain(&text), text, "there is colour");
    for word in [
        "holds",
        "does not hold",
        "cannot tell",
        "better",
        "baseline",
    ] {
        assert!(plain(&text).contains(word), "{word}");
    }
}

#[test]
fn what_a_server_says_does_not_steer_the_terminal() {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    judged.stages[0].figures.clear();
    judged.stages[0].failure = Some("its log ends: \u{1b}[2J\u{1b}]0;owned\u{7}".into());
    let text = plain(&terminal::run(&run, &judged, &[], 100));
    assert!(text.contains("`flask-dev` could not be measured: its log ends:"));
    assert!(!text.contains(['\u{1b}', '\u{7}']));
}

#[test]
fn one_block_gives_no_interval_and_says_so() {
    let mut run = sample::run();
    run.plan.blocks = 1;
    let mut judged = sample::judged(&run, &sample::trials(&run)[..6]);
    for stage in &mut judged.stages {
        stage
            .figures
            .values_mut()
            .for_each(|figure| figure.interval = None);
        for of in &mut stage.against_baseline {
            of.interval = None;
            of.verdict = Verdict::CannotTell;
        }
        stage.doubts.clear();
    }
    if let Some(floor) = &mut judged.noise_floor {
        floor.share = None;
        floor.comparison.interval = None;
    }
    judged.claims.clear();
    insta::assert_snapshot!(plain(&terminal::run(&run, &judged, &[], 100)));
}

#[test]
fn a_bench_with_failures() {
    let mut load = sample::load(&sample::STAGES[4], &mut sample::Dice::new(3));
    load.timed_out = 2;
    load.completed -= 2;
    load.statuses.insert(502, 1);
    load.failed.insert(Cause::Status, 1);
    load.completed -= 1;
    load.examples
        .insert(Cause::Status, "502 <html>\r\n\u{1b}[31m".into());
    for width in [80, 110] {
        let text = plain(&terminal::bench(&load, &sample::doubts(), width));
        insta::assert_snapshot!(format!("bench_{width}"), text);
    }
}

#[test]
fn a_bench_in_which_nothing_was_answered() {
    let load = record::LoadFacts {
        seconds: 0.002,
        scheduled: 10,
        failed: [(Cause::Refused, 10)].into(),
        connections: 10,
        ..Default::default()
    };
    insta::assert_snapshot!(plain(&terminal::bench(&load, &[], 80)));
}

#[test]
fn an_open_loop_says_its_rate_and_who_was_late() {
    let mut load = sample::load(&sample::STAGES[0], &mut sample::Dice::new(3));
    load.shape = Shape::Open(Arrivals {
        process: Process::Poisson,
        legs: Arrivals::ramp(&[100.0, 1_000.0], 10.0),
        max_outstanding: 1_000,
        seed: 1,
    });
    load.offered = Some(550.0);
    (load.shed, load.scheduled) = (25, load.scheduled + 25);
    for late in 1..=1_000 {
        load.woken.record(late * 100);
    }
    (0..20).for_each(|_| load.waited.record(40_000_000));
    for width in [80, 110] {
        let text = plain(&terminal::bench(&load, &[], width));
        insta::assert_snapshot!(format!("open_loop_{width}"), text);
    }
}

#[test]
fn lists() {
    let mut stopped = sample::run();
    stopped.id = 7;
    stopped.status = RunStatus::Stopped;
    insta::assert_snapshot!(
        "runs",
        plain(&terminal::runs(&[(sample::run(), 36), (stopped, 4)], 90))
    );
    insta::assert_snapshot!("no_runs", plain(&terminal::runs(&[], 80)));

    let comparisons = [
        (Metric::Throughput, "12:two-workers", 1.08, Verdict::Better),
        (Metric::Mean, "12:two-workers", 0.92, Verdict::Better),
        (Metric::PeakMemory, "12:two-workers", 1.0, Verdict::Same),
        (Metric::Throughput, "12:static", 0.99, Verdict::CannotTell),
    ]
    .map(|(metric, of, ratio, verdict)| {
        sample::comparison(metric, of, &of.replace("12", "11"), ratio, verdict)
    });
    insta::assert_snapshot!("compare", plain(&terminal::compare(&comparisons, 80)));

    let program = |name: &str, kind: &str, version: Option<&str>, install: Option<&str>| Program {
        name: name.into(),
        kind: kind.into(),
        version: version.map(Into::into),
        install: install.map(Into::into),
    };
    let programs = [
        program("gunicorn", "app server", Some("27.0.1"), None),
        program(
            "uvicorn",
            "app server",
            None,
            Some("/srv/guestbook/.venv/bin/python -m pip install uvicorn"),
        ),
        program("nginx", "front end", None, Some("apt-get install nginx")),
    ];
    insta::assert_snapshot!("doctor", plain(&terminal::doctor(&programs, 80)));
}

#[test]
fn a_preview_shows_all_that_would_be_started() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let record::Outcome::Measured(measured) = &trials[3].outcome else {
        panic!("the first block has no failure");
    };
    let preview = |of: &record::ServerFacts| terminal::Preview {
        entry: of.entry.clone(),
        version: of.version.clone(),
        argv: of.argv.clone(),
        env: of.env.clone(),
        cwd: "/srv/guest book".into(),
        knobs: of.knobs.clone(),
        files: of.files.clone(),
    };
    let previews: Vec<_> = measured.stack.servers.iter().map(preview).collect();
    let help =
        |entry: &str, knob: &str| (knob == "workers").then(|| format!("processes of {entry}"));
    insta::assert_snapshot!(plain(&terminal::programs(&previews, &help)));
}
