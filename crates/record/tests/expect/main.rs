//! The language of expectations, and what it says when it does not understand.

mod mistakes;

use record::condition::{Bound, Expect};
use record::{Condition, Metric, Variant};

fn bounds(text: &str) -> Vec<Bound> {
    Expect::parse(text)
        .unwrap_or_else(|error| panic!("{error}"))
        .bounds
}

#[test]
fn reads_ratios_figures_and_every_bound() {
    let ratio = Expect::parse("throughput of `b` / throughput of `a` >= 1.6").unwrap();
    assert_eq!(
        (ratio.of.metric, ratio.of.variant.as_str()),
        (Metric::Throughput, "b")
    );
    let over = ratio.over.as_ref().unwrap();
    assert_eq!(
        (over.metric, over.variant.as_str()),
        (Metric::Throughput, "a")
    );
    assert_eq!(ratio.bounds, [Bound::AtLeast(1.6)]);

    assert_eq!(bounds("mean of `x` < 0.3"), [Bound::Below(0.3)]);
    assert_eq!(bounds("mean of `x` <= 3"), [Bound::AtMost(3.0)]);
    assert_eq!(
        bounds("cpu-per-request of `x` > 0.00004"),
        [Bound::Above(0.000_04)]
    );
    assert_eq!(
        bounds("mean of `x` within 0.9 .. 1.35"),
        [Bound::Within(0.9, 1.35)]
    );
    assert_eq!(
        bounds("  mean  of`x`within 1..2  "),
        [Bound::Within(1.0, 2.0)]
    );
    let joined = bounds("mean of `x` >= 1.2 and < 2 and within 1 .. 3");
    assert_eq!(
        joined,
        [
            Bound::AtLeast(1.2),
            Bound::Below(2.0),
            Bound::Within(1.0, 3.0)
        ]
    );
    let median = Expect::parse("median of `a b/c` < 1").unwrap();
    assert_eq!(
        (median.of.metric, median.of.variant.as_str()),
        (Metric::P50, "a b/c")
    );
    assert!(Expect::parse("p90 of `a` / p50 of `a` < 3").is_ok());
}

