//! What servers are asked by, and what they answer that was not expected.

use std::time::Duration;

use crate::support::{choice, composed, gunicorn, options, served_by, start, variant, wsgi};
use stack::{Options, StackError};

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

/// An app that asks its server where it listens, as some do in links and redirects.
const OWN_PORT: &str = r#"
def app(environ, start_response):
    own = 'http://127.0.0.1:%s/here' % environ["SERVER_PORT"]
    start_response("200 OK", [("Content-Type", "text/plain"), ("Location", own)])
    return [('see ' + own).encode()]
"#;

#[test]
fn the_address_at_which_a_server_listens_is_no_difference() {
    let mut demo = wsgi(OWN_PORT);
    let declared = Some("http://localhost/here".to_owned());
    demo.app.routes[0]
        .expect_headers
        .insert("location".to_owned(), declared);
    let alone = start(&gunicorn(), &demo.app).unwrap();
    let reference = alone.reference().unwrap();
    let route = &demo.app.routes[0];
    assert_eq!(
        reference.body(route),
        Some(&b"see http://localhost/here"[..])
    );
    assert_eq!(reference.exact(route), None, "each start has another one");
    alone.stop().unwrap();
    let behind = variant(
        Some(choice("gunicorn", &[])),
        Some(choice("nginx", &[])),
        "tcp",
    );
    for variant in [gunicorn(), behind] {
        let mut running = start(&variant, &demo.app).unwrap();
        let verified = running.verify(&reference).unwrap();
        assert_eq!(verified.body_compared, None);
        running.stop().unwrap();
    }
}

/// What frameworks make anew for each response is passed over wherever it is asked for, and nothing has to be declared.
#[test]
fn a_token_against_forged_requests_is_no_difference() {
    let source = "import os\ndef app(environ, start):\n    start('200 OK', [('Content-Type', 'text/html')])\n    \
                  token = os.urandom(8).hex().encode()\n    \
                  return [b'<meta name=\"csrf-token\" content=\"%s\">' % token]\n";
    let demo = wsgi(source);
    let alone = start(&gunicorn(), &demo.app).unwrap();
    let reference = alone.reference().unwrap();
    alone.stop().unwrap();
    let route = &demo.app.routes[0];
    assert_eq!(reference.body(route), Some(&b"<meta <dynamic>>"[..]));
    assert_eq!(
        reference.exact(route),
        None,
        "each response has another one"
    );
    let mut running = start(&gunicorn(), &demo.app).unwrap();
    let verified = running.verify(&reference).unwrap();
    running.stop().unwrap();
    assert_eq!((verified.body_compared, verified.times), (None, None));
}

/// What is made anew at each start is said for what it is, with what declares it.
#[test]
fn a_difference_that_is_a_number_is_said_with_what_declares_it() {
    let source = "import os\ndef app(environ, start):\n    start('200 OK', [('Content-Type', 'text/plain')])\n    \
                  return [b'served by process %d\\n' % os.getppid()]\n";
    let mut demo = wsgi(source);
    let reference = |app: &record::App| {
        let alone = start(&gunicorn(), app).unwrap();
        let reference = alone.reference().unwrap();
        alone.stop().unwrap();
        reference
    };
    let first = reference(&demo.app);
    let mut running = start(&gunicorn(), &demo.app).unwrap();
    let error = running.verify(&first).unwrap_err();
    running.stop().unwrap();
    let said = error.to_string();
    let words = "the body differs from the reference in a number: `";
    assert!(
        said.contains(words) && said.contains("at line 1, column "),
        "{said}"
    );
    let hint = error.hint().unwrap();
    let pattern = r"by process \d+(?:[.,]\d+)*";
    assert!(
        hint.contains(&format!("`weir try --dynamic '{pattern}'`")),
        "{hint}"
    );
    assert!(
        hint.contains(&format!("`dynamic = ['{pattern}']`")),
        "{hint}"
    );
    demo.app.routes[0].dynamic.push(pattern.to_owned());
    let second = reference(&demo.app);
    let mut running = start(&gunicorn(), &demo.app).unwrap();
    assert_eq!(running.verify(&second).unwrap().body_compared, None);
    running.stop().unwrap();
}

/// Each start shows another time.
#[test]
fn a_difference_that_is_a_time_alone_is_passed_over_and_said() {
    let source = "import os\ndef app(environ, start):\n    start('200 OK', [('Content-Type', 'text/plain')])\n    \
                  return [b'it is %02d:%02d\\n' % divmod(os.getppid() % 1440, 60)]\n";
    let demo = wsgi(source);
    let alone = start(&gunicorn(), &demo.app).unwrap();
    let reference = alone.reference().unwrap();
    alone.stop().unwrap();
    let route = &demo.app.routes[0];
    assert!(reference.exact(route).is_some());
    assert_eq!(reference.times(route).len(), 1);
    let mut running = start(&gunicorn(), &demo.app).unwrap();
    let verified = running.verify(&reference).unwrap();
    running.stop().unwrap();
    assert_eq!(verified.body_compared, None);
    let times = verified.times.unwrap();
    assert!(times.starts_with("`/`: `"), "{times}");
}

/// An app that counts its requests in a file, and answers so.
fn counting(status: &str) -> String {
    format!(
        "def app(environ, start):\n    open('asked', 'a').write('x')\n    \
         start('{status}', [('Content-Type', 'text/plain')])\n    return [b'no']\n"
    )
}

#[test]
fn what_an_app_refuses_it_is_asked_for_once() {
    for status in ["400 Bad", "401 Who", "403 No", "404 Lost", "302 Found"] {
        let demo = wsgi(&counting(status));
        let options = Options {
            ready_timeout: Duration::from_hours(1),
            ..options()
        };
        let error = stack::start(&composed(&gunicorn(), &demo.app), &options);
        let said = error.expect_err("it is not as expected").to_string();
        assert!(
            said.contains(&format!("with status {}", &status[..3])),
            "{said}"
        );
        let asked = std::fs::read_to_string(demo.app.dir.join("asked")).unwrap();
        assert_eq!(asked, "x", "{status}");
    }
}

/// The status of a route that is not the first one is what the app answers, too.
#[test]
fn another_route_of_the_app_that_is_refused_is_the_apps_answer() {
    let source = "def app(environ, start):\n    found = environ['PATH_INFO'] == '/'\n    \
                  start('200 OK' if found else '404 Lost', [('Content-Type', 'text/plain')])\n    return [b'hello']\n";
    let mut demo = wsgi(source);
    demo.app.routes.push(record::Route::get("/lost"));
    let running = start(&gunicorn(), &demo.app).unwrap();
    let error = running.reference().unwrap_err();
    running.stop().unwrap();
    assert_eq!(
        error.to_string(),
        "`gunicorn` answers `GET /lost` with status 404 (`hello`), expected 200"
    );
}

/// Over a redirect to itself by its own address, and another one.
#[test]
fn the_page_that_redirects_lead_to_is_found() {
    let source = "
def app(environ, start):
    own = 'http://127.0.0.1:%s' % environ['SERVER_PORT']
    to = {'/': own + '/a', '/a': 'b?c=d', '/b': None}[environ['PATH_INFO']]
    start('302 Found' if to else '200 OK', [('Location', to)] if to else [])
    return [b'']
";
    let error = wrong(source);
    let hint = error.hint().unwrap();
    assert!(hint.contains("`--path /b?c=d`"), "{hint}");
    assert!(
        error
            .to_string()
            .contains("status 302 to `/a`, expected 200"),
        "{error}"
    );
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
