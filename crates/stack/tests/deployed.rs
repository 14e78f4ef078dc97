//! Stacks that are handed over: where clients connect is told when they are started.

use std::fs;

use crate::support::{
    HELLO, built_in, catalogue_with, choice, machine, served_by, started_on, variant, wsgi,
};
use stack::{Deployed, Kind, StackError};

/// A server that listens beside the port that it is given.
const BESIDE: &str = r#"
name = "beside"
kind = "app-server"
title = "a server that computes with its port"
home = "https://example.org"
runs = ["wsgi"]
listens = { http1 = ["tcp"] }
argv = ["{{ python }}", "serve.py", "{{ listen.port + 1 }}"]
stop = { signal = "TERM", grace = 1 }
find = { version = { argv = ["{{ python }}", "--version"], pattern = 'Python (\S+)' } }
"#;

/// A server that is started by another program in a trial, and by itself where it is deployed.
const WRAPPED: &str = r#"
name = "wrapped"
kind = "app-server"
title = "a server that is started in another way in a trial"
home = "https://example.org"
runs = ["wsgi"]
listens = { http1 = ["tcp"] }
argv = [{ when = "not deployed", argv = ["env"] }, "{{ python }}", "{{ folder }}/serve.py", "{{ listen.port }}"]
stop = { signal = "TERM", grace = 1 }
find = { version = { argv = ["{{ python }}", "--version"], pattern = 'Python (\S+)' } }

[[files]]
path = "serve.py"
template = '''
import http.server, sys
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Answer).serve_forever()
'''
"#;

#[test]
fn a_trial_knows_the_command_by_which_its_program_is_deployed() {
    let machine = machine(catalogue_with("wrapped.toml", WRAPPED));
    let demo = wsgi(HELLO);
    let running = started_on(&machine, &served_by(choice("wrapped", &[])), &demo.app);
    let facts = running.stop().unwrap();
    let server = &facts.servers[0];
    assert_eq!(server.argv[0], "env");
    assert_eq!(server.deployed, server.argv[1..]);
}

#[test]
fn every_server_is_told_where_clients_connect() {
    let (machine, demo) = (built_in(), wsgi(HELLO));
    let mut told = Vec::new();
    for entry in machine.catalogue().entries() {
        let own = choice(&entry.name, &[]);
        let wanted = match entry.kind {
            Kind::AppServer => served_by(own),
            Kind::FrontEnd => variant(Some(choice("gunicorn", &[])), Some(own), "tcp"),
            Kind::Service | Kind::Supervisor => continue,
        };
        let Ok(composition) = machine.compose(&wanted, &demo.app) else {
            continue; // it is for other apps
        };
        let place = testkit::temp_dir();
        let deployed = match stack::deploy(&composition, place.path(), 8000) {
            Ok(deployed) => deployed,
            Err(error @ StackError::Template { .. }) => panic!("{error}"),
            Err(_) => continue, // it is not installed
        };
        let mut programs = deployed.programs.iter();
        let first = programs.find(|program| program.listen == deployed.address);
        let first = first.unwrap();
        let templates = deployed.templates.iter().map(|file| {
            let template = place.path().join(Deployed::template(file));
            fs::read_to_string(template).unwrap()
        });
        let templates: String = templates.collect();
        let said = format!("{:?} {:?} {templates}", first.argv, first.env);
        assert!(said.contains(Deployed::PORT), "{}: {said}", entry.name);
        for after in deployed.behind() {
            let mark = Deployed::port(after);
            assert!(said.contains(&mark), "{}: {said}", entry.name);
            let own = deployed.first + after;
            assert!(!said.contains(&format!(":{own}")), "{own}: {said}");
        }
        told.push(entry.name.clone());
    }
    for wanted in ["apache", "gunicorn", "haproxy", "lighttpd", "nginx"] {
        assert!(told.iter().any(|name| name == wanted), "{wanted}: {told:?}");
    }
}

#[test]
fn a_server_that_computes_with_its_address_is_named() {
    let machine = machine(catalogue_with("beside.toml", BESIDE));
    let demo = wsgi(HELLO);
    let variant = served_by(choice("beside", &[]));
    let composition = machine.compose(&variant, &demo.app).unwrap();
    let place = testkit::temp_dir();
    let error = stack::deploy(&composition, place.path(), 8000).unwrap_err();
    assert!(matches!(error, StackError::Template { .. }), "{error}");
    let told = error.to_string();
    for words in ["`beside`", "argv", "computes with the host or the port"] {
        assert!(told.contains(words), "{told}");
    }
}
