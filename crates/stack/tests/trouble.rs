//! Apps and machines that misbehave: one clear error each, and nothing left behind.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::support::{
    self, HELLO, app, catalogue_with, choice, composed, gunicorn, machine, options, served_by,
    start, text, variant, wsgi,
};
use record::{App, Interface, Route, Step};
use stack::{Options, StackError};

/// The error of a start that must fail.
fn failure(source: &str, limit: Duration) -> StackError {
    let demo = wsgi(source);
    let options = Options {
        ready_timeout: limit,
        ..options()
    };
    stack::start(&composed(&gunicorn(), &demo.app), &options)
        .expect_err("this app cannot be served")
}

const LONG: Duration = Duration::from_mins(2);

#[test]
fn an_app_that_does_not_import() {
    let error = failure("import nowhere_to_be_found\n", LONG);
    assert_eq!(
        error.to_string(),
        "`gunicorn` ended with code 3 before it was ready: \
         ModuleNotFoundError: No module named 'nowhere_to_be_found'"
    );
    assert_eq!(error.step(), Step::Ready);
    assert!(!error.log_tail().is_empty());
    assert_eq!(error.failure().error, error.to_string());
}

#[test]
fn an_app_that_crashes_after_start() {
    let source = "import os, signal\ndef app(environ, start_response):\n    os.kill(os.getppid(), signal.SIGKILL)\n";
    let error = failure(source, LONG);
    assert!(
        error
            .to_string()
            .starts_with("`gunicorn` was ended by signal 9 before it was ready"),
        "{error}"
    );
}

#[test]
fn an_app_that_answers_500_for_ever() {
    let source = "def app(environ, start_response):\n    raise ValueError('no luck')\n";
    let error = failure(source, LONG);
    assert_eq!(
        error.to_string(),
        "`gunicorn` answers `GET /` with status 500 (`Internal Server Error`), expected 200; \
         it logged: ValueError: no luck"
    );
    assert!(
        error
            .log_tail()
            .iter()
            .any(|line| line == "ValueError: no luck"),
        "{:?}",
        error.log_tail()
    );
    assert!(error.hint().is_some());
}

#[test]
fn an_app_that_never_becomes_ready() {
    let source =
        "import threading\ndef app(environ, start_response):\n    threading.Event().wait()\n";
    let mut said = Vec::new();
    // on a busy machine it takes a server long to listen, and all of the time is waited for
    let told = [2, 6, 18].into_iter().any(|seconds| {
        let error = failure(source, Duration::from_secs(seconds));
        assert_eq!(error.step(), Step::Ready);
        let wanted = format!("`gunicorn` was not ready after {seconds} s: no response in time");
        said.push(error.to_string());
        said.last() == Some(&wanted)
    });
    assert!(told, "{said:?}");
}

#[test]
fn an_app_that_ends_while_it_serves() {
    let demo = wsgi(HELLO);
    let mut running = start(&gunicorn(), &demo.app).unwrap();
    let (pid, _) = running.processes()[0].clone();
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    let mut died = None;
    assert!(testkit::eventually(LONG, || {
        died = running.check_alive().err();
        died.is_some()
    }));
    let died = died.unwrap();
    assert!(
        died.to_string()
            .starts_with("`gunicorn` was ended by signal 9 while it should have served"),
        "{died}"
    );
    assert_eq!(died.step(), Step::Load);
    running.stop().unwrap();
}

#[test]
fn an_interrupt_ends_every_wait() {
    static PRESSED: AtomicBool = AtomicBool::new(true);
    let demo = wsgi(HELLO);
    let options = Options {
        interrupted: &PRESSED,
        ..options()
    };
    let error = stack::start(&composed(&gunicorn(), &demo.app), &options).unwrap_err();
    assert!(matches!(error, StackError::Interrupted), "{error}");
}

/// A port that somebody holds, whichever is asked for.
fn taken(count: usize) -> std::io::Result<Vec<SocketAddr>> {
    static HOLDER: OnceLock<TcpListener> = OnceLock::new();
    let holder = HOLDER.get_or_init(|| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap());
    Ok(vec![holder.local_addr()?; count])
}

/// Three ports in a row were somebody else's, and that is what is said.
fn finds_its_port_taken(entry: &str, app: &App) {
    let options = Options {
        ports: &taken,
        ..options()
    };
    let composed = composed(&served_by(choice(entry, &[])), app);
    let error = stack::start(&composed, &options).unwrap_err();
    let StackError::AddressInUse {
        attempts: 3,
        address,
        ..
    } = &error
    else {
        panic!("{entry}: {error}")
    };
    assert_eq!(*address, taken(1).unwrap()[0].to_string());
    assert_eq!(error.step(), Step::Start);
}

#[test]
fn a_port_taken_between_choosing_and_binding_for_good() {
    let demo = wsgi("from flask import Flask\napp = Flask(__name__)\n");
    for entry in ["gunicorn", "flask-dev"] {
        let mut app = demo.app.clone();
        app.frameworks = vec!["flask".into()];
        finds_its_port_taken(entry, &app);
    }
}

