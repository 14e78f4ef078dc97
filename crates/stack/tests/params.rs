//! Parameters that a server declares: whoever speaks FastCGI to it sends them with each request.

use crate::support::{HELLO, catalogue_with, choice, machine, variant, wsgi};
use record::{Choice, Knob, Protocol};
use stack::{Entry, Kind, Machine, StackError, Workspace};

const GATE: &str = r#"
name = "gate"
kind = "app-server"
title = "a server that is told something"
home = "none"
runs = ["wsgi"]
listens = { fastcgi = ["tcp"], scgi = ["tcp"] }
params = { TOLD = "by {{ app.entry }}" }
argv = ["serve", "{{ listen.address }}"]
stop = { signal = "TERM", grace = 1 }
find = { version = { argv = ["echo", "1.0"], pattern = '(\S+)' } }
"#;

fn gate(more: &str) -> Machine {
    machine(catalogue_with("gate.toml", &format!("{GATE}{more}")))
}

/// The configuration of a front end before it, over this link.
fn before(machine: &Machine, front: Choice, link: &str) -> Result<String, StackError> {
    let demo = wsgi(HELLO);
    let variant = variant(Some(choice("gate", &[])), Some(front), link);
    let composition = machine.compose(&variant, &demo.app)?;
    let programs = stack::render(&composition, &Workspace::preview(&composition)?)?;
    let files = programs[0].files.iter();
    Ok(files.map(|file| file.content.as_str()).collect())
}

#[test]
fn every_front_end_that_speaks_fastcgi_sends_them() {
    let machine = gate("");
    let speaks = |entry: &&Entry| {
        entry.kind == Kind::FrontEnd && entry.speaks.contains_key(&Protocol::FastCgi)
    };
    let fronts: Vec<_> = machine.catalogue().entries().filter(speaks).collect();
    assert!(fronts.len() >= 6, "{}", fronts.len());
    for front in fronts {
        let text = before(&machine, Choice::of(&front.name), "fastcgi").unwrap();
        let told = text.lines().find(|line| line.contains("TOLD"));
        let told = told.unwrap_or_else(|| panic!("`{}`: {text}", front.name));
        assert!(told.contains("\"by hello:app\""), "{told}");
    }
    let scgi = before(&machine, choice("nginx", &[]), "scgi").unwrap();
    assert!(!scgi.contains("TOLD"), "{scgi}");
    assert!(scgi.contains("scgi_param PATH_INFO"), "{scgi}");
}

#[test]
fn a_front_end_keeps_no_connection_that_would_hold_a_process() {
    let kept = |front: &str, knobs: &[(&str, Knob)]| {
        let text = before(&gate("holds = true\n"), choice(front, knobs), "fastcgi");
        text.map_err(|error| error.to_string())
    };
    let keepalive = ("upstream-keepalive", Knob::Number(4));
    let wanted = ("fastcgi-keep-conn", Knob::Text("on".to_owned()));
    let refused = |front: &str, knobs: &[(&str, Knob)]| {
        let error = kept(front, knobs).unwrap_err();
        assert!(error.contains("holds a process"), "{error}");
    };
    refused("nginx", std::slice::from_ref(&keepalive));
    refused("haproxy", &[]);
    kept("nginx", &[]).unwrap();
    kept("nginx", &[keepalive, wanted]).unwrap();
    kept("haproxy", &[("fcgi-keep-conn", Knob::Switch(false))]).unwrap();
    kept("haproxy", &[("server-maxconn", Knob::Number(4))]).unwrap();
}

#[test]
fn they_are_for_a_server_that_listens_to_fastcgi() {
    let listens = GATE.replace("fastcgi", "http1");
    let error = catalogue_with("gate.toml", &listens).unwrap_err();
    let said = "`params` are for servers that listen to `fastcgi`";
    assert!(error.to_string().contains(said), "{error}");
    let unknown = GATE.replace("app.entry", "knobs.none");
    let error = catalogue_with("gate.toml", &unknown).unwrap_err();
    let said = "params: there is no knob `none`";
    assert!(error.to_string().contains(said), "{error}");
}
