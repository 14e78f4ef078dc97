//! A sweep that looks closer where its curve turns, on a real server that breaks under too many.

use crate::support::{PATIENCE, Place, standing};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Serves eight at once, and hardly anybody any more once there were nine.
const BREAKS: &str = "
import threading, time
lock, inside, asked, broken, came = threading.Lock(), 0, 0, False, 0.0
def app(environ, start):
    global inside, asked, broken, came
    with lock:
        inside, asked, came = inside + 1, asked + 1, time.monotonic()
        broken = broken or inside > 8
        fails = broken and asked % 24
    # until nobody comes any more, however far apart they come on a busy machine
    while (left := came + 0.03 - time.monotonic()) > 0: time.sleep(left)
    with lock:
        inside -= 1
    start('503 Service Unavailable' if fails else '200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

const SWEEP: &str = "
app = 'app'
blocks = 2
seed = 1
noise-floor = 'none'
[load]
requests = 24
warm-up = { requests = 0 }
[[variant]]
name = 'x'
server = { entry = 'gunicorn', worker-class = 'gthread', threads = 64 }
vary = { 'load.connections' = { from = 1, to = 64, points = 4, refine = 2 } }
";

fn names(list: &Value, key: &str) -> Vec<String> {
    let list = list.as_array().unwrap().iter();
    list.map(|of| of[key].as_str().unwrap().to_owned())
        .collect()
}

fn interrupt_after(place: &Place, trials: usize, args: &[&str], signal: Signal) {
    let mut weir = place.start(args);
    let stored = testkit::eventually(PATIENCE, || place.stored() >= trials);
    assert!(stored, "fewer than {trials} trials were stored");
    kill_process(Pid::from_child(&weir), signal).unwrap();
    weir.wait().unwrap();
    place.assert_clean();
}

#[test]
fn points_are_added_where_it_turns_and_a_resumed_run_goes_on_with_the_same() {
    let place = Place::new();
    place.app(BREAKS);
    place.write("plan.toml", SWEEP);
    // once before it has chosen, and once when it has
    interrupt_after(&place, 2, &["run", "plan.toml"], Signal::KILL);
    interrupt_after(&place, 5, &["run", "--resume", "1"], Signal::INT);
    let chosen = place.exported("1");
    let said = place.run(&["run", "--resume", "1"]);
    said.measured();
    let whole = place.exported("1");

    // between 4 and 16 it breaks: there are its knee and its collapse
    let variants = names(&whole["run"]["plan"]["variants"], "name");
    let wanted = ["1", "4", "6", "8", "16", "64"].map(|level| format!("x@connections={level}"));
    assert_eq!(variants, wanted);
    assert_eq!(names(&chosen["run"]["plan"]["variants"], "name"), wanted);
    let standing: Vec<Value> = standing(&whole).into_iter().cloned().collect();
    let trials = names(&standing.into(), "variant");
    assert_eq!(trials.len(), 12, "each in both blocks: {trials:?}");
    let mut last = trials[4..6].to_vec();
    last.sort();
    assert_eq!(last, wanted[2..4], "they end the first block");
    assert_ne!(trials[..6], trials[6..], "blocks have orders of their own");
    let kept = chosen["trials"].as_array().unwrap();
    assert_eq!(whole["trials"].as_array().unwrap()[..kept.len()], kept[..]);

    let curve = &whole["judged"]["curves"][0];
    let points = curve["lines"][0]["points"].as_array().unwrap();
    assert_eq!(points.len(), 6);
    assert_eq!(points[2]["added"], true);
    assert!(points[4]["errors"].as_f64() > Some(0.1), "{curve}");
    assert!(points[3]["errors"].is_null(), "{curve}");
    assert!(said.out.contains("`x` along `connections`"), "{}", said.out);
    assert!(said.out.contains("The run added 6 and 8"), "{}", said.out);
    place.assert_clean();
}

#[test]
fn a_key_that_no_point_can_be_added_along_is_named() {
    let place = Place::new();
    place.app(BREAKS);
    place.write(
        "plan.toml",
        &SWEEP.replace("load.connections", "load.requests"),
    );
    let said = place.run(&["run", "plan.toml"]);
    said.fails(
        5,
        &["vary.\"load.requests\"", "no points can be added to `x`"],
    );
}
