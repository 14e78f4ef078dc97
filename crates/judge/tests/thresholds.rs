//! What a load must not exceed.

mod unanswered;

use judge::{Crossed, Doubt, DoubtKind, ThresholdResult, goals, thresholds};
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
    result(text, load, &[]).crossed
}

fn result(text: &str, load: &LoadFacts, doubts: &[Doubt]) -> ThresholdResult {
    let read = thresholds(text).unwrap();
    assert_eq!(read.len(), 1, "{text}");
    read[0].decide(load, doubts)
}

/// So many answers of each of these lengths, in milliseconds, and nothing else.
fn answers(times: &[(u64, u64)]) -> LoadFacts {
    let mut response = Distribution::default();
    for (count, milliseconds) in times {
        (0..*count).for_each(|_| response.record(milliseconds * 1_000_000));
    }
    LoadFacts {
        seconds: 2.0,
        scheduled: response.count(),
        completed: response.count(),
        response,
        ..LoadFacts::default()
    }
}

fn doubt(kind: DoubtKind) -> Doubt {
    Doubt {
        kind,
        disqualifies: true,
        because: "of a reason".to_owned(),
        advice: "look at it".to_owned(),
    }
}

#[test]
fn a_goal_asks_for_what_gets_worse_with_the_rate() {
    for kept in [
        "p99 < 20ms, errors <= 1%",
        "throughput > 100",
        "achieved >= 99%",
    ] {
        assert!(goals(kept).is_ok(), "{kept}");
    }
    for (turned, meant, column) in [
        ("p99 > 20ms", "did you mean `p99 < 20ms`?", 1),
        ("p99 < 1s and errors >= 1%", "`errors <= 1%`", 14),
        ("achieved < 99%", "`achieved > 99%`", 1),
    ] {
        let error = goals(turned).unwrap_err();
        let hint = error.hint().unwrap();
        assert!(hint.contains(meant), "{turned}: {hint}");
        assert_eq!(error.column(), column, "{turned}");
        assert!(thresholds(turned).is_ok(), "{turned}");
    }
}

#[test]
fn every_measure_is_decided() {
    let load = load(10_000, 60);
    for (text, expected) in [
        ("p99 > 50ms", Crossed::Yes),
        ("p99>61 ms", Crossed::No),
        ("p50 >= 0.05s", Crossed::Yes),
        ("p95 > 50ms", Crossed::Yes),
        ("mean > 50ms", Crossed::Yes),
        ("max <= 50000us", Crossed::No),
        ("errors > 9", Crossed::Yes),
        ("errors > 0.1%", Crossed::No),
        ("errors > 0.09%", Crossed::Yes),
        ("timeouts > 2", Crossed::No),
        ("dropped > 0", Crossed::No),
        ("throughput < 5000", Crossed::No),
        ("rate < 5001 req/s", Crossed::Yes),
        ("achieved < 99%", Crossed::CannotTell),
    ] {
        assert_eq!(crossed(text, &load), expected, "{text}");
    }
}

#[test]
fn says_by_how_much() {
    let thresholds: Vec<_> = thresholds("p99 > 50ms, errors > 0 and p99.99 > 1s")
        .unwrap()
        .iter()
        .map(|threshold| threshold.decide(&load(10_000, 61), &[]))
        .collect();
    let words: Vec<_> = thresholds
        .iter()
        .map(|result| (result.text.as_str(), result.because.as_str()))
        .collect();
    assert_eq!(words[0].0, "p99 > 50ms");
    assert!(words[0].1.starts_with("measured 61.0 ms, 11.0 ms above"));
    assert_eq!(words[1], ("errors > 0", "measured 10, 10 above"));
    assert_eq!(
        words[2].1,
        "p99.99 is at least 61.0 ms (95 %, of 10,000 responses; 1,000,000 are always enough)"
    );
}

