//! Links whose connections the server opens: whom they join, in which order they start, what is refused.

use std::time::Duration;

use crate::support::{
    HELLO, Served, all_gone, catalogue_with, choice, machine, options, started_on, text, variant,
    wsgi,
};
use record::{App, Choice, Interface, Link, Variant};
use stack::{Machine, Options, StackError, Workspace};

/// A server that only dials in, once it has an address, as Swiftiply's clients do; one request, one answer.
const DIALLER: &str = r#"
name = "dialler"
kind = "app-server"
title = "a server that only dials in"
home = "https://example.org"
runs = ["wsgi"]
listens = { swiftiply = ["tcp"] }
argv = ["{{ python }}", "{{ folder }}/dial.py", "{{ listen.host }}", "{{ listen.port }}"]

[stop]
signal = "TERM"
grace = 2

[find]
version = { argv = ["{{ python }}", "--version"], pattern = 'Python (\S+)' }

[knobs.mood]
type = "choice"
choices = ["willing", "broken", "stubborn"]
default = "willing"
help = "whether it works"
source = "here"

[[files]]
path = "dial.py"
template = '''
import socket, sys, time
if "{{ knobs.mood }}" == "broken":
    sys.exit("no dial tone")
while True:
    # It is not patient: nobody there, and it ends.
    line = socket.create_connection((sys.argv[1], int(sys.argv[2])))
    line.sendall(b"swiftclient7f0000010bb800")
    heard = b""
    while piece := line.recv(4096):
        heard += piece
        if heard.endswith(b"\r\n\r\n"):
            body = b"" if heard.startswith(b"HEAD ") else b"hello"
            line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + body)
            heard = b""
    if "{{ knobs.mood }}" != "stubborn":
        break
    time.sleep(0.05)
'''
"#;

fn exchange() -> Machine {
    machine(catalogue_with("dialler.toml", DIALLER))
}

fn dialled(server: Choice, instances: u32) -> Variant {
    let server = Choice {
        instances,
        ..server
    };
    let link = "swiftiply";
    variant(Some(server), Some(choice("dial-in", &[])), link)
}

/// The app, with a place where what Go has compiled is kept from test to test.
fn served() -> Served {
    let mut demo = wsgi(HELLO);
    let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/go");
    demo.app.env.insert("GOCACHE".into(), cache.into());
    demo
}

#[test]
fn a_server_that_only_dials_in_starts_after_its_front_end_and_answers_through_it() {
    let demo = served();
    let variant = dialled(choice("dialler", &[]), 3);
    let mut running = started_on(&exchange(), &variant, &demo.app);
    let programs = running.programs();
    assert_eq!(programs.len(), 4);
    assert!(
        programs[1..]
            .iter()
            .all(|it| it.listen == programs[1].listen),
        "they dial one address"
    );
    assert_ne!(programs[0].listen, programs[1].listen);
    let pids = running.processes().into_iter().map(|(pid, _)| pid);
    let pids: Vec<_> = pids.collect();
    running.check_alive().unwrap();
    let reference = running.reference().unwrap();
    let verified = running.verify(&reference).unwrap();
    assert_eq!(verified.body_bytes, 5);
    running.stop().unwrap();
    assert!(all_gone(&pids), "{pids:?}");
}

#[test]
fn one_that_never_dials_is_named_with_its_log() {
    let demo = served();
    let variant = dialled(choice("dialler", &[("mood", text("broken"))]), 2);
    let composition = exchange().compose(&variant, &demo.app).unwrap();
    let error = stack::start(&composition, &options()).unwrap_err();
    assert!(matches!(error, StackError::Exited { .. }), "{error}");
    let words = error.to_string();
    assert!(words.starts_with("`dialler` ended with code 1"), "{words}");
    assert!(words.ends_with("no dial tone"), "{words}");
}

