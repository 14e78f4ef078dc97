//! The first look of `weir try` at an app that answers something else than was expected, or slowly.

use std::fmt::Write as _;

use serde_json::json;

use crate::support::{Place, REQUESTS, Said, standing};

/// Every path but the login leads to the login.
const LOGIN: &str = "
def app(environ, start):
    if environ['PATH_INFO'] != '/login':
        start('302 Found', [('Location', '/login')])
        return [b'']
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'who are you?']
";

/// Tries one way, where what becomes of another one says no more.
fn trying(place: &Place, more: &[&str]) -> Said {
    trying_all("gunicorn-1", place, more)
}

fn trying_two(place: &Place, more: &[&str]) -> Said {
    trying_all("gunicorn-1,gunicorn-cores", place, more)
}

fn trying_all(variants: &str, place: &Place, more: &[&str]) -> Said {
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
        "--json",
        "--variants",
        variants,
    ];
    place.run(&[&fixed[..], more].concat())
}

fn route(said: &Said) -> String {
    let run = said.measured().json();
    run["run"]["plan"]["variants"][0]["route"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_page_that_leads_to_another_one_of_the_app_is_followed() {
    let place = Place::new();
    place.write("mine.py", LOGIN);
    let said = trying(&place, &[]);
    assert_eq!(route(&said), "/login");
    let words = "`/` redirects to `/login`: loading `/login`";
    assert!(said.err.contains(words), "{}", said.err);
    let said = trying(&place, &["--status", "302"]);
    assert_eq!(route(&said), "/");
    assert!(!said.err.contains("redirects to"), "{}", said.err);
    place.assert_clean();
}

/// With an hour for each server to become ready, it is told by the first one.
#[test]
fn a_page_that_is_refused_is_told_at_once_with_what_to_type() {
    let place = Place::new();
    place.write(
        "mine.py",
        "def app(environ, start):\n    known = 'HTTP_AUTHORIZATION' in environ\n    \
         start('200 OK' if known else '401 Unauthorized', [('Content-Type', 'text/plain')])\n    \
         return [b'hello' if known else b'no key']\n",
    );
    let said = trying_two(&place, &[]);
    let words = [
        "answers `GET /` with status 401 (`no key`), expected 200",
        "`-H 'Authorization: …'`",
        "`--status 401`",
    ];
    said.fails(8, &words);
    let asked = said.err.matches("taking the reference responses").count();
    assert!(asked <= 1, "by one server: {}", said.err);
    trying(&place, &["-H", "Authorization: me"]).measured();
    place.assert_clean();
}

/// Each start has another parent of its workers.
#[test]
fn a_part_that_is_made_anew_at_each_start_is_declared_by_an_option() {
    let place = Place::new();
    place.write(
        "mine.py",
        "import os\ndef app(environ, start):\n    start('200 OK', [('Content-Type', 'text/plain')])\n    \
         return [b'process %d' % os.getppid()]\n",
    );
    let words = ["in a number: `", r"--dynamic 'process \d+(?:[.,]\d+)*'"];
    trying_two(&place, &[]).fails(8, &words);
    trying(&place, &["--dynamic", r"process \d+"]).measured();
    let wrong = trying(&place, &["--dynamic", "("]);
    wrong.fails_with(2);
    let words = "it is no regular expression: unclosed group";
    assert!(wrong.err.contains(words), "{}", wrong.err);
    place.assert_clean();
}

#[test]
fn a_page_that_shows_the_time_is_measured_and_its_time_is_not_compared() {
    let place = Place::new();
    place.write(
        "mine.py",
        "import time\ndef app(environ, start):\n    start('200 OK', [('Content-Type', 'text/plain')])\n    \
         return [(time.strftime('it is %H:%M:%S') + '.%06d' % (time.time() % 1 * 1e6)).encode()]\n",
    );
    let said = trying(&place, &[]);
    let run = said.measured().json();
    for trial in standing(&run) {
        let load = &trial["outcome"]["measured"]["load"];
        assert_eq!(load["bodies"]["compared"], 400, "{trial:#}");
        assert_eq!(load["failed"], json!({}), "{trial:#}");
    }
    let words = "responses differ in times and dates alone, which are not compared: `/`: `";
    assert_eq!(said.err.matches(words).count(), 1, "{}", said.err);
    place.assert_clean();
}

/// Its clock goes on by a minute with each request, from 6:40 on.
#[test]
fn a_page_that_grows_as_its_clock_goes_from_9_59_to_10_00_stays_right() {
    let place = Place::new();
    place.write(
        "mine.py",
        "import itertools\nnext_one = itertools.count(400)\ndef app(environ, start):\n    \
         start('200 OK', [('Content-Type', 'text/plain')])\n    \
         return [b'it is %d:%02d, and all is well' % divmod(next(next_one), 60)]\n",
    );
    let run = trying(&place, &[]).measured().json();
    for trial in standing(&run) {
        let load = &trial["outcome"]["measured"]["load"];
        assert_eq!(load["bodies"]["compared"], 400, "{trial:#}");
        assert_eq!(load["failed"], json!({}), "{trial:#}");
    }
    place.assert_clean();
}

/// It knows one name alone, and says by which it was asked.
const PICKY: &str = "
def app(environ, start):
    known = environ['HTTP_HOST'] == 'shop.example' and environ.get('HTTP_X_FORWARDED_HOST', 'shop.example') == 'shop.example'
    start('200 OK' if known else '400 Bad Host', [('Content-Type', 'text/plain')])
    return [environ['HTTP_HOST'].encode()]
";

#[test]
fn one_name_is_asked_for_by_every_protocol() {
    let place = Place::new();
    place.app(PICKY);
    let variants = r#"
[[variant]]
name = "http"
server = "gunicorn"
[[variant]]
name = "uwsgi"
server = { entry = "gunicorn", link = "uwsgi+unix" }
[[variant]]
name = "http2"
server = "gunicorn"
front = { entry = "nginx", link = "h2c" }
[[variant]]
name = "tls"
server = "gunicorn"
front = { entry = "nginx", link = "https" }
"#;
    let plan = place.plan(variants);
    let named = std::fs::read_to_string(&plan).unwrap();
    let measured = |said: Said, variants: usize| {
        let run = said.measured().json();
        let trials = standing(&run);
        assert_eq!(trials.len(), variants);
        for trial in trials {
            let load = &trial["outcome"]["measured"]["load"];
            assert_eq!(load["completed"], REQUESTS, "{trial:#}");
            assert_eq!(load["bodies"]["compared"], REQUESTS, "{trial:#}");
        }
    };
    place
        .run(&["run", "plan.toml"])
        .fails(8, &["status 400 (`localhost`), expected 200", "Host: NAME"]);
    let http = ["run", "plan.toml", "--variants", "http", "--json"];
    let said = place.run(&[&http[..], &["--host", "shop.example"]].concat());
    measured(said, 1);
    place.write("plan.toml", &format!("host = \"shop.example\"\n{named}"));
    measured(place.run(&["run", "plan.toml", "--json"]), 4);
    place.write("plan.toml", &format!("host = \"a/b\"\n{named}"));
    place
        .run(&["run", "plan.toml"])
        .fails(5, &["`host`", "is no name"]);
    place.write("mine.py", PICKY);
    trying(&place, &["--host", "shop.example"]).measured();
    let header = ["--host", "other.example", "-H", "Host: shop.example"];
    trying(&place, &header).measured();
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
    said.fails(8, &["with status 302 to `/login`, expected 200"]);
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
