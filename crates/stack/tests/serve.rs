//! Real servers, started, verified and stopped.

use std::path::Path;

use crate::support::{
    self, HELLO, all_gone, app, choice, gunicorn, served_by, start, text, variant, wsgi,
};
use record::{Interface, Knob, Route, Target};

fn folder_of(running: &stack::Running<'_>) -> std::path::PathBuf {
    running.programs()[0].log.parent().unwrap().to_owned()
}

/// Starts, verifies and stops a variant; nothing of it may be left.
fn whole_life(variant: &record::Variant, app: &record::App) -> record::StackFacts {
    let mut running =
        start(variant, app).unwrap_or_else(|error| panic!("{error}\n{:#?}", error.log_tail()));
    let folder = folder_of(&running);
    let pids: Vec<_> = running
        .processes()
        .into_iter()
        .map(|(pid, _)| pid)
        .collect();
    let reference = running.reference().unwrap();
    let verified = running.verify(&reference).unwrap();
    assert_eq!((verified.status, verified.body_compared), (200, None));
    running.check_alive().unwrap();
    let facts = running.stop().unwrap();
    assert!(all_gone(&pids), "{pids:?}");
    assert!(!folder.exists(), "{}", folder.display());
    facts
}

#[test]
fn gunicorn_alone() {
    let demo = wsgi(HELLO);
    let facts = whole_life(&gunicorn(), &demo.app);
    let server = &facts.servers[0];
    assert_eq!(server.keeps, Some(false), "a worker of class sync closes");
    assert_eq!(
        (facts.servers.len(), server.entry.as_str()),
        (1, "gunicorn")
    );
    assert!(
        server.version.starts_with(|c: char| c.is_ascii_digit()),
        "{}",
        server.version
    );
    assert!(
        server
            .log_tail
            .iter()
            .any(|line| line.contains("Starting gunicorn")),
        "{:?}",
        server.log_tail
    );
    assert_eq!(facts.verified.reference, "gunicorn alone");
    assert_eq!(facts.verified.body_bytes, 26);
    assert!(facts.ready_after > 0.0);
}

#[test]
fn gunicorn_with_every_worker_class() {
    let demo = wsgi(HELLO);
    for class in ["sync", "gthread", "gevent", "tornado"] {
        let knobs = [
            ("worker-class", text(class)),
            ("workers", text("cores")),
            ("threads", Knob::Number(2)),
        ];
        whole_life(&served_by(choice("gunicorn", &knobs)), &demo.app);
    }
}

#[test]
fn gunicorn_loads_asgi_with_its_own_worker_class() {
    let source = r#"
async def app(scope, receive, send):
    if scope["type"] != "http":
        raise NotImplementedError(scope["type"])
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"hi"})
"#;
    let demo = app(source, Interface::Asgi);
    let facts = whole_life(&gunicorn(), &demo.app);
    assert!(
        facts.servers[0]
            .knobs
            .contains(&("worker-class".into(), text("asgi")))
    );
}

#[test]
fn flask_dev_on_both_transports() {
    let source = "from flask import Flask\napp = Flask(__name__)\n@app.get('/')\ndef page():\n    return 'hi'\n";
    let mut demo = wsgi(source);
    demo.app.frameworks = vec!["flask".into()];
    whole_life(&served_by(choice("flask-dev", &[])), &demo.app);
    whole_life(
        &variant(
            Some(choice("flask-dev", &[("threaded", Knob::Switch(false))])),
            Some(choice("nginx", &[])),
            "unix",
        ),
        &demo.app,
    );
}

#[test]
fn nginx_serves_files_alone() {
    let mut demo = wsgi(HELLO);
    demo.app.routes = vec![Route::get("/"), Route::get("/static/hello.html")];
    let page = "/static/hello.html".to_owned();
    demo.app.routes[1]
        .expect_headers
        .insert("content-type".into(), Some("text/html".into()));
    let variant = record::Variant {
        route: page,
        ..variant(None, Some(choice("nginx", &[])), "tcp")
    };
    let facts = whole_life(&variant, &demo.app);
    assert_eq!(facts.verified.requests, 1, "only the file is there");
    assert!(facts.verified.reference.starts_with("file "));
    assert_eq!(facts.servers[0].files[0].path, "nginx/nginx.conf");
    assert_eq!(facts.servers[0].files[0].sha256.len(), 64);
}

#[test]
fn nginx_in_front_over_tcp_and_unix() {
    let mut demo = wsgi(HELLO);
    demo.app.routes.push(Route::get("/static/hello.html"));
    for link in ["tcp", "unix"] {
        for keepalive in [0, 8] {
            let front = choice("nginx", &[("upstream-keepalive", Knob::Number(keepalive))]);
            let server = choice(
                "gunicorn",
                &[
                    ("worker-class", text("gthread")),
                    ("threads", Knob::Number(2)),
                ],
            );
            let facts = whole_life(&variant(Some(server), Some(front), link), &demo.app);
            let entries: Vec<_> = facts
                .servers
                .iter()
                .map(|server| server.entry.as_str())
                .collect();
            assert_eq!(
                entries,
                ["nginx", "gunicorn"],
                "from the client's side inwards"
            );
            assert!(matches!(facts.address, Target::Tcp(_)));
            assert_eq!(facts.verified.requests, 2);
            let behind = &facts.servers[1];
            let joined = behind.link.unwrap().to_string();
            assert_eq!(joined, format!("http+{link}"));
            assert_eq!(behind.keeps, Some(true));
        }
    }
}

