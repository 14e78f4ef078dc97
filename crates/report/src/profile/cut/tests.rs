use record::{Doing, ProfileFacts};
use serde_json::Value;

use super::*;
use crate::profile::{Flames, Folded, Profiled, difference};

/// A profile of such stacks on CPU. Names of functions begin with their class.
fn profiled(all: &[(&str, u64)]) -> Profiled {
    let mut stacks = Stacks::default();
    for (line, samples) in all {
        let functions = line.split(' ');
        let functions = functions.map(|name| number(&mut stacks.functions, name));
        let functions: Vec<u32> = functions.collect();
        stacks.stacks.push(Stack {
            functions,
            doing: Doing::OnCpu,
            samples: *samples,
        });
    }
    Profiled::new("one", 1.0, ProfileFacts::default(), stacks)
}

fn number(functions: &mut Vec<Function>, name: &str) -> u32 {
    let known = functions.iter().position(|of| of.name == name);
    let place = known.unwrap_or_else(|| {
        let mut classes = CodeClass::ALL.into_iter();
        functions.push(Function {
            name: name.to_owned(),
            file: "of.py".to_owned(),
            line: 1,
            class: classes.find(|of| name.starts_with(of.name())).unwrap(),
        });
        functions.len() - 1
    });
    place as u32
}

/// The app under a server that a framework does not start.
fn under_one(page: u64, call: u64, accept: u64) -> Profiled {
    profiled(&[
        ("runtime-main server-loop framework-call app-page", page),
        ("runtime-main server-loop framework-call", call),
        ("runtime-main server-loop server-accept", accept),
    ])
}

/// The same app under one that a framework starts.
fn under_other(page: u64, call: u64, select: u64) -> Profiled {
    profiled(&[
        (
            "framework-main server-run runtime-thread server-handle framework-call app-page",
            page,
        ),
        (
            "framework-main server-run runtime-thread server-handle framework-call",
            call,
        ),
        ("framework-main server-run server-select", select),
    ])
}

/// Names and classes of the boxes by which two profiles differ, and whether they begin at the app.
fn boxes(earlier: &Profiled, later: &Profiled) -> (Vec<(String, String)>, bool) {
    let flames = Flames::between(earlier, later).unwrap();
    let flames = serde_json::to_value(flames).unwrap();
    let told = |of: &Value| {
        let title = of["title"].as_str().unwrap();
        let (name, _) = title.split_once(" (").unwrap();
        (name.to_owned(), of["class"].as_str().unwrap().to_owned())
    };
    let mut boxes: Vec<_> = flames["boxes"]
        .as_array()
        .unwrap()
        .iter()
        .map(told)
        .collect();
    boxes.sort();
    (boxes, flames["from_app"].as_bool().unwrap())
}

fn svg(earlier: &Profiled, later: &Profiled) -> String {
    difference(&Folded::of(earlier), &Folded::of(later)).unwrap()
}

/// Per cent of the samples by which functions of a picture have more, in all.
fn more(svg: &str) -> f64 {
    let titles = svg.split("</title>").filter_map(|of| of.rsplit_once("; "));
    let differences = titles.filter_map(|(_, of)| of.trim_end_matches("%)").parse::<f64>().ok());
    differences.filter(|of| *of > 0.0).sum()
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, class): &(&str, &str)| ((*name).to_owned(), (*class).to_owned());
    of.iter().map(owned).collect()
}

#[test]
fn of_two_servers_the_same_app_is_alike() {
    let (before, now) = (under_other(600, 300, 100), under_one(601, 299, 100));
    let expected = pairs(&[
        ("app-page", "alike"),
        ("framework-call", "alike"),
        ("the server and its language", "alike"),
    ]);
    assert_eq!(boxes(&before, &now), (expected, true));
    let svg = svg(&before, &now);
    assert!(svg.contains("each stack from the app on"), "{svg}");
    assert!(svg.contains("without\u{a0}the\u{a0}app"), "{svg}");
    assert!(!svg.contains("server-"), "none of their functions: {svg}");
    assert!(more(&svg) < 0.5, "{}: {svg}", more(&svg));
}

#[test]
fn what_the_app_does_more_of_is_seen_under_another_server() {
    let (before, now) = (under_other(500, 300, 200), under_one(800, 100, 100));
    let expected = pairs(&[
        ("app-page", "more"),
        ("framework-call", "more"),
        ("the server and its language", "less"),
    ]);
    assert_eq!(boxes(&before, &now), (expected, true));
    assert!((more(&svg(&before, &now)) - 30.0).abs() < 0.5);
}

#[test]
fn of_one_server_stacks_are_whole() {
    let (before, now) = (under_one(600, 300, 100), under_one(300, 300, 400));
    let expected = pairs(&[
        ("app-page", "less"),
        ("framework-call", "less"),
        ("runtime-main", "alike"),
        ("server-accept", "more"),
        ("server-loop", "alike"),
    ]);
    assert_eq!(boxes(&before, &now), (expected, false));
    let svg = svg(&before, &now);
    assert!(svg.contains("; whole stacks") && svg.contains("server-loop"));
}

#[test]
fn without_the_app_on_both_sides_stacks_are_whole() {
    let (app, none) = (under_one(600, 300, 100), profiled(&[("server-run", 9)]));
    for (before, now) in [(&app, &none), (&none, &app)] {
        let (boxes, from_app) = boxes(before, now);
        assert!(!from_app && boxes.iter().any(|(name, _)| name.starts_with("server-")));
    }
    // a file does not say whose its functions are
    let read = Folded::read("a file", &Folded::of(&under_other(6, 3, 1)).to_string()).unwrap();
    let svg = difference(&read, &Folded::of(&app)).unwrap();
    assert!(svg.contains("; whole stacks"), "{svg}");
}

#[test]
fn where_half_of_the_app_is_called_from_elsewhere_it_is_compared_from_there_on() {
    let ways = |own: u64, other: u64| BTreeMap::from([("own", own), ("other", other)]);
    let alone = BTreeMap::from([("own", 9)]);
    assert!(!is_due(&ways(51, 49), &alone) && !is_due(&alone, &ways(51, 49)));
    assert!(is_due(&ways(50, 50), &alone) && is_due(&alone, &ways(50, 50)));
    assert!(!is_due(&BTreeMap::new(), &alone) && !is_due(&alone, &BTreeMap::new()));
}
