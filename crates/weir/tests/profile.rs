//! Profiles of real programs, from a plan to the files.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::schema::assert_is;
use crate::support::{Place, python};

/// One procedure takes nearly all the time, and names itself and its file as no honest program does.
const APP: &str = r#"
from flask import Flask

app = Flask(__name__)

def hot():
    for _ in range(1_000_000):
        pass

odd = "hot;\x1b[31m<script>alert(1)</script> 7\nhot"
code = hot.__code__.replace(co_name=odd)
if hasattr(code, "co_qualname"):
    code = code.replace(co_qualname=odd)
hot.__code__ = code

@app.get("/")
def page():
    hot()
    return "done"
"#;

pub(crate) fn place() -> Place {
    let place = Place::new();
    place.write("app.py", APP);
    place.write(
        "app.toml",
        "name = \"hot\"\ninterface = \"wsgi\"\nentry = \"app:app\"\n[[routes]]\npath = \"/\"\nequals = \"done\"\n",
    );
    place.write(
        "plan.toml",
        "app = \".\"\n[load]\nconnections = 4\nseconds = 2\nwarm-up = { requests = 4 }\n\
         [[variant]]\nname = \"plain\"\nserver = { entry = \"gunicorn\", workers = 1 }\n\
         [[variant]]\nname = \"threads\"\nserver = { entry = \"gunicorn\", workers = 1, worker-class = \"gthread\", threads = 4 }\n",
    );
    place
}

/// What Go's tool reads in the file in the folder `out`.
pub(crate) fn pprof(place: &Place, args: &[&str]) -> String {
    let mut go = Command::new("go");
    go.args(["tool", "pprof"])
        .args(args)
        .arg(place.path("out/profile.pb.gz"))
        .env("HOME", place.path("tmp"))
        .env("PPROF_TMPDIR", place.path("tmp"))
        .env("GOTOOLCHAIN", "local")
        .env("GOCACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/go"));
    let said = go.output().unwrap();
    let out = String::from_utf8(said.stdout).unwrap();
    let err = String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success(), "{out}{err}");
    out
}

/// Go's tool finds the planted function, what its threads did and whose it is.
fn assert_pprof_reads_it(place: &Place) {
    let raw = pprof(place, &["-raw"]);
    for part in [
        "cpu/nanoseconds",
        "Period: 10000000\n",
        "doing:[on CPU]",
        "class:[app]",
        "hot;",
        "app.py",
    ] {
        assert!(raw.contains(part), "{part}: {raw}");
    }
    let top = pprof(place, &["-top", "-tagfocus=class=app"]);
    let first = top.split("cum%\n").nth(1).unwrap().lines().next().unwrap();
    assert!(first.contains("hot;"), "{top}");
}

fn share(of: &Value, class: &str) -> f64 {
    let classes = of["classes"].as_array().unwrap();
    let mut found = classes.iter().filter(|of| of["class"] == class);
    found
        .next()
        .map_or(0.0, |of| of["share"]["value"].as_f64().unwrap())
}

#[test]
fn a_way_of_a_try_is_profiled_after_the_trials_that_count() {
    let place = place();
    let python = python().display().to_string();
    let small =
        "try app:app -c 4 -n 100 --variants gunicorn-1 --blocks 1 --no-stress --profile --python";
    let mut args: Vec<&str> = small.split(' ').collect();
    args.push(&python);
    let text = place.run(&args).measured().out.clone();
    assert!(text.contains("profiled"), "{text}");
    let shown = place.run(&["--json", "show", "last"]).succeeds().json();
    let trials = shown["trials"].as_array().unwrap();
    let profiled = |of: &&Value| of["outcome"]["measured"]["load"]["profile"].is_object();
    let blocks: Vec<_> = trials.iter().filter(profiled).collect();
    assert_eq!(blocks.len(), 1, "{}", blocks.len());
    assert_eq!(
        blocks[0]["block"], 1,
        "in a block of its own, after the others"
    );
    let of = place
        .run(&["profile", "last:gunicorn-1", "--json"])
        .succeeds()
        .json();
    assert!(share(&of, "app") > 0.5, "{of:#}");
    place.assert_clean();
}

