//! Other programs beside a trial: named, and left out where they are not always there.

use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::{Place, PythonServer, said};

/// What the program is called that takes all cores.
const HOG: &str = "core-hog";
const APP: &str = "
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [str(sum(range(20000))).encode()]
";

/// More of them than cores, so that they take much even where other tests run. They end with this.
pub(crate) struct Hogs(Vec<Child>);

impl Hogs {
    pub(crate) fn start(place: &Place) -> Self {
        let program = place.path(HOG);
        std::fs::copy("/bin/sh", &program).unwrap();
        let cores = std::fs::read_to_string("/proc/stat").unwrap();
        let cores = cores.lines().filter(|line| line.starts_with("cpu")).count() - 1;
        let hog = |_| {
            let mut hog = Command::new(&program);
            hog.args(["-c", "while :; do :; done"]).stdin(Stdio::null());
            hog.spawn().unwrap()
        };
        Self((0..2 * cores).map(hog).collect())
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        for hog in &mut self.0 {
            let _ = hog.kill(); // it may have ended
            let _ = hog.wait();
        }
    }
}

/// The doubts about other programs of all trials: whether each disqualifies, and why.
fn disturbed(document: &Value) -> Vec<(bool, String)> {
    let trials = document["judged"]["trials"].as_array().unwrap().iter();
    let doubts = trials.filter_map(|trial| trial["doubts"].as_array());
    let of = doubts.flatten().filter(|of| of["kind"] == "disturbed");
    let told = |of: &Value| {
        let because = of["because"].as_str().unwrap().to_owned();
        (of["disqualifies"] == true, because)
    };
    of.map(told).collect()
}

/// Whether the program that takes the cores is named. Beside other tests three others may have had more in a trial.
fn is_named(doubts: &[(bool, String)]) -> bool {
    doubts.iter().any(|(_, because)| because.contains(HOG))
}

#[test]
fn a_program_that_takes_the_cores_is_named_and_its_trials_are_taken_again() {
    let place = Place::new();
    place.app(APP);
    let plan = place.plan("[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n");
    let plan = plan.to_str().unwrap();
    let hogs = Hogs::start(&place);
    // with a budget there is little time to wait for quiet
    let args = ["run", plan, "--budget", "1m", "--json"];
    let mut alone = place.weir(&args);
    alone.env_remove("WEIR_SHARED");
    let spoilt = said(alone);
    spoilt.measured();
    let counted = place.run(&args);
    counted.measured();
    drop(hogs);

    let doubts = disturbed(&spoilt.json());
    assert!(
        doubts.len() > 1,
        "it is repeated: {}{}",
        spoilt.out,
        spoilt.err
    );
    assert!(is_named(&doubts), "{doubts:?}");
    for (disqualifies, because) in &doubts {
        assert!(*disqualifies, "{because}");
    }
    let waits = spoilt.err.find("waiting for a quiet machine");
    let repeats = spoilt.err.find("will be repeated");
    assert!(
        waits.is_some_and(|at| repeats.is_none_or(|later| at < later)),
        "before the first trial: {}",
        spoilt.err
    );
    let found = format!("`{HOG}` (");
    assert!(
        spoilt.err.contains(&found),
        "how many they are: {}",
        spoilt.err
    );
    let advice = "hint: end these programs";
    let advised = |err: &str| err.matches(advice).count();
    assert_eq!(
        (advised(&spoilt.err), advised(&counted.err)),
        (1, 0),
        "{}",
        spoilt.err
    );
    let doubts = disturbed(&counted.json());
    assert!(
        !doubts.is_empty(),
        "on a shared machine it is told: {}",
        counted.out
    );
    assert!(is_named(&doubts), "{doubts:?}");
    for (disqualifies, because) in &doubts {
        assert!(!disqualifies, "{because}");
    }
    place.assert_clean();
}

/// Answers with what takes a core some time.
const SERVED: &str = "
from http.server import BaseHTTPRequestHandler, HTTPServer

class Answers(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        body = str(sum(range(20000))).encode()
        head = b'HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n' % len(body)
        self.wfile.write(head + body)
    def log_message(self, *args):
        pass

server = HTTPServer(('127.0.0.1', 0), Answers)
print(server.server_port, flush=True)
server.serve_forever()
";

#[test]
fn a_program_beside_a_server_of_others_is_named_and_keeps_nothing_out() {
    let place = Place::new();
    let server = PythonServer::start(SERVED);
    let hogs = Hogs::start(&place);
    let said = place.run(&["bench", &server.url, "-c", "1", "-d", "3s", "--json"]);
    drop(hogs);
    let doubts = disturbed(&said.json());
    assert!(is_named(&doubts), "{doubts:?}");
    for (disqualifies, because) in &doubts {
        assert!(!disqualifies, "{because}");
    }
    place.assert_clean();
}
