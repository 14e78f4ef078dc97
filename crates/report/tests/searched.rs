//! What a search for a rate or a capacity found, in one sentence.

use crate::sample;
use judge::goal::Tries;
use judge::{Figure, Limit, Peak, Reached, Tried};
use record::Search;
use report::words;

fn reached(change: impl FnOnce(&mut Reached)) -> String {
    let mut run = sample::run();
    run.plan.search = Some(Search::Goal);
    let mut judged = sample::judged(&run, &sample::trials(&run));
    let mut found = Reached {
        goals: vec!["p99 < 200ms".to_owned()],
        holds: Some(190.0),
        misses: Some(199.0),
        limit: None,
        cut: None,
        because: Some("`p99 < 200ms`: measured 210 ms".to_owned()),
        tried: Vec::new(),
    };
    change(&mut found);
    judged.reached = Some(found);
    let said = words::headline(&run, &judged);
    said.split("; 1 of").next().unwrap_or_default().to_owned()
}

#[test]
fn each_rate_is_told_with_what_came_of_it() {
    let tried = |rate, held, missed, unknown| Tried {
        rate,
        windows: Tries {
            held,
            missed,
            unknown,
        },
        because: None,
    };
    let open = Tried {
        because: Some("`p99 < 200ms`: measured 210 ms".to_owned()),
        ..tried(150.0, 0, 1, 0)
    };
    let mut found = Reached {
        goals: vec!["p99 < 200ms".to_owned()],
        holds: Some(100.0),
        misses: Some(200.0),
        limit: None,
        cut: None,
        because: None,
        tried: vec![
            tried(100.0, 2, 1, 0),
            open,
            tried(180.0, 0, 0, 2),
            tried(200.0, 0, 2, 0),
        ],
    };
    assert_eq!(
        words::tried(&found).unwrap(),
        "Rates tried, with the windows in which all goals held: 100 req/s holds (2 of 3); 150 req/s decides nothing \
         (0 of 1: `p99 < 200ms`: measured 210 ms; one such window is not enough); 180 req/s \
         cannot be told (0 of 2); 200 req/s does not hold (0 of 2)."
    );
    found.tried.clear();
    assert_eq!(words::tried(&found), None);
}

#[test]
fn a_rate_that_holds_and_one_that_does_not() {
    let said = reached(|_| {});
    let words =
        "`p99 < 200ms` holds up to 190 req/s; not at 199 req/s: `p99 < 200ms`: measured 210 ms";
    assert!(said.starts_with(words), "{said}");
    let far = reached(|found| (found.misses, found.cut) = (Some(380.0), Some(60.0)));
    let words = "; the 60 s were over before the two were within 5 %; give --survey-seconds 3m";
    assert!(far.contains(words), "{far}");
}

#[test]
fn a_search_that_was_cut_says_at_least() {
    let said = reached(|found| (found.misses, found.cut) = (None, Some(20.0)));
    let words = "`p99 < 200ms` holds up to at least 190 req/s: the 20 s were over before a rate failed; give \
                 --survey-seconds 60s";
    assert!(said.starts_with(words), "{said}");
    let none = reached(|found| {
        (found.holds, found.misses, found.cut) = (None, None, Some(20.0));
    });
    let words = "it is not known up to which rate `p99 < 200ms` holds (`p99";
    assert!(none.starts_with(words), "{none}");
    assert!(none.contains("were over before it was decided"), "{none}");
}

/// A rate that holds, in so many windows, and the next one above it, which failed in so many.
fn cut_above(held: u32, missed: u32) -> String {
    let tried = |rate, (held, missed), because: Option<&str>| Tried {
        rate,
        windows: Tries {
            held,
            missed,
            unknown: 0,
        },
        because: because.map(str::to_owned),
    };
    reached(|found| {
        (found.holds, found.misses, found.cut) = (Some(2_650.0), None, Some(30.0));
        found.tried = vec![
            tried(2_650.0, (held, 0), None),
            tried(5_300.0, (0, missed), Some("`p99 < 200ms`: measured 30.0 s")),
        ];
    })
}

#[test]
fn the_likely_limit_is_named_where_there_was_time_for_one_window_of_it() {
    let words = "`p99 < 200ms` holds up to at least 2,650 req/s (in one window); 5,300 req/s failed in the only window \
                 (`p99 < 200ms`: measured 30.0 s): the 30 s were over before a second one there; give \
                 --survey-seconds 2m";
    let said = cut_above(1, 1);
    assert!(said.starts_with(words), "{said}");
    let none = cut_above(2, 0);
    let words = "holds up to at least 2,650 req/s: the 30 s were over before a rate failed";
    assert!(none.contains(words), "{none}");
}

#[test]
fn where_the_load_set_the_limit_it_is_at_least_that() {
    let limit = Limit {
        rate: 199.0,
        because:
            "the load generator was the bottleneck: its busiest thread was busy 95 % of the time"
                .to_owned(),
    };
    let said = reached(|found| (found.misses, found.limit) = (None, Some(limit.clone())));
    let words = "`p99 < 200ms` holds up to at least 190 req/s; at 199 req/s it cannot be told: the load generator";
    assert!(said.starts_with(words), "{said}");
    let none = reached(|found| {
        (found.holds, found.misses, found.limit) = (None, None, Some(limit.clone()));
    });
    let words =
        "it is not known up to which rate `p99 < 200ms` holds; at 199 req/s it cannot be told";
    assert!(none.starts_with(words), "{none}");
}

#[test]
fn a_capacity_that_still_rose_is_the_least_there_is() {
    let mut run = sample::run();
    run.plan.search = Some(Search::Survey);
    let mut judged = sample::judged(&run, &sample::trials(&run));
    let value = Figure {
        value: 4_180.0,
        interval: None,
    };
    judged.peak = Some(Peak {
        variant: "256 connections".to_owned(),
        rate: value,
        connections: 256,
        rising: true,
        limited: false,
    });
    let said = words::headline(&run, &judged);
    let words = "capacity at least 4,180 req/s with 256 connections: still rising at the last step";
    assert!(said.starts_with(words), "{said}");
}
