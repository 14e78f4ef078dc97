//! Sentences about loads, trials and blocks.

use crate::sample;
use crate::terminal::plain;
use judge::{Beaten, DoubtKind, Judged, Looks, TakenAgain, TwoStates, Verdict};
use record::{Amount, Metric, Network, NetworkFacts, Outcome, Trial};
use report::{html, terminal, words};

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
fn a_name_that_is_too_long_ends_with_dots() {
    let of = |room| words::shortened("größer", room);
    assert_eq!([of(6), of(5), of(1)], ["größer", "größ…", "…"]);
}

#[test]
fn a_run_is_decided_where_what_cannot_be_told_is_beaten_by_another() {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    judged.claims.clear();
    judged.looks = Some(Looks {
        at_least: 4,
        at_most: 12,
        confidence: 0.99,
    });
    let looks = |judged: &Judged| words::looks(&run, judged).unwrap();
    let last = judged.lead.comparisons.last_mut().unwrap();
    last.verdict = Verdict::CannotTell;
    let rival = last.over.clone();
    let open = looks(&judged);
    assert!(open.starts_with("ended after 6 of at most 12 "), "{open}");
    let by = judged.lead.rivals[1].clone();
    judged.lead.beaten.push(Beaten { rival, by });
    let told = looks(&judged);
    assert!(told.starts_with("decided after 6 of at most 12 "), "{told}");
}

#[test]
fn a_network_of_their_own_is_told_as_trials_had_it() {
    let mut run = sample::run();
    let mut trials = sample::trials(&run);
    run.plan.network = Network::OwnIfAllowed;
    let told = |trials: &[Trial]| words::network(&run.plan, trials);
    assert_eq!(told(&trials), None, "nothing was counted");
    for (trial, own) in trials.iter_mut().zip([true, false]) {
        let Outcome::Measured(measured) = &mut trial.outcome else {
            panic!("it was measured");
        };
        measured.load.network = Some(NetworkFacts {
            own,
            ..NetworkFacts::default()
        });
    }
    let own = told(&trials[..1]).unwrap();
    assert!(own.starts_with("each trial had a network"), "{own}");
    let refused = told(&trials).unwrap();
    assert!(refused.starts_with("weir was not allowed"), "{refused}");
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

#[test]
fn two_states_are_told_beside_the_variants_on_a_terminal_and_on_a_page() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    let told = |note: &String| note.contains("two states");
    assert!(!words::notes(&judged).iter().any(told));
    judged.variants[3].states = Some(TwoStates {
        slow_blocks: 4,
        blocks: 9,
        slow: 6_600.0,
        fast: 14_000.0,
    });
    let notes = words::notes(&judged);
    let told: Vec<_> = notes.into_iter().filter(told).collect();
    let wanted = "in 4 of 9 blocks `static` was at about 6,600 req/s, in the others at about 14,000 req/s: two states, \
                  and its figures mix them";
    assert_eq!(told, [wanted]);
    let findings = sample::findings(&run, &trials, &judged);
    let shown = plain(&terminal::run(&findings, &[], 100));
    let shown: Vec<_> = shown.split_whitespace().collect();
    assert!(shown.join(" ").contains(wanted));
    let page = html::page(&findings);
    assert!(page.contains("two states, and its figures mix them</li>"));
}

#[test]
fn rates_are_told_with_the_capacity_that_they_are_shares_of() {
    let mut run = sample::run();
    run.plan.load = record::Load {
        shape: record::Shape::Open(record::Arrivals {
            process: record::Process::Poisson,
            segments: record::Arrivals::steps(&[0.1, 0.5, 0.1], 6.0),
            max_outstanding: 100,
            seed: 1,
        }),
        amount: Amount::Seconds(6.0),
        ..run.plan.load
    };
    run.plan.of_capacity = Some(record::OfCapacity::of("static".to_owned()));
    let told = words::loads(&run.plan);
    let first = "open loop, Poisson, 0.100 of capacity for 2.00 s, then 0.500 of capacity for";
    assert!(told.starts_with(first), "{told}");
    let last = "; rates: 0.100 and 0.500 of the capacity of `static`, which the run measures first";
    assert!(told.ends_with(last), "{told}");

    let told = words::loads(&run.plan.at_capacity(2_360.0));
    let first = "open loop, Poisson, 236 requests/s for 2.00 s, then 1,180 requests/s for";
    assert!(told.starts_with(first), "{told}");
    let last = "; rates: 0.100 and 0.500 of the capacity of `static`, 2,360 requests/s";
    assert!(told.ends_with(last), "{told}");
}

#[test]
fn what_a_request_costs_at_the_same_rate_is_told_below_the_table() {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    let (two, one) = ("two-workers", "flask-dev");
    let costs = sample::comparison(Metric::CpuPerRequest, two, one, 0.8, Verdict::Better);
    judged.variants[2].against_baseline.push(costs);
    let told = "at the same rate, CPU time per request of `two-workers` is 0.800 × [0.768, 0.828] that of `flask-dev`: better";
    assert!(words::notes(&judged).contains(&told.to_owned()));
    // a sign before a ratio has its meaning below it
    let meaning = |judged: &Judged| {
        let notes = words::notes(judged).into_iter();
        notes.filter(|note| note.starts_with('≥')).count()
    };
    let before = meaning(&judged);
    let shown = judged.variants[2].against_baseline.iter_mut();
    for of in shown.filter(|of| of.metric == Metric::Throughput) {
        of.elsewhere = Some((of.ratio, 1.2 * of.ratio));
    }
    assert_eq!(meaning(&judged), before + 1);
}

/// The medians of two columns may lie the other way round than the ratios within blocks.
#[test]
fn figures_and_ratios_of_opposite_orders_are_told_once() {
    let run = sample::run();
    let mut judged = sample::judged(&run, &sample::trials(&run));
    let told = |judged: &Judged| {
        let notes = words::notes(judged).into_iter();
        let told = notes.filter(|note| note.contains("opposite"));
        told.collect::<Vec<String>>()
    };
    assert_eq!(told(&judged), Vec::<String>::new());
    // both the baseline's row and the leader's comparison are of these two
    let lead = judged.lead.comparisons.iter_mut();
    for of in lead.filter(|of| of.over == "flask-dev") {
        of.ratio = 0.96;
    }
    let own = judged.variants.iter_mut();
    for of in own.flat_map(|of| &mut of.against_baseline) {
        let is_it = of.of == "two-workers" && of.metric == Metric::Throughput;
        of.ratio = if is_it { 0.96 } else { of.ratio };
    }
    let all = told(&judged);
    assert_eq!(all.len(), 1, "{all:?}");
    let words = "`two-workers` against `flask-dev`: the ratio and the figures say opposite things";
    assert!(all[0].starts_with(words), "{all:?}");
    // what rounds to no difference is not seen as one
    for of in &mut judged.lead.comparisons {
        of.ratio = 0.9999;
    }
    judged.variants[2].against_baseline.clear();
    assert_eq!(told(&judged), Vec::<String>::new());
}
