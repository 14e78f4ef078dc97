//! What a terminal shows of one load of a URL, pinned.

use crate::sample;
use crate::terminal::plain;

use record::{
    Arrivals, Cause, CheckFacts, LoadFacts, NamedFacts, Process, Protocol, Shape, Slow, Spoken,
    TcpState, TimeLimit,
};
use report::terminal;
use textwrap::core::display_width;

fn one_load(load: &LoadFacts, doubts: &[judge::Doubt], width: usize) -> String {
    let text = |of: &report::JudgedRun| terminal::of_url(of, false, width);
    sample::with_one_load(load, doubts, text).unwrap()
}

#[test]
fn what_was_cut_off_before_it_had_a_name_is_told_below_the_names() {
    let mut load = sample::load(&sample::VARIANTS[0], &mut sample::Dice::new(3));
    let shop = |completed| NamedFacts {
        name: "shop".into(),
        completed,
        failed: 0,
        response: load.response.clone(),
        ..NamedFacts::default()
    };
    let (some, all) = (shop(load.scheduled - 284), shop(load.scheduled));
    let mut told = |named| {
        load.named = vec![named];
        plain(&one_load(&load, &[], 110))
    };
    assert!(told(some).contains("284 more fell due and were never sent"));
    assert!(!told(all).contains("more fell due"));
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
        ..NamedFacts::default()
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
