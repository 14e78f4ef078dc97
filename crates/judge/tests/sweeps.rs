//! Conditions on sweeps: which variants they mean, and what becomes of their figures.

use crate::lab::{claim, failed, run, trials};
use judge::{ClaimVerdict, Holds, judge};
use record::Condition;
use record::condition::Expect;
use record::{Level, Run, Sweep, Trial, Variant};

const POINTS: [(&str, f64); 3] = [("1", 1.0), ("10", 10.0), ("100", 100.0)];

/// A family with three levels of `connections`, beside a variant of its own.
fn swept() -> Run {
    let names = [
        "plain",
        "x@connections=1",
        "x@connections=10",
        "x@connections=100",
    ];
    let mut run = run(&names);
    for (variant, (level, number)) in run.plan.variants[1..].iter_mut().zip(POINTS) {
        variant.sweep = Some(Sweep {
            family: "x".to_owned(),
            levels: vec![Level {
                factor: "connections".to_owned(),
                level: level.to_owned(),
                number: Some(number),
            }],
            added: false,
        });
    }
    run
}

/// The sweep falls from 400 over 200 to 100 requests per second; the plain variant does 200.
fn falling() -> Vec<Trial> {
    let rates = [
        ("plain", 200.0),
        ("x@connections=1", 400.0),
        ("x@connections=10", 200.0),
        ("x@connections=100", 100.0),
    ];
    rates
        .map(|(variant, rate)| trials(variant, &[rate; 6]))
        .concat()
}

fn decide(expect: &str, all: &[Trial]) -> ClaimVerdict {
    let mut run = swept();
    run.plan.claims = vec![claim(&[expect])];
    judge(&run, all).claims.remove(0)
}

fn value(expect: &str) -> f64 {
    let verdict = decide(expect, &falling());
    verdict.conditions[0]
        .value
        .unwrap_or_else(|| panic!("{expect}: {:?}", verdict.reason))
}

fn near(value: f64, wanted: f64) -> bool {
    (value / wanted - 1.0).abs() < 1e-6
}

#[test]
fn a_family_is_all_its_variants_and_levels_choose_among_them() {
    for (expect, wanted) in [
        ("throughput of `x` > 0", 700.0 / 3.0),
        ("throughput of `x@connections=10` > 0", 200.0),
        ("throughput of `x@connections=5..100` > 0", 150.0),
        ("least throughput of `x` > 0", 100.0),
        ("largest throughput of `x@connections=10..1000` > 0", 200.0),
        (
            "throughput of `x@connections=5..100` / throughput of `plain` > 0",
            0.75,
        ),
        (
            "least throughput of `x` / largest throughput of `x` > 0",
            0.25,
        ),
    ] {
        assert!(near(value(expect), wanted), "{expect}: {}", value(expect));
    }
}

#[test]
fn verdicts_turn_when_the_ends_of_a_sweep_are_exchanged() {
    let falls = "throughput of `x@connections=100` / throughput of `x@connections=1` < 0.5";
    assert_eq!(decide(falls, &falling()).holds, Holds::Holds);
    let rising: Vec<Trial> = falling()
        .into_iter()
        .map(|mut trial| {
            trial.variant = match trial.variant.as_str() {
                "x@connections=1" => "x@connections=100".to_owned(),
                "x@connections=100" => "x@connections=1".to_owned(),
                _ => trial.variant,
            };
            trial
        })
        .collect();
    assert_eq!(decide(falls, &rising).holds, Holds::DoesNotHold);
}

/// A mean over the points that happen to be there would be another figure.
#[test]
fn a_block_without_one_of_the_points_is_no_block() {
    let mut all = falling();
    all.retain(|trial| !(trial.variant == "x@connections=100" && trial.block > 0));
    let verdict = decide("throughput of `x` > 0", &all);
    assert_eq!(verdict.holds, Holds::CannotTell);
    assert!(near(verdict.conditions[0].value.unwrap(), 700.0 / 3.0));
    let mut none = falling();
    none.retain(|trial| trial.variant != "x@connections=100");
    none.extend((0..6).map(|block| failed(block, "x@connections=100")));
    let verdict = decide("throughput of `x` > 0", &none);
    assert!(verdict.reason.unwrap().contains("`x@connections=100`"));
}

#[test]
fn what_means_no_variant_is_refused_with_what_there_is() {
    let variants: Vec<Variant> = swept().plan.variants;
    let said = |name: &str| {
        let error = Condition::read(&format!("throughput of `{name}` > 1"))
            .check(&variants, &[])
            .unwrap_err();
        format!("{error}; {}", error.hint().unwrap().lines().next().unwrap())
    };
    for (name, words) in [
        ("gunicorn", "the variants are `plain`, `x`"),
        ("plian", "did you mean `plain`?"),
        ("x@connections=3", "`connections` is never 3"),
        ("x@connections=3", "its levels are `1`, `10`, `100`"),
        ("x@rate=3", "it varies by `connections`"),
        ("x@connections", "`connections` is not a level"),
        ("x@connections=200..300", "is never 200..300"),
    ] {
        assert!(said(name).contains(words), "{name}: {}", said(name));
    }
    assert!(Expect::parse("largest mean of `x` / least mean of `x` < 3").is_ok());
    assert!(Expect::parse("greatest mean of `x` < 3").is_err());
}
