//! What stops a pipeline: `weir try --expect`, and `weir compare --fail-if-worse`.

use std::fs;

use crate::support::{Place, Said};

/// Takes 10 ms for each response, and 30 where it says so.
const APP: &str = "import os, time\ndef app(environ, start):\n    \
                   time.sleep(0.03 if os.environ.get('SLOW') else 0.01)\n    \
                   start('200 OK', [('Content-Type', 'text/plain')])\n    return [b'hello']\n";

const EQUAL: &str = "throughput of `gunicorn-cores` / throughput of `gunicorn-1` > 0.001";
const FAR: &str = "throughput of `gunicorn-cores` / throughput of `gunicorn-1` > 1000";

fn trying(place: &Place, more: &[&str]) -> Said {
    let small = ["try", "--variants", "gunicorn-1,gunicorn-cores", "-c", "4"];
    let few = ["-n", "100", "--blocks", "4", "--no-stress"];
    place.run(&[&small[..], &few, more].concat())
}

#[test]
fn what_is_expected_of_a_way_to_serve_an_app_decides_how_it_ends() {
    let place = Place::new();
    place.write("app.py", APP);
    let said = trying(&place, &["--expect", EQUAL, "--expect", FAR, "--json"]);
    let run = said.json();
    assert_eq!(said.code, 3, "{}", said.err);
    let holds = |claim: usize| run["judged"]["claims"][claim]["holds"].clone();
    assert_eq!(
        [holds(0), holds(1)],
        ["holds", "does-not-hold"],
        "{}",
        run["judged"]["claims"]
    );
    // which of them to deploy is asked all the same
    assert_eq!(run["run"]["plan"]["to_deploy"], true);
    let shown = place.run(&["show", "last"]);
    assert_eq!(shown.code, 3, "{}", shown.err);
    for words in ["required 1", "required 2", " ways to serve `/`"] {
        assert!(shown.out.contains(words), "`{words}`: {}", shown.out);
    }
    let markdown = place.run(&["show", "last", "--format", "markdown"]);
    assert_eq!(markdown.code, 3, "{}", markdown.err);
    for line in ["| variant | req/s |", "* required 2: does not hold: "] {
        assert!(markdown.out.contains(line), "`{line}`: {}", markdown.out);
    }
    let csv = place.run(&["show", "last", "--format", "csv"]);
    assert!(csv.out.starts_with("url,window_s,"), "{}", csv.out);
    assert!(csv.out.lines().count() >= 13, "{}", csv.out);
    place.assert_clean();
}

/// Before anything is started.
#[test]
fn what_is_expected_of_no_variant_is_told_at_once() {
    let place = Place::new();
    place.write("app.py", APP);
    let wrong = "mean of `gunicorn-core` < 20ms";
    let said = trying(&place, &["--expect", wrong]);
    said.fails(
        2,
        &["no variant is called", "did you mean `gunicorn-cores`?"],
    );
    assert!(!place.path("weir.db").exists(), "{}", said.err);
    place.assert_clean();
}

/// Two variants of one app, one of which is three times as slow.
const PLAN: &str = "noise-floor = 'none'\n\
    [[variant]]\nname = 'before'\nserver = 'gunicorn'\n\
    [[variant]]\nname = 'after'\nserver = 'gunicorn'\nenv = { SLOW = 'yes' }\n";

