//! `weir explain RUN`: why variants are as fast as they are. Which finding comes first in which situation is measured by
//! `make trust WHAT=causes`, on a machine that is quiet; here it is told, wherever it is asked for.

use serde_json::Value;
use testkit::Nginx;

use crate::support::schema::assert_is;
use crate::support::{Place, PythonServer, Said, machine_is_doubted, python};

const APP: &str = "import time
def app(environ, start):
    time.sleep(0.02)
    start('200 OK', [('Content-Type', 'text/plain'), ('Content-Length', '2')])
    return [b'ok']
";

const VARIANTS: &str = "[[variant]]\nname = \"one\"\nserver = { entry = \"gunicorn\", workers = 1 }\n\
                        load = { seconds = 1 }\n\
                        [[variant]]\nname = \"two\"\nlike = \"one\"\nserver = { entry = \"gunicorn\", workers = 2 }\n";

/// Nothing was advised that weir could try: right where others had the machine while run 1 was measured, and nowhere else.
fn is_excused(place: &Place, said: &Said) {
    said.fails(4, &["nothing that is advised for run 1"]);
    let run = place.exported("1");
    assert!(machine_is_doubted(&run), "nothing to try: {run:#}");
}

#[test]
fn an_advice_is_followed_and_measured() {
    let place = Place::new();
    place.app(APP);
    place.plan(VARIANTS);
    place.run(&["run", "plan.toml", "--blocks", "1"]).measured();
    let explained = place.run(&["explain", "1:one", "--json"]).succeeds().json();
    let findings = explained[0]["findings"].as_array().unwrap();
    let said = place.run(&["explain", "1:one", "--try", "--json"]);
    // on a machine that others take, workers that wait are not what holds it back
    let Some(advice) = findings.iter().find(|of| of["change"].is_object()) else {
        return is_excused(&place, &said);
    };
    let advised = said.measured().json();
    assert_is("advised", &advised);
    for same in ["change", "next", "gain"] {
        assert_eq!(advised[same], advice[same], "{advised:#}");
    }
    assert_eq!(advised["finding"], advice["kind"]);
    assert!(
        advised["measured"]["ratio"].as_f64() > Some(0.0),
        "{advised:#}"
    );
    let run = advised["run"].to_string();
    let shown = place.run(&["show", &run, "--json"]).succeeds().json();
    let names: Vec<_> = shown["run"]["plan"]["variants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["one", "one-advised"]);
    let all = place.run(&["explain", "1", "--json"]).succeeds().json();
    let advised = all.as_array().unwrap().iter().filter(|variant| {
        let mut findings = variant["findings"].as_array().unwrap().iter();
        findings.any(|of| of["change"].is_object())
    });
    let advised = advised.count();
    let said = place.run(&["explain", "1", "--try"]);
    if advised > 1 {
        said.fails(
            2,
            &["several variants of run 1", "weir explain 1:one --try"],
        );
    } else {
        said.measured(); // of the other one the machine has left nothing to advise
    }
    place.assert_clean();
}

#[test]
fn several_of_a_program_that_knows_no_workers_are_measured_behind_a_front_end() {
    let place = Place::new();
    place.app(&APP.replace("time.sleep(0.02)", "sum(range(200_000))"));
    place.plan(&format!(
        "[[variant]]\nname = \"own\"\nload = {{ seconds = 1 }}\n\
         server = {{ entry = \"command\", command = \"{} -m gunicorn -b 127.0.0.1:$PORT mine:app\" }}\n",
        python().display()
    ));
    place.run(&["run", "plan.toml", "--blocks", "1"]).measured();
    let explained = place.run(&["explain", "1", "--json"]).succeeds().json();
    let findings = explained[0]["findings"].as_array().unwrap();
    let said = place.run(&["explain", "1", "--try", "--json"]);
    // on a machine that others take no core may be idle
    if !findings.iter().any(|of| of["kind"] == "one-core") {
        return is_excused(&place, &said);
    }
    let advised = said.measured().json();
    assert_is("advised", &advised);
    assert_eq!(advised["change"]["key"], "server.instances");
    let front = advised["front"].as_str().unwrap();
    let run = advised["run"].to_string();
    let export = place.exported(&run);
    let entries = |name: &str| {
        let trials = export["trials"].as_array().unwrap();
        let trial = trials.iter().find(|of| of["variant"] == name).unwrap();
        let servers = trial["outcome"]["measured"]["stack"]["servers"].as_array();
        let servers = servers.unwrap().iter();
        servers
            .map(|of| of["entry"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(entries("own"), ["command"]);
    let with = entries("own-advised");
    assert_eq!((&*with[0], &*with[1]), (front, "command"));
    place.assert_clean();
}

#[test]
fn a_closed_loop_has_a_reason_for_its_pace() {
    let place = Place::new();
    place.app(APP);
    place.plan(VARIANTS);
    place.run(&["run", "plan.toml", "--blocks", "2"]).measured();
    let said = place.run(&["explain", "1", "--json"]);
    let explained = said.succeeds().json();
    assert_is("explained", &explained);
    let all = explained.as_array().unwrap();
    let names: Vec<_> = all
        .iter()
        .map(|of| of["variant"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["one", "two"], "{explained:#}");
    let is_found = |of: &Value| of["findings"].as_array().is_some_and(|all| !all.is_empty());
    let export = place.exported("1");
    let found = all.iter().any(is_found) || machine_is_doubted(&export);
    assert!(found, "{explained:#}");
    for found in all.iter().flat_map(|of| of["findings"].as_array().unwrap()) {
        for text in ["because", "next", "source", "cost"] {
            assert!(!found[text].as_str().unwrap().is_empty(), "{found}");
        }
        assert!(found["in_trials"].as_u64() > Some(0), "{found}");
        assert!(
            found["gain"] == Value::Null || found["gain"].as_f64() > Some(1.0),
            "{found}"
        );
    }
    let text = place.run(&["explain", "last:two"]);
    assert!(text.succeeds().out.starts_with("`two`"), "{}", text.out);
    assert!(text.out.contains("→ "), "{}", text.out);
    let shown = place.run(&["show", "1"]);
    for words in ["Where the time goes", "`weir explain 1` says why"] {
        assert!(shown.out.contains(words), "{words}: {}", shown.out);
    }
    // what the stack was made of, what it ran on, and what a response took alone, are facts of each trial
    runs_one_thread_at_a_time(&export);
    let stack = &export["trials"][0]["outcome"]["measured"]["stack"];
    assert!(
        stack["servers"][0]["slots"].as_f64() >= Some(1.0),
        "{stack:#}"
    );
    assert!(
        stack["verified"]["alone"].as_f64() >= Some(0.02),
        "{stack:#}"
    );
    place
        .run(&["explain", "1:tow"])
        .fails(2, &["run 1 has no variant `tow`", "did you mean `1:two`?"]);
    place.run(&["explain", "7"]).fails(10, &["7"]);
    place.assert_clean();
}

/// The first process of a run's first trial was recognised.
fn runs_one_thread_at_a_time(export: &Value) {
    let process = &export["trials"][0]["outcome"]["measured"]["processes"][0];
    let runtime = &process["runtime"];
    assert_eq!(runtime["name"], "python", "{process:#}");
    assert_eq!(runtime["one_thread"], "a Python process", "{process:#}");
}

/// A thread for each connection.
const THREADS: &str = "
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header('Content-Length', '2')
        self.end_headers()
        self.wfile.write(b'ok')
    def log_message(self, *args):
        pass

server = ThreadingHTTPServer(('127.0.0.1', 0), Answers)
print(server.server_port, flush=True)
server.serve_forever()
";

#[test]
fn a_server_of_others_is_known_by_its_runtime() {
    let server = PythonServer::start(THREADS);
    let place = Place::new();
    let load = ["bench", &server.url, "-c", "4", "-n", "400"];
    place.run(&load).measured();
    runs_one_thread_at_a_time(&place.exported("last"));
}

#[test]
fn a_load_that_was_put_aside_for_wrong_responses_is_explained() {
    // every fifth response of a connection, and not the first
    let nginx = Nginx::start(
        "location / { if ($connection_requests ~ \"[05]$\") { return 500; } return 200 ok; }",
    );
    let url = format!("http://{}/", nginx.address());
    let place = Place::new();
    let bench = place.run(&["bench", &url, "-n", "2000", "--warm-up", "0s"]);
    assert_eq!(bench.code, 4, "{}{}", bench.out, bench.err);
    let said = place.run(&["explain", "last"]);
    if said.code != 0 {
        // put aside for what others did on this machine, too
        said.fails(4, &["no trial of run 1 counts", "`weir show 1`"]);
        let run = place.exported("1");
        assert!(machine_is_doubted(&run), "only for its responses: {run:#}");
        return;
    }
    let out = said.succeeds().out.split_whitespace();
    let out = out.collect::<Vec<_>>().join(" ");
    for words in [
        "no trial of it counts: ",
        "of trials that were put aside for that. If all of these statuses are right, say so: `--status 200,500`",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
}
