//! The quantiles that weir prints against those that the server itself has kept.

use std::time::Duration;

use crate::support::Place;
use testkit::{Origin, Speech, Turn};

/// Most answers take 4 to 12 ms, one in 16 takes 40 to 60.
fn delay(number: u64) -> Duration {
    // Knuth's multiplicative hash: the numbers are scattered, and the same in each run
    let drawn = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    let (kind, fraction) = (drawn % 16, drawn / 16 % 1_000);
    Duration::from_micros(match kind {
        0 => 40_000 + 20 * fraction,
        _ => 4_000 + 8 * fraction,
    })
}

#[test]
fn printed_quantiles_are_the_servers_own() {
    let origin = Origin::start(Speech::Http1, |number| Turn::Answer(delay(number)));
    let url = format!("http://{}/", origin.address());
    let from = origin.now();
    // as many as p99 needs
    let amount = ["-c", "40", "-n", "10000", "--warm-up", "0s"];
    let said = Place::new().run(&[&["bench", &url, "--json"], &amount[..]].concat());
    said.measured();
    let (least, most) = origin.account().bounds(from, origin.now());
    let json = said.load();
    assert_eq!(json["load"]["completed"], 10_000);
    assert_eq!((least.len(), most.len()), (10_000, 10_000));
    for times in ["service", "response"] {
        for (name, q) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)] {
            let told = json[times][name].as_f64().unwrap();
            let rank = (q * least.len() as f64).ceil() as usize - 1;
            // three significant digits, of what lies between what the server saw and what it can
            // have taken
            let (least, most) = (least[rank] as f64 * 0.999e-9, most[rank] as f64 * 1.001e-9);
            assert!(
                (least..=most).contains(&told),
                "{name} of {times}: {told}, not between {least} and {most}"
            );
            let interval = &json[times]["intervals"][name];
            let ends = [0, 1].map(|end| interval[end].as_f64().unwrap());
            assert!(ends[0] <= told && told <= ends[1], "{interval}");
        }
    }
}
