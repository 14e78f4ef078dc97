//! Apps in folders whose names mean something to a shell, or to the language of a configuration.

use std::fs;
use std::path::Path;

use crate::support::{self, HELLO, choice, composed, options, variant};
use record::{App, Choice, Route, StaticSite};

/// What a path may hold: all that is no `/` and no end of the text.
const NAMES: [&str; 25] = [
    "with space",
    "-leading-dash",
    "$uri",
    "${HOME}",
    "%d",
    "%{REQUEST_URI}",
    "a\"double",
    "a'single",
    "a`back`tick",
    "back\\slash",
    "new\nline",
    "tab\there",
    "#hash",
    "semi;colon",
    "{braces}",
    "[brackets]",
    "(parens)",
    "<angles>&amp;",
    "star*",
    "question?mark",
    "pipe|and&",
    "colon:equals=",
    "umlaut-ä-漢字-🦀",
    "\u{202e}turned",
    "!bang~tilde",
];

/// An app of this folder, with a file that a front end serves from there.
fn app_in(folder: &Path) -> App {
    let files = folder.join("static");
    fs::create_dir_all(&files).unwrap();
    fs::write(folder.join("hello.py"), HELLO).unwrap();
    fs::write(files.join("hello.html"), "<h1>Hello from a file</h1>\n").unwrap();
    let site = StaticSite {
        dir: files,
        url: "/static/".into(),
    };
    let any = support::wsgi("").app;
    App {
        dir: folder.to_owned(),
        site: Some(site),
        routes: vec![Route::get("/"), Route::get("/static/hello.html")],
        ..any
    }
}

/// Serves it through a front end, and compares what comes with what the app server alone says.
fn serve(app: &App, server: Choice, front: &str) {
    let composition = composed(&variant(Some(server), Some(Choice::of(front)), "tcp"), app);
    let mut running = stack::start(&composition, &options()).unwrap_or_else(|error| {
        panic!(
            "{}: {front}: {error}\n{:#?}",
            app.dir.display(),
            error.log_tail()
        )
    });
    let reference = running.reference().unwrap();
    let compared = running.verify(&reference);
    running.stop().unwrap();
    compared.unwrap_or_else(|error| panic!("{}: {front}: {error}", app.dir.display()));
}

#[test]
fn an_app_is_served_whatever_its_folder_is_called() {
    let place = testkit::temp_dir();
    let long = "long".repeat(60);
    for name in NAMES.into_iter().chain([long.as_str()]) {
        let app = app_in(&place.path().join(name));
        serve(&app, choice("gunicorn", &[]), "nginx");
    }
}

#[test]
fn every_front_end_and_server_with_a_configuration_takes_the_worst_name() {
    let place = testkit::temp_dir();
    let worst = "a '\"$uri ${x} %d\\\n#;{}<&>";
    let app = app_in(&place.path().join(worst));
    for front in ["apache", "caddy", "h2o", "haproxy", "lighttpd", "varnish"] {
        serve(&app, choice("gunicorn", &[]), front);
    }
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/catalogue/bin/python");
    assert!(
        all.exists(),
        "`{}` is missing: run `make deps`",
        all.display()
    );
    let app = App {
        python: Some(std::path::absolute(all).unwrap()),
        ..app
    };
    for server in [
        "uwsgi",
        "cheroot",
        "gevent",
        "granian",
        "waitress",
        "hypercorn",
        "apache-fcgid",
        "lighttpd-spawn",
    ] {
        serve(&app, choice(server, &[]), "nginx");
    }
}

/// Its interpreter may lie there too, and is then found there.
#[test]
fn an_interpreter_below_an_odd_folder_is_used() {
    let place = testkit::temp_dir();
    let folder = place.path().join("it's $x");
    let app = app_in(&folder);
    let environment = support::python();
    let environment = environment.parent().and_then(Path::parent).unwrap();
    std::os::unix::fs::symlink(environment, folder.join(".venv")).unwrap();
    let python = stack::app::interpreter(&folder, Some(&folder.join(".venv/bin/python"))).unwrap();
    let app = App {
        python: Some(python),
        ..app
    };
    serve(&app, choice("gunicorn", &[]), "nginx");
}
