//! The first look of `weir try` at an app that answers something else than was expected, or slowly.

use std::fmt::Write as _;

use serde_json::json;

use crate::support::{Place, standing};

/// Every path but the login leads to the login.
const LOGIN: &str = "
def app(environ, start):
    if environ['PATH_INFO'] != '/login':
        start('302 Found', [('Location', '/login')])
        return [b'']
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'who are you?']
";

/// With an hour for each server to become ready, it is told by the first one.
#[test]
fn a_page_behind_a_login_is_told_at_once_and_the_options_work() {
    let place = Place::new();
    place.write("mine.py", LOGIN);
    let trying = |more: &[&str]| {
        let fixed = [
            "try",
            "mine:app",
            "--quick",
            "-n",
            "400",
            "-c",
            "4",
            "--ready-timeout",
            "1h",
        ];
        place.run(
            &[
                &fixed[..],
                &["--variants", "gunicorn-1,gunicorn-cores"],
                more,
            ]
            .concat(),
        )
    };
    let said = trying(&[]);
    let words = [
        "answers `GET /` with status 302 to `/login`, expected 200",
        "`--path /login`",
        "`--status 302`",
    ];
    said.fails(7, &words);
    let asked = said.err.matches("taking the reference responses").count();
    assert!(asked <= 1, "by one server: {}", said.err);
    for options in [["--path", "/login"], ["--status", "302"]] {
        let said = trying(&options);
        said.measured();
    }
    place.assert_clean();
}

/// A plan that keeps going asks no other server either.
#[test]
fn a_run_says_it_at_once_too() {
    let place = Place::new();
    place.app(LOGIN);
    let mut variants = String::from("keep-going = true\n");
    for server in ["gunicorn", "gevent"] {
        let _ = write!(
            variants,
            "[[variant]]\nname = \"{server}\"\nserver = \"{server}\"\n"
        );
    }
    let plan = place.plan("");
    let text = std::fs::read_to_string(&plan).unwrap();
    place.write(
        "plan.toml",
        &variants.replacen("[[variant]]", &format!("{text}[[variant]]"), 1),
    );
    let said = place.run(&["run", "plan.toml", "--ready-timeout", "1h"]);
    said.fails(7, &["with status 302 to `/login`, expected 200"]);
    place.assert_clean();
}

/// It names itself by the address at which it was asked.
const NAMES_ITSELF: &str = "
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [('I am http://%s/' % environ['HTTP_HOST']).encode()]
";

#[test]
fn a_page_with_its_own_address_in_it_is_right_under_load_behind_every_front_end() {
    let place = Place::new();
    place.write("mine.py", NAMES_ITSELF);
    let variants = "gunicorn-1,nginx+gunicorn-cores,haproxy+gunicorn-cores";
    let fixed = ["try", "mine:app", "--quick", "-n", "400", "-c", "4"];
    let said = place.run(&[&fixed[..], &["--json", "--variants", variants]].concat());
    let run = said.measured().json();
    let trials = standing(&run);
    assert_eq!(
        trials.len(),
        4,
        "three ways, and one of them twice: {}",
        said.err
    );
    for trial in trials {
        let load = &trial["outcome"]["measured"]["load"];
        assert_eq!(load["completed"], 400, "{trial:#}");
        assert_eq!(load["failed"], json!({}), "{trial:#}");
    }
    place.assert_clean();
}
