//! A server that is slow to serve, or loses what it was asked first, still becomes ready; one whose answer weir does
//! not read is told at once.

use crate::support::{
    self, HELLO, catalogue_with, choice, machine, options, served_by, started_on, wsgi,
};
use stack::StackError;

/// Takes one connection and never says a word on it, as a master does whose worker is not there yet.
const FORGETFUL: &str = r#"
name = "forgetful"
kind = "app-server"
title = "loses its first connection"
home = "none"
runs = ["wsgi"]
listens = { http1 = ["tcp"] }
argv = ["{{ python }}", "{{ folder }}/serve.py", "{{ listen.host }}", "{{ listen.port }}"]
stop = { signal = "TERM", grace = 1 }
find = { version = { argv = ["{{ python }}", "--version"], pattern = '(\d[\d.]*)' } }

[[files]]
path = "serve.py"
template = '''
import sys
from wsgiref.simple_server import make_server
sys.path.insert(0, "{{ app.dir }}")
from hello import app
server = make_server(sys.argv[1], int(sys.argv[2]), app)
lost = server.socket.accept()
server.serve_forever()
'''
"#;

#[test]
fn an_attempt_that_is_never_answered_is_given_up_for_another() {
    let demo = wsgi(HELLO);
    let machine = machine(catalogue_with("forgetful.toml", FORGETFUL));
    let variant = served_by(choice("forgetful", &[]));
    started_on(&machine, &variant, &demo.app).stop().unwrap();
}

/// It would answer so until the end of the wait: this one would take an hour.
#[test]
fn an_answer_beyond_what_weir_reads_is_told_at_once_and_by_name() {
    let many = "[('Set-Cookie', 'n%d=%s' % (n, 'x' * 90)) for n in range(140)]";
    let long = "[('Set-Cookie', 'x' * 7000 + str(n)) for n in range(10)]";
    for headers in [many, long] {
        let source = format!(
            "def app(environ, start_response):\n    start_response('200 OK', {headers})\n    return [b'hello']\n"
        );
        let demo = wsgi(&source);
        let composition = support::composed(&support::gunicorn(), &demo.app);
        let options = stack::Options {
            ready_timeout: std::time::Duration::from_hours(1),
            ..options()
        };
        let error = stack::start(&composition, &options).unwrap_err();
        assert!(matches!(error, StackError::Beyond { .. }), "{error}");
        assert_eq!(
            error.to_string(),
            "`gunicorn` answers `GET /` with more than weir reads: not a valid response: the head is too long"
        );
        assert!(error.hint().unwrap().contains("128 header lines"));
    }
}

/// Serves at a port that the kernel chose, whatever it is told; or first there, and then where it is told.
fn straying(also: bool) -> String {
    let serve = FORGETFUL.split("server = make_server").next().unwrap();
    let serve = serve.replace("forgetful", "straying");
    let first = "other = make_server(sys.argv[1], 0, app)\n";
    let then = "import time\ntime.sleep(3)\nmake_server(sys.argv[1], int(sys.argv[2]), app).serve_forever()\n'''\n";
    let then = if also {
        then
    } else {
        "other.serve_forever()\n'''\n"
    };
    format!("{serve}{first}{then}")
}

#[test]
fn a_program_that_listens_elsewhere_is_told_soon_and_where() {
    let demo = wsgi(HELLO);
    let machine = machine(catalogue_with("straying.toml", &straying(false)));
    let composition = machine.compose(&served_by(choice("straying", &[])), &demo.app);
    let options = stack::Options {
        ready_timeout: std::time::Duration::from_hours(1),
        ..options()
    };
    let error = stack::start(&composition.unwrap(), &options).unwrap_err();
    let StackError::Elsewhere { at, given, .. } = &error else {
        panic!("{error}");
    };
    assert!(at.starts_with("127.0.0.1:") && at != given, "{error}");
    assert!(error.hint().unwrap().contains("PORT"));
}

#[test]
fn a_program_that_listens_elsewhere_first_becomes_ready() {
    let demo = wsgi(HELLO);
    let machine = machine(catalogue_with("straying.toml", &straying(true)));
    let variant = served_by(choice("straying", &[]));
    started_on(&machine, &variant, &demo.app).stop().unwrap();
}
