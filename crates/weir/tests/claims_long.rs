//! `weir claims --long`: plans of a folder of their own, whose curves have as many levels as there is time for.

use serde_json::Value;

use crate::claims_whole::{PLAN, claim, claims, folder, runs, trials_of};

#[test]
fn long_plans_are_those_of_a_folder_of_their_own() {
    let place = folder();
    let none = claims(&place, &["--long", "--estimate"]);
    none.fails(5, &["plans/long"]);
    let plan = std::fs::read_to_string(place.path("plans/first.toml")).unwrap();
    let plan = plan
        .replace("../app", "../../app")
        .replace("\"A1\"", "\"L1\"");
    place.write("plans/long/night.toml", &plan);
    let (unclaimed, _) = plan.split_once("[[claim]]").unwrap();
    let ranking = "[[variant]]\nname = \"two\"\nlike = \"one\"\n\
                   [[ranking]]\nname = \"all\"\ntitle = \"All\"\nof = [\"one\", \"two\"]\nby = [\"throughput\"]\n";
    place.write("plans/long/beside.toml", &format!("{unclaimed}{ranking}"));
    let due: Vec<Value> =
        serde_json::from_str(&claims(&place, &["--long", "--estimate", "--json"]).out).unwrap();
    let plans: Vec<_> = due.iter().map(|of| &of["plan"]).collect();
    assert_eq!(plans, ["beside", "night"]);
    let of_claim = claims(&place, &["--long", "--estimate", "--json", "L1"]);
    let due: Vec<Value> = serde_json::from_str(&of_claim.out).unwrap();
    assert_eq!(due.len(), 1, "{due:#?}");
    assert!(
        claims(&place, &["--estimate"])
            .succeeds()
            .out
            .contains("first")
    );
}

#[test]
fn a_short_time_for_long_plans_leaves_levels_out_and_goes_on_with_those_it_has() {
    let place = folder();
    let sweep = "vary = { \"load.connections\" = { from = 1, to = 12, step = 1 } }\n";
    let plan = PLAN.replace("../app", "../../app");
    place.write(
        "plans/long/night.toml",
        &format!("{plan}{sweep}{}", claim("L1")),
    );
    let long = |args: &[&str]| claims(&place, &[&["--long"], args].concat());
    let due = |args: &[&str]| -> Value {
        let said = long(&[&["--estimate", "--json"], args].concat());
        serde_json::from_str(&said.succeeds().out).unwrap()
    };
    // more than are up at once: the first of them is in both halves of a block
    assert_eq!(due(&[])[0]["trials"], 6 * (12 + 1));
    let levels = "3 of 12 levels of `connections`: 1, 6, 12";
    let said = long(&["--budget", "0.1s"]);
    let said = said.succeeds();
    assert!(said.err.contains(levels), "{}", said.err);
    let words = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let all = "1 of 6 blocks; `weir claims --long L1` runs all of its plan";
    assert!(words.contains(all), "{words}");
    assert_eq!(trials_of(&place, "night"), 3);
    // with a budget it is gone on with, with more levels where there is time; without one all levels are wanted
    let rest = due(&["--resume", "--budget", "0.1s"]);
    assert_eq!(rest[0]["by"], "it has run", "{rest:#?}");
    let rest = due(&["--resume", "--budget", "1h"]);
    assert_eq!(rest[0]["trials"], 6 * (12 + 1) - 3, "{rest:#?}");
    assert_eq!(due(&["--resume"])[0]["trials"], 6 * (12 + 1));
    let stored = long(&["--stored", "--json"]);
    let rows: Value = serde_json::from_str(&stored.succeeds().out).unwrap();
    let differs = rows[0]["differs"][0].as_str().unwrap();
    assert!(differs.ends_with(levels), "{differs}");
}

#[test]
fn another_time_adds_the_levels_that_the_run_of_a_long_plan_lacks() {
    let place = folder();
    let sweep = "vary = { \"load.connections\" = { from = 1, to = 4, step = 1 } }\n";
    let plan = PLAN
        .replace("../app", "../../app")
        .replace("blocks = 6", "blocks = 2");
    place.write(
        "plans/long/night.toml",
        &format!("{plan}{sweep}{}", claim("L1")),
    );
    let long = |args: &[&str]| claims(&place, &[&["--long"], args].concat());
    let said = long(&["--budget", "0.1s"]);
    let levels = "3 of 4 levels of `connections`: 1, 2, 4";
    assert!(said.succeeds().err.contains(levels), "{}", said.err);
    assert_eq!(trials_of(&place, "night"), 3);
    let said = long(&["--resume", "--budget", "10m"]);
    let err = &said.succeeds().err;
    assert!(err.contains("are left of run 1"), "{err}");
    assert!(!err.contains("levels of"), "{err}");
    // the new level in the first block, and all in the second
    assert_eq!(trials_of(&place, "night"), 2 * 4);
    assert_eq!(runs(&place).len(), 1, "it is gone on with, not begun anew");
    let stored = long(&["--stored", "--json"]);
    let rows: Value = serde_json::from_str(&stored.succeeds().out).unwrap();
    assert_eq!(rows[0]["differs"], Value::Array(Vec::new()));
    place.assert_clean();
}
