//! A rate that changes is told stretch by stretch, in every form.

use crate::support::{Place, load_of, nginx, scripted};
use serde_json::Value;
use testkit::{Step, answer};

fn bench(place: &Place, url: &str, more: &[&str]) -> String {
    let args = ["bench", url, "--warm-up", "0s"];
    let said = place.run(&[&args[..], more].concat());
    said.measured();
    said.out
}

fn sum(load: &Value, key: &str) -> u64 {
    let segments = load["segments"].as_array().unwrap().iter();
    segments.map(|segment| segment[key].as_u64().unwrap()).sum()
}

/// Every request is in one stretch, and no stretch has one that nobody made.
fn assert_whole(json: &Value) {
    let load = &json["load"];
    let count = |key: &str| load[key].as_u64().unwrap();
    let failed: u64 = load["failed"]
        .as_object()
        .unwrap()
        .values()
        .map(|count| count.as_u64().unwrap())
        .sum();
    assert_eq!(sum(load, "scheduled"), count("scheduled"), "{load}");
    assert_eq!(sum(load, "completed"), count("completed"), "{load}");
    assert_eq!(sum(load, "failed"), failed + count("timed_out"), "{load}");
}

#[test]
fn steps_are_told_in_every_form() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let steps = ["--steps", "500:1500", "-d", "2s", "-t", "2", "--format"];
    let of = |form| bench(&place, &url, &[&steps[..], &[form]].concat());
    let json = load_of(&serde_json::from_str(&of("json")).unwrap());
    assert_whole(&json);
    let segments = json["segments"].as_array().unwrap();
    assert_eq!(segments.len(), 2);
    for (segment, (from, until, rate)) in segments
        .iter()
        .zip([(0.0, 1.0, 500.0), (1.0, 2.0, 1_500.0)])
    {
        assert_eq!(segment["from"], from);
        assert_eq!(segment["until"], until);
        let offered = segment["offered"].as_f64().unwrap();
        // a Poisson count within five of its standard deviations
        assert!((offered - rate).abs() < 5.0 * f64::sqrt(rate), "{segment}");
        assert!(
            segment["response"]["p50"].as_f64().unwrap() > 0.0,
            "{segment}"
        );
    }
    let text = of("text");
    assert!(text.contains("0 s to 1.00 s"), "{text}");
    assert!(text.contains("1.00 s to 2.00 s  1,500 req/s"), "{text}");
    let markdown = of("markdown");
    assert!(markdown.contains("| stretch | planned | offered | achieved |"));
    assert!(
        markdown.contains("| 1.00 s to 2.00 s | 1,500 req/s |"),
        "{markdown}"
    );
    let csv = of("csv");
    assert!(
        csv.lines()
            .next()
            .unwrap()
            .contains("segment_2_offered_rps"),
        "{csv}"
    );
    let columns = csv.lines().map(|line| line.split(',').count());
    let columns: Vec<_> = columns.collect();
    assert_eq!(columns[0], columns[1], "{csv}");

    let steady = bench(&place, &url, &["-R", "500", "-d", "500ms"]);
    assert!(!steady.contains("stretch"), "{steady}");
    let out = place.path("out");
    let ramp = [
        "--ramp",
        "100:900",
        "-d",
        "1s",
        "--out",
        out.to_str().unwrap(),
    ];
    let text = bench(&place, &url, &ramp);
    assert!(text.contains("100 to 300 req/s"), "a ramp is cut: {text}");
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("As the rate changed"));
}

#[test]
fn a_spike_has_the_errors_and_the_waits_of_those_that_fell_due_in_it() {
    // One connection that answers every second request wrongly.
    let (_peer, url) = scripted(|_| {
        let pair = [answer(200, &[], "hello"), answer(500, &[], "no")];
        let both = pair.map(|bytes| [Step::Read, Step::Send(bytes)]);
        vec![Step::Forever(both.concat())]
    });
    let place = Place::new();
    let spike = ["--spike", "100:1000", "-d", "2s", "-c", "1", "--json"];
    let json = load_of(&serde_json::from_str(&bench(&place, &url, &spike)).unwrap());
    assert_whole(&json);
    let segments = json["segments"].as_array().unwrap();
    assert_eq!(segments.len(), 3);
    for segment in segments {
        assert!(segment["errors"].as_f64().unwrap() > 0.2, "{segment}");
        assert!(segment["errors"].as_f64().unwrap() < 0.8, "{segment}");
    }

    // Dropped and waiting ones are in the stretch in which they fell due as well.
    let (_stuck, url) = scripted(|connection| match connection {
        0 => Step::serve(answer(200, &[], "hello")),
        _ => vec![Step::Stall],
    });
    let bound = ["--max-outstanding", "2", "-c", "2", "--timeout", "1s"];
    let said = bench(&place, &url, &[&spike[..4], &bound, &["--json"]].concat());
    assert_whole(&load_of(&serde_json::from_str(&said).unwrap()));
}
