//! weir itself is stopped in the middle of a load: whatever the figures are then, nobody else is blamed.

use std::io::Read as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{PATIENCE, Place, kill, load_of};
use rustix::process::Signal;
use serde_json::Value;
use testkit::{Origin, Speech, Turn, eventually};

/// How long weir stands still: a multiple of what is doubted, and beyond the window's end.
const PAUSE: Duration = Duration::from_secs(3);

/// Stops weir until it has stood still for [`PAUSE`].
fn pause(weir: &Child) {
    kill(weir, Signal::STOP);
    let pid = weir.id().cast_signed();
    let state = || procfs::process::Process::new(pid).and_then(|process| process.stat());
    let stopped = || state().is_ok_and(|stat| stat.state == 'T');
    assert!(eventually(PATIENCE, stopped), "it goes on");
    let since = Instant::now();
    assert!(eventually(PATIENCE, || since.elapsed() > PAUSE));
    kill(weir, Signal::CONT);
}

/// The document and the text of a load of 3 s that weir was stopped in.
fn stopped_in(more: &[&str]) -> (Value, String, String) {
    let origin = Origin::start(Speech::Http1, |_| Turn::Answer(Duration::from_millis(10)));
    let url = format!("http://{}/", origin.address());
    let place = Place::new();
    let args = ["bench", &url, "-c", "4", "-d", "3s", "--warm-up", "0s"];
    let mut weir = place
        .weir(&[&args[..], &["--out", "told"], more].concat())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    assert!(eventually(PATIENCE, || origin.received() > 40));
    pause(&weir);
    let mut text = String::new();
    let out = weir.stdout.as_mut().unwrap();
    out.read_to_string(&mut text).unwrap();
    assert_eq!(weir.wait().unwrap().code(), Some(4), "{text}");
    let read = |name: &str| std::fs::read_to_string(place.path(name)).unwrap();
    let document = load_of(&serde_json::from_str(&read("told/run.json")).unwrap());
    (document, text, read("told/report.html"))
}

fn doubts(of: &Value) -> Vec<&str> {
    let all = of["doubts"].as_array().unwrap().iter();
    all.map(|doubt| doubt["kind"].as_str().unwrap()).collect()
}

#[test]
fn a_closed_loop_blames_the_pause_and_not_the_server() {
    let (document, text, page) = stopped_in(&[]);
    let seen = &document["load"]["paused"];
    assert!(
        seen["longest"].as_f64().unwrap() >= PAUSE.as_secs_f64() - 0.1,
        "{seen}"
    );
    assert!(seen["total"].as_f64() >= seen["longest"].as_f64(), "{seen}");
    assert_eq!(seen["suspended"], 0.0);
    assert!(doubts(&document).contains(&"paused"), "{text}");
    for told in ["weir itself was paused", "do not trust these figures"] {
        assert!(text.contains(told), "`{told}`: {text}");
    }
    for told in [&text, &page] {
        let slowest = told.lines().find(|line| line.contains(", due at "));
        let slowest = slowest.unwrap_or_else(|| panic!("{told}"));
        assert!(slowest.contains("weir itself was paused for"), "{slowest}");
    }
}

#[test]
fn an_open_loop_does_not_say_that_the_server_did_not_keep_up() {
    let (document, text, _) = stopped_in(&["-R", "200"]);
    let doubts = doubts(&document);
    assert!(doubts.contains(&"paused"), "{text}");
    assert!(!doubts.contains(&"rate-not-held"), "{text}");
    assert!(!text.contains("the server did not keep up"), "{text}");
}

/// An app that counts its requests in a file.
const COUNTING: &str = "
import os
def app(environ, start):
    with open(os.environ['COUNT'], 'a') as count:
        count.write('x')
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

#[test]
fn a_trial_in_which_weir_was_stopped_does_not_count() {
    let place = Place::new();
    place.app(COUNTING);
    let plan = "app = \"app\"\nblocks = 1\nseed = 1\nnoise-floor = \"none\"\n\
                [load]\nconnections = 4\nseconds = 4\nwarm-up = { requests = 4 }\n\
                [[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n";
    place.write("plan.toml", plan);
    let count = place.path("count");
    let mut weir = { place.weir(&["run", "plan.toml"]) }
        .env("COUNT", &count)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let served = || std::fs::metadata(&count).map_or(0, |count| count.len());
    assert!(eventually(PATIENCE, || served() > 100), "no load");
    pause(&weir);
    weir.wait().unwrap();
    let judged = place.exported("1");
    let trial = &judged["judged"]["trials"][0];
    assert_eq!(trial["counts"], false, "{trial}");
    assert!(doubts(trial).contains(&"paused"), "{trial}");
    place.assert_clean();
}
