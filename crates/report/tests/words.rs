//! The one sentence that says how a run ended.

use crate::sample;
use judge::{DoubtKind, Figure, Judged, TakenAgain, Verdict};
use record::{Amount, Metric, Outcome, SliceFacts};
use report::words;

fn headline(change: impl FnOnce(&mut Judged)) -> String {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    change(&mut judged);
    judged.lead = sample::lead(&run, &judged.variants, Metric::Throughput);
    words::headline(&run, &judged)
}

/// The same when the leader compares so with these others.
fn headline_of(verdicts: &[(&str, Verdict)]) -> String {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    for (over, verdict) in verdicts {
        let mut comparisons = judged.lead.comparisons.iter_mut();
        let of = comparisons.find(|of| of.over == *over);
        of.expect("a rival of the sample").verdict = *verdict;
    }
    words::headline(&run, &judged)
}

fn set(judged: &mut Judged, variant: &str, value: f64, interval: Option<(f64, f64)>) {
    let variant = judged
        .variants
        .iter_mut()
        .find(|of| of.name == variant)
        .expect("a variant of the sample");
    variant
        .figures
        .insert(Metric::Throughput, Figure { value, interval });
}

#[test]
fn a_variant_that_does_other_work_does_not_compete() {
    let said = headline(|_| {});
    assert!(
        said.starts_with("`two-workers` is the fastest of 4 ways to serve `/`: 423 req/s"),
        "{said}"
    );
    assert!(said.ends_with("that of `flask-dev`."), "{said}");
}

/// What the headline says of a pair is what the table and `compare` say of it: however the figures' own intervals
/// overlap, the blocks of a pair are compared.
#[test]
fn a_pair_is_told_apart_in_the_headline_where_it_is_in_the_table() {
    let said = headline(|judged| {
        set(judged, "two-workers", 423.0, Some((180.0, 600.0)));
    });
    assert!(
        said.starts_with("`two-workers` is the fastest of 4 ways"),
        "{said}"
    );
    let said = headline_of(&[("nginx-in-front", Verdict::CannotTell)]);
    assert!(
        said.starts_with(
            "`two-workers` and `nginx-in-front` lead 4 ways to serve `/` and cannot be told apart: 423 req/s"
        ),
        "{said}"
    );
    let said = headline_of(&[("nginx-in-front", Verdict::Same)]);
    assert!(
        said.contains(" lead 4 ways to serve `/` and are the same: "),
        "{said}"
    );
    let said = headline_of(&[
        ("nginx-in-front", Verdict::Same),
        ("flask-dev", Verdict::CannotTell),
    ]);
    assert!(
        said.contains(
            ", where `nginx-in-front` is the same as `two-workers`, and `flask-dev` cannot be told apart \
             from it: "
        ),
        "{said}"
    );
}

#[test]
fn a_rival_that_no_block_compares_with_the_leader_is_told_apart() {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    set(&mut judged, "nginx-in-front", 380.0, None);
    judged
        .lead
        .comparisons
        .retain(|of| of.over != "nginx-in-front");
    let said = words::headline(&run, &judged);
    assert!(
        said.starts_with("`two-workers` is the fastest of 3 ways"),
        "{said}"
    );
    assert!(
        said.ends_with(" Too few trials count of `nginx-in-front`."),
        "{said}"
    );
}

/// At a given rate all that keep up answer as much; what differs is how soon.
#[test]
fn at_a_rate_it_is_the_response_time_that_counts() {
    let mut run = sample::run();
    run.plan.load.shape = record::Shape::Open(record::Arrivals {
        process: record::Process::Poisson,
        segments: record::Arrivals::steady(100.0),
        max_outstanding: record::Arrivals::MAX_OUTSTANDING,
        seed: 1,
    });
    let mut judged = sample::judged(&run, &sample::trials(&run));
    for (number, variant) in (1..).zip(&mut judged.variants) {
        let value = f64::from(number) * 0.01;
        let interval = Some((value * 0.9, value * 1.1));
        variant
            .figures
            .insert(Metric::Mean, Figure { value, interval });
    }
    judged.lead = sample::lead(&run, &judged.variants, Metric::Mean);
    let said = words::headline(&run, &judged);
    assert_eq!(
        said,
        "`flask-dev` is the fastest of 4 ways to serve `/`: mean response time 10.0 ms ±10 %."
    );
    let mut variants = run.plan.variants.iter_mut();
    let other = variants.find(|variant| variant.name == "two-workers");
    other.unwrap().load = Some(record::Load::default());
    let method = words::method(&run, &judged);
    assert!(method.contains("loaded as its plan says"), "{method}");
}

