//! How many machines a demand needs, in words.

use judge::{Demand, machines};
use report::words;

fn said(peak: f64, each: f64, misses: Option<f64>) -> String {
    let demand = Demand {
        text: "3M/day".to_owned(),
        mean: 3e6 / 86_400.0,
        peak,
    };
    let goals = ["p99 < 200ms".to_owned()];
    words::machines(&machines(&demand, each, misses), &goals)
}

#[test]
fn it_says_on_what_the_number_rests() {
    let said = said(3.0, 9.0, Some(9.5));
    for words in [
        "12 machines like this one for `3M/day`: 34.7 req/s on average, 104 req/s in the busiest moment (`--peak 3`)",
        "over 9.00 req/s that one carries while `p99 < 200ms` holds (11 would do if one carried nearly the 9.50 req/s at \
         which it did not)",
        "each has an even share",
    ] {
        assert!(said.contains(words), "`{words}`: {said}");
    }
}

#[test]
fn a_peak_that_nobody_named_is_told() {
    let even = said(1.0, 40.0, Some(41.0));
    let words = "1 machine like this one for `3M/day`: 34.7 req/s, taken as even (`--peak 3` if";
    assert!(even.starts_with(words), "{even}");
    assert!(even.contains("holds, and not at 41.0 req/s"), "{even}");
    let open = said(1.0, 40.0, None);
    let words = "holds, at least: no higher rate failed";
    assert!(open.contains(words), "{open}");
}
