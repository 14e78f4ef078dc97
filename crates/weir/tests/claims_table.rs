//! `weir claims`: a folder of plans with sweeps and apps of their own, run on real servers, and its table.

use crate::support::{Place, Said};
use serde_json::Value;

/// Answers one request at a time, after so many seconds.
fn app(place: &Place, name: &str, wait: f64) {
    let source = format!(
        "import time\ndef app(environ, start):\n    time.sleep({wait})\n    body = b'{name}'\n    start('200 OK', [('Content-Length', str(len(body)))])\n    return [body]\n"
    );
    place.write(&format!("{name}/mine.py"), &source);
    place.write(
        &format!("{name}/app.toml"),
        &format!("name = \"{name}\"\ninterface = \"wsgi\"\nentry = \"mine:app\"\n[[routes]]\npath = \"/\"\ncontains = [\"{name}\"]\n"),
    );
}

const PLAN: &str = r#"
app = "../slow"
blocks = { at-least = 4, at-most = 6 }
seed = 1
noise-floor = "none"
[load]
requests = 24
warm-up = { requests = 2 }
[[variant]]
name = "slow"
server = "gunicorn"
vary = { "load.connections" = [1, 4] }
[[variant]]
name = "fast"
app = "../fast"
like = "slow"
[[claim]]
id = "X2"
text = "One that waits for a fifth of the time does more"
reported = "5 x"
expect = ["throughput of `fast@connections=4` / throughput of `slow@connections=4` >= 2"]
[[claim]]
id = "X10"
text = "More clients do not help a server that takes one at a time"
reported = "told"
expect = ["least throughput of `slow` / largest throughput of `slow` >= 0.5"]
[[claim]]
id = "Y1"
text = "The slow one is the faster one"
reported = "told"
expect = ["throughput of `slow` / throughput of `fast` > 1"]
"#;

fn folder() -> Place {
    let place = Place::new();
    app(&place, "slow", 0.05);
    app(&place, "fast", 0.01);
    place.write("plans/one.toml", PLAN);
    place.write(
        "plans/not-yet.toml",
        "[[claim]]\nid = \"Z1\"\ntext = \"It flies\"\nreported = \"told\"\nmissing = \"wings\"\n",
    );
    place
}

fn rows(place: &Place, args: &[&str]) -> Vec<(String, String)> {
    let said = place.run(&[&["claims", "--plans", "plans", "--json", "-q"], args].concat());
    assert_eq!(said.code, 0, "{}", said.err);
    let rows: Vec<Value> = serde_json::from_str(&said.out).unwrap();
    let standing = |row: &Value| match row["standing"].as_object().unwrap().iter().next().unwrap() {
        (kind, of) if kind == "judged" => of["verdict"]["holds"].as_str().unwrap().to_owned(),
        (kind, _) => kind.clone(),
    };
    rows.iter()
        .map(|row| (row["id"].as_str().unwrap().to_owned(), standing(row)))
        .collect()
}

fn pairs(rows: &[(String, String)]) -> Vec<(&str, &str)> {
    rows.iter()
        .map(|(id, standing)| (id.as_str(), standing.as_str()))
        .collect()
}