/// The chance that none of n answers lies beyond p99 is 0.99^n: 1.8 % of 400, 37 % of 100.
#[test]
fn too_few_answers_for_a_figure_decide_where_their_number_does() {
    let quick = answers(&[(400, 12)]);
    for (text, expected) in [
        ("p99 > 30s", Crossed::No),
        ("p99 < 30s", Crossed::Yes),
        ("p99 > 10ms", Crossed::Yes),
        ("p99.9 > 30s", Crossed::CannotTell),
    ] {
        assert_eq!(crossed(text, &quick), expected, "{text}");
    }
    let kept = result("p99 > 30s", &quick, &[]);
    assert_eq!(kept.value, None);
    assert_eq!(kept.because, "p99 is 12.0 ms (95 %, of 400 responses)");
    assert_eq!(
        crossed("p99 > 30s", &answers(&[(100, 12)])),
        Crossed::CannotTell
    );
    // R: qbinom(.025, 100, .99) = 97, so that the 97th of 100 is a lower limit of p99
    let slow = |beyond| answers(&[(100 - beyond, 12), (beyond, 80)]);
    assert_eq!(crossed("p99 > 50ms", &slow(4)), Crossed::Yes);
    assert_eq!(crossed("p99 > 50ms", &slow(3)), Crossed::CannotTell);
    let unsure = result("p99 > 50ms", &answers(&[(396, 12), (4, 80)]), &[]);
    assert_eq!(unsure.crossed, Crossed::CannotTell);
    assert_eq!(
        unsure.because,
        "p99 is between 12.0 ms and 80.0 ms (95 %, of 400 responses; 10,000 are always enough)"
    );
    let late = LoadFacts {
        completed: 390,
        drained: 10,
        ..quick
    };
    assert_eq!(
        result("p99 > 30s", &late, &[]).because,
        "p99 is 12.0 ms (95 %, of 400 responses, 10 of them after the window)"
    );
    let none = result("p99 > 50ms", &answers(&[]), &[]);
    assert_eq!(none.crossed, Crossed::CannotTell);
    assert_eq!(none.because, "no request got a response");
}

/// Errors that keep the figures from being trusted are what a threshold about errors is about.
#[test]
fn a_threshold_about_errors_is_decided_by_errors() {
    let load = LoadFacts {
        failed: [(Cause::Status, 200)].into(),
        timed_out: 30,
        ..load(800, 10)
    };
    let all = [
        "errors > 0.1%",
        "timeouts > 1%",
        "errors > 50%",
        "p50 > 1ms",
    ];
    let counts = |doubts: &[Doubt]| all.map(|text| result(text, &load, doubts).counts);
    assert_eq!(counts(&[]), [true; 4]);
    for kind in [
        DoubtKind::Errors,
        DoubtKind::AnswersDiffered,
        DoubtKind::WarmUp,
        DoubtKind::LittlesLaw,
        DoubtKind::Unanswered,
    ] {
        assert_eq!(
            counts(&[doubt(kind)]),
            [true, true, true, false],
            "{kind:?}"
        );
    }
    for kind in [
        DoubtKind::Accounting,
        DoubtKind::GeneratorSaturated,
        DoubtKind::RateNotHeld,
        DoubtKind::StolenCpu,
        DoubtKind::Crowd,
    ] {
        let both = [doubt(DoubtKind::Errors), doubt(kind)];
        assert_eq!(counts(&both), [false; 4], "{kind:?}");
    }
    // this machine ran out, which says nothing about the server
    let ours = LoadFacts {
        failed: [(Cause::Exhausted, 200)].into(),
        ..load.clone()
    };
    assert!(!result("errors > 0.1%", &ours, &[doubt(DoubtKind::Errors)]).counts);
    assert!(result("timeouts > 1%", &ours, &[doubt(DoubtKind::Errors)]).counts);
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
    for (text, words) in [
        ("p999 < 30ms", "did you mean `p99.9`?"),
        (
            "p98 < 30ms",
            "the quantiles are p50, p90, p95, p99, p99.9, p99.99",
        ),
        ("shed > 1", "it is called `dropped` now"),
    ] {
        let hint = thresholds(text).unwrap_err().hint().unwrap();
        assert!(hint.starts_with(words), "{text}: {hint}");
    }
    let bare = thresholds("errors > 1%, p99 < 50").unwrap_err();
    let hint = bare.hint().unwrap();
    assert!(hint.starts_with("did you mean `p99 < 50ms`?"), "{hint}");
}
