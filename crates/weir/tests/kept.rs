//! Loads of `weir bench` in the store: listed, shown, reported, compared.

use serde_json::Value;

use crate::support::{Place, Said, nginx, peer};

/// A load that is long enough to have figures, and short enough for a test.
fn load(place: &Place, url: &str, more: &[&str]) -> Said {
    let args = ["bench", url, "-c", "2", "-n", "2000", "--warm-up", "0s"];
    place.run(&[&args[..], more].concat())
}

#[test]
fn a_load_is_a_run_that_is_shown_as_it_was_printed() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let printed = load(&place, &url, &[]);
    printed.measured();
    let listed = place.run(&["list"]);
    assert!(listed.out.contains(&url), "{}", listed.out);
    let shown = place.run(&["show", "last"]);
    shown.measured();
    assert!(shown.out.contains(&url), "{}", shown.out);
    // the table of the load itself, to the letter
    let table = printed.out.split("\n\n").next().unwrap();
    assert!(shown.out.contains(table), "{}\n{}", shown.out, printed.out);
    let export = place.run(&["show", "last", "--json"]);
    let export: Value = serde_json::from_str(&export.out).unwrap();
    assert_eq!(export["schema"], "weir/2");
    assert_eq!(export["run"]["plan"]["variants"][0]["url"], url.as_str());
    let facts = &export["trials"][0]["outcome"]["measured"]["load"];
    assert_eq!(facts["completed"], 2000);
    let reported = place.run(&["report", "last", "--out", "report"]);
    reported.succeeds();
    assert!(place.path("report/report.html").exists());
}

#[test]
fn a_load_beside_the_last_one_of_its_url_is_no_verdict() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    load(&place, &url, &["--against", "last"]).fails(10, &["no earlier load", "without --against"]);
    load(&place, &url, &[]).measured();
    let (_other, elsewhere) = peer();
    load(&place, &elsewhere, &[]).measured();
    let said = load(&place, &url, &["--against", "last"]);
    said.measured();
    for words in [
        "Against run 1 ",
        "this load",
        "throughput",
        "No verdict",
        "did not take turns",
        "`url`",
    ] {
        assert!(said.out.contains(words), "`{words}`: {}", said.out);
    }
    let json = load(&place, &url, &["--against", "2", "--json"]);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["against"]["run"], 2);
    assert_eq!(json["against"]["figures"][0]["metric"], "throughput");
    let compared = place.run(&["compare", "3", "1"]);
    compared.succeeds();
    for words in ["No verdict", "run 3", "run 1"] {
        assert!(compared.out.contains(words), "{words}: {}", compared.out);
    }
    let next = "hint: with run 3: `weir compare 4 3`";
    place.run(&["compare", "last"]).fails(2, &[next]);
    // a load is the variant that is called as its URL, and no other
    let by_name = place.run(&["compare", &format!("3:{url}"), "1"]);
    by_name.succeeds();
    for sides in [["3:login", "1"], ["1", "3:login"]] {
        let refused = place.run(&[&["compare"][..], &sides].concat());
        refused.fails(
            2,
            &["run 3 has no variant `login`", &format!("it has `{url}`")],
        );
    }
    // names come before what cannot be said of two loads
    let worse = ["compare", "3:login", "1", "--fail-if-worse", "throughput"];
    let refused = place.run(&worse);
    refused.fails(2, &["run 3 has no variant `login`"]);
    let longer = [
        "bench",
        &url,
        "-c",
        "3",
        "-n",
        "2000",
        "--warm-up",
        "0s",
        "--against",
        "1",
    ];
    let said = place.run(&longer);
    assert!(said.out.contains("the load differs"), "{}", said.out);
    let before = load(&place, &url, &["--against", "last-1"]);
    before.measured();
    assert!(before.out.contains("Against run 4 "), "{}", before.out);
}

/// Which of several loads is to be compared nobody said, and that is told before the first of them.
#[test]
fn what_is_several_loads_is_compared_with_none() {
    let place = Place::new();
    let url = "http://127.0.0.1:9/"; // nothing is sent
    let goal = ["--goal", "p99 < 200ms"];
    for (more, several) in [
        (&goal[..], "this is a search for the highest rate"),
        (&[], "this is a survey"),
    ] {
        let said = place.run(&[&["bench", url, "--against", "last"], more].concat());
        said.fails(2, &[several, "give a load to compare: `-c 100 -d 30s`"]);
    }
}

#[test]
fn runs_are_counted_from_the_last_one_and_the_newest_are_listed() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    load(&place, &url, &[]).measured();
    load(&place, &url, &["--json"]).measured();
    let numbers = |args: &[&str]| -> Vec<i64> {
        let listed = place.run(&[&["list", "--json"], args].concat());
        let listed = listed.succeeds().json();
        let runs = listed.as_array().unwrap().iter();
        runs.map(|run| run["id"].as_i64().unwrap()).collect()
    };
    assert_eq!(numbers(&[]), [2, 1]);
    assert_eq!(numbers(&["-n", "1"]), [2]);
    assert_eq!(numbers(&["--newest", "9"]), [2, 1]);
    assert_eq!(place.exported("last-1")["run"]["id"], 1);
    let said = place.run(&["show", "last-2"]);
    said.fails(10, &["there is no run `last-2`: the store has 2 runs"]);
    let Said { code, err, .. } = place.run(&["show", "last-0"]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("`last-1` for the one before"), "{err}");
}

#[test]
fn a_sweep_is_one_run_with_a_curve() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let sweep = [
        "bench",
        &url,
        "--sweep",
        "connections=1,2,4",
        "-n",
        "1000",
        "--warm-up",
        "0s",
    ];
    let printed = place.run(&sweep);
    printed.measured();
    let export = place.run(&["show", "last", "--json"]);
    let export: Value = serde_json::from_str(&export.out).unwrap();
    let trials = export["trials"].as_array().unwrap();
    let connections: Vec<_> = trials
        .iter()
        .map(|trial| trial["outcome"]["measured"]["load"]["connections"].clone())
        .collect();
    assert_eq!(connections, [1, 2, 4]);
    let shown = place.run(&["show", "last"]);
    let heads = printed.out.split("\n\n").next().unwrap();
    assert!(heads.starts_with("most was "), "{heads}");
    assert!(shown.out.contains(heads), "{}\n{}", shown.out, printed.out);
    let reported = place.run(&["report", "last", "--out", "report"]);
    reported.succeeds();
    let page = std::fs::read_to_string(place.path("report/report.html")).unwrap();
    assert!(page.contains("over 1, 2 or 4 connections"), "no curve");
    place
        .run(&["bench", &url, "-n", "500", "--against", "1"])
        .fails(2, &["run 1 is not one load of one URL"]);
}

/// The tests say by `WEIR_SHARED` that other programs are always there.
#[test]
fn a_load_on_a_shared_machine_is_resumed_as_one() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    load(&place, &url, &[]).measured();
    place.run(&["run", "--resume", "1"]).measured();
    let shown = place.run(&["show", "1", "--json"]).json();
    assert_eq!(shown["run"]["plan"]["shared"], true);
}

#[test]
fn a_store_that_cannot_be_written_spoils_no_load() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    place.write("weir.db", "this is no store");
    let said = load(&place, &url, &[]);
    assert!(said.out.contains("throughput"), "{} {}", said.out, said.err);
    assert!(said.err.contains("not kept in the store"), "{}", said.err);
}
