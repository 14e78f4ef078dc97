//! A run that is given a time keeps to it, says what it left out, and can be taken up again.

use crate::support::{Place, standing};
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
    assert!(said.err.contains("no interval, no verdict"), "{}", said.err);
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
