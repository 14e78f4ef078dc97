//! `weir try --vary`: how many workers, asked on the command line.

use crate::support::{Place, machine_is_doubted};
use serde_json::Value;

/// Takes 20 ms for each response, of which it works for almost nothing: as many workers, so many times as fast.
const APP: &str = "import time\ndef app(environ, start):\n    time.sleep(0.02)\n    \
                   start('200 OK', [('Content-Type', 'text/plain')])\n    return [b'hello']\n";

const SMALL: [&str; 7] = ["try", "--quick", "--no-stress", "-n", "100", "-c", "8"];

fn place() -> Place {
    let place = Place::new();
    place.write("app.py", APP);
    place
}

fn names(run: &Value) -> Vec<&str> {
    let variants = run["run"]["plan"]["variants"].as_array().unwrap().iter();
    variants.map(|of| of["name"].as_str().unwrap()).collect()
}

#[test]
fn the_values_of_a_knob_are_tried_side_by_side_and_make_a_curve() {
    let place = place();
    let more = [
        "--variants",
        "gunicorn-1",
        "--vary",
        "workers=1,2,4",
        "--json",
    ];
    let said = place.run(&[&SMALL[..], &more].concat());
    let run = said.measured().json();
    let all = [
        "gunicorn-1@workers=1",
        "gunicorn-1@workers=2",
        "gunicorn-1@workers=4",
    ];
    assert_eq!(names(&run), all);
    let plan = &run["run"]["plan"];
    assert_eq!(plan["baseline"], all[0]);
    assert_eq!(plan["variants"][2]["server"]["knobs"]["workers"], 4);
    let sweep = &plan["variants"][1]["sweep"];
    assert_eq!(
        (&sweep["family"], &sweep["levels"][0]["number"]),
        (&"gunicorn-1".into(), &2.0.into())
    );
    if !machine_is_doubted(&run) {
        assert_eq!(run["judged"]["curves"][0]["factor"], "workers");
        let shown = place.run(&["show", "last"]);
        assert!(shown.out.contains("workers"), "{}", shown.out);
    }
    let written = place.run(&["write", "last:gunicorn-1@workers=4", "deploy"]);
    written.succeeds();
    // what a file may call it
    let checked = place.run(&[
        "stack",
        "gunicorn-1-workers-4",
        "--plan",
        "deploy/plan.toml",
    ]);
    let out = &checked.succeeds().out;
    assert!(out.contains("--workers 4"), "{out}");
    place.assert_clean();
}

/// A budget takes blocks away, and no value that was asked for.
#[test]
fn without_a_name_the_server_that_has_the_knob_is_tried_with_all_values() {
    let place = place();
    let more = ["--vary", "workers=1,2,3,4", "--budget", "1s", "--json"];
    let said = place.run(&[&SMALL[..], &more].concat());
    let run = said.measured().json();
    let names = names(&run);
    assert_eq!(names.len(), 4, "{names:?}");
    let (family, _) = names[0].split_once('@').unwrap();
    let told = format!("`--vary` tries `{family}`, as no `--variants` names");
    assert!(said.err.contains(&told), "{}", said.err);
    for (name, workers) in names.iter().zip(1..) {
        assert_eq!(*name, format!("{family}@workers={workers}"));
    }
    place.assert_clean();
}

#[test]
fn without_a_name_the_server_of_today_is_varied_beside_today() {
    let place = place();
    let command = "web: gunicorn --workers 2 --timeout 60 -b 0.0.0.0:80 app:app\n";
    place.write("Procfile", command);
    let said = place.run(&[&SMALL[..], &["--vary", "workers=1,3", "--json"]].concat());
    let run = said.measured().json();
    assert_eq!(
        names(&run),
        ["today", "gunicorn@workers=1", "gunicorn@workers=3"]
    );
    let plan = &run["run"]["plan"];
    assert_eq!(plan["baseline"], "today");
    let knobs = &plan["variants"][2]["server"]["knobs"];
    assert_eq!(
        (&knobs["workers"], &knobs["timeout"]),
        (&3.into(), &60.into())
    );
    assert_eq!(plan["variants"][1]["change"]["from"], "today");
    assert_eq!(plan["variants"][1]["change"]["what"][0], "`workers` 2 → 1");
    for words in [
        "that is `gunicorn` with `timeout` 60, `workers` 2",
        "`--vary` tries `gunicorn`, which you run today, beside `today`",
    ] {
        assert!(said.err.contains(words), "{words}: {}", said.err);
    }
    // what none has was meant for it
    let wrong = place.run(&[&SMALL[..], &["--vary", "wokers=1,3"]].concat());
    wrong.fails(
        2,
        &[
            "`wokers` is no knob of `gunicorn`",
            "did you mean `workers`?",
        ],
    );
    place.assert_clean();
}

#[test]
fn what_cannot_be_varied_is_told_with_what_can() {
    let place = place();
    let tried = |vary: &str| {
        let more = ["--variants", "gunicorn-1", "--vary", vary];
        place.run(&[&SMALL[..], &more].concat())
    };
    tried("wokers=1,2").fails(
        2,
        &[
            "`wokers` is no knob of `gunicorn`",
            "did you mean `workers`?",
            "`worker-class`",
            "`weir catalogue explain gunicorn`",
        ],
    );
    tried("workers=0,1").fails(2, &["knob `workers` of `gunicorn`: 0 is out of range"]);
    for (vary, why) in [
        ("workers", "give a knob and its values"),
        ("workers=1,,2", "give a knob and its values"),
        ("workers=2,2", "2 is given twice"),
    ] {
        let said = tried(vary);
        said.fails_with(2);
        assert!(said.err.contains(why), "{vary}: {}", said.err);
    }
    place.assert_clean();
}
