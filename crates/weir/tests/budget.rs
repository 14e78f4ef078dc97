//! A run that is given a time keeps to it, says what it left out, and can be taken up again.

use crate::support::{Place, machine_is_doubted, said, standing};
use serde_json::Value;

const APP: &str = "def app(environ, start):\n    start('200 OK', [('Content-Length', '2')])\n    return [b'ok']\n";

/// Six blocks that take 2.4 s at the very least, whatever the machine.
fn plan(place: &Place, budget: &str) -> String {
    place.app(APP);
    let text = format!(
        "app = \"app\"\nblocks = 6\nseed = 1\nnoise-floor = \"none\"\n{budget}\n\
         [load]\nconnections = 2\nseconds = 0.4\nwarm-up = {{ seconds = 0 }}\n\
         [[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n"
    );
    place.write("plan.toml", &text).to_str().unwrap().to_owned()
}

fn trials(run: &Value) -> usize {
    standing(run).len()
}

#[test]
fn what_does_not_fit_the_time_is_left_out_said_and_made_up_for() {
    let place = Place::new();
    let plan = plan(&place, "");
    let said = place.run(&["run", &plan, "--budget", "1.5s"]);
    let said = said.measured();
    for words in [
        "no interval, no verdict; all of them take about ",
        "/at most ",
        "block 1 of at most 6 · one",
    ] {
        assert!(said.err.contains(words), "`{words}`: {}", said.err);
    }
    let words = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Cut short: "), "{words}");
    assert!(words.contains("for want of time"), "{words}");
    assert!(words.contains("no interval, no verdict"), "{words}");
    let run = place.exported("1");
    let done = trials(&run);
    assert!((1..6).contains(&done), "{done} trials");
    let cut = &run["run"]["cut"];
    assert_eq!(cut["blocks"], done, "one variant: a trial is a block");
    assert_eq!(cut["budget"], 1.5);
    assert_eq!(run["run"]["status"], "finished");
    let page = std::fs::read_to_string(place.path("weir.reports/run-1/report.html")).unwrap();
    assert!(page.contains("Cut short") && page.contains("for want of time"));

    place.run(&["run", "--resume", "1", "-q"]).measured();
    let run = place.exported("1");
    assert_eq!(
        trials(&run),
        6,
        "a resumed run goes on with the plan's blocks"
    );
    assert_eq!(run["run"]["cut"], Value::Null);
    place.assert_clean();
}

/// Its app is not even started: it could not be.
#[test]
fn a_run_that_is_complete_says_that_nothing_is_left_of_it() {
    let place = Place::new();
    let plan = plan(&place, "");
    place.run(&["run", &plan, "--blocks", "1"]).measured();
    if machine_is_doubted(&place.exported("1")) {
        return; // then its trial is to be repeated
    }
    place.app("raise SystemExit('it is not to start')\n");
    let said = place.run(&["run", "--resume", "1"]);
    said.measured();
    let words = "nothing is left to measure: run 1 is complete, with 1 trial";
    assert!(said.err.contains(words), "{}", said.err);
    assert!(said.out.starts_with("Run 1 · "), "{}", said.out);
    let run = place.exported("1");
    assert_eq!(
        (trials(&run), &run["run"]["status"]),
        (1, &"finished".into())
    );
    place.assert_clean();
}

#[test]
fn a_plan_may_have_a_budget_and_one_that_is_no_time_is_refused() {
    let place = Place::new();
    let ample = plan(&place, "budget = \"20 min\"");
    let said = place.run(&["run", &ample, "--blocks", "2"]);
    let said = said.measured();
    assert!(said.err.contains("2 trials, about "), "{}", said.err);
    assert!(!said.out.contains("Cut short"), "{}", said.out);
    assert_eq!(place.exported("1")["run"]["plan"]["budget"], 1200.0);
    let scarce = plan(&place, "budget = \"1 s\"");
    place.run(&["run", &scarce, "-q"]).measured();
    assert_eq!(place.exported("2")["run"]["cut"]["budget"], 1.0);
    let wrong = plan(&place, "budget = \"soon\"");
    place
        .run(&["run", &wrong])
        .fails(5, &["`budget`", "give a duration"]);
    let none = place.run(&["run", &ample, "--budget", "0"]);
    assert_eq!(none.code, 2, "{}", none.err);
    assert!(none.err.contains("give some time"), "{}", none.err);
}

/// What else it is asked for would be true of some of its trials alone, or of none.
#[test]
fn a_run_goes_on_as_it_began() {
    let place = Place::new();
    let plan = plan(&place, "");
    place.app("import no_such_module_here\n");
    let mut alone = place.weir(&["run", &plan]);
    alone.env_remove("WEIR_SHARED");
    said(alone).fails(7, &["no_such_module_here"]);
    for other in [["--slice", "0"], ["--load-cpus", "1"], ["--blocks", "2"]] {
        let refused = place.run(&[&["run", "--resume", "1"][..], &other].concat());
        assert_eq!(refused.code, 2, "{other:?}: {}", refused.err);
        for words in [
            "cannot be used with",
            "run its plan again",
            "wrong too often",
        ] {
            assert!(refused.err.contains(words), "{other:?}: {}", refused.err);
        }
    }
    let refused = place.run(&["run", "--resume", "1", "--shared"]);
    refused.fails(2, &["run 1 began without `--shared`", "WEIR_SHARED"]);
    place.assert_clean();
}