#[test]
fn the_baseline_may_win() {
    let said = headline(|judged| set(judged, "flask-dev", 900.0, Some((890.0, 910.0))));
    assert_eq!(
        said,
        "`flask-dev` is the fastest of 4 ways to serve `/`: 900 req/s ±1 %."
    );
}

#[test]
fn a_variant_without_a_figure_does_not_compete() {
    let only = |keep: &'static [&'static str]| {
        headline(|judged| {
            for variant in judged
                .variants
                .iter_mut()
                .filter(|variant| !keep.contains(&variant.name.as_str()))
            {
                variant.figures.clear();
            }
        })
    };
    assert!(
        only(&["flask-dev"]).starts_with("Only `flask-dev` could be measured on `/`: 205 req/s")
    );
    assert_eq!(
        only(&["static"]),
        "No variant that serves `/` could be measured."
    );
}

/// Those that load other routes were measured, too.
#[test]
fn a_variant_that_is_alone_on_its_route_was_not_the_only_one_measured() {
    let mut run = sample::run();
    for variant in &mut run.plan.variants[1..] {
        variant.route = format!("/{}", variant.name);
    }
    let mut judged = sample::judged(&run, &sample::trials(&run));
    assert!(
        words::headline(&run, &judged)
            .starts_with("No other variant serves `/` under the load of `flask-dev`: 205 req/s"),
    );
    run.plan.variants.truncate(1);
    judged = sample::judged(&run, &sample::trials(&run));
    assert!(words::headline(&run, &judged).starts_with("`flask-dev` serves `/`: 205 req/s"));
}

#[test]
fn without_intervals_chance_is_named() {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    for comparison in &mut judged.lead.comparisons {
        comparison.interval = None;
    }
    let said = words::headline(&run, &judged);
    assert!(said.contains("came first of 4 ways"), "{said}");
    assert!(said.contains("chance may have decided"), "{said}");
}

