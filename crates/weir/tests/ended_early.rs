//! A run that an error or its user ends shows what it has measured, and ends as it would without that.

use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{APP, PATIENCE, Place, Said};

/// Once it has been loaded it never starts again.
const ONCE: &str = "
from pathlib import Path
served, answers = Path(__file__).parent / 'served', 0
if served.exists():
    raise RuntimeError('out of luck')
def app(environ, start):
    global answers
    answers += 1
    if answers > 30:
        served.touch()
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

const VARIANT: &str = "[[variant]]\nname = \"lonely\"\nserver = \"gunicorn\"\n";

#[test]
fn what_was_measured_before_a_variant_died_is_shown_and_kept() {
    let place = Place::new();
    place.app(ONCE);
    place.plan(VARIANT);
    let said = place.run(&["run", "plan.toml", "--blocks", "3"]);
    let kept = "what was measured is kept as run 1: `weir run --resume 1` goes on";
    said.fails(7, &["variant `lonely`", kept]);
    assert!(said.out.contains("lonely"), "no table: {}", said.out);
    assert!(place.path("weir.reports/run-1/report.html").exists());
    place.assert_clean();
}

#[test]
fn a_report_that_cannot_be_written_does_not_hide_that_the_user_ended_it() {
    let place = Place::new();
    place.app(APP);
    place.plan(VARIANT);
    place.write("taken", "a file, and no folder");
    let weir = place
        .weir(&["run", "plan.toml", "--blocks", "40", "--out", "taken"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stored = testkit::eventually(PATIENCE, || place.stored() >= 1);
    assert!(stored, "no trial was stored");
    kill_process(Pid::from_child(&weir), Signal::INT).unwrap();
    let output = weir.wait_with_output().unwrap();
    let said = Said {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    let told = [
        "cannot write the report to `taken`",
        "weir run --resume 1",
        "weir report 1",
    ];
    said.fails(130, &told);
    assert!(said.out.contains("lonely"), "no table: {}", said.out);
    place.assert_clean();
}
