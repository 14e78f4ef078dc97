//! `weir bench --profile`, and what `weir profile` says of runs that were not profiled.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use crate::support::through::by_a_stranger;
use crate::support::{APP, Place, PythonServer, Said};

/// Computes for some milliseconds for each response.
const SERVES: &str = "
from http.server import BaseHTTPRequestHandler, HTTPServer

class Busy(BaseHTTPRequestHandler):
    def do_GET(self):
        sum(range(200_000))
        self.send_response(200)
        self.send_header('Content-Length', '2')
        self.end_headers()
        self.wfile.write(b'ok')
    def log_message(self, *args):
        pass

server = HTTPServer(('127.0.0.1', 0), Busy)
print(server.server_port, flush=True)
server.serve_forever()
";

fn flat(said: &Said) -> String {
    said.out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_load_says_whose_code_takes_the_cpu_time() {
    let server = PythonServer::start(SERVES);
    let place = Place::new();
    let load = [
        "bench",
        &server.url,
        "-c",
        "2",
        "-d",
        "2s",
        "--warm-up",
        "0s",
    ];
    let profiled = [&load[..], &["--profile", "100"]].concat();
    let told = flat(place.run(&profiled).measured());
    for words in [
        "Whose code takes the CPU time of the CPU time ",
        "`weir profile 1 --out DIR` names the functions",
    ] {
        assert!(told.contains(words), "`{words}`: {told}");
    }
    let profile = place.run(&["profile", "last", "--json"]).succeeds().json();
    let most = profile["functions"][0]["function"].as_str().unwrap();
    assert!(most.contains("do_GET"), "{profile:#}");
    // the processes of root, whom the server runs as, are not to be seen by another user
    fs::set_permissions(place.path(""), Permissions::from_mode(0o755)).unwrap();
    let told = flat(by_a_stranger(&place, &profiled).measured());
    let sees = !rustix::process::geteuid().is_root();
    let words = "nothing was sampled, as no process that weir can see on this machine listens at `127.0.0.1:";
    assert!(sees || told.contains(words), "{told}");
    let bare = flat(place.run(&load).measured());
    assert!(!bare.contains("Whose code"), "{bare}");
}

#[test]
fn a_run_that_was_not_profiled_is_told_how_its_kind_is() {
    let server = PythonServer::start(SERVES);
    let place = Place::new();
    let load = [
        "bench",
        &server.url,
        "-c",
        "1",
        "-n",
        "20",
        "--warm-up",
        "0s",
    ];
    place.run(&load).measured();
    let words = ["run 1 was not profiled", "`--profile 50`"];
    place.run(&["profile", "last"]).fails(2, &words);
    place.app(APP);
    let plan = place.plan("[[variant]]\nname = \"a\"\nserver = \"gunicorn\"\n");
    place.run(&["run", plan.to_str().unwrap()]).measured();
    let words = [
        "run 2 was not profiled",
        "`weir try --profile`",
        "`weir profile PLAN VARIANT`",
    ];
    place.run(&["profile", "last"]).fails(2, &words);
}
