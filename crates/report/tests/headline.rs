//! The one sentence that says how a run ended.

use crate::sample;
use judge::{Beaten, Faulted, Figure, Judged, Verdict};
use record::Metric;
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
        judged.lead.leaders.push((*over).to_owned());
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

/// The leader alone does not decide who leads: another one may surely beat what it does not.
#[test]
fn what_another_surely_beats_does_not_lead_with_the_first() {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    let lead = &mut judged.lead;
    lead.leaders.push("nginx-in-front".to_owned());
    for of in &mut lead.comparisons {
        of.verdict = Verdict::CannotTell;
    }
    let beaten = lead.rivals.iter();
    let beaten = beaten.filter(|name| !lead.leaders.contains(name));
    lead.beaten = beaten
        .map(|name| Beaten {
            rival: name.clone(),
            by: "nginx-in-front".to_owned(),
        })
        .collect();
    let said = words::headline(&run, &judged);
    assert!(
        said.starts_with(
            "`two-workers` and `nginx-in-front` lead 4 ways to serve `/` and cannot be told apart: "
        ),
        "{said}"
    );
    let words = "`nginx-in-front` is surely better than `one-worker` and `flask-dev`; of `two-workers` that is not sure.";
    assert!(said.ends_with(words), "{said}");
    judged.lead.leaders.clear();
    let said = words::headline(&run, &judged);
    let words = "None of 4 ways to serve `/` leads: in the blocks that both have, each is surely worse than another. \
                 `nginx-in-front` is surely better than ";
    assert!(said.starts_with(words), "{said}");
}

#[test]
fn what_is_best_of_a_run_is_what_it_says_to_deploy() {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    let best = |judged: &Judged| words::best(judged).unwrap();
    assert_eq!(best(&judged), "two-workers or nginx-in-front");
    judged.decision = None;
    assert_eq!(best(&judged), "two-workers");
    judged.lead.leaders.push("flask-dev".to_owned());
    judged.lead.development = vec!["two-workers".to_owned()];
    assert_eq!(best(&judged), "flask-dev");
    for of in &mut judged.lead.comparisons {
        of.verdict = Verdict::CannotTell;
    }
    assert_eq!(words::best(&judged), None, "chance may have decided");
    judged.lead.rivals.truncate(1);
    assert_eq!(words::best(&judged), None);
}

#[test]
fn a_rival_that_no_block_compares_with_the_leader_is_told_apart() {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    set(&mut judged, "nginx-in-front", 380.0, None);
    let compared = &mut judged.lead.comparisons;
    compared.retain(|of| of.over != "nginx-in-front");
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
            let all = judged.variants.iter_mut();
            for variant in all.filter(|of| !keep.contains(&of.name.as_str())) {
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

/// As of a load in which some of the requests failed.
#[test]
fn what_was_measured_and_does_not_count_is_told_with_why() {
    let said = |kind, because: &str| {
        headline(|judged| {
            for variant in &mut judged.variants {
                variant.figures.clear();
            }
            for trial in &mut judged.trials {
                trial.counts = false;
                trial.doubts = vec![judge::Doubt {
                    kind,
                    disqualifies: true,
                    because: because.to_owned(),
                    advice: String::new(),
                }];
            }
        })
    };
    assert_eq!(
        said(judge::DoubtKind::Errors, "2 of 176 requests failed"),
        "What was measured of `/` does not count: 2 of 176 requests failed."
    );
    // who it was is said among the doubts
    assert_eq!(
        said(judge::DoubtKind::Disturbed, "`cc1` took 41 %"),
        "What was measured of `/` does not count: other programs disturbed it."
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
fn a_fault_that_befell_nobody_was_got_over_by_nobody() {
    let faulted_of = |variant: &str, trials, recovery| Faulted {
        variant: variant.to_owned(),
        faults: Vec::new(),
        trials,
        recovery,
        never: 0,
        lost: [0.0; 3],
        wrong: 0,
    };
    let faulted = |trials, recovery| faulted_of("flask-dev", trials, recovery);
    let none = headline(|judged| judged.faulted = vec![faulted(0, None)]);
    assert!(none.starts_with("Nothing was struck"), "{none}");
    let back = headline(|judged| judged.faulted = vec![faulted(2, Some([1.5, 1.0, 2.0]))]);
    assert!(back.contains("`flask-dev` was back 1.50 s"), "{back}");
    let other = faulted_of("one-worker", 2, Some([3.0, 2.0, 4.0]));
    let first = headline(|judged| {
        judged.faulted = vec![faulted(2, Some([1.5, 1.0, 2.0])), other];
    });
    assert!(
        first.contains("`flask-dev` was back first, 1.50 s"),
        "{first}"
    );
}
