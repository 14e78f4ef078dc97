//! A server that will not end, and what it leaves behind.

use std::time::Duration;

use crate::support::{self, choice, machine, served_by, wsgi};
use record::Choice;
use stack::{Catalogue, Options, Running};

/// A server as stubborn as the test wants, as a catalogue entry: `stubborn.py HOST PORT`.
const ENTRY: &str = r#"
name = "stubborn"
kind = "app-server"
title = "a server that will not end"
home = "none"
runs = ["wsgi"]
listens = { http1 = ["tcp"] }
argv = ["{{ python }}", "stubborn.py", "{{ listen.host }}", "{{ listen.port }}"]
stop = { signal = "TERM", grace = 1 }
find = { version = { argv = ["{{ python }}", "--version"], pattern = '(\d[\d.]*)' } }
"#;

/// Serves, and before that does what `PRELUDE` says.
const SERVER: &str = r#"
import http.server, os, signal, sys, time
class Hello(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header("Content-Length", "2"); self.end_headers(); self.wfile.write(b"ok")
server = http.server.HTTPServer((sys.argv[1], int(sys.argv[2])), Hello)
PRELUDE
server.serve_forever()
"#;

/// Ignores every polite signal.
pub(super) const DEAF: &str =
    "for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)";

/// Leaves a grandchild behind that has its own session and process group, and is deaf too.
pub(super) const DAEMON: &str = r#"
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)
        server.socket.close()
        with open("daemon.part", "w") as f: f.write(str(os.getpid()))
        os.rename("daemon.part", "daemon.pid")
        while True: time.sleep(1000)
    os._exit(0)
"#;

/// Has a file in shared memory, as its child has that stays when the server is killed.
pub(super) const SHARING: &str = r#"
import mmap
def share(path):
    with open(path, "r+b") as file: return mmap.mmap(file.fileno(), 4096)
theirs = share(open("theirs").read())
path = "/dev/shm/weir-test-%d-%d" % (os.stat(".").st_ino, os.getpid())
open(path, "wb").write(bytes(4096))
ours = share(path)
if os.fork() == 0:
    server.socket.close()
    with open("ours.part", "w") as f: f.write(path)
    os.rename("ours.part", "ours")
    while True: time.sleep(1000)
"#;

pub(super) struct Stubborn {
    pub(super) demo: support::Served,
    pub(super) catalogue: testkit::TempDir,
}

impl Stubborn {
    pub(super) fn new(prelude: &str) -> Self {
        let demo = wsgi("");
        let catalogue = testkit::temp_dir();
        std::fs::write(catalogue.path().join("stubborn.toml"), ENTRY).unwrap();
        let server = SERVER.replace("PRELUDE", prelude);
        std::fs::write(demo.dir.path().join("stubborn.py"), server).unwrap();
        Self { demo, catalogue }
    }

    fn choice() -> Choice {
        choice("stubborn", &[])
    }

    pub(super) fn start<'a>(&self, options: &Options<'a>) -> Running<'a> {
        let machine = machine(Catalogue::load(&[self.catalogue.path().to_owned()]));
        let variant = served_by(Self::choice());
        let composition = machine.compose(&variant, &self.demo.app).unwrap();
        stack::start(&composition, options).unwrap()
    }

    /// The grandchild's process id, once it has written it.
    pub(super) fn daemon(&self) -> u32 {
        let file = self.demo.dir.path().join("daemon.pid");
        assert!(testkit::eventually(Duration::from_mins(1), || file.exists()));
        std::fs::read_to_string(file).unwrap().parse().unwrap()
    }
}
