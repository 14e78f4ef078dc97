use std::cell::Cell;
use std::time::Duration;

use record::{CounterAsk, CounterKind, Observed, Target};
use testkit::{ScriptedPeer, Step, answer};

use super::*;
use crate::Watch;

fn spec(pattern: &str, kind: CounterKind, own: u32) -> CounterSpec {
    CounterSpec {
        pattern: Some(pattern.to_owned()),
        row: Vec::new(),
        column: None,
        letters: None,
        kind,
        unit: "requests".to_owned(),
        own,
    }
}

fn cell(row: &[&str], column: &str) -> CounterSpec {
    CounterSpec {
        pattern: None,
        row: row.iter().map(|&cell| cell.to_owned()).collect(),
        column: Some(column.to_owned()),
        ..spec("", CounterKind::Gauge, 0)
    }
}

fn source(ask: CounterAsk, each: &[(&str, CounterSpec)]) -> CounterSource {
    let each = each.iter().cloned();
    CounterSource {
        program: "front".to_owned(),
        ask,
        each: each.map(|(name, spec)| (name.to_owned(), spec)).collect(),
    }
}

/// What is observed of a program over a window with one look in between, if there is one.
fn seen(source: CounterSource, run: RunCommand, between: bool) -> Observed {
    let opened = Moment::now();
    let mut probe = Counters::new(vec![source], run);
    let mut samples = Samples::default();
    probe.start(opened, &mut samples);
    if between {
        probe.sample(opened, &mut samples);
    }
    probe.stop(opened, &mut samples);
    let mut seen = Seen::default();
    Box::new(probe).tell(&mut seen);
    seen.observed
}

/// What is observed of a program over a window with nothing in between.
fn observed(source: CounterSource) -> Observed {
    let opened = Moment::now();
    let mut watch = Watch::of_machine().counting(vec![source], no_command);
    watch.open();
    watch.close();
    watch.seen(opened).observed
}

fn no_command(argv: &[String], _: Duration) -> Result<String, String> {
    panic!("{argv:?} is to be asked, not run")
}

fn get(peer: &ScriptedPeer) -> CounterAsk {
    CounterAsk::Get {
        at: Target::Tcp(peer.address()),
        path: "/status".to_owned(),
    }
}

#[test]
fn totals_are_increases_and_gauges_peaks_without_what_reading_adds() {
    let told = |number| answer(200, &[], ["total 10\nnow 8", "total 18\nnow 3"][number]);
    let peer = ScriptedPeer::tcp(move |number| Step::serve_once(told(number)));
    let each = [
        ("all", spec(r"total (\d+)", CounterKind::Total, 1)),
        ("now", spec(r"now (\d+)", CounterKind::Gauge, 1)),
    ];
    let seen = observed(source(get(&peer), &each));
    assert_eq!(seen.counted("all"), Some(7.0));
    assert_eq!(seen.counted("now"), Some(7.0));
    assert_eq!(seen.counted("another"), None);
    assert_eq!(seen.counters[0].problem, None);
    let all = seen.series.iter().find(|series| series.name == "all");
    let all = all.unwrap();
    assert_eq!((all.of.as_str(), &all.values), ("front", &vec![9.0, 16.0]));
    assert!(all.at[0] > 0.0 && all.at[1] > all.at[0], "{:?}", all.at);
    let cost = seen.probes.iter().find(|cost| cost.probe == "counters");
    let cost = cost.unwrap();
    assert!(cost.samples == 2 && cost.cpu > 0.0 && cost.longest > 0.0);
    assert!(peer.requests()[0].starts_with(b"GET /status HTTP/1.0\r\n"));
}

#[test]
fn cells_of_a_table_are_found_by_row_and_column() {
    let table = "# px,sv,queue,\nweb,one,1,\napp,one,2,\napp,two,40,\nodd\napp,\"x,y\",,\n\n";
    let peer = ScriptedPeer::tcp(move |_| vec![Step::ReadBytes(10), Step::Send(table.into())]);
    let each = [
        ("one", cell(&["app", "one"], "queue")),
        ("all", cell(&["app"], "queue")),
        ("empty", cell(&["app", "x,y"], "queue")),
        ("lacking", cell(&["app", "BACKEND"], "queue")),
        ("unknown", cell(&["app"], "colour")),
    ];
    let ask = CounterAsk::Send {
        at: Target::Tcp(peer.address()),
        line: "show stat".to_owned(),
    };
    let seen = observed(source(ask, &each));
    let value = |name: &str| seen.counters[0].values.get(name).map(|of| of.value);
    assert_eq!((value("one"), value("all")), (Some(2.0), Some(42.0)));
    for name in ["empty", "lacking", "unknown"] {
        assert_eq!(value(name), None, "{name}");
    }
    let problem = seen.counters[0].problem.as_deref();
    assert_eq!(problem, Some("`unknown`: it is not in the response"));
}