#[test]
fn one_that_is_turned_away_is_told_why() {
    let demo = served();
    let server = choice("dialler", &[("mood", text("stubborn"))]);
    let front = choice("dial-in", &[("key", text("sesame"))]);
    let variant = variant(Some(server), Some(front), "swiftiply");
    let composition = exchange().compose(&variant, &demo.app).unwrap();
    let mut said = Vec::new();
    // on a busy machine it takes long to dial, and all of the time is waited for
    let told = [1, 5, 15].into_iter().any(|seconds| {
        let options = Options {
            ready_timeout: Duration::from_secs(seconds),
            ..options()
        };
        let error = stack::start(&composition, &options).unwrap_err();
        // It may be seen in the moment in which it has dialled: then it is the front end that never answers.
        let text = format!("{error}\n{}", error.log_tail().join("\n"));
        let is_told = text.contains("a server was turned away: it has another key");
        said.push(text);
        is_told
    });
    assert!(told, "{said:?}");
}

fn rack() -> App {
    App {
        interface: Interface::Rack,
        entry: "config.ru".into(),
        ..wsgi(HELLO).app
    }
}

#[test]
fn who_can_listen_as_well_is_asked_that_way_where_nobody_can_be_dialled() {
    let thin = || Some(choice("thin", &[]));
    let machine = exchange();
    let link = |front: &str, asked: &str| {
        let variant = variant(thin(), Some(choice(front, &[])), asked);
        let composition = machine.compose(&variant, &rack())?;
        let programs = stack::render(&composition, &Workspace::preview(&composition)?)?;
        let argv = programs[1].argv.join(" ");
        Ok::<_, StackError>((composition.parts[1].spoken.words(), argv))
    };
    let (words, argv) = link("dial-in", "").unwrap();
    assert_eq!(words, "Swiftiply over TCP");
    assert!(argv.contains("--port 8001 --swiftiply="), "{argv}");
    let (words, argv) = link("dial-in", "http1").unwrap();
    assert_eq!(words, "HTTP/1 over TCP");
    assert!(!argv.contains("--swiftiply"), "{argv}");
    let (words, argv) = link("nginx", "").unwrap();
    assert_eq!(words, "HTTP/1 over TCP");
    assert!(!argv.contains("--swiftiply"), "{argv}");
}

#[test]
fn nobody_to_dial_is_a_reason() {
    let machine = exchange();
    let (thin, rack) = (choice("thin", &[]), rack());
    let (dialler, wsgi) = (choice("dialler", &[]), wsgi(HELLO).app);
    let nginx = || Some(choice("nginx", &[]));
    let cases = [
        (
            &thin,
            &rack,
            nginx(),
            "swiftiply",
            "`nginx` cannot be dialled, and `thin` dials in",
        ),
        (
            &thin,
            &rack,
            None,
            "swiftiply",
            "`thin` dials in to a front end, and there is none",
        ),
        (
            &dialler,
            &wsgi,
            nginx(),
            "",
            "`nginx` cannot be dialled, and `dialler` dials in",
        ),
        (
            &dialler,
            &wsgi,
            None,
            "",
            "`dialler` dials in to a front end, and there is none",
        ),
    ];
    for (server, app, front, link, why) in cases {
        let variant = variant(Some(server.clone()), front, link);
        let error = machine.compose(&variant, app).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("variant `variant` cannot be served: {why}")
        );
        assert_eq!(
            error.hint().unwrap(),
            "front ends that can be dialled: dial-in"
        );
    }
    // Who listens only is told what the other speaks.
    let server = choice("ruby-fcgi", &[]);
    let variant = variant(Some(server), Some(choice("dial-in", &[])), "");
    let error = machine.compose(&variant, &rack).unwrap_err().to_string();
    let speaks = "`dial-in` speaks HTTP/1 (tcp), Swiftiply (tcp, dialled by the server)";
    assert!(
        error.contains("`ruby-fcgi` listens to ") && error.ends_with(&format!("; {speaks}")),
        "{error}"
    );
    assert_eq!(
        "swiftiply+tcp".parse::<Link>().unwrap().to_string(),
        "swiftiply+tcp"
    );
}

#[test]
fn a_front_end_that_dials_is_a_flaw() {
    let front = DIALLER
        .replace("kind = \"app-server\"", "kind = \"front-end\"")
        .replace(
            "runs = [\"wsgi\"]",
            "runs = []\nspeaks = { http1 = [\"tcp\"] }",
        );
    let error = catalogue_with("dialler.toml", &front).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a front end is dialled, and does not dial"),
        "{error}"
    );
}