#[test]
fn lists_read_like_sentences() {
    let of =
        |items: &[&str]| words::list(&items.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(
        [of(&[]), of(&["a"]), of(&["a", "b"]), of(&["a", "b", "c"])],
        ["", "a", "a and b", "a, b and c"]
    );
}

#[test]
fn a_broken_account_is_not_written_as_an_identity() {
    let mut load = sample::load(&sample::VARIANTS[0], &mut sample::Dice::new(2));
    assert!(words::accounting(&load).contains("1,000 scheduled = 1,000 completed"));
    load.completed -= 1;
    assert!(words::accounting(&load).contains("1,000 scheduled ≠ 999 completed"));
}

#[test]
fn a_crowd_is_told_habit_by_habit() {
    let mut idle = record::CrowdFigures {
        wanted: 3,
        opened: 4,
        statuses: [(200, 4)].into(),
        closed_by_server: 1,
        ..Default::default()
    };
    idle.lifetimes.record(5_000_000_000);
    let resets = record::CrowdFigures {
        wanted: 1_200,
        opened: 1_198,
        failed: [(record::Cause::Refused, 1)].into(),
        skipped: 1,
        ..Default::default()
    };
    let facts = record::CrowdFacts {
        habits: [(record::Habit::Idle, idle), (record::Habit::Reset, resets)].into(),
        ..Default::default()
    };
    assert_eq!(
        words::crowd(&facts),
        [
            "3 idle connections: 4 opened, 4 responses, 1 closed by the server after 5.00 s (median)",
            "1,200 connections to reset: 1,198 opened, 1 × connection refused, 1 skipped, too many \
             were still opening",
            "not all of them were there when the window opened",
        ]
    );
}

/// A load that is the same for several variants is said once, and a sweep of it as its levels.
#[test]
fn a_load_is_said_once_for_a_sweep() {
    let mut run = sample::run();
    let connections = |variant: &mut record::Variant, connections| {
        variant.load = Some(record::Load {
            connections,
            ..sample::run().plan.load
        });
    };
    connections(&mut run.plan.variants[1], 10);
    connections(&mut run.plan.variants[3], 10);
    let rest = "connections (a new one for each request), after a warm-up of 200 requests";
    let first = format!("closed loop: 1,000 requests over 100 {rest}");
    let other = format!("`one-worker` and `static`: closed loop: 1,000 requests over 10 {rest}");
    assert_eq!(words::loads(&run.plan), format!("{first}; {other}"));

    let points = run.plan.variants.iter_mut().zip([1, 10, 100, 400]);
    for (variant, level) in points {
        connections(variant, level);
        variant.sweep = Some(record::Sweep {
            added: false,
            family: "gunicorn".into(),
            levels: ["server-workers", "connections"]
                .map(|factor| record::Level {
                    factor: factor.into(),
                    level: if factor == "connections" {
                        level
                    } else {
                        level.min(2)
                    }
                    .to_string(),
                    number: None,
                })
                .into(),
        });
    }
    let twin = run.plan.variants[0].clone();
    run.plan.variants.insert(1, twin);
    let sweep = run.plan.variants[1].sweep.as_mut().expect("it is a point");
    sweep.levels[0].level = "8".into();
    let swept = format!("closed loop: 1,000 requests over 1, 10, 100 or 400 {rest}");
    assert_eq!(
        words::loads(&run.plan),
        format!("{first}; `gunicorn`: {swept}")
    );
    run.plan.variants.pop();
    assert_eq!(words::loads(&run.plan), swept);
}

#[test]
fn trials_that_were_repeated_are_told_with_the_reason() {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    let stolen = TakenAgain {
        doubt: Some(DoubtKind::StolenCpu),
        because: "7.10 % of the machine's CPU time went to other guests (0.140 core seconds)"
            .into(),
        trials: 2,
    };
    let lost = TakenAgain {
        doubt: None,
        because: "`gunicorn` was not ready after 30 s: connection refused".into(),
        trials: 1,
    };
    judged.variants[0].taken_again = vec![stolen, lost];
    let notes = words::notes(&judged);
    let told: Vec<_> = notes
        .iter()
        .filter(|note| note.contains("repeated"))
        .collect();
    assert_eq!(
        told,
        [
            "2 trials of `flask-dev` were repeated: the hypervisor took CPU time away (7.10 % of the \
             machine's CPU time went to other guests (0.140 core seconds))",
            "1 trial of `flask-dev` was lost and repeated: `gunicorn` was not ready after 30 s: \
             connection refused",
        ]
    );
}

/// A plan asks for slices; whether its windows could be cut is known from its trials.
#[test]
fn windows_that_stayed_whole_are_not_said_to_take_turns() {
    let mut run = sample::run();
    let mut trials = sample::trials(&run);
    assert!(
        words::blocks(&run, &trials).ends_with("(seed 2008)"),
        "no slices were asked for"
    );
    run.plan.slice = 0.1;
    run.plan.load.amount = Amount::Seconds(2.0);
    let asked = words::blocks(&run, &[]);
    assert!(
        asked.ends_with(", quick loads in turn, in slices of at least 100 ms"),
        "{asked}"
    );
    let whole = words::blocks(&run, &trials);
    assert!(
        whole.ends_with(", each window whole, as responses take too long for slices"),
        "{whole}"
    );
    let Some(Outcome::Measured(first)) = trials.first_mut().map(|of| &mut of.outcome) else {
        panic!("the sample's first trial is measured")
    };
    first.load.slices = Some(SliceFacts {
        count: 20,
        lead: 0.1,
        led: 40,
    });
    assert_eq!(words::blocks(&run, &trials), asked);
}