#[test]
fn what_changes_from_answer_to_answer_is_masked_or_not_compared() {
    let mut demo = wsgi(HELLO);
    demo.app.routes.push(Route::get("/ticket"));
    let mut running = start(&gunicorn(), &demo.app).unwrap();
    let reference = running.reference().unwrap();
    let verified = running.verify(&reference).unwrap();
    assert!(
        verified
            .body_compared
            .unwrap()
            .contains("`/ticket` differs between two responses")
    );
    running.stop().unwrap();

    demo.app.routes[1].dynamic = vec!["ticket [0-9a-f]+".into()];
    whole_life(&gunicorn(), &demo.app);
}

#[test]
fn a_stack_that_answers_differently_is_found_out() {
    let mut demo = wsgi(HELLO);
    let reference = {
        let running = start(&gunicorn(), &demo.app).unwrap();
        let reference = running.reference().unwrap();
        running.stop().unwrap();
        reference
    };
    std::fs::write(
        demo.dir.path().join("hello.py"),
        HELLO.replace("<p>you</p>", "<p>someone</p>"),
    )
    .unwrap();
    let mut running = start(&gunicorn(), &demo.app).unwrap();
    let error = running.verify(&reference).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`GET /` gets a wrong response: the body differs from the reference at line 2, column 4"
    );
    assert_eq!(
        error.log_tail(),
        ["  <h1>Hello</h1>", "- <p>you</p>", "+ <p>someone</p>"]
    );
    assert_eq!(error.step(), record::Step::Verify);
    drop(running);

    demo.app.routes[0]
        .expect_headers
        .insert("x-frame-options".into(), None);
    let running = start(&gunicorn(), &demo.app).unwrap();
    let error = running.reference().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`GET /` gets a wrong response: header `x-frame-options` is missing"
    );
}

#[test]
fn the_environment_reaches_the_app_and_hidden_settings_do_not() {
    let source = r#"
import os
def app(environ, start_response):
    body = (os.environ["GREETING"] + os.environ.get("WEB_CONCURRENCY", " none")).encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
"#;
    let mut demo = wsgi(source);
    demo.app.env.insert("GREETING".into(), "hello".into());
    demo.app.routes[0].contains = vec!["hello none".into()];
    // A user's own configuration file is kept out: this one would change the answer's port.
    std::fs::write(
        demo.dir.path().join("gunicorn.conf.py"),
        "raise SystemExit('must not be read')\n",
    )
    .unwrap();
    whole_life(&gunicorn(), &demo.app);
}

/// The repository's own app, whose setup writes: in a copy of its own.
fn guestbook() -> (testkit::TempDir, record::App) {
    let origin = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../apps/guestbook");
    let copy = testkit::temp_dir();
    for part in ["app.toml", "guestbook"] {
        copy_all(&origin.join(part), &copy.path().join(part));
    }
    let app = stack::app::read(copy.path(), Some(&support::python())).unwrap();
    (copy, app)
}

fn copy_all(from: &Path, to: &Path) {
    if !from.is_dir() {
        std::fs::copy(from, to).unwrap();
        return;
    }
    std::fs::create_dir(to).unwrap();
    for item in std::fs::read_dir(from).unwrap() {
        let item = item.unwrap();
        copy_all(&item.path(), &to.join(item.file_name()));
    }
}

#[test]
fn the_guestbook_is_the_same_behind_every_stack() {
    let (_copy, app) = guestbook();
    stack::setup(&app, &support::guard(), &support::CALM).unwrap();
    let cores = || choice("gunicorn", &[("workers", text("cores"))]);
    let nginx = || Some(choice("nginx", &[]));
    let reference = {
        let running = start(&gunicorn(), &app).unwrap();
        let reference = running.reference().unwrap();
        running.stop().unwrap();
        reference
    };
    for variant in [
        served_by(choice("flask-dev", &[])),
        served_by(cores()),
        variant(Some(cores()), nginx(), "tcp"),
        variant(Some(cores()), nginx(), "unix"),
    ] {
        let mut running = start(&variant, &app)
            .unwrap_or_else(|error| panic!("{error}\n{:#?}", error.log_tail()));
        let verified = running
            .verify(&reference)
            .unwrap_or_else(|error| panic!("{error}\n{:#?}", error.log_tail()));
        assert_eq!(
            (verified.requests as usize, verified.body_compared),
            (app.routes.len(), None)
        );
        running.stop().unwrap();
    }
    let page = record::Variant {
        route: "/static/hello.html".into(),
        ..variant(None, nginx(), "tcp")
    };
    whole_life(&page, &app);
}
