//! What a run says to deploy, and what each change between two variants does.

use crate::lab::{facts, run, trial, trials};
use judge::{Decision, Verdict, judge};
use record::{Change, Metric, ServerFacts, Trial};

/// Six blocks at about these rates, none of them quite the same.
fn around(variant: &str, rate: f64) -> Vec<Trial> {
    let shares = [1.0, 1.01, 0.99, 1.02, 0.98, 1.0];
    trials(variant, &shares.map(|share| share * rate))
}

fn decided(rates: &[(&str, f64)], spoil: impl Fn(&mut Trial)) -> Option<Decision> {
    let names: Vec<&str> = rates.iter().map(|(name, _)| *name).collect();
    let mut all: Vec<Trial> = rates
        .iter()
        .flat_map(|(name, rate)| around(name, *rate))
        .collect();
    all.iter_mut().for_each(spoil);
    judge(&run(&names), &all).decision
}

#[test]
fn the_fastest_is_deployed_with_what_it_brings_and_costs() {
    let heavy = |trial: &mut Trial| {
        if trial.variant == "fast" {
            facts(trial).processes[0].peak_rss *= 4;
        }
    };
    let decision = decided(&[("today", 100.0), ("slow", 50.0), ("fast", 200.0)], heavy).unwrap();
    assert_eq!(
        (decision.variant.as_str(), decision.over.as_deref()),
        ("fast", Some("today"))
    );
    let metrics = |of: &[judge::Comparison]| of.iter().map(|of| of.metric).collect::<Vec<_>>();
    assert!(
        metrics(&decision.brings).contains(&Metric::Throughput),
        "{decision:?}"
    );
    assert!(
        metrics(&decision.costs).contains(&Metric::PeakMemory),
        "{decision:?}"
    );
    let ratio = decision.brings[0].ratio;
    assert!((1.9..2.1).contains(&ratio), "{ratio}");
    assert_eq!(decision.as_good, [] as [&str; 0]);
}

#[test]
fn what_is_not_surely_beaten_stays() {
    let decision = decided(&[("today", 100.0), ("near", 101.0), ("slow", 50.0)], |_| ()).unwrap();
    assert_eq!((decision.variant.as_str(), decision.over), ("today", None));
    assert_eq!(decision.as_good, ["near"]);
    assert_eq!((decision.brings, decision.costs), (Vec::new(), Vec::new()));
}

/// Of two that are as fast, one that takes half of the memory.
#[test]
fn what_is_as_fast_and_surely_cheaper_is_deployed() {
    let rates = [("today", 100.0), ("near", 101.0), ("slow", 50.0)];
    let lighter = |cpu: f64| {
        move |trial: &mut Trial| {
            if trial.variant == "near" {
                let process = &mut facts(trial).processes[0];
                process.peak_rss /= 2;
                process.cpu_user *= cpu;
            }
        }
    };
    let decision = decided(&rates, lighter(1.0)).unwrap();
    assert_eq!(
        (decision.variant.as_str(), decision.over.as_deref()),
        ("near", Some("today"))
    );
    let saves: Vec<_> = decision.saves.iter().map(|of| of.metric).collect();
    assert_eq!(saves, [Metric::PeakMemory]);
    assert_eq!(decision.saves[0].over, "today");
    assert_eq!(decision.as_good, [] as [&str; 0], "today's is as fast only");
    let decision = decided(&rates, lighter(3.0)).unwrap();
    assert_eq!(decision.variant, "today", "the other one costs CPU time");
    assert_eq!((decision.saves, decision.over), (Vec::new(), None));
    assert_eq!(decision.as_good, ["near"]);
}

/// It takes half of the memory, and may be far slower or far faster.
#[test]
fn what_is_cheaper_and_may_be_much_slower_is_not_decided() {
    let near = trials("near", &[60.0, 170.0, 80.0, 140.0, 65.0, 150.0]);
    let mut all = [around("today", 100.0), near].concat();
    for trial in all.iter_mut().filter(|of| of.variant == "near") {
        facts(trial).processes[0].peak_rss /= 2;
    }
    let judged = judge(&run(&["today", "near"]), &all);
    assert_eq!(judged.decision, None);
    let wide = judged.too_wide.unwrap();
    let names = (wide.of.as_str(), wide.over.as_str());
    assert_eq!(
        (names, wide.metric),
        (("near", "today"), Metric::Throughput)
    );
    let share = wide.worse_at_most().unwrap();
    assert!((0.1..0.6).contains(&share), "{share}");
}

