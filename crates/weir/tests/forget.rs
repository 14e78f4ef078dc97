//! `weir forget`: what is removed of a store, and what is not.

use crate::support::schema::assert_is;
use crate::support::{APP, PATIENCE, Place, nginx};

/// A place whose store has so many loads, of which the second has a report beside it.
fn place(loads: usize) -> Place {
    let (_nginx, url) = nginx();
    let place = Place::new();
    for _ in 0..loads {
        let load = ["bench", &url, "-n", "400", "-c", "2", "--warm-up", "0s"];
        place.run(&load).measured();
    }
    place.run(&["report", "2"]).succeeds();
    place
}

/// The numbers of the runs that there are, the newest first.
fn runs(place: &Place) -> Vec<i64> {
    let listed = place.run(&["list", "--json"]).json();
    let runs = listed.as_array().unwrap().iter();
    runs.map(|of| of["id"].as_i64().unwrap()).collect()
}

#[test]
fn a_run_is_removed_with_its_report_and_several_where_that_is_said() {
    let place = place(4);
    let report = place.path("weir.reports/run-2");
    let said = place.run(&["forget", "2", "--dry-run"]);
    let out = &said.succeeds().out;
    assert!(out.contains("would be removed, with its report"), "{out}");
    assert!(report.is_dir());
    let said = place.run(&["forget", "2"]);
    let out = &said.succeeds().out;
    assert!(
        out.starts_with("run 2 of ") && out.contains("is removed"),
        "{out}"
    );
    assert!(!report.exists());
    place.run(&["show", "2"]).fails(10, &["no run `2`"]);
    assert_eq!(runs(&place), [4, 3, 1]);

    let several = ["forget", "1..3"];
    place
        .run(&several)
        .fails(2, &["2 runs would be removed", "`--yes` removes them"]);
    assert_eq!(runs(&place), [4, 3, 1]);
    let said = place.run(&[&several[..], &["--yes", "--json"]].concat());
    let removed = said.succeeds().json();
    assert_is("forgotten", &removed);
    let of = |place: usize| (&removed[place]["id"], &removed[place]["removed"]);
    assert_eq!(of(0), (&1.into(), &true.into()));
    assert_eq!(of(1), (&3.into(), &true.into()));

    let said = place.run(&["forget", "--before", "30d"]);
    assert!(said.succeeds().out.contains("no run began so long ago"));
    place.run(&["forget", "last"]).succeeds();
    assert_eq!(runs(&place), [] as [i64; 0]);
    place.assert_clean();
}

#[test]
fn what_there_is_not_is_told_and_nothing_is_removed() {
    let place = place(2);
    place.run(&["forget", "2", "9"]).fails(10, &["no run `9`"]);
    let missing = "no run from 7 to 9";
    place.run(&["forget", "7..9", "1"]).fails(10, &[missing]);
    for (args, why) in [
        (&["forget"][..], "<RUN>"),
        (&["forget", "2..1"], "a range of runs is `7..12`"),
        (&["forget", "--before", "a while"], "give an age"),
    ] {
        let said = place.run(args);
        said.fails_with(2);
        assert!(said.err.contains(why), "{why}: {}", said.err);
    }
    assert_eq!(runs(&place), [2, 1]);
    // all that is there, however young
    let all = ["forget", "--before", "0d", "-y"];
    place.run(&all).succeeds();
    assert_eq!(runs(&place), [] as [i64; 0]);
    assert!(!place.path("weir.reports/run-2").exists());
}

/// Such a run has the status of one that a weir began which was killed.
#[test]
fn a_run_that_is_being_measured_stays() {
    let place = Place::new();
    place.app(APP);
    place.plan("[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n");
    let mut weir = place.start(&["run", "plan.toml", "--blocks", "40"]);
    assert!(testkit::eventually(PATIENCE, || place.stored() >= 1));
    let said = place.run(&["forget", "1"]);
    said.fails(10, &["run `1` of the store", "is being measured", "Ctrl-C"]);
    let listed = || place.run(&["list"]).out;
    assert!(listed().contains("still running"), "{}", listed());
    weir.kill().unwrap();
    weir.wait().unwrap();
    assert!(listed().contains("cut short"), "{}", listed());
    place.run(&["forget", "1"]).succeeds();
    assert_eq!(runs(&place), [] as [i64; 0]);
    place.assert_clean();
}