#[test]
fn claims_are_run_kept_and_shown() {
    let place = folder();
    let before = rows(&place, &["--stored"]);
    assert_eq!(
        pairs(&before),
        [
            ("X2", "not-run"),
            ("X10", "not-run"),
            ("Y1", "not-run"),
            ("Z1", "not-yet")
        ]
    );
    let run = rows(&place, &[]);
    let expected = [
        ("X2", "holds"),
        ("X10", "holds"),
        ("Y1", "does-not-hold"),
        ("Z1", "not-yet"),
    ];
    assert_eq!(pairs(&run), expected);
    let kept = rows(&place, &["--stored"]);
    assert_eq!(kept, run, "what is kept is what was seen");
    assert_eq!(pairs(&rows(&place, &["--stored", "X"])), expected[..2]);
    assert_eq!(
        pairs(&rows(&place, &["--stored", "Y1", "Z"])),
        expected[2..]
    );
    // a short look, newer but without verdicts, takes none away
    let short = rows(&place, &["--blocks", "1"]);
    assert_ne!(short, run);
    assert_eq!(rows(&place, &["--stored"]), run);
    assert_eq!(rows(&place, &["--stored", "--blocks", "1"]), short);

    // on a busy machine the generator's share may turn them
    let table = stored(&place, &["--markdown"]).out;
    let table = table.replace(", as measured", "");
    for line in [
        "| [Y1](#y1) | The slow one is the faster one | does not hold; reason: not known |",
        "### Y1",
        "* Verdict: **does not hold**",
        "* missing: wings",
        "* Exchanged: with the trials of `fast@connections=4` and `slow@connections=4` exchanged: does not hold",
        "| gunicorn | ",
    ] {
        assert!(table.contains(line), "{line}: {table}");
    }
    no_verdict_is_another_than_in_its_own_store(&place);
    let shown = stored(&place, &[]).out;
    for count in ["holds: 2", " · does not hold: 1", " · not yet: 1"] {
        assert!(shown.contains(count), "{count}: {shown}");
    }
    let variants = place.run(&["show", "last"]).out;
    for variant in [
        "slow@connections=1",
        "slow@connections=4",
        "fast@connections=4",
    ] {
        assert!(variants.contains(variant), "{variants}");
    }
    place.assert_clean();
}

fn stored(place: &Place, more: &[&str]) -> Said {
    place.run(&[&["claims", "--plans", "plans", "--stored"], more].concat())
}

fn no_verdict_is_another_than_in_its_own_store(place: &Place) {
    let before = |store| stored(place, &["--markdown", "--before", store]);
    let same = before("weir.db");
    let out = &same.succeeds().out;
    assert!(out.contains("No claim has another verdict."), "{out}");
    before("none.db").fails(5, &["there is no store `none.db`"]);
    // one whose plan has another name now is found as well
    place.write("moved/two.toml", PLAN);
    let args = ["claims", "--plans", "moved", "--stored", "--markdown"];
    let moved = place.run(&[&args[..], &["--before", "weir.db"]].concat());
    let out = &moved.succeeds().out;
    assert!(out.contains("| [Y1](#y1) | does not hold: "), "{out}");
}

#[test]
fn a_plan_that_fails_leaves_the_others_their_rows() {
    let place = folder();
    place.write("broken/mine.py", "import nothing_of_this_name\n");
    place.write(
        "broken/app.toml",
        "name = \"broken\"\ninterface = \"wsgi\"\nentry = \"mine:app\"\n[[routes]]\npath = \"/\"\n",
    );
    let broken = PLAN
        .replace("../slow", "../broken")
        .replace("\"X2\"", "\"A1\"");
    let broken = broken
        .replace("\"X10\"", "\"A2\"")
        .replace("\"Y1\"", "\"A3\"");
    place.write("plans/a.toml", &broken);
    let said = place.run(&["claims", "--plans", "plans", "-q", "-b", "1", "A1", "Y1"]);
    assert_eq!(said.code, 4, "{}", said.err);
    let words = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("A1 failed"), "{words}");
    assert!(words.contains("nothing_of_this_name"), "{words}");
    assert!(words.contains("Y1 cannot tell"), "{words}");
    assert!(words.contains("one block gives no interval"), "{words}");
    assert!(!words.contains("A2"), "{words}");
}

