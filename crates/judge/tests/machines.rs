//! How many machines a demand needs, by what one of them carries.

use crate::claims_held_down::trials_beside;
use crate::lab::{claim, run, saturated, trials};
use judge::{Demand, Fewer, judge, machines};
use record::{Arrivals, Claim, Process, Run, Shape, Trial};

/// How many, and how many at least, for so many requests per second of which the busiest moment has `peak` times as many.
fn needed(mean: f64, peak: f64, each: f64, misses: Option<f64>) -> (u64, Option<u64>) {
    let demand = Demand {
        text: format!("{mean}/s"),
        mean,
        peak,
    };
    let of = machines(&demand, each, misses);
    (of.machines, of.at_least)
}

#[test]
fn a_demand_is_carried_in_its_busiest_moment() {
    assert_eq!(needed(100.0, 1.0, 30.0, None), (4, None));
    assert_eq!(needed(100.0, 3.0, 30.0, None), (10, None));
    assert_eq!(needed(100.0, 3.0, 29.0, Some(31.0)), (11, Some(10)));
    assert_eq!(needed(100.0, 1.0, 1e6, Some(2e6)), (1, Some(1)));
}

#[test]
fn arithmetic_needs_no_machine() {
    // 0.1 + 0.2 is more than 0.3 in floating point
    assert_eq!(needed(0.1 + 0.2, 1.0, 0.3, None), (1, None));
    let day = 3e6 / 86_400.0;
    assert_eq!(needed(day, 3.0, day, None), (3, None));
}

const RATIO: &str = "throughput of `b` / throughput of `a` >= 1.4";

/// `a` carries 100 requests per second, and `b` about twice as many.
fn twice() -> Vec<Trial> {
    let twice = [198.0, 200.0, 202.0, 200.0, 199.0, 201.0];
    [trials("a", &[100.0; 6]), trials("b", &twice)].concat()
}

/// What is told of a claim with a demand, in a run that was changed before.
fn told(demand: &str, expect: &str, all: &[Trial], change: fn(&mut Run)) -> Option<Fewer> {
    let mut run = run(&["a", "b"]);
    run.plan.claims = vec![Claim {
        demand: Some(demand.to_owned()),
        ..claim(&[expect])
    }];
    change(&mut run);
    judge(&run, all).claims.remove(0).machines
}

fn fewer(expect: &str) -> Option<Fewer> {
    told("86.4M/day", expect, &twice(), |_| ())
}

#[test]
fn a_claim_with_a_demand_is_told_in_machines() {
    for expect in [
        "throughput of `a` / throughput of `b` <= 0.7",
        "throughput of `b` / throughput of `a` >= 1.4",
    ] {
        let told = fewer(expect).unwrap();
        let (before, after) = (("a".to_owned(), 10), ("b".to_owned(), 5));
        assert_eq!((&told.before, &told.after), (&before, &after));
        assert!((told.share - 0.5).abs() < 0.01, "{told:?}");
        let (low, high) = told.interval.unwrap();
        assert!(0.48 < low && low <= told.share && told.share <= high && high < 0.52);
        let ends = " fewer (";
        let machines =
            "machines for 86.4M/day, taken as even, by what one carries: 10 of `a`, 5 of `b`";
        for words in [ends, machines] {
            assert!(told.because.contains(words), "{}", told.because);
        }
        assert!(told.because.ends_with("5 of `b`"), "{}", told.because);
    }
    assert_eq!(fewer("mean of `a` / mean of `b` > 1"), None);
}

#[test]
fn a_demand_with_a_peak_needs_machines_for_its_busiest_moment() {
    let all = twice();
    let told = told("86.4M/day", RATIO, &all, |run| {
        run.plan.claims[0].peak = Some(3.0);
    })
    .unwrap();
    assert_eq!((told.before.1, told.after.1), (30, 15));
    let words =
        "machines for 86.4M/day, 3 times that in the busiest moment, by what one carries: 30 of";
    assert!(told.because.contains(words), "{}", told.because);
    let even = fewer(RATIO).unwrap();
    assert_eq!((told.share, told.interval), (even.share, even.interval));
}

#[test]
fn of_a_demand_that_one_machine_carries_none_is_saved() {
    let told = told("3M/day", RATIO, &twice(), |_| ()).unwrap();
    assert_eq!((told.before.1, told.after.1), (1, 1));
    let words = "1 of `a`, 1 of `b`; that is none fewer, as machines are whole";
    assert!(told.because.ends_with(words), "{}", told.because);
}

#[test]
fn what_the_generator_took_of_a_machine_is_told_with_its_machines() {
    let told = told("86.4M/day", RATIO, &trials_beside(1.0), |_| ()).unwrap();
    let ends = "; with the load generator elsewhere between 50.0 % and 70.0 % fewer";
    assert!(told.because.ends_with(ends), "{}", told.because);
}

/// What was measured is no capacity, or one end of the ratio is open: no share of machines follows from it.
#[test]
fn what_a_machine_does_not_carry_is_no_machine() {
    let of = |expect: &str, all: &[Trial], change: fn(&mut Run)| {
        let told = told("86.4M/day", expect, all, change);
        told.map(|of| of.because)
    };
    let all = twice();
    assert!(of(RATIO, &all, |_| ()).is_some());
    // the generator was too slow for `b` in two of six blocks
    let mut outran = all.clone();
    for trial in &mut outran[6..8] {
        *trial = saturated(trial.clone());
    }
    assert_eq!(of(RATIO, &outran, |_| ()), None);
    // ten connections, 50 ms each: 200 per second at most
    let at_its_ceiling: fn(&mut Run) = |run| run.plan.app.routes[0].wait = Some(0.05);
    assert_eq!(of(RATIO, &all, at_its_ceiling), None);
    let at_a_rate: fn(&mut Run) = |run| {
        run.plan.load.shape = Shape::Open(Arrivals {
            process: Process::Poisson,
            segments: Arrivals::steady(100.0),
            max_outstanding: Arrivals::MAX_OUTSTANDING,
            seed: 1,
        });
    };
    assert_eq!(of(RATIO, &all, at_a_rate), None);
    let as_loaded = "throughput of `b` / throughput of `a` as loaded >= 1.4";
    assert_eq!(of(as_loaded, &all, |_| ()), None);
}
