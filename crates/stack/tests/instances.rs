//! Instances of a server beside each other: the first one alone, the others together, and one end for all.

use crate::support::{HELLO, all_gone, catalogue_with, choice, machine, started_on, variant, wsgi};
use record::Choice;

/// A server that writes down what happens to it. All but the first listen when the others have been started too,
/// and each ends when all have been asked to.
const COMPANION: &str = r#"
name = "companion"
kind = "app-server"
title = "a server that waits for its like"
home = "https://example.org"
runs = ["wsgi"]
listens = { http1 = ["tcp"] }
argv = ["{{ python }}", "{{ folder }}/serve.py", "{{ folder }}", "{{ listen.port }}"]

[stop]
signal = "TERM"
grace = 20

[find]
version = { argv = ["{{ python }}", "--version"], pattern = 'Python (\S+)' }

[[needs]]
what = "a note"
check = ["sh", "-c", "echo needed >> events"]
install = "write one"

[[files]]
path = "serve.py"
template = '''
import http.server, os, signal, sys, time
own = sys.argv[1][-1]

def note(event):
    with open("events", "a") as events:
        events.write(f"{event} {own}\n")

def wait_for(event, count):
    while open("events").read().count(event) < count:
        time.sleep(0.01)

def end(*_):
    note("asked")
    wait_for("asked", 3)
    note("ended")
    os._exit(0)

class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        note("answers")
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

signal.signal(signal.SIGTERM, end)
note("started")
if own != "1":
    wait_for("started", 3)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[2])), Answer).serve_forever()
'''
"#;

#[test]
fn the_first_prepares_for_the_others_which_start_together_and_all_end_together() {
    let machine = machine(catalogue_with("companion.toml", COMPANION));
    let mut demo = wsgi(HELLO);
    let prepare = ["sh", "-c", "echo prepared >> events"];
    demo.app.prepare = vec![prepare.map(str::to_owned).to_vec()];
    let servers = Choice {
        instances: 3,
        ..choice("companion", &[])
    };
    let variant = variant(Some(servers), Some(choice("nginx", &[])), "tcp");
    let running = started_on(&machine, &variant, &demo.app);
    let pids: Vec<u32> = running
        .processes()
        .into_iter()
        .map(|(pid, _)| pid)
        .collect();
    running.stop().unwrap();
    assert!(all_gone(&pids), "{pids:?}");

    let events = std::fs::read_to_string(demo.dir.path().join("events")).unwrap();
    let events: Vec<&str> = events.lines().collect();
    assert_eq!(
        events[..4],
        ["needed", "prepared", "started 1", "answers 1"],
        "{events:?}"
    );
    let count = |event: &str| {
        let those = events.iter().filter(|line| line.starts_with(event));
        those.count()
    };
    let counts = ["needed", "prepared", "started", "asked", "ended"].map(count);
    assert_eq!(counts, [1, 1, 3, 3, 3], "{events:?}");
}