#[test]
fn a_development_server_is_never_deployed() {
    let develops = |trial: &mut Trial| {
        let server = ServerFacts {
            development: trial.variant == "dev",
            ..ServerFacts::default()
        };
        facts(trial).stack.servers.push(server);
    };
    let rates = [("dev", 300.0), ("one", 100.0), ("two", 200.0)];
    let decision = decided(&rates, develops).unwrap();
    assert_eq!(
        (decision.variant.as_str(), decision.over.as_deref()),
        ("two", Some("dev"))
    );
    assert_eq!(decision.costs[0].verdict, Verdict::Worse);
    assert_eq!(decision.development, ["dev"]);
    let slow = [("dev", 50.0), ("one", 100.0), ("two", 200.0)];
    let slow = decided(&slow, develops).unwrap();
    assert_eq!(slow.development, [] as [&str; 0], "nobody would deploy it");
    assert_eq!(decided(&rates, |_| ()).unwrap().variant, "dev");
}

#[test]
fn without_intervals_nothing_is_decided() {
    let once = [trial(0, "one", 100.0), trial(0, "two", 200.0)];
    assert_eq!(judge(&run(&["one", "two"]), &once).decision, None);
    assert_eq!(decided(&[("alone", 100.0)], |_| ()), None);
}

#[test]
fn the_one_that_could_be_measured_is_deployed() {
    let decision = judge(&run(&["lost", "measured"]), &around("measured", 100.0)).decision;
    let decision = decision.unwrap();
    assert_eq!(
        (decision.variant.as_str(), decision.over),
        ("measured", None)
    );
    assert!(
        decision.alone && decision.as_good.is_empty(),
        "{}",
        decision.variant
    );
}

#[test]
fn a_change_is_told_with_its_own_ratio() {
    let mut run = run(&["one", "two", "front"]);
    let change = |from: &str, what: &str| {
        let (from, what) = (from.to_owned(), vec![what.to_owned()]);
        Some(Change { from, what })
    };
    run.plan.variants[1].change = change("one", "`workers` 1 → 2");
    run.plan.variants[2].change = change("two", "`nginx` in front");
    let all = [
        around("one", 100.0),
        around("two", 190.0),
        around("front", 150.0),
    ]
    .concat();
    let effects = judge(&run, &all).changes;
    let told: Vec<_> = effects
        .iter()
        .map(|of| {
            (
                of.variant.as_str(),
                of.comparison.over.as_str(),
                of.comparison.verdict,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("two", "one", Verdict::Better),
            ("front", "two", Verdict::Worse)
        ]
    );
    let ratio = effects[1].comparison.ratio;
    assert!(
        (0.78..0.80).contains(&ratio),
        "against `two`, not `one`: {ratio}"
    );
}

/// Gives a variant's stack so many programs, each of them one process.
fn made_of(trial: &mut Trial, variant: &str, programs: usize) {
    if trial.variant == variant {
        let measured = facts(trial);
        let one = measured.stack_processes().next().cloned().unwrap();
        measured.stack.servers = vec![ServerFacts::default(); programs];
        measured
            .processes
            .retain(|of| of.owner == record::ProcessCost::OWN);
        measured.processes.extend(vec![one; programs]);
    }
}

#[test]
fn of_those_that_lead_the_simplest_is_deployed() {
    let rates = [
        ("today", 100.0),
        ("fronted", 202.0),
        ("plain", 200.0),
        ("third", 150.0),
    ];
    let programs = |fronted: usize| {
        move |trial: &mut Trial| {
            for (name, programs) in [("today", 1), ("plain", 2), ("third", 1)] {
                made_of(trial, name, programs);
            }
            made_of(trial, "fronted", fronted);
        }
    };
    let decision = decided(&rates, programs(3)).unwrap();
    assert_eq!(
        (decision.variant.as_str(), decision.simpler_than.as_deref()),
        ("plain", Some("fronted"))
    );
    assert_eq!(
        decision.as_good,
        [] as [&str; 0],
        "one takes more memory, the third is surely worse, however simple"
    );
    assert_eq!(decision.over.as_deref(), Some("today"));
    let decision = decided(&rates, programs(2)).unwrap();
    assert_eq!(
        (decision.variant.as_str(), decision.simpler_than),
        ("fronted", None),
        "equally simple: the first"
    );
    assert_eq!(decision.as_good, ["plain"]);
}