#[test]
fn what_became_slower_stops_a_pipeline() {
    let place = Place::new();
    place.app(APP);
    let plan = "app = 'app'\nblocks = 6\nseed = 1\nload = { requests = 100, connections = 2 }\n";
    place.write("plan.toml", &format!("{plan}{PLAN}"));
    place.run(&["run", "plan.toml", "-q"]).measured();
    let compare = |of: &str, over: &str, more: &[&str]| {
        place.run(&[&["compare", of, over][..], more].concat())
    };
    let (before, after) = ("last:before", "last:after");
    let worse = ["--fail-if-worse", "throughput,mean"];
    let slower = compare(after, before, &worse);
    slower.fails(
        3,
        &[
            "throughput of `after` is worse than that of `before`: ",
            "mean of `after` is worse than that of `before`: ",
            "`weir explain 1`",
        ],
    );
    assert!(slower.out.contains("worse"), "{}", slower.out);
    compare(before, after, &worse).succeeds();
    // a hundred responses have no 99th percentile: what could not be looked at was not passed
    let unknown = compare(before, after, &["--fail-if-worse", "p99"]);
    unknown.fails(
        3,
        &[
            "p99 of `before` and `after` could not be compared",
            "run 1: ",
        ],
    );
    let wrong = compare(before, after, &["--fail-if-worse", "errors"]);
    assert_eq!(wrong.code, 2, "{}", wrong.err);
    assert!(wrong.err.contains("no ratio of it"), "{}", wrong.err);
    place.assert_clean();
}

/// One block has a ratio, and no interval.
#[test]
fn what_cannot_be_told_is_said_and_stops_a_pipeline_only_if_asked() {
    let place = Place::new();
    place.app(APP);
    let plan = "app = 'app'\nblocks = 1\nseed = 1\nload = { requests = 100, connections = 2 }\n";
    place.write("plan.toml", &format!("{plan}{PLAN}"));
    place.run(&["run", "plan.toml", "-q"]).measured();
    let args = ["compare", "last:after", "last:before"];
    let worse = ["--fail-if-worse", "throughput"];
    let open = place.run(&[&args[..], &worse].concat());
    let note =
        "note: it cannot be told whether throughput of `after` is worse than that of `before`";
    assert!(open.succeeds().err.contains(note), "{}", open.err);
    let strict = place.run(&[&args[..], &worse, &["--fail-if-undecided"]].concat());
    strict.fails(3, &["it cannot be told whether throughput", "--blocks 12"]);
    let alone = place.run(&[&args[..], &["--fail-if-undecided"]].concat());
    assert_eq!(alone.code, 2, "{}", alone.err);
    place.assert_clean();
}

/// Before anything is started: the condition on the command line is refused, that of a plan is told.
#[test]
fn what_so_few_blocks_can_never_meet_is_told_before_the_run() {
    let place = Place::new();
    place.app(APP);
    let plan = "app = 'app'\nblocks = 2\nseed = 1\nload = { requests = 100, connections = 2 }\n";
    place.write("plan.toml", &format!("{plan}{PLAN}"));
    let condition = "mean of `after` < 20ms";
    let said = place.run(&["run", "plan.toml", "--expect", condition]);
    said.fails(2, &["needs 3 blocks, and this run has 2", "`--blocks 3`"]);
    let claim = "[[claim]]\nid = 'one'\ntext = 'fast'\nrequired = true\n";
    let claim = format!("{claim}expect = ['{condition}']\n");
    place.write("plan.toml", &format!("{plan}{PLAN}{claim}"));
    let noted = place.run(&["run", "plan.toml", "--dry-run"]);
    let words = "2 blocks: no interval, no verdict, so that what is required cannot be met";
    assert!(noted.succeeds().err.contains(words), "{}", noted.err);
    let runs = place.run(&["list"]).succeeds().out.clone();
    assert!(runs.contains("No runs yet"), "{runs}");
    place.assert_clean();
}

