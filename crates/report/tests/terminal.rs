//! What a terminal shows, pinned.

use crate::sample;
use std::path::Path;

use judge::Verdict;
use record::{
    Arrivals, Calibration, Cause, CheckFacts, ClosedLoop, LoadFacts, Metric, NamedFacts,
    OtherProgram, Others, Process, Protocol, Run, RunStatus, Shape, Slow, Spoken, TcpState,
    TimeLimit,
};
use report::terminal::{self, Program};
use report::words;
use textwrap::core::display_width;

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn one_load(load: &LoadFacts, doubts: &[judge::Doubt], width: usize) -> String {
    let text = |of: &report::JudgedRun| terminal::of_url(of, false, width);
    sample::with_one_load(load, doubts, text).unwrap()
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
fn a_bench_with_failures() {
    let mut load = sample::load(&sample::VARIANTS[4], &mut sample::Dice::new(3));
    load.timed_out = 2;
    load.completed -= 2;
    load.statuses.insert(502, 1);
    load.failed.insert(Cause::Status, 1);
    load.completed -= 1;
    load.examples
        .insert(Cause::Status, "502 <html>\r\n\u{1b}[31m".into());
    for width in [80, 110] {
        let text = plain(&one_load(&load, &sample::doubts(), width));
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
    insta::assert_snapshot!(plain(&one_load(&load, &[], 80)));
}

#[test]
fn an_open_loop_says_its_rate_and_who_was_late() {
    let mut load = sample::load(&sample::VARIANTS[0], &mut sample::Dice::new(3));
    load.shape = Shape::Open(Arrivals {
        process: Process::Poisson,
        segments: Arrivals::ramp(&[100.0, 1_000.0], 10.0),
        max_outstanding: 1_000,
        seed: 1,
    });
    load.offered = Some(550.0);
    (load.dropped, load.scheduled) = (25, load.scheduled + 25);
    for late in 1..=1_000 {
        load.woken.record(late * 100);
    }
    (0..20).for_each(|_| load.waited.record(40_000_000));
    for width in [80, 110] {
        let text = plain(&one_load(&load, &[], width));
        insta::assert_snapshot!(format!("open_loop_{width}"), text);
    }
}

/// A load with something of everything that a bench can show.
fn rich() -> LoadFacts {
    let mut load = sample::load(&sample::VARIANTS[0], &mut sample::Dice::new(3));
    let named = |name: &str, count| NamedFacts {
        name: name.into(),
        completed: count,
        failed: count / 400,
        response: load.response.clone(),
    };
    load.named = (1..=15)
        .map(|at| named(&format!("page {at}"), at * 100))
        .collect();
    load.checks = vec![
        CheckFacts {
            name: "has a title".into(),
            looked_at: 1_000,
            failed: 2,
            example: Some("`<html>\u{1b}[31m` where `<title>` was to be".into()),
        },
        CheckFacts {
            name: "is JSON".into(),
            looked_at: 100,
            ..CheckFacts::default()
        },
    ];
    let slow = |due| Slow {
        due,
        waited: 0.2,
        first_byte: Some(1.0),
        response: 1.21,
        status: 200,
        before: 4,
        tcp: Some(TcpState {
            rtt: 40e-6,
            retransmits: 2,
            ..TcpState::default()
        }),
        ..Slow::default()
    };
    load.slowest = [0.1, 0.2, 0.3, 0.4].map(slow).into();
    load.retries = 120;
    load.timed_out = 3;
    load.completed -= 3;
    load.time_limits = [(TimeLimit::Connect, 1), (TimeLimit::FirstByte, 2)].into();
    load.warm_up.stationary = Some(false);
    load.spoken = Some(Spoken {
        protocol: Protocol::Http2,
        tls: true,
        keep_alive: true,
        streams: 10,
        per_connection: None,
    });
    for at in 1..=300 {
        load.tls.record(at * 10_000);
        load.body.record(at * 1_000);
        load.pages.record(at * 1_000_000);
    }
    load
}

#[test]
fn a_bench_shows_all_that_was_recorded() {
    let load = rich();
    for width in [80, 110] {
        let text = plain(&one_load(&load, &judge::doubts(&load), width));
        insta::assert_snapshot!(format!("rich_{width}"), text);
        for line in text.lines() {
            assert!(display_width(line) <= width, "{width}: {line}");
        }
    }
    let (markdown, document, page) = sample::with_one_load(&load, &[], |of| {
        let document = serde_json::to_value(report::json::export(of)).unwrap();
        (of.markdown(), document, report::html::page(of))
    });
    insta::assert_snapshot!("rich_markdown", markdown);
    let figures = &document["trials"][0]["figures"];
    assert!(figures["times"]["TLS"]["p50"].as_f64().is_some());
    assert!(figures["times"]["page"]["p50"].as_f64().is_some());
    assert_eq!(figures["named"][14]["completed"], 1_500);
    assert!((figures["attempts_per_request"].as_f64().unwrap() - 1.12).abs() < 1e-9);
    for part in [
        "By name",
        "(4 others)",
        "has a title",
        "The slowest requests",
        "TLS",
    ] {
        assert!(page.contains(part), "{part}");
    }
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
        connections: 100,
        rate: 1_000.0,
        response: sample::empty(),
        woken: sample::empty(),
        lateness: sample::empty(),
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

fn listed(run: record::Run, trials: u64, fastest: Option<&str>) -> terminal::ListedRun {
    terminal::ListedRun {
        app: run.plan.app.dir.display().to_string(),
        run,
        trials,
        fastest: fastest.map(str::to_owned),
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
    let commands = [
        "/srv/guestbook/.venv/bin/python -m pip install uvicorn".to_owned(),
        "apt-get install nginx".to_owned(),
    ];
    let machine = words::quiet(&others());
    insta::assert_snapshot!(
        "doctor",
        plain(&terminal::doctor(&programs, &commands, &machine, 80))
    );
}

/// What two programs take of the machine.
fn others() -> Others {
    let other = |name: &str, seconds| OtherProgram {
        name: name.into(),
        seconds,
    };
    Others {
        seconds: 0.8,
        share: 0.4,
        programs: vec![other("dpkg", 0.6), other("cc1", 0.2)],
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
