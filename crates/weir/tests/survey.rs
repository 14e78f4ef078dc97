//! `weir bench URL` with nothing else.

use testkit::{Step, answer};

use crate::support::{Place, loads_of, nginx, scripted};

#[test]
fn it_finds_a_capacity_and_looks_below_it() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let said = place.run(&["bench", &url, "--survey-seconds", "6s", "--json"]);
    said.measured();
    let survey = said.json();
    assert_eq!(survey["run"]["plan"]["search"], "survey");
    let capacity = survey["judged"]["peak"]["rate"]["value"].as_f64().unwrap();
    let points = loads_of(&survey);
    let (open, closed): (Vec<_>, Vec<_>) = points
        .iter()
        .partition(|point| !point["load"]["offered"].is_null());
    assert_eq!(closed[0]["load"]["connections"], 1);
    assert_eq!(closed[1]["load"]["connections"], 2);
    // the first load says of all how long a response takes alone
    let alone = &closed[0]["load"]["warm_up"]["alone"];
    assert!(alone.is_number(), "{}", closed[0]);
    let mut warm_ups = points.iter().map(|point| &point["load"]["warm_up"]);
    assert!(warm_ups.all(|of| of["alone"] == *alone), "{}", said.out);
    // on a machine that others take there may be time for those in the middle only
    let shares = [0.3, 0.5, 0.7, 0.9];
    let middle = (shares.len() - open.len()).div_euclid(2);
    assert!(!open.is_empty(), "{}", said.out);
    for (point, share) in open.iter().zip(&shares[middle..]) {
        let rate = point["load"]["shape"]["open"]["segments"][0]["to"]
            .as_f64()
            .unwrap();
        assert!(
            (rate / capacity - share).abs() < 1e-6,
            "{rate} of {capacity}"
        );
    }
    let said = place.run(&[
        "bench",
        &url,
        "--survey-seconds",
        "5s",
        "--fail-if",
        "throughput > 0",
    ]);
    let gates = said.out.matches("✗ `throughput > 0 at ").count();
    // the last column marks loads that are not to be trusted; one that is decides
    let table = said.out.split("Where the time goes").next();
    let open_loops = table
        .unwrap_or_default()
        .lines()
        .filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    let rows: Vec<_> = open_loops
        .filter(|line| !line.contains(" connection"))
        .collect();
    assert_eq!(gates, rows.len(), "one for each open loop: {}", said.out);
    assert!(!rows.is_empty(), "{}", said.out);
    // on a machine that others take, it may end before it has all, and says so
    if !said.out.contains("there was no time for") {
        assert_eq!(rows.len(), 4, "{}", said.out);
    }
    let all_doubted = rows.iter().all(|row| row.ends_with('?'));
    assert_eq!(
        said.code,
        if all_doubted { 4 } else { 3 },
        "{}{}",
        said.out,
        said.err
    );
    assert!(said.out.starts_with("capacity "), "{}", said.out);
}

/// One wrong response ends the search for a capacity, below which no rate is then looked at.
#[test]
fn a_threshold_that_no_load_decides_is_not_passed() {
    let right = vec![Step::Read, Step::Send(answer(200, &[], "hello"))];
    let script = Step::Forever(vec![
        Step::Times(200, right),
        Step::Read,
        Step::Send(answer(500, &[], "sorry")),
    ]);
    let (_peer, url) = scripted(move |_| vec![script.clone()]);
    let survey = ["bench", &url, "--survey-seconds", "3s"];
    let gate = ["--fail-if", "errors > 0.1%"];
    let said = Place::new().run(&[&survey[..], &gate].concat());
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    let told = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let why = "no load at a rate was applied, which decides it";
    assert!(told.contains(why), "{told}");
}

#[test]
fn what_would_have_no_effect_is_refused() {
    let base = ["bench", "http://127.0.0.1:9/"];
    for (more, words) in [
        (
            &["--warm-up", "5s"][..],
            ["`--warm-up` has no effect", "`-c 10 -d 10s`"],
        ),
        (
            &["--goal", "p99 < 1s", "--warm-up", "5s"],
            ["`--warm-up` has no effect", "leave it out"],
        ),
        (
            &["-c", "2", "--survey-seconds", "5s"],
            ["`--survey-seconds` has no effect", "`-d 30s`"],
        ),
    ] {
        let said = Place::new().run(&[&base[..], more].concat());
        said.fails(2, &words);
    }
}
