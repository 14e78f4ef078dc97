//! Before anything starts: apps read and found, entries read, stages composed or refused.

mod support;

use std::path::{Path, PathBuf};

use record::{App, Choice, Interface, Knob, Route, Transport};
use stack::{Catalogue, Composition, StackError, State, Workspace};
use support::{HELLO, choice, gunicorn, python, served_by, stage, text, wsgi};

fn built_in() -> Catalogue {
    Catalogue::load(&[]).unwrap()
}

fn refused(stage: &record::Stage, app: &App) -> (String, String) {
    let error = stack::compose(stage, app, &built_in()).unwrap_err();
    (error.to_string(), error.hint().unwrap())
}

fn with_knob(name: &str, value: Knob) -> record::Stage {
    served_by(choice("gunicorn", &[(name, value)]))
}

#[test]
fn knobs_are_checked_by_name_type_and_range() {
    let demo = wsgi(HELLO);
    let (error, hint) = refused(&with_knob("worker", Knob::Number(1)), &demo.app);
    assert_eq!(error, "knob `worker` of `gunicorn`: there is no such knob");
    assert_eq!(hint, "did you mean `workers`?");
    let (error, hint) = refused(&with_knob("workers", Knob::Number(0)), &demo.app);
    assert_eq!(
        error,
        "knob `workers` of `gunicorn`: 0 is out of range: 1 to 256 processes"
    );
    assert_eq!(hint, "the nearest value allowed is 1");
    let (error, _) = refused(&with_knob("workers", Knob::Switch(true)), &demo.app);
    assert_eq!(
        error,
        "knob `workers` of `gunicorn`: `true` is not 1 to 256 processes"
    );
    let (error, hint) = refused(&with_knob("worker-class", text("gevnet")), &demo.app);
    assert!(
        error.ends_with("`gevnet` is not one of sync, gthread, gevent, tornado, asgi"),
        "{error}"
    );
    assert_eq!(hint, "did you mean `gevent`?");
    let (error, _) = refused(&with_knob("workers", text("2 * kores")), &demo.app);
    assert!(error.contains("is not a formula over `cores`"), "{error}");
    let (error, _) = refused(&with_knob("preload", Knob::Number(1)), &demo.app);
    assert!(error.ends_with("`1` is not true or false"), "{error}");
}

#[test]
fn formulas_use_the_cores_of_this_process() {
    let demo = wsgi(HELLO);
    let composition = stack::compose(
        &with_knob("workers", text("2*cores+1")),
        &demo.app,
        &built_in(),
    )
    .unwrap();
    let cores = std::thread::available_parallelism().unwrap().get();
    let cores = i64::try_from(cores).unwrap();
    assert_eq!(
        composition.parts[0].knobs["workers"],
        Knob::Number(2 * cores + 1)
    );
    assert_eq!(
        composition.parts[0].knobs["threads"],
        Knob::Number(1),
        "defaults are there too"
    );
}

#[test]
fn what_cannot_work_is_refused_with_a_reason() {
    let demo = wsgi(HELLO);
    let (error, hint) = refused(&served_by(choice("gunicron", &[])), &demo.app);
    assert_eq!(
        (error.as_str(), hint.as_str()),
        ("unknown app server `gunicron`", "did you mean `gunicorn`?")
    );
    let (error, hint) = refused(&served_by(choice("nginx", &[])), &demo.app);
    assert_eq!(
        (error.as_str(), hint.as_str()),
        ("unknown app server `nginx`", "`nginx` is a known front end")
    );
    let (error, _) = refused(&stage(None, None, Transport::Tcp), &demo.app);
    assert!(
        error.ends_with("it names neither an app server nor a front end"),
        "{error}"
    );
    let (error, _) = refused(&served_by(choice("flask-dev", &[])), &demo.app);
    assert!(error.contains("serves flask apps only"), "{error}");
    let (error, hint) = refused(&with_knob("worker-class", text("asgi")), &demo.app);
    assert!(
        error.contains("worker class `asgi` loads ASGI apps"),
        "{error}"
    );
    assert!(hint.contains("gthread"), "{hint}");

    let asgi = App {
        interface: Interface::Asgi,
        frameworks: vec!["flask".into()],
        ..demo.app.clone()
    };
    let (error, hint) = refused(&served_by(choice("flask-dev", &[])), &asgi);
    assert!(
        error.contains("`flask-dev` cannot load asgi apps"),
        "{error}"
    );
    assert_eq!(hint, "app servers that can: gunicorn");

    let lost = record::Stage {
        route: "/stat".into(),
        ..gunicorn()
    };
    let (error, hint) = refused(&lost, &demo.app);
    assert!(error.contains("has no route `/stat`"), "{error}");
    assert_eq!(hint, "routes of the app: /");
}