/// Two folders of one app, served alike: which of them to deploy is not the question.
#[test]
fn two_versions_of_an_app_are_faster_or_slower() {
    let place = Place::new();
    place.app(&APP.replace("0.01", "0.03"));
    fs::rename(place.path("app"), place.path("before")).unwrap();
    place.app(APP);
    let plan = "app = 'app'\nbaseline = 'before'\nblocks = 4\nseed = 1\nnoise-floor = 'none'\n\
                load = { requests = 100, connections = 2 }\n\
                [[variant]]\nname = 'before'\napp = 'before'\nserver = 'gunicorn'\n\
                [[variant]]\nname = 'after'\nserver = 'gunicorn'\n";
    place.write("plan.toml", plan);
    place.run(&["run", "plan.toml", "-q"]).measured();
    let shown = place.run(&["show", "1"]).out;
    let shown: Vec<&str> = shown.split_whitespace().collect();
    let shown = shown.join(" ");
    assert!(
        shown.contains("`after` is faster than `before` "),
        "{shown}"
    );
    assert!(!shown.contains(" Run `"), "{shown}");
    let run = place.exported("1");
    assert_eq!(run["judged"]["revised"][0]["variant"], "after");
    assert!(run["judged"].get("decision").is_none(), "{}", run["judged"]);
    let words = ["does not say which variant is best", "1:VARIANT DIR"];
    place.run(&["write", "1", "files"]).fails(4, &words);
    place.assert_clean();
}

#[test]
fn a_run_keeps_the_commit_that_it_served() {
    let place = Place::new();
    place.app(APP);
    let git = |words: &[&str]| {
        let who = ["-c", "user.name=weir", "-c", "user.email=weir@localhost"];
        let mut git = std::process::Command::new("git");
        let output = git.current_dir(place.path("app")).args(who).args(words);
        output.output().is_ok_and(|output| output.status.success())
    };
    assert!(
        git(&["init", "--quiet"]),
        "git is missing: `make deps` installs it"
    );
    assert!(git(&["add", "."]) && git(&["commit", "--quiet", "--message", "one"]));
    assert!(git(&["tag", "--annotate", "v1", "--message", "one"]));
    let plan = "app = 'app'\nblocks = 1\nseed = 1\nload = { requests = 100, connections = 2 }\n";
    place.write("plan.toml", &format!("{plan}{PLAN}"));
    place.run(&["run", "plan.toml", "-q"]).measured();
    let run = place.exported("1");
    let revisions = run["run"]["plan"]["revisions"].as_object().unwrap();
    let commits: Vec<_> = revisions.values().collect();
    assert_eq!(commits, ["v1"], "two variants of one folder");
    for told in [place.run(&["list"]), place.run(&["show", "1"])] {
        let words: Vec<&str> = told.out.split_whitespace().collect();
        assert!(words.join(" ").contains("`app` at v1"), "{}", told.out);
    }
    let markdown = place.run(&["show", "1", "--format", "markdown"]).out;
    assert!(markdown.contains("\nCommit: `app` at v1\n"), "{markdown}");
    let sides = ["compare", "1:after", "1:before"];
    let compared = place.run(&sides);
    let head = "`after` against `before` (";
    assert!(compared.out.starts_with(head), "{}", compared.out);
    let few = "No verdict: an interval needs 3 blocks, and not 1: ";
    assert!(compared.out.contains(few), "{}", compared.out);
    let names = "hint: of run 1, which has `before`, `after`: `weir compare 1:after 1:before`";
    place
        .run(&["compare"])
        .fails(2, &["name two variants", names]);
    place.run(&["compare", "1:after"]).fails(2, &[names]);
    let compared = place.run(&[&sides[..], &["--json"]].concat()).json();
    let commits = ["of_commit", "over_commit"].map(|key| compared[0][key].clone());
    assert_eq!(commits, ["v1", "v1"]);
    // it goes on with what is there by then, and says so
    place.app(&format!("{APP}# two\n"));
    assert!(git(&["commit", "--all", "--quiet", "--message", "two"]));
    let resumed = place.run(&["run", "--resume", "1"]);
    let told = resumed.measured().err.lines();
    let told: Vec<_> = told.filter(|line| line.contains(" at v1, ")).collect();
    assert_eq!(told.len(), 1, "{}", resumed.err);
    assert!(told[0].contains("which is at v1-1-g"), "{}", told[0]);
    place.assert_clean();
}
