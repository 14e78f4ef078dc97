//! What a load must not exceed.

use judge::{Crossed, thresholds};
use record::{Cause, Distribution, LoadFacts};

fn load(answers: u64, milliseconds: u64) -> LoadFacts {
    let mut response = Distribution::default();
    (0..answers).for_each(|_| response.record(milliseconds * 1_000_000));
    LoadFacts {
        seconds: 2.0,
        scheduled: answers + 10,
        completed: answers,
        failed: [(Cause::Status, 8)].into(),
        timed_out: 2,
        response,
        ..LoadFacts::default()
    }
}

fn crossed(text: &str, load: &LoadFacts) -> Crossed {
    let read = thresholds(text).unwrap();
    assert_eq!(read.len(), 1, "{text}");
    read[0].decide(load).crossed
}

#[test]
fn every_measure_is_decided() {
    let load = load(10_000, 60);
    for (text, expected) in [
        ("p99 > 50ms", Crossed::Yes),
        ("p99>61 ms", Crossed::No),
        ("p50 >= 0.05s", Crossed::Yes),
        ("mean < 70ms", Crossed::Yes),
        ("max <= 50000us", Crossed::No),
        ("errors > 9", Crossed::Yes),
        ("errors > 0.1%", Crossed::No),
        ("errors > 0.09%", Crossed::Yes),
        ("timeouts > 2", Crossed::No),
        ("shed > 0", Crossed::No),
        ("throughput < 5000", Crossed::No),
        ("rate < 5001 req/s", Crossed::Yes),
        ("p99.9 > 1s", Crossed::CannotTell),
        ("achieved < 99%", Crossed::CannotTell),
    ] {
        assert_eq!(crossed(text, &load), expected, "{text}");
    }
}

#[test]
fn says_by_how_much() {
    let gates: Vec<_> = thresholds("p99 > 50ms, errors > 0 and p99.99 > 1s")
        .unwrap()
        .iter()
        .map(|threshold| threshold.decide(&load(10_000, 61)))
        .collect();
    let words: Vec<_> = gates
        .iter()
        .map(|gate| (gate.text.as_str(), gate.because.as_str()))
        .collect();
    assert_eq!(words[0].0, "p99 > 50ms");
    assert!(words[0].1.starts_with("measured 61.0 ms, 11.0 ms above"));
    assert_eq!(words[1], ("errors > 0", "measured 10, 10 above"));
    assert_eq!(words[2].1, "p99.99 needs 1000000 answers, there are 10000");
}

#[test]
fn what_is_no_threshold_is_pointed_at() {
    for (text, problem) in [
        ("p98 > 50ms", "expected a measure, found `p98` (column 1)"),
        ("p99 50ms", "expected `<`, `<=`, `>` or `>=`, found `50ms`"),
        (
            "p99 > 50",
            "expected `us`, `ms` or `s` after the number, found the end",
        ),
        (
            "p99 > 50%",
            "expected `us`, `ms` or `s` after the number, found `%`",
        ),
        (
            "errors > 1ms",
            "expected `%` or nothing after the number, found `ms`",
        ),
        ("p99 > ms", "expected a number, found `ms`"),
        ("p99 > 1ms; errors", "expected `,` or the end, found `;`"),
        ("", "expected a measure, found the end"),
    ] {
        let error = thresholds(text).unwrap_err();
        assert!(error.to_string().starts_with(problem), "{text}: {error}");
        assert!(error.hint().is_some());
    }
}