#[test]
fn a_planted_bottleneck_is_named_and_what_it_calls_itself_harms_nothing() {
    let place = place();
    let python = python().display().to_string();
    let profile = ["profile", "plan.toml", "plain", "--python", &python];
    let said = place.run(
        &[
            &profile[..],
            &["--rate", "100", "--out", "out", "--json", "-q"],
        ]
        .concat(),
    );
    let of = said.json();
    assert_is("profile", &of);
    assert!(share(&of, "app") > 0.5, "{of:#}");
    let first = &of["functions"][0];
    assert!(
        first["function"].as_str().unwrap().starts_with("hot;"),
        "{of:#}"
    );
    assert_eq!(first["class"], "app");

    let read = |name: &str| fs::read_to_string(place.path("out").join(name)).unwrap();
    let folded = read("profile.folded");
    assert!(!folded.is_empty());
    for line in folded.lines() {
        let (stack, samples) = line.rsplit_once(' ').unwrap();
        assert!(
            samples.parse::<u64>().is_ok() && !stack.contains(' '),
            "{line}"
        );
    }
    assert!(folded.lines().any(|line| line.contains("hot,")), "{folded}");
    let svg = read("profile.svg");
    assert!(svg.contains("&lt;script&gt;alert") && !svg.contains("<script>alert"));
    let speedscope: Value = serde_json::from_str(&read("profile.speedscope.json")).unwrap();
    let frames = speedscope["shared"]["frames"].as_array().unwrap();
    for profile in speedscope["profiles"].as_array().unwrap() {
        let numbers = profile["samples"].as_array().unwrap().iter();
        let mut numbers = numbers.flat_map(|stack| stack.as_array().unwrap());
        assert!(numbers.all(|of| of.as_u64().unwrap() < frames.len() as u64));
    }
    for text in [&said.out, &folded, &svg, &frames[0].to_string()] {
        assert!(!text.contains('\u{1b}'), "{text}");
    }

    assert_pprof_reads_it(&place);

    // the run that was kept tells the same, and its report shows it without a script
    let again = place.run(&["profile", "last", "--json", "-q"]).json();
    assert_eq!(again, of);
    let report = place.run(&["report", "last", "--out", "report"]);
    assert_eq!(report.code, 0, "{}", report.err);
    let page = fs::read_to_string(place.path("report/report.html")).unwrap();
    assert!(page.contains("Whose code takes the CPU time") && page.contains("class=\"flames\""));
    assert!(!page.contains("<script"), "the page's policy forbids it");
    for file in ["plain.speedscope.json", "plain.pb.gz"] {
        assert!(page.contains(&format!("download=\"{file}\" href=\"data:")));
    }
}

#[test]
fn threads_of_a_server_wait_for_the_interpreter_lock() {
    let place = place();
    let python = python().display().to_string();
    let profile = ["profile", "plan.toml", "threads", "--python", &python];
    let of = place
        .run(&[&profile[..], &["--rate", "100", "--json", "-q"]].concat())
        .json();
    let waits = of["lock_wait"]["value"].as_f64().unwrap();
    assert!(waits > 0.15, "four threads share an interpreter: {of:#}");
    let text = place.run(&["profile", "last", "--width", "100"]).out;
    // a long line is wrapped
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("for the interpreter lock"), "{text}");
}

#[test]
fn what_cannot_be_profiled_is_said_with_what_to_do() {
    let place = place();
    let mut sleep = Command::new("sleep")
        .arg("600")
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let pid = sleep.id().to_string();
    // over before the first look is due
    let brief = ["--seconds", "1ms", "--rate", "0.01", "--out", "out"];
    let nothing = place.run(&[&["profile", "--pid", &pid][..], &brief].concat());
    let idle = place.run(&["profile", "--pid", &pid, "--seconds", "200ms"]);
    sleep.kill().unwrap();
    sleep.wait().unwrap();
    assert_eq!(idle.code, 0, "{}", idle.err);
    assert!(
        idle.out.contains("no thread was on CPU") && idle.out.contains("sleeps "),
        "{}{}",
        idle.out,
        idle.err
    );
    let hint = "hint: load it while it is sampled";
    assert!(idle.err.contains(hint), "{}", idle.err);
    assert_eq!(nothing.code, 2);
    assert!(
        nothing.err.contains("nothing was sampled") && !place.path("out").exists(),
        "{}",
        nothing.err
    );
    let gone = place.run(&["profile", "--pid", &pid]);
    assert_eq!(gone.code, 2);
    assert!(
        gone.err.contains("there is no process") && gone.err.contains("hint: "),
        "{}",
        gone.err
    );
    let several = place.run(&["profile", "plan.toml"]);
    assert_eq!(several.code, 2);
    assert!(
        several.err.contains("weir profile plan.toml plain"),
        "{}",
        several.err
    );
    let unknown = place.run(&["profile", "plan.toml", "fast"]);
    assert!(
        unknown.err.contains("has no variant `fast`"),
        "{}",
        unknown.err
    );
    let long = place.run(&["profile", "plan.toml", "plain", "--seconds", "9s"]);
    assert_eq!(long.code, 2, "a plan says itself how long: {}", long.err);
    assert!(long.err.contains("cannot be used with"), "{}", long.err);
    let often = place.run(&["profile", "plan.toml", "plain", "--rate", "1e9"]);
    assert!(often.err.contains("at most 1000"), "{}", often.err);
}
