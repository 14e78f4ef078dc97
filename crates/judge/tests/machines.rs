//! How many machines a demand needs, by what one of them carries.

use crate::lab::{claim, run, trials};
use judge::{Demand, Fewer, judge, machines};

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

/// What is told of a claim about `a`, which carries 100 requests per second, and `b`, which carries about twice as many.
fn fewer(expect: &str) -> Option<Fewer> {
    let mut run = run(&["a", "b"]);
    run.plan.claims = vec![record::Claim {
        demand: Some("86.4M/day".to_owned()),
        ..claim(&[expect])
    }];
    let twice = [198.0, 200.0, 202.0, 200.0, 199.0, 201.0];
    let all = [trials("a", &[100.0; 6]), trials("b", &twice)].concat();
    judge(&run, &all).claims.remove(0).machines
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
        let machines = "machines for 86.4M/day, by what one carries: 10 of `a`, 5 of `b`";
        for words in [ends, machines] {
            assert!(told.because.contains(words), "{}", told.because);
        }
    }
    assert_eq!(fewer("mean of `a` / mean of `b` > 1"), None);
}
