//! Front ends that serve an app's files from disk, and do not pass them on.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::support::{choice, composed, options, variant, wsgi};
use record::{Knob, Target};
use stack::Catalogue;

/// It answers for the file too, and otherwise than the disk.
const OTHERWISE: &str = r#"
def app(environ, start_response):
    body = b"from the app\n"
    start_response("200 OK", [("Content-Type", "text/html"), ("Content-Length", str(len(body)))])
    return [body]
"#;

pub(crate) fn get(address: &Target, path: &str) -> String {
    let Target::Tcp(address) = address else {
        panic!("{address:?}");
    };
    let mut socket = TcpStream::connect(address).unwrap();
    let ask = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    socket.write_all(ask.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn files_come_from_the_disk_unless_a_knob_passes_them_on() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let fronts = catalogue
        .entries()
        .filter(|entry| entry.knobs.contains_key("serve-static"));
    let fronts: Vec<_> = fronts.map(|entry| entry.name.clone()).collect();
    for wanted in ["apache", "caddy", "lighttpd", "nginx"] {
        assert!(fronts.iter().any(|front| front == wanted), "{fronts:?}");
    }
    for front in &fronts {
        let file = served(front, true);
        assert!(file.contains("Hello from a file"), "{front}: {file}");
    }
    let file = served("nginx", false);
    assert!(file.contains("from the app"), "{file}");
}

/// What a front end answers for a file of the app's.
fn served(front: &str, from_disk: bool) -> String {
    let demo = wsgi(OTHERWISE);
    let front = choice(front, &[("serve-static", Knob::Switch(from_disk))]);
    let both = variant(Some(choice("gunicorn", &[])), Some(front), "unix");
    let running = stack::start(&composed(&both, &demo.app), &options())
        .unwrap_or_else(|error| panic!("{error}\n{:#?}", error.log_tail()));
    let page = get(running.address(), "/");
    assert!(page.contains("from the app"), "{page}");
    let file = get(running.address(), "/static/hello.html");
    running.stop().unwrap();
    file
}
