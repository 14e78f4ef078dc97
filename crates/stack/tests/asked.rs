//! What servers are asked by, and what they answer that was not expected.

mod support;

use std::time::Duration;

use stack::{Options, StackError};
use support::{choice, composed, gunicorn, options, served_by, start, variant, wsgi};

/// A page with its own address in it, as web frameworks make it.
const OWN_ADDRESS: &str = r#"
from wsgiref.util import request_uri
def app(environ, start_response):
    body = ('<a href="' + request_uri(environ) + '">here</a>').encode()
    start_response("200 OK", [("Content-Type", "text/html"), ("Content-Length", str(len(body)))])
    return [body]
"#;

/// Each variant listens at a port of its own; the page is the same from all of them.
#[test]
fn a_page_with_its_own_address_is_the_same_from_every_variant() {
    let demo = wsgi(OWN_ADDRESS);
    let alone = start(&gunicorn(), &demo.app).unwrap();
    let reference = alone.reference().unwrap();
    let body = reference.body(&demo.app.routes[0]).map(<[u8]>::to_vec);
    alone.stop().unwrap();
    assert_eq!(
        body.as_deref(),
        Some(&b"<a href=\"http://localhost/\">here</a>"[..])
    );
    let server = || Some(choice("gunicorn", &[]));
    let nginx = || Some(choice("nginx", &[]));
    for variant in [
        served_by(choice("gunicorn", &[])),
        served_by(choice("gunicorn", &[])),
        variant(server(), nginx(), "tcp"),
        variant(server(), nginx(), "unix"),
    ] {
        let mut running = start(&variant, &demo.app).unwrap();
        let verified = running.verify(&reference).unwrap();
        assert_eq!(verified.body_compared, None);
        running.stop().unwrap();
    }
}

/// The error of an app that never gives the expected answer, and may take as long as it likes.
fn wrong(source: &str) -> StackError {
    let demo = wsgi(source);
    let options = Options {
        ready_timeout: Duration::from_hours(1),
        ..options()
    };
    stack::start(&composed(&gunicorn(), &demo.app), &options).expect_err("it is not as expected")
}

#[test]
fn an_answer_that_stays_wrong_is_said_at_once_with_what_to_type() {
    let login = "def app(environ, start):\n    start('302 Found', [('Location', '/login?next=/')])\n    return [b'']\n";
    let error = wrong(login);
    assert_eq!(
        error.to_string(),
        "`gunicorn` answers `GET /` with status 302 to `/login?next=/`, expected 200"
    );
    let hint = error.hint().unwrap();
    assert!(
        hint.contains("`--path /login?next=/`") && hint.contains("`--status 302`"),
        "{hint}"
    );
    let bad = "def app(environ, start):\n    start('400 Bad Request', [('Content-Type', 'text/plain')])\n    return [b'missing uri query\\nmore']\n";
    assert_eq!(
        wrong(bad).to_string(),
        "`gunicorn` answers `GET /` with status 400 (`missing uri query`), expected 200"
    );
}

/// A server that says 503 while it starts, and one that begins with another wrong answer.
#[test]
fn an_app_that_comes_to_itself_is_waited_for() {
    let later = "
import time
began = time.monotonic()
def app(environ, start):
    ready = time.monotonic() - began > 3
    start('200 OK' if ready else '503 Service Unavailable', [('Content-Type', 'text/plain')])
    return [b'hello']
";
    let demo = wsgi(later);
    let running = start(&gunicorn(), &demo.app).unwrap();
    running.stop().unwrap();
}
