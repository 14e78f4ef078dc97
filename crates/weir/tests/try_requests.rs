//! `weir try --mix` and `--replay`: several requests, by weight or as a log has them, in place of one page.

use serde_json::Value;

use crate::support::{Place, Said};

/// Answers what was asked, so that no two paths have the same response; notes are written.
const APP: &str = "def app(environ, start):\n    path = environ['PATH_INFO']\n    \
                   found = path in ('/', '/list', '/note')\n    \
                   start('200 OK' if found else '404 Not Found', [('Content-Type', 'text/plain')])\n    \
                   return [environ['REQUEST_METHOD'].encode(), b' ', path.encode()]\n";
const MIX: &str = "[[request]]\nname = 'front'\nweight = 3\npath = '/'\ncontains = 'GET /'\n\
                   [[request]]\nname = 'list'\npath = '/list'\ncontains = 'GET /list'\n";
const LOG: &str = "::1 - - [01/Nov/2026:10:00:00 +0000] \"GET /list HTTP/1.1\" 200 5\n\
                   ::1 - - [01/Nov/2026:10:00:01 +0000] \"GET /gone HTTP/1.1\" 404 5\n\
                   ::1 - - [01/Nov/2026:10:00:02 +0000] \"POST /note HTTP/1.1\" 200 5\n";

fn place() -> Place {
    let place = Place::new();
    place.write("app.py", APP);
    place.write("mix.toml", MIX);
    place.write("access.log", LOG);
    place
}

fn trying(place: &Place, more: &[&str]) -> Said {
    let variants = "gunicorn-1,nginx-keepalive+gunicorn-cores";
    let args = ["try", "--quick", "-n", "200", "-c", "4", "--no-stress"];
    place.run(&[&args[..], &["--variants", variants, "--json"], more].concat())
}

/// Of each trial, how many of its responses had each name.
fn names(said: &Said) -> Vec<Vec<(String, u64)>> {
    let run = said.measured().json();
    let trials = run["trials"].as_array().unwrap();
    assert!(!trials.is_empty(), "{}", said.err);
    let names = |trial: &Value| {
        let load = &trial["outcome"]["measured"]["load"];
        assert_eq!(load["failed"], serde_json::json!({}), "{load}");
        let named = load["named"].as_array().unwrap().iter();
        let each = named.map(|of| {
            let name = of["name"].as_str().unwrap().to_owned();
            (name, of["completed"].as_u64().unwrap())
        });
        each.collect()
    };
    trials.iter().map(names).collect()
}

#[test]
fn a_mix_is_loaded_by_its_weights() {
    let place = place();
    let said = trying(&place, &["--mix", "mix.toml"]);
    let trials = names(&said);
    assert!(trials.len() >= 2);
    for trial in trials {
        let [(front, many), (list, few)] = &trial[..] else {
            panic!("two names: {trial:?}");
        };
        assert_eq!([&**front, &**list], ["front", "list"]);
        assert!(*few > 0 && many > few, "three to one: {trial:?}");
    }
    let headline = said.json()["headline"].as_str().unwrap().to_owned();
    assert!(headline.contains("ways to serve `mix.toml`"), "{headline}");
    place.assert_clean();
}

#[test]
fn a_mix_that_was_written_from_a_log_is_loaded_by_its_weights() {
    let place = place();
    let line = |target: &str| {
        format!(
            "::1 - - [01/Nov/2026:10:00:00 +0000] \"GET {target} HTTP/1.1\" 200 5 \"-\" \"-\" 0.010\n"
        )
    };
    let lists = ["/list?page=1", "/list?page=2"].map(line).concat();
    place.write("mixed.log", &(line("/").repeat(6) + &lists));
    let write = ["endpoints", "mixed.log", "--write-mix", "drawn.toml", "-q"];
    place.run(&write).succeeds();
    for mut trial in names(&trying(&place, &["--mix", "drawn.toml"])) {
        trial.sort();
        let [(front, many), (list, few)] = &trial[..] else {
            panic!("two routes: {trial:?}");
        };
        assert_eq!([&**front, &**list], ["GET /", "GET /list"]);
        assert!(*few > 0 && many > few, "three to one: {trial:?}");
    }
    place.assert_clean();
}

#[test]
fn a_log_is_replayed_in_its_order_with_its_statuses() {
    let place = place();
    for trial in names(&trying(&place, &["--replay", "access.log"])) {
        assert_eq!(trial.len(), 2, "GET alone: {trial:?}");
        let (one, other) = (trial[0].1, trial[1].1);
        assert!(one.abs_diff(other) <= 1, "in turn: {trial:?}");
    }
    place.assert_clean();
}

#[test]
fn a_mix_that_writes_is_loaded_only_when_that_is_meant() {
    let place = place();
    place.write(
        "notes.toml",
        "[[request]]\npath = '/note'\nmethod = 'POST'\nbody = 'a'\n",
    );
    let refused = trying(&place, &["--mix", "notes.toml"]);
    refused.fails(
        2,
        &["`notes.toml` may change what the app keeps", "--yes-write"],
    );
    trying(&place, &["--mix", "notes.toml", "--yes-write"]).measured();
    place.assert_clean();
}

#[test]
fn a_file_that_asks_for_nothing_is_told_before_anything_starts() {
    let place = place();
    place.write("empty.log", "nothing\n");
    trying(&place, &["--mix", "none.toml"]).fails(5, &["cannot read", "none.toml"]);
    let said = trying(&place, &["--replay", "empty.log"]);
    said.fails(5, &["no line of it is a request", "convert it to one of"]);
    // which it has not
    assert!(!said.err.contains("--log-format"), "{}", said.err);
    trying(&place, &["--mix", "mix.toml", "--replay", "access.log"]).fails_with(2);
    place.write(
        "plan.toml",
        "app = \".\"\n[load]\nmix = \"none.toml\"\n[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n",
    );
    place.write(
        "app.toml",
        "name = \"a\"\ninterface = \"wsgi\"\nentry = \"app:app\"\n[[routes]]\npath = \"/\"\n",
    );
    let run = place.run(&["run", "plan.toml"]);
    run.fails(5, &["load.mix", "cannot read"]);
    place.assert_clean();
}
