//! How many machines a demand needs, by what one of them carries.

use judge::{Demand, machines};

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
