//! What killed programs leave of what `weir write` hands over: its own is ended, a stranger's is named and left alone.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::deployed_taken::{refused, serves_again, tried, written};
use crate::support::started::{Started, is_open};
use crate::support::{Place, two_free_ports, wait_until};

/// A server whose child has its socket, too, outlives it where it is killed, and heeds nothing but KILL.
const FORKS: &str = "
import os, signal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Hello(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *a): pass
    def do_GET(self):
        self.send_response(200)
        self.send_header('Content-Length', '5')
        self.end_headers()
        self.wfile.write(b'hello')
server = ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Hello)
child = os.fork()
if child == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    server.serve_forever()
def end(*a):
    os.kill(child, signal.SIGKILL)
    os._exit(0)
signal.signal(signal.SIGTERM, end)
os.waitpid(child, 0)
";

/// Starts it with nobody to hear what it says: what outlives it has its standard error.
fn unheard(script: &Path) -> Started {
    Started::heard(script, &[], Stdio::null())
}

/// Starts a script of which something still runs: it ends that, and says what it was.
fn begins_anew(script: &Path, port: u16) -> String {
    let server = Started::script(script, &[]);
    // it notes itself when nothing is left
    let noted = script.with_file_name("running");
    wait_until("what is left is ended", || {
        noted_in(&noted, 0) == server.pid()
    });
    wait_until("it serves again", || is_open(port));
    server.terminate();
    let (status, said) = server.ended();
    assert_eq!(status, Some(143), "{said}");
    let words = "ending what an earlier start left: ";
    assert!(said.contains(words), "{said}");
    assert!(!is_open(port), "all have gone");
    said
}

#[test]
fn what_a_killed_script_left_is_ended_by_the_next() {
    let place = Place::new();
    tried(&place);
    let port = two_free_ports();
    let script = written(&place, "nginx+gunicorn-cores", "deploy", port);
    let server = unheard(&script);
    wait_until("both listen", || is_open(port) && is_open(port + 1));
    let noted = place.path("deploy/running");
    let left = noted_in(&noted, 1);
    // the front end listens before it is noted, and nobody could tell whose it is then
    noted_in(&noted, 2);
    kill_process(server.pid(), Signal::KILL).unwrap();
    assert_eq!(server.ended().0, None);
    assert!(is_open(port) && is_open(port + 1), "its programs serve on");
    let said = begins_anew(&script, port);
    let words = format!("(process {})", left.as_raw_nonzero());
    assert!(said.contains(&words), "{words}: {said}");
    assert!(!is_open(port + 1), "the programs behind have gone, too");
    place.assert_clean();
}

/// Whether a request is answered.
fn serves(port: u16) -> bool {
    let Ok(mut stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) else {
        return false;
    };
    let asked = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    let mut text = String::new();
    stream.write_all(asked).is_ok()
        && stream.read_to_string(&mut text).is_ok()
        && text.ends_with("hello")
}

/// The script of an app's own server that forks.
fn forking(place: &Place, port: u16) -> PathBuf {
    place.write("serve.py", FORKS);
    let small = ["--quick", "-n", "100", "-c", "4", "--variants", "own"];
    let command = ["try", "--command", "python3 serve.py $PORT"];
    place.run(&[&command[..], &small[..]].concat()).measured();
    written(place, "own", "deploy", port)
}

#[test]
fn what_a_killed_program_left_ends_with_its_script() {
    let place = Place::new();
    let port = two_free_ports();
    let script = forking(&place, port);
    let server = unheard(&script);
    wait_until("its child serves", || serves(port));
    let program = noted_in(&place.path("deploy/running"), 1);
    kill_process(program, Signal::KILL).unwrap();
    assert_eq!(server.ended().0, Some(137));
    assert!(!is_open(port), "its child has gone before the script");
    serves_again(&script, port);
    place.assert_clean();
}

#[test]
fn what_outlives_a_script_and_its_program_is_ended_by_the_next() {
    let place = Place::new();
    let port = two_free_ports();
    let script = forking(&place, port);
    let server = unheard(&script);
    wait_until("its child serves", || serves(port));
    let seen = || std::fs::read_to_string(place.path("deploy/seen")).unwrap_or_default();
    let before = seen();
    wait_until("the script sees its program run after that", || {
        ![String::new(), before.clone()].contains(&seen())
    });
    let program = noted_in(&place.path("deploy/running"), 1);
    kill_process(server.pid(), Signal::KILL).unwrap();
    kill_process(program, Signal::KILL).unwrap();
    assert_eq!(server.ended().0, None);
    assert!(is_open(port), "its child serves on");
    begins_anew(&script, port);
    place.assert_clean();
}

/// A server that forks, and that no script of ours has started. It is killed where a test ends, as its child is.
struct Stranger(Child, Pid);

impl Stranger {
    fn at(place: &Place, port: u16) -> Self {
        place.write("stranger.py", FORKS);
        let server = Command::new("setsid")
            .args(["python3", "stranger.py"])
            .current_dir(place.path("."))
            .env("PORT", port.to_string())
            .spawn()
            .unwrap();
        wait_until("the stranger serves", || serves(port));
        let own = server.id();
        let children = std::fs::read_to_string(format!("/proc/{own}/task/{own}/children"));
        let child = children.unwrap().trim().parse().unwrap();
        Self(server, Pid::from_raw(child).unwrap())
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        let _ = kill_process(self.1, Signal::KILL);
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn all_that_hold_a_port_are_named_with_what_ends_them_and_left_alone() {
    let place = Place::new();
    tried(&place);
    let port = two_free_ports();
    let script = written(&place, "nginx+gunicorn-cores", "deploy", port);
    let mut stranger = Stranger::at(&place, port);
    let (master, worker) = (stranger.0.id(), stranger.1);
    let child = worker.as_raw_nonzero();
    let said = refused(&script);
    for words in [
        format!("(process {master})"),
        format!("(process {child})"),
        format!(": end it with `kill {master}`, or set PORT"),
    ] {
        assert!(said.contains(&words), "{words}: {said}");
    }
    stranger.0.kill().unwrap();
    stranger.0.wait().unwrap();
    let said = refused(&script);
    let words = format!("end it with `kill -KILL {child}`, as its master is gone");
    assert!(said.contains(&words), "{words}: {said}");
    assert!(serves(port), "it is not ours to end");
    kill_process(worker, Signal::KILL).unwrap();
    wait_until("it has gone", || !is_open(port));
    serves_again(&script, port);
    place.assert_clean();
}

/// The process in this line of what a script noted: it is the script itself, then its programs.
fn noted_in(noted: &Path, line: usize) -> Pid {
    let mut pid = None;
    wait_until("the script has noted it", || {
        let text = std::fs::read_to_string(noted).unwrap();
        let number = text.lines().nth(line);
        let number = number.and_then(|line| line.split(' ').next());
        pid = number.and_then(|number| Pid::from_raw(number.parse().ok()?));
        pid.is_some()
    });
    pid.unwrap()
}