#[test]
fn a_ratio_may_be_divided_by_a_ratio() {
    let plain = "p99 of `a` / mean of `a` / (p99 of `b` / mean of `b`) > 1.1";
    let enclosed = "(p99 of `a` / mean of `a`)/(p99 of `b`/mean of `b`) > 1.1";
    for text in [plain, enclosed] {
        let read = Expect::parse(text).unwrap();
        let names: Vec<_> = read.figures().map(|of| (of.metric, &*of.variant)).collect();
        let wanted = ["a", "b"].map(|name| [(Metric::P99, name), (Metric::Mean, name)]);
        assert_eq!(names, wanted.concat());
        let side = |figures: &[&record::condition::Figure]| -> Vec<_> {
            figures
                .iter()
                .map(|of| (of.metric, of.variant.clone()))
                .collect()
        };
        let [rising, falling] = read.sides();
        assert_eq!(
            side(&rising),
            [(Metric::P99, "a".into()), (Metric::Mean, "b".into())]
        );
        assert_eq!(
            side(&falling),
            [(Metric::Mean, "a".into()), (Metric::P99, "b".into())]
        );
        assert_eq!(read.bounds, [Bound::Above(1.1)]);
    }
    let ratio = Expect::parse("throughput of `a` / throughput of `b` as loaded >= 8").unwrap();
    assert!(ratio.as_loaded && ratio.against.is_none());
    for wrong in [
        "p99 of `a` / (p99 of `b` / p99 of `a`) > 1",
        "p99 of `a` / p99 of `b` / p99 of `a` > 1",
        "p99 of `a` / p99 of `b` / (p99 of `a`) > 1",
        "(p99 of `a` / p99 of `b` > 1",
        "p99 of `a` / p99 of `b` / (p99 of `a` / errors of `b`) > 1",
        "p99 of `a` / p99 of `b` as they were > 1",
    ] {
        assert!(Expect::parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn every_metric_has_a_name_in_the_language() {
    for &metric in Metric::ALL {
        let read = Expect::parse(&format!("{} of `a` >= 0", metric.name())).unwrap();
        assert_eq!(read.of.metric, metric);
    }
}

#[test]
fn any_text_gets_an_answer() {
    // every beginning and every ending of a condition, with letters of several bytes in it
    let text = "throughput of `späť` / throughput of `日本` within 0.9 .. 1.35 and >= 1";
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for at in places {
        for part in [&text[..at], &text[at..]] {
            if let Err(error) = Expect::parse(part) {
                assert!(error.column() <= part.chars().count() + 1, "{part}");
                assert!(error.pointed().contains('^') && !error.to_string().contains('\n'));
            }
        }
    }
    assert!(Expect::parse(text).is_ok());
    for odd in [
        "",
        " ",
        "`",
        "/",
        "mean of `` < 1",
        "mean of `a` < 1e9",
        "mean of `a` < -1",
        "mean\nof",
    ] {
        assert!(Expect::parse(odd).is_err(), "{odd}");
    }
}

#[test]
fn numbers_may_have_a_unit_of_their_metric() {
    let bounds = |text: &str| Expect::parse(text).unwrap().bounds;
    for (with, without) in [
        ("p99 of `a` < 50ms", "p99 of `a` < 0.05"),
        ("p99 of `a` < 50 ms", "p99 of `a` < 0.05"),
        (
            "cpu-per-request of `a` <= 250 us",
            "cpu-per-request of `a` <= 0.00025",
        ),
        (
            "mean of `a` within 1ms .. 2s and < 1 s",
            "mean of `a` within 0.001 .. 2 and < 1",
        ),
        (
            "peak-memory of `a` < 64 MiB",
            "peak-memory of `a` < 67108864",
        ),
        ("errors of `a` <= 1%", "errors of `a` <= 0.01"),
        ("throughput of `a` > 300 req/s", "throughput of `a` > 300"),
    ] {
        assert_eq!(bounds(with), bounds(without), "{with}");
    }
    for (text, hint) in [
        (
            "p99 of `a` < 5 MB",
            "units of `p99` are `ns`, `us`, `µs`, `ms`, `s`",
        ),
        ("p99 of `a` / p99 of `b` < 5 ms", "a ratio has no unit"),
        ("attempts of `a` < 5 s", "`attempts` has no unit"),
    ] {
        let error = Expect::parse(text).unwrap_err();
        assert!(
            error.hint().unwrap().starts_with(hint),
            "{text}: {:?}",
            error.hint()
        );
    }
}

#[test]
fn no_unit_is_guessed() {
    let variants = [Variant {
        name: "a".to_owned(),
        ..Variant::default()
    }];
    for (text, problem, hint) in [
        (
            "p99 of `a` < 50",
            "expected a unit after `50`, found the end (column 16)",
            "did you mean `50ms`? units of `p99` are `ns`, `us`, `µs`, `ms`, `s`",
        ),
        (
            "mean of `a` within 1 .. 2s",
            "expected a unit after `1`, found `..` (column 21)",
            "did you mean `1ms`?",
        ),
        (
            "p95 of `a` >= 1ms and < 2",
            "expected a unit after `2`, found the end (column 26)",
            "did you mean `2ms`?",
        ),
        (
            "cpu-per-request of `a` < 4",
            "expected a unit after `4`, found the end (column 27)",
            "did you mean `4ms`?",
        ),
        (
            "peak-memory of `a` < 64",
            "expected a unit after `64`, found the end (column 24)",
            "did you mean `64MB`?",
        ),
        (
            "errors of `a` < 0.5",
            "expected a unit after `0.5`, found the end (column 20)",
            "did you mean `50%`, or `0.5%`?",
        ),
        (
            "timed-out of `a` < 5",
            "expected a unit after `5`, found the end (column 21)",
            "did you mean `5%`? units of `timed-out` are `%`",
        ),
    ] {
        let error = Condition::read(text).check(&variants, &[]).unwrap_err();
        assert_eq!(error.to_string(), problem);
        let said = error.hint().unwrap();
        assert!(said.starts_with(hint), "{text}: {said}");
        // a stored run is decided as it was asked
        assert!(Expect::parse(text).is_ok(), "{text}");
    }
    for one_unit_or_none in [
        "throughput of `a` > 50",
        "goodput of `a` > 50",
        "attempts of `a` <= 1",
        "p99 of `a` / mean of `a` < 3",
        "errors of `a` <= 0",
        "max of `a` > 0.0",
    ] {
        let read = Condition::read(one_unit_or_none).check(&variants, &[]);
        assert!(read.is_ok(), "{one_unit_or_none}: {read:?}");
    }
}
