//! What is in the way of what `weir write` hands over: other programs at its ports, and what an earlier start left.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::support::started::{Started, is_open};
use crate::support::{Place, two_free_ports, wait_until};

const APP: &str = "
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

/// A server whose child has its socket, too, and outlives it where it is killed.
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
    server.serve_forever()
def end(*a):
    os.kill(child, signal.SIGKILL)
    os._exit(0)
signal.signal(signal.SIGTERM, end)
os.waitpid(child, 0)
";

/// A front end and an app server, measured.
fn tried(place: &Place) {
    place.write("app.py", APP);
    let small = ["try", "--quick", "-n", "200", "-c", "4", "--variants"];
    let said = place.run(&[&small[..], &["nginx+gunicorn-cores"]].concat());
    said.measured();
}

/// The script of the variant of the last run, written for this port.
fn written(place: &Place, variant: &str, folder: &str, port: u16) -> PathBuf {
    let of = format!("last:{variant}");
    let said = place.run(&["write", &of, folder, "--port", &port.to_string()]);
    said.succeeds();
    place.path(folder).join("start.sh")
}

/// Starts a script in whose way something is, as it says.
fn refused(script: &Path) -> String {
    let (status, said) = Started::script(script, &[]).ended();
    assert_eq!(status, Some(75), "{said}");
    said
}

/// Starts it with nobody to hear what it says: what outlives it has its standard error.
fn unheard(script: &Path) -> Started {
    Started::heard(script, &[], Stdio::null())
}

/// The same script serves once nothing is in its way.
fn serves_again(script: &Path, port: u16) {
    let server = Started::script(script, &[]);
    wait_until("it serves again", || is_open(port));
    server.terminate();
    assert_eq!(server.ended().0, Some(143));
}

#[test]
fn two_stacks_need_two_ports_and_nothing_else() {
    let place = Place::new();
    tried(&place);
    let (port, other) = (two_free_ports(), two_free_ports());
    let variant = "nginx+gunicorn-cores";
    let one = Started::script(&written(&place, variant, "one", port), &[]);
    wait_until("one serves", || is_open(port) && is_open(port + 1));
    let script = written(&place, variant, "two", port);
    let said = refused(&script);
    let taken = format!("port {port} is taken by ");
    assert!(said.contains(&taken), "{said}");
    let words = "or set PORT to one that is free together with the next one";
    assert!(said.contains(words), "{said}");
    let at = other.to_string();
    let two = Started::script(&script, &[("PORT", at.as_str())]);
    wait_until("two serves", || is_open(other) && is_open(other + 1));
    one.terminate();
    assert_eq!(one.ended().0, Some(143));
    assert!(is_open(other) && is_open(other + 1), "two serves on");
    two.terminate();
    assert_eq!(two.ended().0, Some(143));
    place.assert_clean();
}

#[test]
fn a_port_behind_that_is_taken_is_told_with_who_has_it() {
    let place = Place::new();
    tried(&place);
    let port = two_free_ports();
    let script = written(&place, "nginx+gunicorn-cores", "deploy", port);
    let behind = TcpListener::bind((Ipv4Addr::LOCALHOST, port + 1)).unwrap();
    let said = refused(&script);
    for words in [
        format!("port {} is taken by ", port + 1),
        format!("(process {})", std::process::id()),
    ] {
        assert!(said.contains(&words), "{words}: {said}");
    }
    assert!(!is_open(port), "the front end has not started");
    drop(behind);
    serves_again(&script, port);
    place.assert_clean();
}

#[test]
fn what_a_killed_script_left_is_named() {
    let place = Place::new();
    tried(&place);
    let port = two_free_ports();
    let script = written(&place, "nginx+gunicorn-cores", "deploy", port);
    let server = unheard(&script);
    wait_until("both listen", || is_open(port) && is_open(port + 1));
    let group = server.pid();
    kill_process(group, Signal::KILL).unwrap();
    assert_eq!(server.ended().0, None);
    let (status, said) = Started::script(&script, &[]).ended();
    kill_process_group(group, Signal::KILL).unwrap();
    assert_eq!(status, Some(75), "{said}");
    for words in [
        "what an earlier start left still runs, as ",
        ": end it with `kill ",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    wait_until("all have gone", || !is_open(port) && !is_open(port + 1));
    serves_again(&script, port);
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

#[test]
fn what_a_killed_program_left_holds_its_port_and_not_the_lock() {
    let place = Place::new();
    place.write("serve.py", FORKS);
    let small = ["--quick", "-n", "100", "-c", "4", "--variants", "own"];
    let command = ["try", "--command", "python3 serve.py $PORT"];
    place.run(&[&command[..], &small[..]].concat()).measured();
    let port = two_free_ports();
    let script = written(&place, "own", "deploy", port);
    let server = unheard(&script);
    wait_until("its child serves", || serves(port));
    let group = server.pid();
    kill_process(program(&place.path("deploy/running")), Signal::KILL).unwrap();
    assert_eq!(server.ended().0, Some(137));
    let (status, said) = Started::script(&script, &[]).ended();
    kill_process_group(group, Signal::KILL).unwrap();
    assert_eq!(status, Some(75), "{said}");
    let taken = format!("port {port} is taken by ");
    for words in [taken.as_str(), "or set PORT to one that is free\n"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    wait_until("all have gone", || !is_open(port));
    serves_again(&script, port);
    place.assert_clean();
}

/// The first program that a script noted, after itself.
fn program(noted: &Path) -> Pid {
    let mut pid = None;
    wait_until("the script has noted its program", || {
        let text = std::fs::read_to_string(noted).unwrap();
        let number = text.lines().nth(1).and_then(|line| line.split(' ').next());
        pid = number.and_then(|number| Pid::from_raw(number.parse().unwrap()));
        pid.is_some()
    });
    pid.unwrap()
}

#[test]
fn a_missing_flock_is_told() {
    let place = Place::new();
    tried(&place);
    let script = written(&place, "nginx+gunicorn-cores", "deploy", two_free_ports());
    let bin = place.path("bin");
    std::fs::create_dir(&bin).unwrap();
    for tool in ["/bin/sh", "/usr/bin/readlink"] {
        symlink(tool, bin.join(Path::new(tool).file_name().unwrap())).unwrap();
    }
    let path = bin.display().to_string();
    let (status, said) = Started::script(&script, &[("PATH", path.as_str())]).ended();
    assert_eq!(status, Some(78), "{said}");
    let words = "there is no `flock` here: install util-linux";
    assert!(said.contains(words), "{said}");
}
