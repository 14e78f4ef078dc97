//! What a terminal shows, pinned.

use crate::sample;
use std::path::Path;

use judge::Verdict;
use record::{Calibration, ClosedLoop, Metric, OtherProgram, Others, Run, RunStatus, Spoken};
use report::terminal::{self, Doctor, Program};
use textwrap::core::display_width;

pub(crate) fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn shown(run: &Run, width: usize) -> String {
    let trials = sample::trials(run);
    let judged = sample::judged(run, &trials);
    let files = [
        ("report", Path::new("report/12.html")),
        ("export", Path::new("report/12.json")),
    ];
    terminal::run(&sample::findings(run, &trials, &judged), &files, width)
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
    judged.variants[0].figures.clear();
    judged.variants[0].failure = Some("its log ends: \u{1b}[2J\u{1b}]0;owned\u{7}".into());
    let text = plain(&terminal::run(
        &sample::findings(&run, &[], &judged),
        &[],
        100,
    ));
    assert!(text.contains("`flask-dev` could not be measured: its log ends:"));
    assert!(!text.contains(['\u{1b}', '\u{7}']));
}

#[test]
fn one_block_gives_no_interval_and_says_so() {
    let mut run = sample::run();
    run.plan.blocks = 1;
    let mut judged = sample::judged(&run, &sample::trials(&run)[..6]);
    for variant in &mut judged.variants {
        variant
            .figures
            .values_mut()
            .for_each(|figure| figure.interval = None);
        for of in &mut variant.against_baseline {
            of.interval = None;
            of.verdict = Verdict::CannotTell;
        }
        variant.doubts.clear();
    }
    if let Some(floor) = &mut judged.noise_floor {
        floor.share = None;
        floor.comparison.interval = None;
    }
    judged.claims.clear();
    judged.lead = sample::lead(&run, &judged.variants, Metric::Throughput);
    insta::assert_snapshot!(plain(&terminal::run(
        &sample::findings(&run, &[], &judged),
        &[],
        100
    )));
}

#[test]
fn a_run_says_what_its_loads_were_like() {
    let run = sample::run();
    let mut trials = sample::trials(&run);
    for trial in &mut trials {
        let record::Outcome::Measured(measured) = &mut trial.outcome else {
            continue;
        };
        let load = &mut measured.load;
        load.offered = Some(load.throughput() * 2.0);
        load.retries = 500;
        load.spoken = Some(Spoken {
            keep_alive: true,
            ..Spoken::default()
        });
    }
    let calibration = Calibration {
        measured: run.started,
        weir: run.weir.clone(),
        host: run.host.clone(),
        closed_loops: vec![ClosedLoop {
            throughput: 40_000.0,
            cpu_per_request: 20e-6,
            busy: 0.8,
        }],
        ring: Vec::new(),
        races: Vec::new(),
        connections: 100,
        rate: 1_000.0,
        response: sample::empty(),
        woken: sample::empty(),
        lateness: sample::empty(),
        others: None,
    };
    let judged = sample::judged(&run, &trials);
    let mut findings = sample::findings(&run, &trials, &judged);
    findings.calibration = Some(&calibration);
    let text = plain(&terminal::run(&findings, &[], 100));
    let loads: Vec<_> = text
        .lines()
        .skip_while(|line| !line.trim_start().starts_with("load "))
        .take(6)
        .collect();
    insta::assert_snapshot!("loads", loads.join("\n"));
    let page = report::html::page(&findings);
    for part in [
        "What its load was like",
        "attempts per request",
        "All that was timed",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

fn listed(run: record::Run, trials: u64, best: Option<&str>) -> terminal::ListedRun {
    terminal::ListedRun {
        app: run.plan.app.dir.display().to_string(),
        run,
        trials,
        best: best.map(str::to_owned),
        nothing_counts: false,
        under_way: false,
    }
}

#[test]
fn a_list_says_what_a_finished_run_lacks() {
    let mut cut = sample::run();
    cut.plan.blocks = 4;
    cut.cut = Some(record::Cut {
        budget: 60.0,
        spent: 58.0,
        blocks: 3,
        trials: 0,
        block: 19.0,
    });
    let mut none = listed(sample::run(), 36, None);
    none.nothing_counts = true;
    let shown = plain(&terminal::runs(&[listed(cut, 36, None), none], 200));
    for words in ["finished, 3 of 4 blocks", "finished, nothing counts"] {
        assert!(shown.contains(words), "{shown}");
    }
}

#[test]
fn lists() {
    let mut stopped = sample::run();
    stopped.id = 7;
    stopped.status = RunStatus::Stopped;
    insta::assert_snapshot!(
        "runs",
        plain(&terminal::runs(
            &[
                listed(sample::run(), 36, Some("two-workers")),
                listed(stopped, 4, None)
            ],
            100
        ))
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
    let compared = sample::compared(&comparisons);
    let (run, mut earlier) = (sample::run(), sample::run());
    earlier.id = 11;
    let runs = Some([&run, &earlier]);
    insta::assert_snapshot!("compare", plain(&terminal::compare(&compared, runs, 80)));

    let program = |name: &str, kind: &str, version: Option<&str>, install: Option<&str>| Program {
        name: name.into(),
        kind: kind.into(),
        version: version.map(Into::into),
        install: install.map(Into::into),
    };
    let programs = vec![
        program("gunicorn", "app server", Some("27.0.1"), None),
        program(
            "uvicorn",
            "app server",
            None,
            Some("/srv/guestbook/.venv/bin/python -m pip install uvicorn"),
        ),
        program("nginx", "front end", None, Some("apt-get install nginx")),
    ];
    let doctor = Doctor {
        programs,
        install: vec![
            "/srv/guestbook/.venv/bin/python -m pip install uvicorn".to_owned(),
            "apt-get install nginx".to_owned(),
        ],
        others: Some(others()),
        pace: None,
    };
    insta::assert_snapshot!("doctor", plain(&terminal::doctor(&doctor, 80)));
}

/// What two programs take of the machine.
fn others() -> Others {
    let other = |name: &str, seconds, processes, pid| OtherProgram {
        name: name.into(),
        seconds,
        processes,
        pid,
    };
    Others {
        seconds: 0.8,
        share: 0.4,
        programs: vec![
            other("dpkg", 0.6, 1, Some(4711)),
            other("cc1", 0.2, 12, None),
        ],
        unseen: 0.0,
    }
}

#[test]
fn a_preview_shows_all_that_would_be_started() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let record::Outcome::Measured(measured) = &trials[3].outcome else {
        panic!("the first block has no failure");
    };
    let preview = |of: &record::ServerFacts| terminal::Preview {
        supervisor: of.supervisor.clone(),
        entry: of.entry.clone(),
        service: of.service.clone(),
        prepare: Vec::new(),
        version: Some(of.version.clone()),
        shown_as: None,
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
