//! Variants become programs as values, or are refused with a reason.

use std::path::Path;

use crate::support::{HELLO, built_in, choice, composed, gunicorn, served_by, text, variant, wsgi};
use record::{App, Interface, Knob, Method, Route};
use stack::{Catalogue, KnobKind, Machine, Workspace};

fn refused(variant: &record::Variant, app: &App) -> (String, String) {
    let error = built_in().compose(variant, app).unwrap_err();
    (error.to_string(), error.hint().unwrap())
}

fn with_knob(name: &str, value: Knob) -> record::Variant {
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
        error.ends_with("`gevnet` is not one of sync, gthread, gevent, tornado, asgi, uvicorn"),
        "{error}"
    );
    assert_eq!(hint, "did you mean `gevent`?");
    let (error, _) = refused(&with_knob("workers", text("2 * kores")), &demo.app);
    assert!(error.contains("is not a formula over `cores`"), "{error}");
    let (error, _) = refused(&with_knob("preload", Knob::Number(1)), &demo.app);
    assert!(error.ends_with("`1` is not true or false"), "{error}");
}

#[test]
fn what_a_user_types_is_a_value_of_the_knobs_kind() {
    for (kind, typed, value) in [
        (KnobKind::Integer, "4", Knob::Number(4)),
        (KnobKind::Integer, "2*cores", text("2*cores")),
        (KnobKind::Boolean, "on", Knob::Switch(true)),
        (KnobKind::Boolean, "true", Knob::Switch(true)),
        (KnobKind::Boolean, "off", Knob::Switch(false)),
        (KnobKind::Boolean, "false", Knob::Switch(false)),
        (KnobKind::Boolean, "1", text("1")),
        (KnobKind::Choice, "1", text("1")),
        (KnobKind::Text, "true", text("true")),
    ] {
        assert_eq!(kind.typed(typed), value, "{kind:?} {typed}");
    }
}

#[test]
fn formulas_use_the_cores_of_the_machine() {
    let demo = wsgi(HELLO);
    let of_three = Machine::new(Catalogue::load(&[]).unwrap(), 3);
    let variant = with_knob("workers", text("2*cores+1"));
    let composition = of_three.compose(&variant, &demo.app).unwrap();
    assert_eq!(composition.parts[0].knobs["workers"], Knob::Number(7));
    assert_eq!(
        composition.parts[0].knobs["threads"],
        Knob::Number(1),
        "defaults are there too"
    );
}

/// Many guides advise it, and so `weir try` finds out what it is worth.
#[test]
fn two_workers_per_core_and_one_more_are_a_candidate() {
    let demo = wsgi(HELLO);
    let of_three = Machine::new(Catalogue::load(&[]).unwrap(), 3);
    let entry = of_three.catalogue().entry("gunicorn").unwrap();
    let mut candidates = entry.candidates.iter();
    let candidate = candidates.find(|of| of.name == "gunicorn-2n1").unwrap();
    let server = record::Choice::of("gunicorn").with(candidate.knobs.clone());
    let composition = of_three.compose(&served_by(server), &demo.app).unwrap();
    assert_eq!(composition.parts[0].knobs["workers"], Knob::Number(7));
    let rank = |name: &str| {
        entry
            .candidates
            .iter()
            .find(|of| of.name == name)
            .map(|of| of.rank)
    };
    assert!(rank("gunicorn-1") < rank("gunicorn-2n1"));
    assert!(rank("gunicorn-2n1") < rank("gunicorn-cores"));
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
    let (error, _) = refused(&variant(None, None, "tcp"), &demo.app);
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
    assert!(
        hint.starts_with("app servers that can: ") && hint.contains("gunicorn"),
        "{hint}"
    );

    let lost = record::Variant {
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
    let alone = variant(None, Some(choice("nginx", &[])), "tcp");
    let (error, _) = refused(&alone, &demo.app);
    assert!(
        error.contains("only files below `/static/` are there, and the route is `/`"),
        "{error}"
    );
    let posted = App {
        routes: vec![Route {
            method: Method::Post,
            ..Route::get("/static/hello.html")
        }],
        ..demo.app.clone()
    };
    let posting = record::Variant {
        route: "/static/hello.html".into(),
        ..alone.clone()
    };
    let (error, _) = refused(&posting, &posted);
    assert!(
        error.contains("files are read, and the route is `POST /static/hello.html`"),
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
        &variant(Some(choice("gunicorn", &[])), Some(front), "tcp"),
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
    let both = variant(
        Some(choice("gunicorn", &[])),
        Some(choice("nginx", &[])),
        "unix",
    );
    let composition = composed(&both, &demo.app);
    let programs = stack::render(&composition, &Workspace::preview(&composition).unwrap()).unwrap();
    let argv = programs[1].argv.join(" ");
    assert!(
        argv.contains("--bind unix:/tmp/weir-preview/gunicorn/gunicorn.sock"),
        "{argv}"
    );
    assert!(
        argv.contains("--control-socket /tmp/weir-preview/gunicorn/control.sock"),
        "{argv}"
    );
    let conf = &programs[0].files[0].content;
    assert!(
        conf.contains("server unix:/tmp/weir-preview/gunicorn/gunicorn.sock;"),
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