#[test]
fn letters_are_counted_where_they_stand() {
    let board = answer(200, &[], "Workers: 9\nBoard: _WW.K_R\nBoard: KR\n");
    let peer = ScriptedPeer::tcp(move |_| Step::serve_once(board.clone()));
    let letters = |letters: &str, pattern| CounterSpec {
        letters: Some(letters.to_owned()),
        ..spec(pattern, CounterKind::Gauge, 0)
    };
    let each = [
        ("writing", letters("W", r"Board: (\S+)")),
        ("either", letters("KR", r"Board: (\S+)")),
        ("none", letters("D", r"Board: (\S+)")),
        ("nowhere", letters("W", r"Bored: (\S+)")),
    ];
    let seen = observed(source(get(&peer), &each));
    let value = |name: &str| seen.counters[0].values.get(name).map(|of| of.value);
    assert_eq!((value("writing"), value("either")), (Some(2.0), Some(4.0)));
    assert_eq!((value("none"), value("nowhere")), (Some(0.0), None));
    let problem = seen.counters[0].problem.as_deref();
    assert_eq!(problem, Some("`nowhere`: it is not in the response"));
}

#[test]
fn a_command_is_run_at_the_ends_of_a_window_only() {
    thread_local!(static RUNS: Cell<u32> = const { Cell::new(0) });
    let printed: RunCommand = |argv, limit| {
        assert!(limit > Duration::ZERO);
        let runs = RUNS.replace(RUNS.get() + 1) + 1;
        Ok(format!("{} {runs}0", argv[0]))
    };
    let each = [("all", spec(r"status (\d+)", CounterKind::Total, 0))];
    let ask = CounterAsk::Run(vec!["status".to_owned()]);
    let seen = seen(source(ask, &each), printed, true);
    // of three looks the one in between runs nothing
    assert_eq!(seen.counted("all"), Some(10.0));
    assert_eq!(seen.counters[0].problem, None);
}

#[test]
fn a_look_in_between_waits_less_and_takes_nothing_from_a_total() {
    let peer = ScriptedPeer::tcp(|number| match number {
        0 => Step::serve_once(answer(200, &[], "total 10")),
        1 => vec![Step::Read, Step::Stall],
        _ => Step::serve_once(answer(200, &[], "total 18")),
    });
    let each = [("all", spec(r"total (\d+)", CounterKind::Total, 0))];
    let seen = seen(source(get(&peer), &each), no_command, true);
    assert_eq!(seen.counted("all"), Some(8.0));
    let problem = seen.counters[0].problem.as_deref();
    assert_eq!(problem, Some("no whole response within 250 ms"));
}

#[test]
fn a_command_that_fails_or_prints_too_much_is_a_fact() {
    let scripts: [(RunCommand, &str); 2] = [
        (
            |_, _| Err("`status` ended with code 3: no".to_owned()),
            "ended with code 3: no",
        ),
        (|_, _| Ok("9".repeat(300_000)), "more than 256 KiB"),
    ];
    for (run, expected) in scripts {
        let each = [("all", spec(r"(\d+)", CounterKind::Total, 0))];
        let ask = CounterAsk::Run(vec!["status".to_owned()]);
        let seen = seen(source(ask, &each), run, false);
        let problem = seen.counters[0].problem.as_deref().unwrap();
        assert!(problem.contains(expected), "{problem}");
        assert!(seen.counters[0].values.is_empty());
    }
}

#[test]
fn what_answers_wrongly_too_long_or_never_is_a_fact() {
    let endless = || {
        vec![
            Step::Read,
            Step::Forever(vec![Step::Send(vec![b'9'; 65_536])]),
        ]
    };
    let scripts: [(Vec<Step>, &str); 6] = [
        (
            vec![Step::Read, Step::Stall],
            "no whole response within 1000 ms",
        ),
        (vec![Step::Read, Step::Close], "no HTTP response"),
        (endless(), "more than 256 KiB"),
        (Step::serve_once(answer(403, &[], "total 1")), "status 403"),
        (
            Step::serve_once(answer(200, &[], "total -1 nan")),
            "not in the response",
        ),
        (
            Step::serve_once(b"HTTP/1.\xff\xfe\r\n\r\n".to_vec()),
            "no HTTP response",
        ),
    ];
    for (script, expected) in scripts {
        let peer = ScriptedPeer::tcp(move |_| script.clone());
        let each = [("all", spec(r"total (\S+)", CounterKind::Total, 0))];
        let seen = observed(source(get(&peer), &each));
        let problem = seen.counters[0].problem.as_deref().unwrap();
        assert!(problem.contains(expected), "{problem}");
        assert!(seen.counters[0].values.is_empty());
    }
}

#[test]
fn a_total_that_shrinks_is_no_figure() {
    let told = |number| answer(200, &[], ["total 18", "total 10"][number]);
    let peer = ScriptedPeer::tcp(move |number| Step::serve_once(told(number)));
    let each = [("all", spec(r"total (\d+)", CounterKind::Total, 0))];
    let seen = observed(source(get(&peer), &each));
    assert_eq!(seen.counted("all"), None);
    assert!(
        seen.counters[0]
            .problem
            .as_deref()
            .unwrap()
            .contains("became smaller")
    );
}
