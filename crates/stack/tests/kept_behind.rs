//! Connections that a front end keeps to the server behind, which it does by default from some version on.

use crate::support::{HELLO, choice, machine, text, variant, wsgi};
use record::Knob;
use stack::{Catalogue, Machine, StackError, Workspace};

/// A server of which each kept connection holds a process.
const GATE: &str = r#"
name = "gate"
kind = "app-server"
title = "processes with a connection each"
home = "none"
runs = ["wsgi"]
listens = { fastcgi = ["tcp"] }
holds = true
argv = ["serve", "{{ listen.address }}"]
stop = { signal = "TERM", grace = 1 }
find = { version = { argv = ["echo", "1.0"], pattern = '(\S+)' } }
"#;

/// The last version that keeps none by default, and the first that does.
const VERSIONS: [&str; 2] = ["1.29.6", "1.29.7"];

/// The front end's own entry as of this version, installed or not.
fn of_version(version: &str) -> Machine {
    let mut entries = catalogue::entries();
    let named = entries.find(|(path, _)| path == "front-ends/nginx.toml");
    let (_, entry) = named.unwrap();
    let found = "program = \"nginx\"\nversion = { argv = [\"{{ program }}\", \"-v\"]";
    assert!(entry.contains(found));
    let told = format!("program = \"sh\"\nversion = {{ argv = [\"echo\", \"nginx/{version}\"]");
    let folder = testkit::temp_dir();
    std::fs::write(folder.path().join("gate.toml"), GATE).unwrap();
    let entry = entry.replace(found, &told);
    std::fs::write(folder.path().join("nginx.toml"), entry).unwrap();
    machine(Catalogue::load(&[folder.path().to_owned()]))
}

/// Its configuration with these knobs, over HTTP or before processes over FastCGI.
fn composed(version: &str, knobs: &[(&str, Knob)], link: &str) -> Result<String, StackError> {
    let demo = wsgi(HELLO);
    let server = match link {
        "fastcgi" => choice("gate", &[]),
        _ => choice("gunicorn", &[]),
    };
    let variant = variant(Some(server), Some(choice("nginx", knobs)), link);
    let composition = of_version(version).compose(&variant, &demo.app)?;
    let programs = stack::render(&composition, &Workspace::preview(&composition)?)?;
    assert_eq!(programs[0].version, version);
    Ok(programs[0].files[0].content.clone())
}

fn keepalive(number: i64) -> (&'static str, Knob) {
    ("upstream-keepalive", Knob::Number(number))
}

#[test]
fn over_http_a_version_keeps_as_many_as_it_does_by_itself() {
    let [before, since] = VERSIONS.map(|version| composed(version, &[], "tcp").unwrap());
    assert!(!before.contains("    keepalive "), "{before}");
    assert!(before.contains("proxy_http_version 1.0;"), "{before}");
    assert!(before.contains("Connection \"close\";"), "{before}");
    assert!(since.contains("keepalive 32;"), "{since}");
    assert!(since.contains("proxy_http_version 1.1;"), "{since}");
    assert!(since.contains("Connection \"\";"), "{since}");
}

#[test]
fn over_fastcgi_no_version_keeps_any_by_default() {
    let [before, since] = VERSIONS.map(|version| composed(version, &[], "fastcgi").unwrap());
    assert!(!before.contains("    keepalive "), "{before}");
    assert!(since.contains("    keepalive 0;"), "{since}");
    for text in [before, since] {
        assert!(!text.contains("fastcgi_keep_conn"), "{text}");
    }
}

#[test]
fn what_a_plan_asks_for_means_the_same_in_all_versions() {
    for version in VERSIONS {
        for link in ["tcp", "fastcgi"] {
            let none = composed(version, &[keepalive(0)], link).unwrap();
            let told = none.contains("    keepalive 0;");
            assert_eq!(told, version == VERSIONS[1], "{none}");
            assert!(!none.contains("fastcgi_keep_conn"), "{none}");
            assert!(!none.contains("proxy_http_version 1.1"), "{none}");
        }
        let some = composed(version, &[keepalive(8)], "tcp").unwrap();
        assert!(some.contains("keepalive 8;"), "{some}");
        assert!(some.contains("proxy_http_version 1.1;"), "{some}");
        let refused = composed(version, &[keepalive(8)], "fastcgi").unwrap_err();
        let why = "each connection that nginx keeps holds a process";
        assert!(refused.to_string().contains(why), "{refused}");
        let wanted = [keepalive(8), ("fastcgi-keep-conn", text("on"))];
        let some = composed(version, &wanted, "fastcgi").unwrap();
        assert!(some.contains("keepalive 8;"), "{some}");
        assert!(some.contains("fastcgi_keep_conn on;"), "{some}");
    }
}
