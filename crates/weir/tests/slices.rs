//! Variants that are up at the same time, and whose loads take turns.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::Place;

const APP: &str = "
import os, time
def app(environ, start):
    time.sleep(float(os.environ.get('SLEEP', '0.001')))
    start('200 OK', [('Content-Type', 'text/plain'), ('Content-Length', '2')])
    return [b'ok']
";
const VARIANTS: &str = "
[[variant]]
name = \"one\"
server = \"gunicorn\"
[[variant]]
name = \"two\"
server = { entry = \"gunicorn\", workers = 2 }
[[variant]]
name = \"slow\"
server = \"gunicorn\"
env = { SLEEP = \"0.1\" }
";

/// The loads of all trials, with the name of each one's variant.
fn loads(document: &Value) -> Vec<(String, Value)> {
    let trials = document["trials"].as_array().unwrap().iter();
    let load = |trial: &Value| {
        let name = trial["variant"].as_str().unwrap().to_owned();
        (name, trial["outcome"]["measured"]["load"].clone())
    };
    trials.map(load).collect()
}

#[test]
fn quick_loads_take_turns_and_slow_ones_keep_their_window() {
    let place = Place::new();
    place.app(APP);
    let text = format!(
        "app = \"app\"\nblocks = 2\nseed = 1\nnoise-floor = \"one\"\n[load]\nconnections = 4\nseconds = 1\n\
         warm-up = {{ seconds = 0.5 }}\n{VARIANTS}"
    );
    let plan = place.write("plan.toml", &text);
    let plan = plan.to_str().unwrap();
    let run = place.run(&["run", plan, "--slice", "100ms", "--json"]);
    run.measured();
    let loads = loads(&run.json());
    // what a neighbour on the machine disturbed is taken again
    let again = run.err.matches("will be repeated").count();
    assert_eq!(loads.len(), 8 + again, "{}", run.err);
    let cut: Vec<_> = loads
        .iter()
        .filter(|(_, load)| !load["slices"].is_null())
        .collect();
    // a machine that is busy for a moment makes a quick one slow
    assert!(cut.len() >= 2, "{}", run.err);
    for (variant, load) in cut {
        assert_ne!(variant, "slow", "{load}");
        let count = load["slices"]["count"].as_u64().unwrap();
        assert!((4..=10).contains(&count), "{load}");
        let seconds = load["seconds"].as_f64().unwrap();
        assert!((0.8..2.0).contains(&seconds), "{seconds}");
        assert!(load["slices"]["led"].as_u64().unwrap() > 0, "{load}");
    }
    assert!(run.err.contains("slices each, in turn"), "{}", run.err);
    place.assert_clean();
}

#[test]
fn windows_by_count_are_whole() {
    let place = Place::new();
    place.app(APP);
    let plan = place.plan(VARIANTS);
    let run = place.run(&["run", plan.to_str().unwrap(), "--json"]);
    run.measured();
    for (variant, load) in loads(&run.json()) {
        assert_eq!(load["slices"], Value::Null, "{variant}");
    }
    assert!(!run.err.contains("in turn"), "{}", run.err);
    let dry = place.run(&["run", plan.to_str().unwrap(), "--dry-run"]);
    let whole = "note: each window whole, as windows end with a number of requests";
    for said in [&run, &dry] {
        assert!(said.err.contains(whole), "{}", said.err);
    }
    place.assert_clean();
}

#[test]
fn a_length_that_makes_no_sense_is_refused() {
    let place = Place::new();
    place.app(APP);
    let plan = place.plan(VARIANTS);
    let plan = plan.to_str().unwrap();
    let refused = place.run(&["run", plan, "--slice", "20s"]);
    assert!(
        refused
            .err
            .contains("0.01 to 10 seconds, or 0 for whole windows"),
        "{}",
        refused.err
    );
    let text = std::fs::read_to_string(plan).unwrap();
    place.write("plan.toml", &format!("slice = -1\n{text}"));
    let refused = place.run(&["run", plan]);
    assert!(refused.err.contains("`slice = 0.1`"), "{}", refused.err);
}

/// An app that answers where its database is.
const STORED: &str = "
import os
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [os.environ['STORE'].encode()]
";

/// None of them works on what another one's slices left.
#[test]
fn what_is_up_at_the_same_time_has_a_database_of_its_own() {
    let place = Place::new();
    place.app(STORED);
    let made = place.path("made");
    place.write(
        "app/app.toml",
        &format!(
            "name = \"mine\"\ninterface = \"wsgi\"\nentry = \"mine:app\"\nenv = {{ MADE = \"{}\" }}\n\
             [[routes]]\npath = \"/\"\nstatus = 200\ncontains = [\"database\"]\ndynamic = [\".+\"]\n\
             [services.database]\nenv = {{ STORE = \"database at {{{{ url }}}}\" }}\n\
             prepare = [[\"sh\", \"-c\", \"echo $STORE >> $MADE\"]]\n",
            made.display()
        ),
    );
    let variant = |name: &str| {
        format!(
            "[[variant]]\nname = \"{name}\"\nserver = \"gunicorn\"\nservices = {{ database = \"redis\" }}\n"
        )
    };
    let text = format!(
        "app = \"app\"\nblocks = 1\nseed = 1\nslice = 0.1\n[load]\nconnections = 4\nseconds = 1\n\
         warm-up = {{ seconds = 0.5 }}\n{}{}",
        variant("one"),
        variant("two")
    );
    let plan = place.write("plan.toml", &text);
    let run = place.run(&["run", plan.to_str().unwrap(), "--json"]);
    run.measured();
    let loads = loads(&run.json());
    let cut = loads.iter().filter(|(_, load)| !load["slices"].is_null());
    // a machine that is busy for a moment makes a quick one slow
    assert!(cut.count() >= 2, "{}", run.err);
    let made = std::fs::read_to_string(made).unwrap();
    let own: BTreeSet<&str> = made.lines().collect();
    assert!(
        own.len() > loads.len(),
        "each trial, and a reference: {made}"
    );
    place.assert_clean();
}
