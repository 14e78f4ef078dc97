//! `weir claims` over several plans: what it will take, what a short time costs, and going on.

use crate::support::{PATIENCE, Place};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use store::Store;

const APP: &str = "def app(environ, start):\n    start('200 OK', [('Content-Length', '2')])\n    return [b'ok']\n";

pub(crate) const PLAN: &str = "app = \"../app\"\nblocks = 6\nseed = 1\nnoise-floor = \"none\"\n\
    [load]\nconnections = 2\nseconds = 0.2\nwarm-up = { seconds = 0 }\n\
    [[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n";

/// The first of a report's claims holds, others do not.
pub(crate) fn claim(id: &str) -> String {
    let sign = if id.ends_with('1') { ">" } else { "<" };
    format!(
        "[[claim]]\nid = \"{id}\"\ntext = \"It answers <b>{id}</b>\"\nreported = \"told\"\n\
         since = \"the wheel was invented\"\nexpect = [\"throughput of `one` {sign} 0\"]\n"
    )
}

/// Two plans of six blocks, each block of which takes a fifth of a second at the very least.
pub(crate) fn folder() -> Place {
    let place = Place::new();
    place.app(APP);
    for (name, ids) in [("first", ["A1", "A2"]), ("second", ["B1", "B2"])] {
        let claims = ids.map(claim).concat();
        let plan = format!("{PLAN}{claims}");
        place.write(&format!("plans/{name}.toml"), &plan);
    }
    place.write(
        "plans/not-yet.toml",
        "[[claim]]\nid = \"C1\"\ntext = \"It flies\"\nreported = \"told\"\nmissing = \"wings\"\n",
    );
    place.write(
        "plans/reports.toml",
        "[[report]]\nid = \"A\"\ntitle = \"How to answer\"\nabout = \"One laptop.\"\n",
    );
    place
}

pub(crate) fn claims(place: &Place, args: &[&str]) -> crate::support::Said {
    place.run(&[&["claims", "--plans", "plans"], args].concat())
}

pub(crate) fn runs(place: &Place) -> Vec<Value> {
    let said = place.run(&["list", "--json"]);
    serde_json::from_str(&said.succeeds().out).unwrap()
}

#[test]
fn what_was_cut_short_goes_on_where_it_was() {
    let place = folder();
    let mut child = place.start(&["claims", "--plans", "plans"]);
    let second_is_under_way = || {
        let store = Store::open_to_read(&place.path("weir.db"));
        let all = store.and_then(|store| store.runs()).unwrap_or_default();
        all.iter().any(|run| run.name == "second" && run.done >= 1)
    };
    assert!(testkit::eventually(PATIENCE, second_is_under_way));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let before = runs(&place);
    let done = |name: &str| {
        let of = before.iter().find(|run| run["name"] == name).unwrap();
        of["done"].as_u64().unwrap()
    };
    assert_eq!(done("first"), 6);
    assert!((1..6).contains(&done("second")));

    let due: Vec<Value> =
        serde_json::from_str(&claims(&place, &["--resume", "--estimate", "--json"]).out).unwrap();
    assert_eq!(due[0]["trials"], 0, "{due:#?}");
    assert_eq!(due[1]["trials"], 6 - done("second"), "{due:#?}");

    let said = claims(&place, &["--resume"]);
    let said = said.succeeds();
    assert!(said.err.contains("are left of run 2"), "{}", said.err);
    // short loads beside busy neighbours are doubted now and then: what is certain is that all were run
    assert!(said.out.contains("not yet: 1"), "{}", said.out);
    for other in ["failed: ", "not run: "] {
        assert!(!said.out.contains(other), "{}", said.out);
    }
    let after = runs(&place);
    assert_eq!(after.len(), 2, "no run is made anew: {after:#?}");
    assert!(
        after
            .iter()
            .all(|run| run["done"] == 6 && run["status"] == "finished")
    );
    // a plan that tries something else is another plan
    let text = std::fs::read_to_string(place.path("plans/first.toml")).unwrap();
    place.write(
        "plans/first.toml",
        &text.replace("connections = 2", "connections = 3"),
    );
    let due: Vec<Value> =
        serde_json::from_str(&claims(&place, &["--resume", "--estimate", "--json"]).out).unwrap();
    assert_eq!(
        (&due[0]["trials"], &due[1]["trials"]),
        (&6.into(), &0.into())
    );
    place.assert_clean();
}

