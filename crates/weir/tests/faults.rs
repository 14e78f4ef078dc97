//! What befalls an app server while it is loaded, and who comes back.

use serde_json::Value;

use crate::support::Place;

const APP: &str = "
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
seconds = 8
timeout = 1
warm-up = { seconds = 0.5 }
faults = [{ at = 2, kill = \"main\" }]
[[variant]]
name = \"alone\"
server = \"gunicorn\"
load = { seconds = 5, faults = [{ at = 2, kill = \"all\" }] }
[[variant]]
name = \"respawned\"
server = { entry = \"gunicorn\", workers = 2 }
load = { faults = [{ at = 2, kill = \"worker\" }] }
[[variant]]
name = \"hung\"
server = { entry = \"gunicorn\", timeout = 1 }
load = { seconds = 10, faults = [{ at = 2, hang = \"worker\" }] }
[[variant]]
name = \"supervised\"
server = \"gunicorn\"
supervisor = \"supervisord\"
[[variant]]
name = \"spared\"
server = \"gunicorn\"
load = { seconds = 2, faults = [] }
[[claim]]
id = \"F1\"
text = \"Who is alone is gone\"
reported = \"-\"
expect = [\"errors of `alone` > 30%\", \"recovery of `respawned` < 6 s\"]
";

#[test]
fn who_is_looked_after_comes_back() {
    let place = Place::new();
    place.app(APP);
    let plan = place.write("plan.toml", PLAN);
    let run = place.run(&["run", plan.to_str().unwrap(), "--shared", "--json"]);
    run.measured();
    let document = run.json();
    let faulted = &document["judged"]["faulted"];
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
    for variant in ["respawned", "hung", "supervised"] {
        let of = of(variant);
        assert_eq!(
            (struck(&of), &of["never"]),
            (1, &0.into()),
            "{variant}: {of}"
        );
        assert_eq!(of["wrong"], 0, "{variant}: {of}");
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
        "not within",
        "a worker hangs at",
    ] {
        assert!(text.contains(words), "`{words}`: {text}");
    }
    place.assert_clean();
}

#[test]
fn a_killed_worker_is_a_line_of_each_way() {
    let place = Place::new();
    place.write("app.py", APP);
    let small = [
        "try",
        "-n",
        "200",
        "-c",
        "8",
        "--variants=gunicorn-1",
        "--blocks=1",
        "--faults",
    ];
    let said = place.run(&small);
    let text = &said.measured().out;
    assert!(text.contains("a worker killed"), "{text}");
    let shown = place.run(&["--json", "show", "last"]).succeeds().json();
    let mut lines = shown["judged"]["stress"].as_array().unwrap().iter();
    let killed = lines.find(|of| of["stress"] == "killed-worker").unwrap();
    assert_eq!(killed["back"], true, "{killed}");
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
}