#[test]
fn a_front_end_alone_needs_files() {
    let demo = wsgi(HELLO);
    let alone = stage(None, Some(choice("nginx", &[])), Transport::Tcp);
    let (error, _) = refused(&alone, &demo.app);
    assert!(
        error.contains("only files below `/static/` are there, and the route is `/`"),
        "{error}"
    );
    let bare = App {
        site: None,
        ..demo.app.clone()
    };
    let (error, _) = refused(&alone, &bare);
    assert!(
        error.contains("`nginx` serves files, and the app declares none"),
        "{error}"
    );
    let front = choice(
        "nginx",
        &[
            ("upstream-keepalive", Knob::Number(4)),
            ("upstream-http-version", text("1.0")),
        ],
    );
    let (error, _) = refused(
        &stage(Some(choice("gunicorn", &[])), Some(front), Transport::Tcp),
        &demo.app,
    );
    assert!(
        error.contains("`upstream-keepalive` needs HTTP/1.1"),
        "{error}"
    );
}

#[test]
fn a_preview_shows_everything_and_starts_nothing() {
    let demo = wsgi(HELLO);
    let both = stage(
        Some(choice("gunicorn", &[])),
        Some(choice("nginx", &[])),
        Transport::Unix,
    );
    let composition = stack::compose(&both, &demo.app, &built_in()).unwrap();
    let programs = stack::render(&composition, &Workspace::preview(&composition)).unwrap();
    let argv = programs[1].argv.join(" ");
    assert!(
        argv.contains("--bind unix:/tmp/weir-preview/gunicorn.sock"),
        "{argv}"
    );
    assert!(
        argv.contains("--control-socket /tmp/weir-preview/gunicorn/control.sock"),
        "{argv}"
    );
    let conf = &programs[0].files[0].content;
    assert!(
        conf.contains("server unix:/tmp/weir-preview/gunicorn.sock;"),
        "{conf}"
    );
    assert!(
        conf.contains("proxy_http_version 1.0;") && !conf.contains("keepalive 0"),
        "{conf}"
    );
    assert!(!Path::new("/tmp/weir-preview").exists());
    assert!(
        serde_json::to_string(&programs)
            .unwrap()
            .contains("\"argv\"")
    );
}

/// Entries of a user.
fn user_catalogue(name: &str, entry: &str) -> Result<Catalogue, StackError> {
    let folder = testkit::temp_dir();
    std::fs::write(folder.path().join(name), entry).unwrap();
    Catalogue::load(&[folder.path().to_owned()])
}

const MINIMAL: &str = r#"
name = "mine"
kind = "app-server"
title = "mine"
home = "none"
runs = ["wsgi"]
listens = { http1 = ["tcp"] }
argv = ["serve", "{{ listen.address }}"]
stop = { signal = "TERM", grace = 1 }
find = { version = { argv = ["serve", "--version"], pattern = '(\d+)' } }
"#;

