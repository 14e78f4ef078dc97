//! Rates that are shares of what a variant can do: measured once, before the first block.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::{APP, PATIENCE, Place, standing};

/// Takes 5 ms for each response, whatever the machine can do.
const STEADY: &str = "
import time
def app(environ, start):
    time.sleep(0.005)
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

/// Is wrong from the 41st request on.
const BREAKS: &str = "
asked = 0
def app(environ, start):
    global asked
    asked += 1
    start('200 OK' if asked <= 40 else '500 Oops', [('Content-Type', 'text/plain')])
    return [b'hello']
";

const PLAN: &str = "
app = 'app'
blocks = 2
seed = 1
slice = 0
noise-floor = 'none'
[load]
connections = 4
of-capacity = 'one'
rate = 0.5
seconds = 1
warm-up = { seconds = 0.5 }
[[variant]]
name = 'one'
server = 'gunicorn'
[[variant]]
name = 'closed'
server = 'gunicorn'
load = { think = 0.0 }
";

/// The capacity of a run's plan, and its rate.
fn decided(export: &Value) -> (f64, f64) {
    let plan = &export["run"]["plan"];
    let rate = &plan["load"]["shape"]["open"]["segments"][0]["from"];
    let capacity = &plan["of_capacity"]["rate"];
    (capacity.as_f64().unwrap(), rate.as_f64().unwrap())
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_rate_is_a_share_of_what_a_closed_loop_has_and_stays_what_it_is() {
    let place = Place::new();
    place.app(STEADY);
    place.write("plan.toml", PLAN);
    let looked = place.run(&["run", "plan.toml", "--dry-run"]);
    let words = "rates are not known yet: 0.500 of the capacity of `one`";
    assert!(looked.succeeds().err.contains(words), "{}", looked.err);

    let mut weir = place.start(&["run", "plan.toml"]);
    let stored = testkit::eventually(PATIENCE, || place.stored() >= 1);
    assert!(stored, "no trial was stored");
    kill_process(Pid::from_child(&weir), Signal::KILL).unwrap();
    weir.wait().unwrap();
    place.assert_clean();
    let (capacity, rate) = decided(&place.exported("1"));
    assert!((rate / capacity - 0.5).abs() < 1e-6, "{rate} {capacity}");

    let said = place.run(&["run", "--resume", "1"]);
    said.measured();
    let measured = "the capacity of one";
    assert!(!said.err.contains(measured), "{}", said.err);
    let whole = place.exported("1");
    assert_eq!(decided(&whole), (capacity, rate));
    let words = "requests/s: 1.00 s over 4 connections";
    assert!(flat(&said.out).contains(words), "{}", said.out);
    let words = "rates: 0.500 of the capacity of `one`, ";
    assert!(flat(&said.out).contains(words), "{}", said.out);
    let trials = standing(&whole);
    assert_eq!(trials.len(), 4, "the loop before them is none");
    for trial in trials.iter().filter(|of| of["variant"] == "closed") {
        let load = &trial["outcome"]["measured"]["load"];
        let completed = load["completed"].as_f64().unwrap();
        let share = rate * load["seconds"].as_f64().unwrap() / completed;
        // half, and the machine may be four times as fast or slow by then
        assert!((0.125..2.0).contains(&share), "{share} of {load}");
    }
    // another run of the plan has measured a capacity of its own, and was loaded in the same way
    let one = ["run", "plan.toml", "--variants", "one", "-q"];
    place.run(&one).measured();
    let compared = place.run(&["compare", "2", "1"]);
    let err = &compared.succeeds().err;
    let left = "note: only run 1 has `closed`: not compared";
    assert!(err.contains(left), "{err}");
    assert!(!err.contains("the load differs"), "{err}");
    place.assert_clean();
}

#[test]
fn a_variant_that_answers_wrongly_has_no_capacity() {
    let place = Place::new();
    place.app(BREAKS);
    place.write("plan.toml", PLAN);
    let words = ["the capacity of `one`", "in place of `of-capacity`"];
    place.run(&["run", "plan.toml"]).fails(4, &words);
    assert_eq!(place.stored(), 0);
    place.assert_clean();
}

#[test]
fn what_cannot_be_a_share_of_a_capacity_is_refused() {
    let place = Place::new();
    place.app(APP);
    let refused = |from: &str, to: &str, words: &[&str]| {
        place.write("plan.toml", &PLAN.replace(from, to));
        place
            .run(&["run", "plan.toml", "--dry-run"])
            .fails(5, words);
    };
    let none = ["no variant is called `two`", "use one of `one`"];
    refused("of-capacity = 'one'", "of-capacity = 'two'", &none);
    refused("rate = 0.5", "", &["`load.of-capacity`", "without a rate"]);
    refused("rate = 0.5", "rate = 500", &["at most 100", "has 500"]);
    let zero = ["`load.rate`", "must be above 0"];
    refused("rate = 0.5", "rate = 0", &zero);
    let twice = ["`variant[1].load.of-capacity`", "shares of one capacity"];
    refused("think = 0.0", "of-capacity = 'closed'", &twice);

    place.write("plan.toml", PLAN);
    let args = ["run", "plan.toml", "--dry-run", "--variants", "closed"];
    let words = ["which is not among the variants", "run `one` too"];
    place.run(&args).fails(5, &words);
    assert!(!place.path("weir.db").exists(), "nothing was run");
    place.assert_clean();
}
