//! The formats of wrk and ab, pinned.

use crate::sample;
use report::compat::{Ab, Wrk, ab, ab_csv, wrk, wrk_head};

#[test]
fn ab_with_failures() {
    let load = sample::load(&sample::VARIANTS[4], &mut sample::Dice::new(3));
    let of = Ab {
        server: "nginx/1.22.1",
        host: "127.0.0.1",
        port: 8000,
        path: "/",
        length: 7_000,
        posts: false,
        keep_alive: false,
        percentiles: true,
        deviations: true,
    };
    insta::assert_snapshot!("ab", ab(&of, &load));
    let plain = Ab {
        percentiles: false,
        deviations: false,
        ..of
    };
    let short = ab(&plain, &load);
    assert!(short.contains("              min   avg   max\n"), "{short}");
    assert!(!short.contains("Percentage"), "{short}");
    let csv = ab_csv(&load);
    assert!(csv.lines().any(|line| line.starts_with("50,")), "{csv}");
    assert!(csv.lines().last().unwrap().starts_with("99,"), "{csv}");
}

/// The lines follow from each other, whatever failed.
#[test]
fn ab_divides_what_is_complete_by_the_time() {
    let mut load = sample::load(&sample::VARIANTS[4], &mut sample::Dice::new(3));
    let half = load.completed / 2;
    load.completed -= half;
    *load.failed.entry(record::Cause::Check).or_default() += half;
    let of = Ab {
        server: "",
        host: "127.0.0.1",
        port: 8000,
        path: "/",
        length: 7_000,
        posts: false,
        keep_alive: false,
        percentiles: false,
        deviations: false,
    };
    let said = ab(&of, &load);
    let figure = |name: &str| -> f64 {
        let line = said.lines().find(|line| line.starts_with(name));
        let value = line.and_then(|line| line[name.len()..].split_whitespace().next());
        value
            .and_then(|value| value.parse().ok())
            .unwrap_or_else(|| panic!("{name} in {said}"))
    };
    let (complete, time) = (
        figure("Complete requests:"),
        figure("Time taken for tests:"),
    );
    let rate = figure("Requests per second:");
    assert!((rate * time / complete - 1.0).abs() < 1e-2, "{said}");
    let each = figure("Time per request:");
    let connections = f64::from(load.connections);
    assert!(
        (each * rate / 1e3 / connections - 1.0).abs() < 1e-2,
        "{said}"
    );
}

#[test]
fn what_a_script_fails_with_is_no_error_of_a_socket() {
    let mut load = sample::load(&sample::VARIANTS[0], &mut sample::Dice::new(3));
    load.failed = [(record::Cause::Unasked, 75)].into();
    let of = Wrk {
        url: "http://127.0.0.1:8000/",
        threads: 2,
        connections: load.connections,
        seconds: 1.0,
        latency: false,
        paced: false,
    };
    let said = wrk(&of, &load);
    assert!(!said.contains("Socket errors"), "{said}");
}

#[test]
fn wrk_and_wrk2() {
    let mut load = sample::load(&sample::VARIANTS[4], &mut sample::Dice::new(3));
    load.timed_out = 2;
    load.statuses.insert(502, 1);
    let of = Wrk {
        url: "http://127.0.0.1:8000/",
        threads: 2,
        connections: load.connections,
        seconds: 90.0,
        latency: true,
        paced: false,
    };
    insta::assert_snapshot!("wrk", wrk_head(&of) + &wrk(&of, &load));
    let paced = Wrk { paced: true, ..of };
    insta::assert_snapshot!("wrk2", wrk_head(&paced) + &wrk(&paced, &load));
}