#[test]
fn a_short_time_gives_figures_and_says_what_they_cannot_say() {
    let place = folder();
    let said = claims(&place, &["--estimate"]);
    assert!(
        said.succeeds().out.contains("2 plans, 12 trials, about"),
        "{}",
        said.out
    );
    assert!(!place.path("weir.reports").exists() && runs(&place).is_empty());

    let said = claims(&place, &["--budget", "0.1s"]);
    let said = said.succeeds();
    assert!(said.err.contains("for want of time"), "{}", said.err);
    assert!(said.err.contains("first, second"), "{}", said.err);
    let words = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for word in [
        "cannot tell: 4",
        "one block gives no interval",
        "1 of 6 blocks; `weir claims A1` runs all of its plan",
    ] {
        assert!(words.contains(word), "{word}: {words}");
    }
    assert!(runs(&place).iter().all(|run| run["done"] == 1));
    // with two and more trials of a variant in the store, nobody has to guess
    claims(&place, &["-q", "-b", "2", "A"]).succeeds();
    let due: Vec<Value> =
        serde_json::from_str(&claims(&place, &["--estimate", "--json"]).out).unwrap();
    assert_eq!(due[0]["by"], "earlier runs");
    assert_eq!(due[1]["by"], "its windows");
    // for what it was given, a run is whole
    let due: Vec<Value> =
        serde_json::from_str(&claims(&place, &["--estimate", "--json", "--resume", "--quick"]).out)
            .unwrap();
    assert!(due.iter().all(|of| of["by"] == "it has run"), "{due:#?}");
}

/// Claims of the first plan that are soon decided, and one of the second that never is.
fn folder_with_an_open_claim() -> Place {
    let place = folder();
    let ranged = |name: &str| {
        let text = std::fs::read_to_string(place.path(&format!("plans/{name}.toml"))).unwrap();
        text.replace("blocks = 6", "blocks = { at-least = 4, at-most = 10 }")
    };
    place.write("plans/first.toml", &ranged("first"));
    // equal things: no number of blocks tells on which side of 1 their ratio lies
    let open = ranged("second")
        .replace(
            "[[claim]]\nid = \"B1\"",
            "[[variant]]\nname = \"two\"\nserver = \"gunicorn\"\n[[claim]]\nid = \"B1\"",
        )
        .replace(
            "throughput of `one` > 0",
            "throughput of `two` / throughput of `one` within 0.999 .. 1.001",
        );
    place.write("plans/second.toml", &open);
    place
}

/// Trials that the newest run of a plan has.
pub(crate) fn trials_of(place: &Place, name: &str) -> u64 {
    let all = runs(place);
    let of = all.iter().find(|run| run["name"] == name).unwrap();
    of["done"].as_u64().unwrap()
}

#[test]
fn time_that_is_left_goes_to_the_plans_whose_claims_are_open() {
    let place = folder_with_an_open_claim();
    let said = claims(&place, &["--budget", "10m"]);
    let err = &said.succeeds().err;
    assert!(err.contains("(4 of 10 blocks)"), "{err}");
    assert!(
        err.contains("once more: second with 1 open claim, about"),
        "{err}"
    );
    assert!(!err.contains("once more: first"), "{err}");
    assert_eq!(trials_of(&place, "first"), 4);
    let second = trials_of(&place, "second");
    assert!(second > 2 * 4, "{second}");
    assert_eq!(
        runs(&place).len(),
        2,
        "a plan is gone on with, not begun anew"
    );
}

#[test]
fn why_a_claim_does_not_hold_has_time_that_is_left_too() {
    let place = folder_with_an_open_claim();
    let text = std::fs::read_to_string(place.path("plans/first.toml")).unwrap();
    let untrue = "expect = [\"throughput of `one` < 0\"]";
    let reason =
        "since-expect = [\"throughput of `two` / throughput of `one` within 0.999 .. 1.001\"]";
    let two = "[[variant]]\nname = \"two\"\nserver = \"gunicorn\"\n[[claim]]";
    let text = text
        .replace(untrue, &format!("{untrue}\n{reason}"))
        .replacen("[[claim]]", two, 1);
    place.write("plans/first.toml", &text);
    let said = claims(&place, &["--budget", "10m", "A"]);
    let err = &said.succeeds().err;
    let words = "once more: first with 1 open reason, about";
    assert!(err.contains(words), "{err}");
    let first = trials_of(&place, "first");
    assert!(first > 2 * 4, "{first}");
    assert_eq!(runs(&place).len(), 1);
}

#[test]
fn what_a_short_time_left_open_is_gone_on_with_in_another() {
    let place = folder_with_an_open_claim();
    claims(&place, &["--budget", "0.1s"]).succeeds();
    assert_eq!(trials_of(&place, "second"), 2);
    let said = claims(&place, &["--resume", "--budget", "10m"]);
    let err = &said.succeeds().err;
    assert!(
        err.contains("all plans have run: the time goes to claims"),
        "{err}"
    );
    // after one block none is decided
    for again in ["first", "second"] {
        let words = format!("once more: {again} with 2 open claims");
        assert!(err.contains(&words), "{words}: {err}");
    }
    // it had 2, and chance may decide at the first look
    let second = trials_of(&place, "second");
    assert!(second >= 2 * 4, "{second}");
    assert_eq!(runs(&place).len(), 2);
}
