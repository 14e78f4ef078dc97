//! How what `weir write` hands over ends: its programs in turn, each once its requests are answered.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::thread::JoinHandle;

use crate::support::started::{Started, is_open};
use crate::support::{Place, two_free_ports, wait_until};

/// An app with a page that says that it was asked for, and waits until it may be answered.
const HOLDS: &str = "
import os, time
def app(environ, start):
    if environ['PATH_INFO'] == '/held':
        open('asked', 'w').close()
        while not os.path.exists('answer'):
            time.sleep(0.01)
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

/// Asks for the page that waits: its response, as far as it came.
fn asked(port: u16) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        stream.write_all(b"GET /held HTTP/1.0\r\n\r\n").unwrap();
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text); // it may be cut off
        text
    })
}

#[test]
fn requests_are_answered_first_unless_a_second_signal_comes() {
    let place = Place::new();
    place.write("app.py", HOLDS);
    let small = ["try", "--quick", "-n", "200", "-c", "4", "--variants"];
    let variants = ["nginx+gunicorn-cores", "apache+gunicorn-cores"];
    let said = place.run(&[&small[..], &[&variants.join(",")]].concat());
    said.measured();
    let port = two_free_ports();
    for variant in variants {
        let (of, at) = (format!("last:{variant}"), port.to_string());
        let said = place.run(&["write", &of, variant, "--port", &at]);
        said.succeeds();
    }
    for (variant, hurried) in [(0, false), (0, true), (1, false)] {
        let script = place.path(variants[variant]).join("start.sh");
        let server = Started::script(&script, &[]);
        wait_until("both listen", || is_open(port) && is_open(port + 1));
        let response = asked(port);
        wait_until("the app is asked", || place.path("asked").exists());
        server.terminate();
        wait_until("no other request is taken", || !is_open(port));
        assert!(is_open(port + 1), "the app's server is there until then");
        let response = if hurried {
            server.terminate();
            response.join().unwrap()
        } else {
            place.write("answer", "");
            response.join().unwrap()
        };
        assert_eq!(response.ends_with("hello"), !hurried, "{response}");
        place.write("answer", "");
        assert_eq!(server.ended().0, Some(143));
        for file in ["asked", "answer"] {
            fs::remove_file(place.path(file)).unwrap();
        }
    }
    place.assert_clean();
}
