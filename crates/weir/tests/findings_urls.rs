//! What holds back a server that weir did not start: `weir bench` finds it, and so does a plan with its `url`.

use crate::support::{Place, PythonServer, machine_is_doubted};
use serde_json::Value;

/// A thread for each connection, one of which sleeps at a time. Head and body are one write, so that nothing waits for an
/// acknowledgement.
const LOCKED: &str = "
import threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

lock = threading.Lock()

class Answers(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        with lock:
            time.sleep(0.02)
        self.wfile.write(b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok')
    def log_message(self, *args):
        pass

server = ThreadingHTTPServer(('127.0.0.1', 0), Answers)
print(server.server_port, flush=True)
server.serve_forever()
";

/// What was measured in the only trial of the last run, whose first finding is that requests wait for each other; right elsewhere
/// only where others had the machine.
fn waits_inside(place: &Place) -> Value {
    let run = place.exported("last");
    let said = place.run(&["explain", "last", "--json"]);
    let found = if said.code == 0 {
        said.json()[0]["findings"][0]["kind"].clone()
    } else {
        Value::Null
    };
    let excused = found == "other-programs" || machine_is_doubted(&run);
    assert!(found == "app-waits" || excused, "{found}: {run:#}");
    run["trials"][0]["outcome"]["measured"].clone()
}

#[test]
fn requests_that_wait_for_each_other_are_found_by_a_load_of_a_url_and_by_a_plan_alike() {
    let server = PythonServer::start(LOCKED);
    let place = Place::new();
    let bench = ["bench", &server.url, "-c", "8", "-d", "2s"];
    place.run(&bench).measured();
    let warm_up = waits_inside(&place)["load"]["warm_up"].clone();
    assert!(warm_up["alone"].as_f64() >= Some(0.02), "{warm_up:#}");
    let load = "[load]\nconnections = 8\nseconds = 2\n";
    let variant = format!("[[variant]]\nname = \"one\"\nurl = \"{}\"\n", server.url);
    let plan = format!("blocks = 1\nseed = 1\nnoise-floor = \"none\"\n{load}{variant}");
    place.write("urls.toml", &plan);
    place.run(&["run", "urls.toml"]).measured();
    let processes = waits_inside(&place)["processes"].clone();
    let mut all = processes.as_array().unwrap().iter();
    assert!(all.any(|of| of["owner"] != "weir"), "{processes:#}");
    place.assert_clean();
}
