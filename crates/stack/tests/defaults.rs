//! Defaults that depend on the version that is here, and rules that look at links and neighbours.

use crate::support::{
    HELLO, app, built_in, catalogue_with, choice, composed, machine, text, variant, wsgi,
};
use record::{Choice, Interface, Knob, Variant};
use stack::{Catalogue, StackError};

fn mine(version: &str, knob: &str) -> String {
    format!(
        r#"
name = "mine"
kind = "app-server"
title = "mine"
home = "none"
runs = ["wsgi"]
listens = {{ http1 = ["tcp"] }}
argv = ["serve", "{{{{ knobs.size }}}}"]
stop = {{ signal = "TERM", grace = 1 }}
find = {{ version = {{ argv = ["echo", "{version}"], pattern = '(\S+)' }} }}
[knobs.size]
type = "integer"
default = 1
min = 1
max = 9
unit = "things"
help = "size"
source = "here"
{knob}
"#
    )
}

fn catalogue(entry: &str) -> Result<Catalogue, StackError> {
    catalogue_with("mine.toml", entry)
}

#[test]
fn the_version_that_is_here_decides() {
    let demo = wsgi(HELLO);
    let size = |version: &str, more: &str, given: &[(&str, Knob)]| {
        let since = format!("default-since = {{ \"1.10\" = 3, \"1.9\" = 2 }}\n{more}");
        let machine = machine(catalogue(&mine(version, &since)));
        let variant = variant(Some(choice("mine", given)), None, "tcp");
        let composition = machine.compose(&variant, &demo.app).unwrap();
        composition.parts[0].knobs["size"].clone()
    };
    for (version, expected) in [
        ("1.8.9", 1),
        ("1.9", 2),
        ("1.9.12", 2),
        ("1.10.0", 3),
        ("2.0", 3),
    ] {
        assert_eq!(size(version, "", &[]), Knob::Number(expected), "{version}");
    }
    assert_eq!(
        size("2.0", "", &[("size", Knob::Number(7))]),
        Knob::Number(7)
    );
    let for_wsgi = "default-for = { wsgi = 5 }";
    assert_eq!(size("2.0", for_wsgi, &[]), Knob::Number(5));
}

#[test]
fn what_is_wrong_with_a_default_is_said() {
    for (knob, said) in [
        (
            "default-since = { new = 2 }",
            "`default-since` needs versions, and `new` is none",
        ),
        (
            "default-over = { fastcgi = 2 }",
            "`default-over` names `fastcgi`, which it does not speak",
        ),
        (
            "default-since = { \"2.0\" = 10 }",
            "default 10 is out of range",
        ),
        ("deployed = false", "deployed `false` is not 1 to 9 things"),
        ("checked = 10", "checked 10 is out of range"),
        (
            "[ask]\nargv = [\"x\"]\npattern = '(a)'",
            "`ask.pattern` needs two groups",
        ),
        (
            "[ask]\nargv = [\"{{ knobs.sise }}\"]\npattern = '(a)(b)'",
            "ask: there is no knob `sise`",
        ),
    ] {
        let error = catalogue(&mine("1.0", knob)).unwrap_err().to_string();
        assert!(error.contains(said), "{knob}: {error}");
    }
}

fn refused(variant: &Variant, app: &record::App) -> String {
    let composed = built_in().compose(variant, app);
    composed.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn how_a_server_is_reached_can_be_what_it_cannot_do() {
    let demo = wsgi(HELLO);
    let mut asgi = app(HELLO, Interface::Asgi).app;
    asgi.frameworks = vec!["sanic".into()];
    let class = |class: &str| choice("gunicorn", &[("worker-class", text(class))]);
    let cases = [
        (
            class("sync"),
            "h2c",
            &demo.app,
            "worker class `sync` does not speak HTTP/2",
        ),
        (
            class("tornado"),
            "uwsgi",
            &demo.app,
            "worker class `tornado` speaks HTTP only",
        ),
        (
            class("uvicorn"),
            "uwsgi+unix",
            &asgi,
            "worker class `uvicorn` speaks HTTP only",
        ),
        (
            choice("sanic", &[("workers", Knob::Number(2))]),
            "unix",
            &asgi,
            "binds a Unix socket anew",
        ),
        (
            choice("uvicorn", &[("http", text("h11"))]),
            "h2c",
            &asgi,
            "`h11` does not read HTTP/2",
        ),
    ];
    for (server, link, app, why) in cases {
        let said = refused(&variant(Some(server), None, link), app);
        assert!(said.contains(why), "{link}: {said}");
    }
    let rack = app("", Interface::Rack).app;
    let said = refused(
        &variant(Some(choice("puma", &[])), None, "https+unix"),
        &rack,
    );
    assert!(
        said.contains("`puma` does not speak HTTP/1 over a Unix socket inside TLS"),
        "{said}"
    );
    let https = variant(Some(choice("puma", &[])), None, "https+tcp");
    composed(&https, &rack);
}

#[test]
fn what_stands_behind_can_be_what_a_front_end_cannot_do() {
    let demo = wsgi(HELLO);
    let tcp = choice("haproxy", &[("mode", text("tcp"))]);
    let said = refused(
        &variant(Some(choice("uwsgi", &[])), Some(tcp), "fastcgi"),
        &demo.app,
    );
    assert!(
        said.contains("clients would speak http1, and the server behind fastcgi"),
        "{said}"
    );
    let two = Choice {
        instances: 2,
        ..choice("gunicorn", &[])
    };
    let said = refused(
        &variant(Some(two), Some(choice("h2o", &[])), "tcp"),
        &demo.app,
    );
    assert!(
        said.contains("h2o passes a path on to one server, and there are 2"),
        "{said}"
    );
    let mut prefork = variant(
        Some(choice("gunicorn", &[])),
        Some(choice("apache", &[("mpm", text("prefork"))])),
        "tcp",
    );
    prefork.fronts[0].link = "h2c".parse().unwrap();
    let said = refused(&prefork, &demo.app);
    assert!(said.contains("HTTP/2 needs threads"), "{said}");
}
