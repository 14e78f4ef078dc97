//! `weir bench --explain`: how each figure was computed, and what the load was held to.

use crate::support::{Place, Said, nginx, peer};
use serde_json::Value;

fn bench(place: &Place, url: &str, more: &[&str]) -> Said {
    let args = ["bench", url, "--warm-up", "0s", "--explain"];
    let said = place.run(&[&args[..], more].concat());
    said.measured();
    said
}

fn held<'v>(document: &'v Value, kind: &str) -> &'v Value {
    let rules = document["explained"]["held_to"].as_array().unwrap();
    let mut found = rules.iter().filter(|rule| rule["kind"] == kind);
    found.next().unwrap_or_else(|| panic!("{kind}: {document}"))
}

fn formula<'v>(document: &'v Value, figure: &str) -> &'v str {
    let figures = document["explained"]["figures"].as_array().unwrap();
    let mut found = figures.iter().filter(|of| of["figure"] == figure);
    let found = found
        .next()
        .unwrap_or_else(|| panic!("{figure}: {document}"));
    found["formula"].as_str().unwrap()
}

#[test]
fn a_closed_loop_shows_its_counts_and_is_held_to_littles_law() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let text = bench(&place, &url, &["-c", "4", "-n", "12000"]).out;
    let (report, explained) = text.split_once("How it was computed").unwrap();
    assert!(report.contains("throughput"), "{report}");
    for words in [
        "12,000 correct responses / ",
        "(0 failed + 0 timed out) / 12,000 scheduled = 0 %",
        "p99 120, p99.9 12, p99.99 1, not given",
        "12000 scheduled = 12000 completed + 0 failed",
        "Little's law",
        "requests were in progress on average, ",
        "were expected (within",
        "a closed loop has no schedule to keep",
    ] {
        // lines wrap where they must
        let flat = explained.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(words), "`{words}`: {explained}");
    }

    let said = bench(&place, &url, &["-c", "4", "-n", "2000", "--json"]);
    let json = said.load();
    assert_eq!(held(&json, "accounting")["outcome"], "passed");
    assert_eq!(held(&json, "late")["outcome"], "does-not-apply");
    assert!(formula(&json, "throughput").starts_with("2,000 correct responses / "));
    let doubts = json["doubts"].as_array().unwrap();
    for rule in json["explained"]["held_to"].as_array().unwrap() {
        let doubt = doubts.iter().find(|doubt| doubt["kind"] == rule["kind"]);
        let raised = ["doubted", "disqualified"]
            .iter()
            .any(|of| rule["outcome"] == *of);
        // what other programs did is told once, by the graver of two doubts
        let both = ["disturbed", "starved"];
        let is_of_others = |of: &Value| both.iter().any(|kind| of["kind"] == *kind);
        let elsewhere = is_of_others(rule) && doubts.iter().any(is_of_others);
        assert!(raised == doubt.is_some() || raised && elsewhere, "{rule}");
        if let Some(doubt) = doubt {
            assert_eq!(doubt["because"], rule["seen"]);
        }
    }
}

#[test]
fn an_open_loop_is_held_to_its_schedule_and_a_broken_rule_says_so() {
    let place = Place::new();
    let (_nginx, url) = nginx();
    let open = ["-R", "400", "-d", "1s", "--arrivals", "constant", "--json"];
    let json = bench(&place, &url, &open).load();
    assert_eq!(
        formula(&json, "offered"),
        "400 requests that fell due / 1.00 s"
    );
    assert_ne!(held(&json, "rate-not-held")["outcome"], "does-not-apply");
    assert_eq!(held(&json, "littles-law")["outcome"], "does-not-apply");

    let (_peer, url) = peer();
    let wrong = [
        "-n",
        "100",
        "--status",
        "200",
        "--contains",
        "hel",
        "--json",
    ];
    let json = bench(&place, &url, &wrong).load();
    let differed = held(&json, "answers-differed");
    assert_eq!(differed["outcome"], "passed");
    assert!(
        differed["seen"]
            .as_str()
            .unwrap()
            .contains("100 were compared")
    );

    let few = bench(&place, &url, &["-n", "15"]).out;
    assert!(few.contains("doubted: 15 responses: p50 needs 20"), "{few}");
    let csv = bench(&place, &url, &["-n", "100", "--format", "csv"]);
    assert_eq!(csv.out.lines().count(), 2, "{}", csv.out);
    assert!(csv.err.contains("How it was computed"), "{}", csv.err);
    let markdown = bench(&place, &url, &["-n", "100", "--format", "markdown"]).out;
    assert!(
        markdown.contains("\n* throughput: 100 correct responses / "),
        "{markdown}"
    );
    let without = place.run(&["bench", &url, "-n", "100", "--warm-up", "0s", "--json"]);
    assert!(!without.out.contains("explained"), "only who asks is told");
}

#[test]
fn a_sweep_and_a_survey_say_how_many_of_their_loads_kept_a_rule() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let sweep = ["--sweep", "connections=1,2", "-n", "15"];
    let text = bench(&place, &url, &sweep).out;
    assert!(text.contains("passed by 2 of 2 loads"), "{text}");
    assert!(
        text.contains("1 connection: 15 responses: p50 needs 20"),
        "{text}"
    );

    let survey = place.run(&["bench", &url, "--survey-seconds", "2s", "--explain"]);
    survey.measured();
    let flat = survey.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat.contains("the most of all closed loops without an error"),
        "{flat}"
    );
    assert!(flat.contains("connections are doubled from 1"), "{flat}");
}
