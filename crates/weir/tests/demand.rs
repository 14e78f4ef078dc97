//! `weir bench --goal` as a gate, and how many machines a demand needs.

use std::time::Duration;

use crate::support::{Place, Said};
use testkit::{Origin, Speech, Turn};

/// A search that ends after the first rate that is tried.
fn bench(url: &str, goal: &str, more: &[&str]) -> Said {
    let args = ["bench", url, "--goal", goal, "--survey-seconds", "1s", "-q"];
    Place::new().run(&[&args[..], more].concat())
}

/// Takes 50 ms for each response, however many there are: some 640 requests a second over 32 connections, and more over more.
fn origin() -> (Origin, String) {
    let origin = Origin::start(Speech::Http1, |_| Turn::Answer(Duration::from_millis(50)));
    let url = format!("http://{}/", origin.address());
    (origin, url)
}

fn flat(said: &Said) -> String {
    said.out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn where_no_rate_holds_it_ends_as_a_threshold_that_is_crossed() {
    let (_origin, url) = origin();
    let said = bench(&url, "p50 < 1us", &["--demand", "3M/day"]);
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    let words = "no rate holds, so that nothing can be said of the machines that `3M/day` needs";
    let told = flat(&said);
    assert!(told.contains(words), "{told}");
}

#[test]
fn a_demand_is_divided_by_the_rate_that_holds() {
    let (_origin, url) = origin();
    let goal = "p50 < 200ms";
    let demand = ["--demand", "300M/day", "--peak", "3"];
    let kept = ["--fail-if", "p50 > 20s", "--json"];
    let said = bench(&url, goal, &[&demand[..], &kept].concat());
    let json = said.succeeds().json();
    let each = json["judged"]["reached"]["holds"].as_f64().unwrap();
    let machines = &json["machines"];
    assert_eq!(machines["each"].as_f64(), Some(each));
    assert_eq!(machines["demand"]["peak"], 3.0);
    let busiest = 3.0 * 3e8 / 86_400.0;
    let wanted = (busiest / each).ceil() as u64;
    assert_eq!(machines["machines"].as_u64(), Some(wanted), "{machines}");
    let crossed = ["--fail-if", "p50 > 0us"];
    let said = bench(&url, goal, &[&demand[..], &crossed].concat());
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    let told = flat(&said);
    for words in [
        "like this one for `300M/day`: 3,470 req/s on average, 10,400 req/s in the busiest moment",
        "that one carries while `p50 < 200ms` holds",
        "crossed, measured",
    ] {
        assert!(told.contains(words), "`{words}`: {told}");
    }
}

#[test]
fn a_demand_needs_a_goal_and_makes_sense() {
    let place = Place::new();
    let bench = |more: &[&str]| {
        let url = "http://127.0.0.1:9/";
        place.run(&[&["bench", url][..], more].concat())
    };
    for (more, words) in [
        (&["--demand", "3M/day"][..], "--goal"),
        (&["--goal", "p50 < 1s", "--peak", "3"], "--demand"),
        (&["--goal", "p50 < 1s", "--demand", "0"], "3M/day"),
        (
            &["--goal", "p50 < 1s", "--demand", "5", "--peak", "0.5"],
            "at least 1",
        ),
    ] {
        let said = bench(more);
        assert_eq!(said.code, 2, "{more:?}: {}", said.err);
        assert!(said.err.contains(words), "{more:?}: {}", said.err);
    }
    bench(&["--goal", "p50 < 1s", "--demand", "5"]).fails(9, &["connection refused"]);
}
