//! Tables on a terminal of 80 columns: no line is wider, and nothing that matters is lost.

use judge::{Apart, Effect, Figure, Stressed, Verdict};
use record::{Change, Metric, Stress};
use report::load::Against;
use report::terminal;
use textwrap::core::display_width;

use crate::sample;
use crate::terminal::plain;

const NARROW: usize = 80;
const WIDE: usize = 200;

/// A text of so many columns at most.
fn fits(text: &str, width: usize) -> String {
    let text = plain(text);
    for line in text.lines() {
        assert!(display_width(line) <= width, "{width}: {line}");
    }
    text
}

/// The words of a text, wherever its lines end.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The sample's run under three kinds of stress.
fn stressed(width: usize) -> String {
    let kinds = [
        Stress::SlowClients,
        Stress::IdleConnections,
        Stress::TwiceTheLoad,
    ];
    let mut run = sample::run();
    run.plan.stress = kinds.to_vec();
    let trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    let usual = std::mem::take(&mut judged.stress);
    judged.stress = kinds
        .iter()
        .flat_map(|stress| {
            usual.iter().map(move |of| Stressed {
                stress: *stress,
                ..of.clone()
            })
        })
        .collect();
    let of = sample::findings(&run, &trials, &judged);
    fits(&terminal::run(&of, &[], width), width)
}

#[test]
fn kinds_of_stress_stand_below_each_other_where_they_do_not_fit_side_by_side() {
    let narrow = stressed(NARROW);
    for row in [
        "variant under",
        "two-workers 20 of 100 clients slow 0.0100 ×, p99 40.0 s",
        "100 idle connections 0.0100 ×, p99 40.0 s",
        "200 connections 0.0100 ×, p99 40.0 s",
    ] {
        assert!(
            narrow.lines().any(|line| flat(line) == row),
            "{row}: {narrow}"
        );
    }
    let wide = stressed(WIDE);
    let head = "variant 20 of 100 clients slow 100 idle connections 200 connections";
    assert!(wide.lines().any(|line| flat(line) == head), "{wide}");
}

/// What three changes did, between variants with names as `weir try` gives them.
fn changed(width: usize) -> String {
    let run = sample::run();
    let trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    let effect = |from: &str, to: &str, what: &str| Effect {
        variant: to.to_owned(),
        change: Change {
            from: from.to_owned(),
            what: vec![what.to_owned()],
        },
        comparison: sample::comparison(Metric::Throughput, to, from, 0.93, Verdict::CannotTell),
    };
    judged.changes = vec![
        effect(
            "gunicorn-cores",
            "nginx+gunicorn-cores",
            "`nginx` in front of it",
        ),
        effect(
            "nginx+gunicorn-cores",
            "haproxy+gunicorn-threads",
            "`haproxy` instead of `nginx`, a process for each core, `worker-class` gthread instead of sync",
        ),
    ];
    let of = sample::findings(&run, &trials, &judged);
    fits(&terminal::run(&of, &[], width), width)
}

#[test]
fn changes_name_their_variants_below_where_there_is_no_room_beside() {
    let narrow = changed(NARROW);
    let row = "`nginx` in front of it 0.930 × [0.893, 0.963] cannot tell";
    assert!(narrow.lines().any(|line| flat(line) == row), "{narrow}");
    for variants in [
        "(gunicorn-cores → nginx+gunicorn-cores)",
        "(nginx+gunicorn-cores → haproxy+gunicorn-threads)",
    ] {
        assert!(flat(&narrow).contains(variants), "{variants}: {narrow}");
    }
    let wide = changed(WIDE);
    let row = "`nginx` in front of it gunicorn-cores → nginx+gunicorn-cores 0.930 × [0.893, 0.963] cannot tell";
    assert!(wide.lines().any(|line| flat(line) == row), "{wide}");
}

/// A load beside an earlier one.
fn beside(width: usize) -> String {
    let apart = |metric, value: f64, ratio: f64| Apart {
        metric,
        of: Figure {
            value,
            interval: Some((value * 0.97, value * 1.03)),
        },
        over: Figure {
            value: value / ratio,
            interval: Some((value / ratio * 0.97, value / ratio * 1.03)),
        },
        ratio,
        interval: Some((ratio * 0.96, ratio * 1.04)),
    };
    let against = Against {
        run: 11,
        started: sample::run().started,
        figures: vec![
            apart(Metric::Throughput, 29_500.0, 1.4),
            apart(Metric::P99, 0.226, 0.7),
        ],
        differences: vec!["the load differs".to_owned()],
    };
    fits(&terminal::against(&against, "run 12", width), width)
}

#[test]
fn a_load_beside_an_earlier_one_fits() {
    let wide = beside(WIDE);
    assert!(
        flat(&wide).contains("99th percentile of the response time 226 ms ±3 % 323 ms ±3 %"),
        "{wide}"
    );
    assert!(flat(&wide).contains("metric run 12 run 11 ratio"), "{wide}");
    let narrow = beside(NARROW);
    for words in ["throughput", "p99", "29,500 req/s", "1.40 × [1.34, 1.46]"] {
        assert!(narrow.contains(words), "{words}: {narrow}");
    }
    let told = flat(&narrow);
    for words in [
        "throughput 29,500 req/s 21,100 req/s",
        "differs: by more than either load scattered.",
        "Note: the load differs",
        "No verdict",
    ] {
        assert!(told.contains(words), "{words}: {narrow}");
    }
}

#[test]
fn why_two_runs_cannot_be_told_apart_fits() {
    let of = |metric| sample::comparison(metric, "12:a", "11:a", 0.8, Verdict::CannotTell);
    let all = [of(Metric::P99), of(Metric::CpuPerRequest)];
    let all = sample::compared(&all);
    let wide = fits(&terminal::compare(&all, None, WIDE), WIDE);
    assert!(
        wide.contains("99th percentile of the response time  0.800 × [0.768, 0.828]  cannot tell"),
        "{wide}"
    );
    let narrow = fits(&terminal::compare(&all, None, NARROW), NARROW);
    for row in [
        "p99 0.800 × [0.768, 0.828] cannot tell: within",
        "cpu-per-request 0.800 × [0.768, 0.828] cannot tell: within",
    ] {
        let mut lines = narrow.lines();
        assert!(lines.any(|line| flat(line).starts_with(row)), "{narrow}");
    }
    assert!(flat(&narrow).contains("within the noise floor"), "{narrow}");
}