/// Programs that express wrote for their users have words of their own for it, and others have none.
#[test]
fn a_port_taken_is_known_whatever_the_app_says_of_it() {
    let demo = app("", Interface::Program);
    let app = App {
        entry: "node server.js".into(),
        frameworks: vec!["node".into()],
        site: None,
        ..demo.app
    };
    for words in ["`Port ${process.env.PORT} is already in use`", "'bye'"] {
        let program = format!(
            "const server = require('http').createServer((_, answer) => answer.end('hello'))\n\
             server.on('error', () => {{ console.error({words}); process.exit(1) }})\n\
             server.listen(process.env.PORT, '127.0.0.1')\n"
        );
        std::fs::write(demo.dir.path().join("server.js"), program).unwrap();
        for entry in ["node", "command"] {
            finds_its_port_taken(entry, &app);
        }
    }
}

#[test]
fn a_port_taken_once_is_chosen_again() {
    static ASKED: AtomicBool = AtomicBool::new(false);
    fn first_taken(count: usize) -> std::io::Result<Vec<SocketAddr>> {
        if ASKED.swap(true, std::sync::atomic::Ordering::Relaxed) {
            let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            return Ok(vec![free.local_addr()?; count]);
        }
        taken(count)
    }
    let demo = wsgi(HELLO);
    let file = "/static/hello.html";
    let mut app = demo.app.clone();
    app.routes = vec![Route::get(file)];
    let nginx = record::Variant {
        route: file.into(),
        ..variant(None, Some(choice("nginx", &[])), "tcp")
    };
    let options = Options {
        ports: &first_taken,
        ..options()
    };
    stack::start(&composed(&nginx, &app), &options)
        .unwrap()
        .stop()
        .unwrap();
    assert!(ASKED.load(std::sync::atomic::Ordering::Relaxed));
}

/// A server that listens nowhere, while a stranger answers right on its address.
#[test]
fn somebody_else_who_answers_right_is_not_ours() {
    static STRANGER: OnceLock<SocketAddr> = OnceLock::new();
    fn the_strangers(count: usize) -> std::io::Result<Vec<SocketAddr>> {
        let address = STRANGER.get().ok_or(std::io::ErrorKind::NotFound)?;
        Ok(vec![*address; count])
    }
    const IDLE: &str = r#"
name = "idle"
kind = "app-server"
title = "listens nowhere"
home = "none"
runs = ["wsgi"]
listens = { http1 = ["tcp"] }
argv = ["{{ python }}", "-c", "import threading; threading.Event().wait()"]
stop = { signal = "TERM", grace = 1 }
find = { version = { argv = ["{{ python }}", "--version"], pattern = '(\d[\d.]*)' } }
"#;
    let demo = wsgi(HELLO);
    let other = start(&gunicorn(), &demo.app).unwrap();
    let record::Target::Tcp(address) = *other.address() else {
        panic!("gunicorn alone listens on TCP")
    };
    STRANGER.set(address).unwrap();
    let machine = machine(catalogue_with("idle.toml", IDLE));
    let idle = machine
        .compose(&served_by(choice("idle", &[])), &demo.app)
        .unwrap();
    let options = Options {
        ports: &the_strangers,
        ..options()
    };
    let error = stack::start(&idle, &options).unwrap_err();
    assert!(
        error
            .to_string()
            .contains(&format!("answers on `{address}` in place of `idle`")),
        "{error}"
    );
    // its master, with which its workers end
    let hint = error.hint().unwrap();
    assert!(hint.starts_with("`kill "), "{hint}");
    assert!(!hint.contains("KILL"), "{hint}");
    other.stop().unwrap();
}

#[test]
fn what_a_worker_class_needs_is_named_before_anything_starts() {
    let mut demo = wsgi(HELLO);
    // An interpreter of its own without any package but the ones of gunicorn.
    let bare = demo.dir.path().join("bare");
    let python = support::python();
    let script = "import sys\nsys.modules['tornado'] = None\nimport runpy\n\
         sys.argv = sys.argv[1:]\n\
         if sys.argv[0] == '-m':\n    sys.argv = sys.argv[1:]\n    runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)\n\
         else:\n    exec(sys.argv[1])\n";
    std::fs::write(demo.dir.path().join("bare.py"), script).unwrap();
    let launcher = format!(
        "#!/bin/sh\nexec {} {}/bare.py \"$@\"\n",
        python.display(),
        demo.dir.path().display()
    );
    std::fs::write(&bare, launcher).unwrap();
    testkit::executable(&bare);
    demo.app.python = Some(bare.clone());
    let tornado = served_by(choice("gunicorn", &[("worker-class", text("tornado"))]));
    let error = start(&tornado, &demo.app).unwrap_err();
    assert!(
        error.to_string().starts_with(
            "`gunicorn` cannot be started: tornado for worker class `tornado` is missing"
        ),
        "{error}"
    );
    assert_eq!(
        error.hint().unwrap(),
        format!("install it: {} -m pip install tornado", bare.display())
    );
}

#[test]
fn a_server_that_is_not_there() {
    let mut demo = wsgi(HELLO);
    demo.app.python = Some("/usr/bin/false".into());
    let error = start(&gunicorn(), &demo.app).unwrap_err();
    assert!(matches!(error, StackError::Missing { .. }), "{error}");
    assert_eq!(error.step(), Step::Start);
}
