//! Whatever ends weir, nothing of a stack survives it and every finished trial does.

use crate::support::{PATIENCE, Place, kill};
use rustix::process::Signal;

/// An app that leaves its process group and ignores polite signals: what guardians are for.
const STUBBORN: &str = "
import os, signal, subprocess
subprocess.Popen(
    ['setsid', 'sh', '-c', 'trap : TERM INT HUP; while :; do sleep 60; done'],
    preexec_fn=lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN))
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

const VARIANTS: &str = "[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n\
                      [[variant]]\nname = \"two\"\nserver = { entry = \"gunicorn\", link = \"unix\" }\nfront = \"nginx\"\n";

fn place() -> Place {
    let place = Place::new();
    place.app(STUBBORN);
    place.plan(VARIANTS);
    place
}

#[test]
fn a_run_that_ends_well_leaves_nothing() {
    let place = place();
    let said = place.run(&["run", "plan.toml"]);
    said.measured();
    assert_eq!(place.exported("1")["run"]["status"], "finished");
    place.assert_clean();
}

#[test]
fn an_error_in_a_variant_leaves_nothing() {
    let place = Place::new();
    place.app(&STUBBORN.replace("200 OK", "500 Oops"));
    place.plan(VARIANTS);
    let args = ["run", "plan.toml", "--ready-timeout", "2m"];
    place.run(&args).fails(8, &["status 500", "expected 200"]);
    place.assert_clean();
}

#[test]
fn after_kill_9_nothing_runs_finished_trials_are_kept_and_the_run_goes_on() {
    let place = place();
    let mut weir = place.start(&["run", "plan.toml", "--blocks", "40"]);
    assert!(
        testkit::eventually(PATIENCE, || place.stored() >= 3),
        "no trials were stored"
    );
    // in the middle of a trial: servers and their stubborn children are up
    assert!(testkit::eventually(PATIENCE, || place
        .processes()
        .iter()
        .any(
            |process| process.contains("setsid") || process.contains("trap")
        )));
    kill(&weir, Signal::KILL);
    weir.wait().unwrap();
    place.assert_clean();

    let kept = place.exported("1");
    assert_eq!(kept["run"]["status"], "begun");
    let before = kept["trials"].as_array().unwrap().clone();
    assert!(before.len() >= 3);

    // as many blocks as were begun, so that the rest takes no time worth speaking of
    let mut again = place.start(&["run", "--resume", "1"]);
    assert!(
        testkit::eventually(PATIENCE, || place.stored() >= before.len() + 2),
        "it does not go on"
    );
    kill(&again, Signal::INT);
    assert_eq!(again.wait().unwrap().code(), Some(130));
    place.assert_clean();
    let after = place.exported("1")["trials"].as_array().unwrap().clone();
    assert_eq!(
        after[..before.len()],
        before[..],
        "what was kept stays as it was"
    );
}

#[test]
fn ctrl_c_ends_it_in_good_order() {
    let place = place();
    let weir = place.weir(&["run", "plan.toml", "--blocks", "40"]);
    let weir = { weir }
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    assert!(
        testkit::eventually(PATIENCE, || place.stored() >= 1),
        "no trial was stored"
    );
    kill(&weir, Signal::INT);
    let said = weir.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&said.stdout), text(&said.stderr));
    assert_eq!(said.status.code(), Some(130), "{err}");
    // what there is, and that it is not all
    assert!(
        out.starts_with("Run 1 · ") && out.contains("req/s"),
        "{out}"
    );
    assert!(
        err.contains("interrupted") && err.contains("weir run --resume 1"),
        "{err}"
    );
    place.assert_clean();
    assert_eq!(place.exported("1")["run"]["status"], "stopped");
}

#[test]
fn up_serves_until_ctrl_c() {
    let place = place();
    let weir = place.weir(&["up", "plan.toml", "two"]);
    let mut weir = { weir }
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    std::io::BufRead::read_line(
        &mut std::io::BufReader::new(weir.stdout.as_mut().unwrap()),
        &mut first,
    )
    .unwrap();
    let url = first.split_whitespace().last().unwrap();
    assert!(url.starts_with("http://127.0.0.1:"), "{first}");
    let said = place.run(&["bench", url, "-n", "20", "-c", "2", "--contains", "hello"]);
    said.measured();
    kill(&weir, Signal::INT);
    assert_eq!(weir.wait().unwrap().code(), Some(0));
    place.assert_clean();
}

#[test]
fn up_that_is_killed_leaves_nothing() {
    let place = place();
    let mut weir = place.start(&["up", "plan.toml", "two"]);
    assert!(testkit::eventually(PATIENCE, || place
        .processes()
        .iter()
        .any(|process| process.contains("nginx"))));
    kill(&weir, Signal::KILL);
    weir.wait().unwrap();
    place.assert_clean();
}