#[test]
fn a_users_entry_is_added_or_replaces() {
    let catalogue = user_catalogue("mine.toml", MINIMAL).unwrap();
    assert!(catalogue.entry("mine").is_some() && catalogue.entry("gunicorn").is_some());
    assert_eq!(catalogue.overriding("mine"), None);
    let own = MINIMAL.replace("\"mine\"", "\"gunicorn\"");
    let catalogue = user_catalogue("gunicorn.toml", &own).unwrap();
    assert!(
        catalogue
            .overriding("gunicorn")
            .unwrap()
            .ends_with("gunicorn.toml")
    );
    assert_eq!(catalogue.entry("gunicorn").unwrap().title, "gunicorn");
    assert!(Catalogue::load(&[PathBuf::from("/no/such/folder")]).is_err());
}

#[test]
fn a_wrong_entry_is_named_with_its_line_or_key() {
    let cases = [
        ("colour = 1\n", "unknown field `colour`"),
        (
            "[knobs.size]\ntype = \"integer\"\ndefault = 1\nhelp = \"h\"\nsource = \"s\"\n",
            "knob `size`: an integer needs `min`, `max` and `unit`",
        ),
        (
            "[knobs.on]\ntype = \"boolean\"\ndefault = true\nhelp = \"h\"\nsource = \"s\"\n",
            "knob `on` is used in no template",
        ),
        (
            "env = { A = \"{{ knobs.off }}\" }\n",
            "env: there is no knob `off`",
        ),
        ("env = { A = \"{{ app.name\" }\n", "env: "),
        ("address-in-use = \"(\"\n", "`address-in-use`"),
        (
            "files = [{ path = \"../x\", template = \"\" }]\n",
            "file `../x` must be a plain name",
        ),
        (
            "rungs = [{ name = \"r\", title = \"t\", rank = 1, knobs = { x = 1 } }]\n",
            "rung `r`: knob `x`",
        ),
        (
            "speaks = { http1 = [\"tcp\"] }\n",
            "`speaks` is for front ends",
        ),
    ];
    for (addition, expected) in cases {
        // Keys go before the tables; the minimal entry has none.
        let error = user_catalogue("mine.toml", &format!("{MINIMAL}{addition}"))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("mine.toml`") && error.contains(expected),
            "{addition}: {error}"
        );
        assert!(!error.contains('\n'), "{error}");
    }
    let error = user_catalogue("other.toml", MINIMAL)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("the file must be called `mine.toml`"),
        "{error}"
    );
}

#[test]
fn doctor_finds_what_is_there_and_says_how_to_install_the_rest() {
    let state = |catalogue: &Catalogue, name: &str, python: Option<&Path>| {
        let found = stack::probe(catalogue, python);
        found
            .into_iter()
            .find(|found| found.entry == name)
            .unwrap()
            .state
    };
    let python = python();
    for name in ["gunicorn", "flask-dev", "nginx"] {
        assert!(
            matches!(state(&built_in(), name, Some(&python)), State::Version(_)),
            "{name}"
        );
    }
    let elsewhere = Path::new("/usr/bin/false");
    let State::Missing { install, .. } = state(&built_in(), "gunicorn", Some(elsewhere)) else {
        panic!("no gunicorn there")
    };
    assert_eq!(
        install.as_deref(),
        Some("/usr/bin/false -m pip install gunicorn")
    );
    let catalogue = user_catalogue(
        "mine.toml",
        &format!("{MINIMAL}install = {{ a = \"no-such-tool x\", b = \"sh install.sh\" }}\n"),
    )
    .unwrap();
    let State::Missing { why, install } = state(&catalogue, "mine", None) else {
        panic!("there is no `serve`")
    };
    assert!(why.contains("serve --version"), "{why}");
    assert_eq!(install.as_deref(), Some("sh install.sh"));
}

fn app_toml(text: &str) -> Result<App, StackError> {
    let folder = testkit::temp_dir();
    std::fs::create_dir(folder.path().join("files")).unwrap();
    std::fs::write(folder.path().join("app.toml"), text).unwrap();
    stack::app::read(folder.path(), Some(&python()))
}

const APP: &str = "name = \"a\"\ninterface = \"wsgi\"\nentry = \"a:b\"\n";
const ROUTE: &str = "[[routes]]\npath = \"/\"\n";

