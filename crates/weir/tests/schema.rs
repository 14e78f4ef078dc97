//! Everything that weir prints as JSON is valid against the one schema in `docs/output.schema.json`.

use std::fs;

use serde_json::{Value, json};

use crate::support::schema::{assert_is, assert_known, what_is_wrong};
use crate::support::{APP, Place, nginx, python, repository};

/// What it printed as JSON, which is this output.
fn printed(place: &Place, name: &str, args: &[&str]) -> Value {
    let said = place.run(&[args, &["--json", "-q"]].concat());
    let value = said.json();
    assert_is(name, &value);
    value
}

/// `make docs` writes it.
#[test]
fn the_schema_in_the_documents_is_that_of_the_code() {
    let schema = Place::new().run(&["help", "schema"]);
    let path = repository().join("docs/output.schema.json");
    if std::env::var_os("WEIR_WRITE_DOCS").is_some() {
        fs::write(&path, &schema.out).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == schema.out, "`make docs` writes it");
}

#[test]
fn loads_of_a_url_are_printed_as_the_schema_says() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let load = |more: &[&str]| {
        let args = ["bench", &url, "-n", "400", "--warm-up", "0s"];
        printed(&place, "run", &[&args[..], more].concat())
    };
    load(&["-c", "2", "--explain", "--fail-if", "p50 > 30s"]);
    load(&["-c", "2", "--against", "last", "--idle", "2"]);
    load(&["-R", "2000", "-H", "Cookie: a=b", "--out", "out"]);
    let spike = ["bench", &url, "--spike", "100:1000", "-d", "1s"];
    printed(&place, "run", &[&spike[..], &["--warm-up", "0s"]].concat());
    load(&["--sweep", "connections=1,2"]);
    let written = fs::read_to_string(place.path("out/run.json")).unwrap();
    assert_is("run", &serde_json::from_str(&written).unwrap());
    let lines = place.run(&["bench", &url, "-n", "400", "--format", "ndjson"]);
    assert!(lines.out.lines().count() >= 2, "{}", lines.out);
    for line in lines.out.lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let kind = line.as_object_mut().unwrap().remove("type");
        let of = if kind == Some(json!("summary")) {
            "run"
        } else {
            "Piece"
        };
        assert_is(of, &line);
    }
    printed(&place, "run", &["bench", &url, "--survey-seconds", "2s"]);
    printed(&place, "against", &["compare", "1", "2"]);
    printed(&place, "runs", &["list"]);
    printed(&place, "run", &["show", "last"]);
    printed(&place, "files", &["report", "last", "--out", "report"]);
    printed(&place, "calibration", &["calibrate", "-d", "3s"]);
}

#[test]
fn a_plan_and_its_claims_are_printed_as_the_schema_says() {
    let place = Place::new();
    place.app(APP);
    let python = python().display().to_string();
    let variants = "[[variant]]\nname = \"one\"\nserver = { entry = \"gunicorn\", workers = 1 }\nfront = \"nginx\"\n\
                  [[variant]]\nname = \"two\"\nserver = \"gunicorn\"\nvary = { \"load.connections\" = [2, 4] }\n\
                  [[claim]]\nid = \"A1\"\ntext = \"It answers\"\nexpect = [\"throughput of `one` > 0 req/s\"]\n\
                  [[ranking]]\nname = \"best\"\nof = [\"one\", \"two\"]\n";
    place.plan(variants);
    fs::create_dir(place.path("plans")).unwrap();
    let plan = fs::read_to_string(place.path("plan.toml")).unwrap();
    place.write("plans/one.toml", &plan.replace("\"app\"", "\"../app\""));
    let of = |name: &str, args: &[&str]| {
        let python = ["--python", python.as_str()];
        printed(&place, name, &[args, &python].concat())
    };
    of("run", &["run", "plan.toml"]);
    let two = ["compare", "1:one", "1:two@connections=2"];
    printed(&place, "comparisons", &two);
    printed(&place, "written", &["write", "1:one", "deploy"]);
    of("programs", &["stack", "one", "--plan", "plan.toml"]);
    of("schedule", &["claims", "--plans", "plans", "--estimate"]);
    of("claims", &["claims", "--plans", "plans", "--quick"]);
    of("installed", &["doctor"]);
    of("entries", &["catalogue", "list"]);
    of("knobs", &["catalogue", "explain", "gunicorn"]);
    of("knobs", &["catalogue", "explain", "gunicorn.workers"]);
    of("checks", &["catalogue", "check", "--texts", "waitress"]);
}

/// The schema refuses what weir does not print.
#[test]
fn what_is_no_output_is_refused() {
    let (_nginx, url) = nginx();
    let right = printed(&Place::new(), "run", &["bench", &url, "-n", "100"]);
    assert_known(&right);
    for (place, wrong) in [
        ("/schema", json!(2)),
        ("/run/plan/variants/0/url", json!(["a list"])),
        ("/trials/0/outcome/measured/load/response", json!(0.1)),
        ("/trials/0/figures/throughput", json!("fast")),
        ("/judged/trials/0/doubts", json!(null)),
        ("/trials/0/figures", json!({})),
    ] {
        let mut other = right.clone();
        *other.pointer_mut(place).unwrap() = wrong;
        assert!(what_is_wrong("run", &other).is_some(), "{place}");
    }
    let mut more = right.clone();
    more["trials"][0]["outcome"]["measured"]["load"]["new"] = json!(1);
    assert!(
        what_is_wrong("run", &more).is_some(),
        "a key that it does not know"
    );
}
