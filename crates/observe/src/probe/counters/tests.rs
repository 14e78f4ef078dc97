use record::{CounterAsk, CounterKind, Observed, Target};
use testkit::{ScriptedPeer, Step, answer};

use super::*;
use crate::Watch;

fn spec(pattern: &str, kind: CounterKind, own: u32) -> CounterSpec {
    CounterSpec {
        pattern: Some(pattern.to_owned()),
        row: Vec::new(),
        column: None,
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

fn source(peer: &ScriptedPeer, ask: CounterAsk, each: &[(&str, CounterSpec)]) -> CounterSource {
    let each = each.iter().cloned();
    CounterSource {
        program: "front".to_owned(),
        at: Target::Tcp(peer.address()),
        ask,
        each: each.map(|(name, spec)| (name.to_owned(), spec)).collect(),
    }
}

/// What is observed of a program over a window with nothing in between.
fn observed(source: CounterSource) -> Observed {
    let opened = Moment::now();
    let mut watch = Watch::of_stack(Vec::new(), vec![source]);
    watch.open();
    watch.close();
    watch.seen(opened).observed
}

fn get() -> CounterAsk {
    CounterAsk::Get("/status".to_owned())
}

#[test]
fn totals_are_increases_and_gauges_peaks_without_what_reading_adds() {
    let told = |number| answer(200, &[], ["total 10\nnow 8", "total 18\nnow 3"][number]);
    let peer = ScriptedPeer::tcp(move |number| Step::serve_once(told(number)));
    let each = [
        ("all", spec(r"total (\d+)", CounterKind::Total, 1)),
        ("now", spec(r"now (\d+)", CounterKind::Gauge, 1)),
    ];
    let seen = observed(source(&peer, get(), &each));
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
    let seen = observed(source(&peer, CounterAsk::Send("show stat".into()), &each));
    let value = |name: &str| seen.counters[0].values.get(name).map(|of| of.value);
    assert_eq!((value("one"), value("all")), (Some(2.0), Some(42.0)));
    for name in ["empty", "lacking", "unknown"] {
        assert_eq!(value(name), None, "{name}");
    }
    let problem = seen.counters[0].problem.as_deref();
    assert_eq!(problem, Some("`unknown`: it is not in the response"));
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
            "no whole response within 250 ms",
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
        let seen = observed(source(&peer, get(), &each));
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
    let seen = observed(source(&peer, get(), &each));
    assert_eq!(seen.counted("all"), None);
    assert!(
        seen.counters[0]
            .problem
            .as_deref()
            .unwrap()
            .contains("became smaller")
    );
}