#[test]
fn app_toml_is_read_whole() {
    let text = format!(
        "{APP}frameworks = [\"flask\"]\nsetup = [[\"{{{{ python }}}}\", \"seed.py\"]]\nenv = {{ A = \"b\" }}\n\
         [[routes]]\npath = \"/\"\nmethod = \"HEAD\"\nstatus = 302\nexpect-headers = {{ ETag = true, content-type = \"text/html\" }}\n\
         contains = [\"x\"]\ndynamic = [\"[0-9]+\"]\n[site]\ndir = \"files\"\nurl = \"/f/\"\n"
    );
    let app = app_toml(&text).unwrap();
    assert_eq!(
        app.setup,
        [[python().display().to_string(), "seed.py".to_owned()]]
    );
    assert_eq!(app.routes[0].status, 302);
    assert_eq!(app.routes[0].expect_headers["etag"], None);
    assert!(app.site.unwrap().dir.ends_with("files") && app.dir.is_absolute());
}

#[test]
fn a_wrong_app_toml_is_named_with_its_line_or_key() {
    let cases = [
        (
            format!("{APP}colour = 1\n{ROUTE}"),
            "line 4: unknown field `colour`",
        ),
        (
            format!("{APP}{ROUTE}status = \"ok\"\n"),
            "line 6: invalid type",
        ),
        (format!("{APP}routes = []\n"), "`routes` is empty"),
        (
            format!("{APP}[[routes]]\npath = \"x\"\n"),
            "a path begins with `/`",
        ),
        (
            format!("{APP}{ROUTE}dynamic = [\"(\"]\n"),
            "`dynamic` `(` is not a regular expression",
        ),
        (
            format!("{APP}{ROUTE}[site]\ndir = \"files\"\nurl = \"f\"\n"),
            "must begin and end with `/`",
        ),
        (
            format!("{APP}{ROUTE}[site]\ndir = \"gone\"\nurl = \"/f/\"\n"),
            "is no folder",
        ),
        (
            format!("name = \"a\"\ninterface = \"wsgi\"\n{ROUTE}"),
            "`entry` is missing",
        ),
        (
            format!("{APP}setup = [[\"{{{{ pyton }}}}\"]]\n{ROUTE}"),
            "`setup`: ",
        ),
    ];
    for (text, expected) in cases {
        let error = app_toml(&text).unwrap_err().to_string();
        assert!(
            error.contains("app.toml`") && error.contains(expected),
            "{expected}: {error}"
        );
    }
    let error = stack::app::read(Path::new("/no/such/app"), None).unwrap_err();
    assert!(error.to_string().starts_with("`/no/such/app`: "), "{error}");
    let error = stack::app::interpreter(Path::new("/"), Some(Path::new("/no/python"))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no Python for the app: `/no/python` is no program"
    );
}

fn detect(source: &str, entry: &str) -> Result<stack::Detected, StackError> {
    let folder = testkit::temp_dir();
    std::fs::create_dir(folder.path().join("static")).unwrap();
    std::fs::write(folder.path().join("shop.py"), source).unwrap();
    stack::app::detect(entry, folder.path(), Some(&python()))
}

#[test]
fn an_app_is_found_out() {
    let flask = detect(
        "from flask import Flask\nprint('noise')\napp = Flask(__name__)\n",
        "shop",
    )
    .unwrap();
    assert_eq!(
        (flask.app.entry.as_str(), flask.app.interface),
        ("shop:app", Interface::Wsgi)
    );
    assert_eq!(flask.app.frameworks, ["flask"]);
    assert!(
        flask
            .framework
            .unwrap()
            .1
            .starts_with(|c: char| c.is_ascii_digit())
    );
    let site = flask.app.site.unwrap();
    assert_eq!(site.url, "/static/");
    assert!(site.dir.ends_with("static"));
    assert_eq!(flask.app.routes, [Route::get("/")]);

    let factory = detect(
        "from flask import Flask\ndef create_app():\n    return Flask('shop')\n",
        "shop",
    )
    .unwrap();
    assert_eq!(factory.app.entry, "shop:create_app()");
    let plain = detect(
        "def hello(environ, start_response):\n    return []\n",
        "shop:hello",
    )
    .unwrap();
    assert_eq!(
        (plain.app.interface, plain.app.frameworks.len()),
        (Interface::Wsgi, 0)
    );
    let asgi = detect("class App:\n    async def __call__(self, scope, receive, send):\n        pass\nthing = App()\n", "shop").unwrap();
    assert_eq!(
        (asgi.app.entry.as_str(), asgi.app.interface),
        ("shop:thing", Interface::Asgi)
    );
}