#[test]
fn what_is_asked_for_must_be_there() {
    let place = folder();
    let claims = |args: &[&str]| place.run(&[&["claims", "--plans", "plans"], args].concat());
    claims(&["X3"]).fails(5, &["no claim is called `X3`", "X2, X10, Y1, Z1"]);
    place
        .run(&["claims", "--plans", "nowhere"])
        .fails(5, &["nowhere"]);
    let twice = PLAN.replace("\"Y1\"", "\"Y2\"");
    place.write("plans/two.toml", &twice);
    claims(&["--stored"]).fails(5, &["two.toml", "another plan of the folder decides `X2`"]);
    place.write("plans/two.toml", &PLAN.replace("vary", "vray"));
    claims(&["--stored"]).fails(5, &["two.toml", "vray"]);
    place.write(
        "plans/two.toml",
        &PLAN.replace("\"load.connections\"", "\"front.maxconn\""),
    );
    claims(&["--stored"]).fails(
        5,
        &["two.toml", "front.maxconn", "the variant has no `front`"],
    );
}

const REQUIRED: &str = r#"
app = "slow"
blocks = 6
seed = 1
noise-floor = "none"
[load]
connections = 2
requests = 20
warm-up = { requests = 2 }
[[variant]]
name = "slow"
server = "gunicorn"
[[claim]]
id = "mine"
text = "It answers rightly"
required = true
expect = ["errors of `slow` <= 10%"]
"#;

#[test]
fn a_run_that_misses_what_it_must_meet_says_so_by_its_exit_code() {
    let place = folder();
    place.write("one.toml", REQUIRED);
    let run = |more: &[&str]| place.run(&[&["run", "one.toml", "-q"], more].concat());
    let met = run(&["--expect", "mean of `slow` > 20 ms"]);
    assert_eq!(met.code, 0, "{}{}", met.out, met.err);
    assert!(met.out.contains("required 1"), "{}", met.out);
    let missed = run(&["--expect", "mean of `slow` < 20ms"]);
    assert_eq!(missed.code, 3, "{}{}", missed.out, missed.err);
    let shown = place.run(&["show", "last", "-q"]);
    assert_eq!(shown.code, 3, "the store knows it too: {}", shown.out);
    let quick = run(&["--quick"]);
    assert_eq!(quick.code, 3, "one block cannot tell: {}", quick.out);
    let nonsense = run(&["--expect", "mean of `slwo` < 20ms"]);
    assert_eq!(nonsense.code, 2);
    assert!(
        nonsense.err.contains("did you mean `slow`?"),
        "{}",
        nonsense.err
    );
}

/// Answers up to four at once, and nobody any more once there were five.
const BREAKS: &str = "
import threading, time
lock, inside, broken = threading.Lock(), 0, False
def app(environ, start):
    global inside, broken
    with lock:
        inside += 1
        broken = broken or inside > 4
    time.sleep(0.02)
    with lock:
        inside -= 1
    start('503 Service Unavailable' if broken else '200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

const BROKEN: &str = r#"
app = "breaks"
blocks = 6
seed = 1
noise-floor = "none"
[load]
requests = 40
warm-up = { requests = 20 }
[[variant]]
name = "x"
server = { entry = "gunicorn", worker-class = "gthread", threads = 16 }
vary = { "load.connections" = [1, 12] }
[[claim]]
id = "X"
text = "It breaks"
expect = ["goodput of `x@connections=12` / goodput of `x@connections=1` < 0.5", "goodput of `x@connections=12` < 1 req/s"]
"#;

#[test]
fn a_server_that_answers_nobody_any_more_is_a_result() {
    let place = folder();
    app(&place, "breaks", 0.0);
    place.write("breaks/mine.py", BREAKS);
    place.write(
        "breaks/app.toml",
        "name = \"breaks\"\ninterface = \"wsgi\"\nentry = \"mine:app\"\n[[routes]]\npath = \"/\"\n",
    );
    place.write("broken.toml", BROKEN);
    let run = place.run(&["run", "broken.toml", "-q", "--json"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let export = run.json();
    let claim = &export["judged"]["claims"][0];
    assert_eq!(claim["holds"], "holds", "{claim:#}");
    assert_eq!(
        claim["conditions"][0]["value"].as_f64(),
        Some(0.0),
        "{claim:#}"
    );
}
