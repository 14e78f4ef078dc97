//! What befalls an app server while it is loaded, and who comes back.

use serde_json::Value;

use crate::support::{Place, machine_is_doubted};

pub(crate) const APP: &str = "
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain'), ('Content-Length', '2')])
    return [b'ok']
";
const PLAN: &str = "
app = \"app\"
blocks = 1
seed = 1
noise-floor = \"none\"
keep-going = true
[load]
connections = 10
rate = 50
arrivals = \"constant\"
seconds = WINDOW
timeout = 1
warm-up = { seconds = 0.5 }
faults = [{ at = 1, kill = \"main\" }]
[[variant]]
name = \"alone\"
server = \"gunicorn\"
load = { seconds = 4, faults = [{ at = 1, kill = \"all\" }] }
[[variant]]
name = \"respawned\"
server = { entry = \"gunicorn\", workers = 2 }
load = { faults = [{ at = 1, kill = \"worker\" }] }
[[variant]]
name = \"hung\"
server = { entry = \"gunicorn\", timeout = 1 }
load = { seconds = HUNG, faults = [{ at = 1, hang = \"worker\" }] }
[[variant]]
name = \"supervised\"
server = \"gunicorn\"
supervisor = \"supervisord\"
[[variant]]
name = \"spared\"
server = \"gunicorn\"
load = { seconds = 1, faults = [] }
[[claim]]
id = \"F1\"
text = \"Who is alone is gone\"
reported = \"-\"
expect = [\"errors of `alone` > 30%\", \"recovery of `respawned` < 6 s\"]
";

/// Connections that say nothing: for a while, and not.
const CONNECTED: &str = "
app = \"app\"
blocks = 1
seed = 1
noise-floor = \"none\"
[load]
connections = 10
rate = 50
arrivals = \"constant\"
seconds = 5
timeout = 1
warm-up = { seconds = 0.5 }
[[variant]]
name = \"filled\"
server = \"gunicorn\"
load = { faults = [{ at = 1, connections = 50, held = 2 }] }
[[variant]]
name = \"burst\"
server = \"gunicorn\"
load = { faults = [{ at = 1, connections = 50 }] }
";

/// What becomes of each variant in windows of so many seconds, and so many where a worker hangs.
fn faulted(place: &Place, window: &str, hung: &str) -> Value {
    let plan = PLAN.replace("WINDOW", window).replace("HUNG", hung);
    run(place, &plan)
}

/// What becomes of each variant of a plan.
pub(crate) fn run(place: &Place, plan: &str) -> Value {
    let plan = place.write("plan.toml", plan);
    let run = place.run(&["run", plan.to_str().unwrap(), "--shared", "--json"]);
    run.measured().json()["judged"]["faulted"].clone()
}

/// Whether all came back but the one that nobody looks after.
fn all_are_back(faulted: &Value) -> bool {
    let mut all = faulted.as_array().unwrap().iter();
    all.all(|of| of["variant"] == "alone" || of["never"] == 0)
}

#[test]
fn who_is_looked_after_comes_back() {
    let place = Place::new();
    place.app(APP);
    let mut faulted = self::faulted(&place, "7", "9");
    if !all_are_back(&faulted) {
        // on a busy machine it takes long to start
        faulted = self::faulted(&place, "24", "26");
    }
    let of = |variant: &str| {
        let mut all = faulted.as_array().unwrap().iter();
        let found = all.find(|of| of["variant"] == variant);
        found
            .unwrap_or_else(|| panic!("{variant} in {faulted}"))
            .clone()
    };
    let struck = |of: &Value| of["faults"][0]["processes"].as_u64().unwrap();
    let alone = of("alone");
    assert!(struck(&alone) >= 2, "master and worker: {alone}");
    assert_eq!(alone["never"], 1, "{alone}");
    assert!(alone["lost"][0].as_f64().unwrap() > 0.3, "{alone}");
    assert_eq!(alone["faults"][0]["gone"], true, "{alone}");
    for variant in ["respawned", "hung", "supervised"] {
        let of = of(variant);
        assert_eq!(
            (struck(&of), &of["never"]),
            (1, &0.into()),
            "{variant}: {of}"
        );
        assert_eq!(of["wrong"], 0, "{variant}: {of}");
        assert_eq!(of["faults"][0]["gone"], Value::Null, "{variant}: {of}");
    }
    assert!(
        faulted
            .as_array()
            .unwrap()
            .iter()
            .all(|of| of["variant"] != "spared")
    );
    let hung = of("hung")["lost"][0].as_f64().unwrap();
    assert!(hung > 0.0, "its only worker answered nobody: {hung}");
    let shown = place.run(&["show", "last"]);
    let text = &shown.succeeds().out;
    for words in [
        "What faults cost",
        "all processes are killed at",
        "and nobody started it again",
        "not within",
        "a worker hangs at",
    ] {
        assert!(text.contains(words), "`{words}`: {text}");
    }
    place.assert_clean();
}

#[test]
fn connections_that_say_nothing_keep_who_reads_from_them() {
    let place = Place::new();
    place.app(APP);
    let faulted = run(&place, CONNECTED);
    let all = faulted.as_array().unwrap();
    let mut names: Vec<_> = all
        .iter()
        .map(|of| of["variant"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["burst", "filled"], "{faulted}");
    for of in all {
        let struck = &of["faults"][0];
        assert_eq!(
            (&struck["connections"], &struck["processes"]),
            (&50.into(), &0.into()),
            "{of}"
        );
        assert_eq!(of["trials"], 1, "{of}");
    }
    let mut all = faulted.as_array().unwrap().iter();
    let filled = all.find(|of| of["variant"] == "filled").unwrap();
    let lost = filled["lost"][0].as_f64().unwrap();
    assert!(lost > 0.0, "its only worker read from one: {filled}");
    let text = place.run(&["show", "last"]).succeeds().out.clone();
    for words in ["What faults cost", "50 connections"] {
        assert!(text.contains(words), "`{words}`: {text}");
    }
    place.assert_clean();
}

#[test]
fn a_struck_worker_is_a_line_of_each_way() {
    let place = Place::new();
    place.write("app.py", APP);
    let small = [
        "try",
        "-n",
        "200",
        "-c",
        "8",
        "--variants=gunicorn-1",
        "--quick",
        "--faults",
    ];
    let said = place.run(&small);
    let text = &said.measured().out;
    // a long line is wrapped
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for way in [
        "6.00 s (a worker killed; ",
        "; the main process killed",
        "; a worker hung",
    ] {
        assert!(flat.contains(way), "`{way}`: {text}");
    }
    let shown = place.run(&["--json", "show", "last"]).succeeds().json();
    let lines = shown["judged"]["stress"].as_array().unwrap();
    let of = |stress: &str| lines.iter().find(|of| of["stress"] == stress).unwrap();
    let (killed, hung) = (of("killed-worker"), of("hung-worker"));
    let back = killed["back"] == true || machine_is_doubted(&shown);
    assert!(back, "{killed}");
    // the server gives up its only worker long after the window
    let gone = hung["back"] == false || machine_is_doubted(&shown);
    assert!(gone, "{hung}");
    // nobody starts it again: its worker ends when it has nothing to accept for a moment, and serves on where it always has
    let main = of("killed-main");
    let gone = main["back"] == false || machine_is_doubted(&shown);
    assert!(gone || main["recovery"] == 0.0, "{main}");
    assert!(gone || flat.contains("its workers served on"), "{text}");
    assert_eq!(main["gone"], true, "{main}");
    assert!(flat.contains("nobody started it again"), "{text}");
    place.assert_clean();
}

#[test]
fn faults_need_a_server_of_weirs_and_a_time_of_the_window() {
    let place = Place::new();
    place.app(APP);
    let load = "[load]\nseconds = 2\n";
    let served = "[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n";
    let elsewhere = "[[variant]]\nname = \"one\"\nurl = \"http://127.0.0.1:1/\"\n";
    let late = "faults = [{ at = 3, kill = \"main\" }]\n";
    let sound = "faults = [{ at = 1, kill = \"main\" }]\n";
    let connected = "faults = [{ at = 1, connections = 5 }]\n";
    let two = "faults = [{ at = 1, kill = \"main\", hang = \"main\" }]\n";
    let searched = "goal = \"p99 < 1s\"\nfaults = [{ at = 1, kill = \"main\" }]\n";
    let changing = "ramp = [10, 20]\nfaults = [{ at = 1, kill = \"main\" }]\n";
    for (faults, variant, words) in [
        (
            late,
            served,
            "the last comes at 3 seconds, and the window has 2 seconds",
        ),
        (sound, elsewhere, "has no app server of weir's"),
        (searched, served, "come at times of one window, and `goal`"),
        (changing, served, "need a steady rate"),
        (two, served, "a fault is `{ at = 3, kill = \"worker\" }`"),
    ] {
        let plan = place.write(
            "plan.toml",
            &format!("app = \"app\"\n{load}{faults}{variant}"),
        );
        let run = place.run(&["run", plan.to_str().unwrap()]);
        assert!(run.err.contains(words), "`{words}`: {}", run.err);
    }
    let plan = format!("app = \"app\"\n{load}{connected}{elsewhere}");
    let plan = place.write("plan.toml", &plan);
    let run = place.run(&["run", plan.to_str().unwrap()]);
    // it was asked for a response
    run.fails(
        9,
        &["`one`: its `url` cannot be loaded", "connection refused"],
    );
}