#[test]
fn an_app_that_cannot_be_found_out() {
    let error = detect("import not_installed_anywhere\n", "shop:app").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("No module named 'not_installed_anywhere'"),
        "{error}"
    );
    assert!(
        error
            .hint()
            .unwrap()
            .ends_with("-m pip install not_installed_anywhere")
    );
    assert!(
        error
            .log_tail()
            .last()
            .unwrap()
            .starts_with("ModuleNotFoundError")
    );

    let error = detect("", "other:app").unwrap_err();
    assert!(
        error
            .hint()
            .unwrap()
            .contains("in the folder where `other` lies"),
        "{:?}",
        error.hint()
    );
    let error = detect("app = 3\n", "shop:app").unwrap_err();
    assert!(error.to_string().contains("cannot be called"), "{error}");
    let error = detect("def fine(environ, start_response): pass\n", "shop:apq").unwrap_err();
    assert_eq!(error.hint().unwrap(), "callables in it: fine");
    let error = detect("import os\nos._exit(7)\n", "shop").unwrap_err();
    assert!(error.to_string().contains("ended with code 7"), "{error}");
    let error = stack::app::detect("shop", Path::new("/no/such/folder"), None).unwrap_err();
    assert!(error.to_string().contains("/no/such/folder"), "{error}");
}

#[test]
fn setup_commands_run_once_in_order_under_a_guardian() {
    let mut demo = wsgi(HELLO);
    let sh = |script: &str| ["sh", "-c", script].map(str::to_owned).to_vec();
    demo.app.env.insert("GREETING".into(), "hi".into());
    demo.app.setup = vec![sh("echo $GREETING > one"), sh("cat one one > two")];
    stack::setup(&demo.app, &support::guard(), &support::CALM).unwrap();
    assert_eq!(
        std::fs::read_to_string(demo.dir.path().join("two")).unwrap(),
        "hi\nhi\n"
    );
    demo.app.setup = vec![sh("echo broken >&2; exit 4"), sh("touch never")];
    let error = stack::setup(&demo.app, &support::guard(), &support::CALM).unwrap_err();
    assert_eq!(
        error.to_string(),
        "setup command `sh -c echo broken >&2; exit 4` ended with code 4"
    );
    assert_eq!(error.log_tail(), ["broken"]);
    assert!(!demo.dir.path().join("never").exists());
    demo.app.setup = vec![vec!["/no/such/command".into()]];
    let error = stack::setup(&demo.app, &support::guard(), &support::CALM).unwrap_err();
    assert!(error.to_string().contains("/no/such/command"), "{error}");
}

#[test]
fn rungs_fit_the_apps_they_are_for() {
    let demo = wsgi(HELLO);
    let catalogue = built_in();
    let compose = |server: Option<Choice>, front: Option<Choice>| -> Composition {
        stack::compose(&stage(server, front, Transport::Tcp), &demo.app, &catalogue).unwrap()
    };
    for entry in catalogue
        .entries()
        .filter(|entry| entry.can_load(&demo.app))
    {
        for rung in &entry.rungs {
            let server = Choice {
                entry: entry.name.clone(),
                knobs: rung.knobs.clone(),
            };
            compose(Some(server), None);
        }
    }
    assert!(
        !catalogue.entry("flask-dev").unwrap().can_load(&demo.app),
        "it is no flask app"
    );
    assert!(!catalogue.entry("nginx").unwrap().can_load(&demo.app));
}
