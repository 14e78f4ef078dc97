//! Stores and report folders that cannot be written, or that go away in the middle of a run.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use crate::support::through::by_a_stranger;
use crate::support::{PATIENCE, Place, Said};

const APP: &str = "
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

const VARIANT: &str = "[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n";

/// A place with one run in its store.
fn measured() -> Place {
    let place = Place::new();
    place.app(APP);
    place.plan(VARIANT);
    let said = place.run(&["run", "plan.toml"]);
    said.measured();
    place
}

#[test]
fn a_store_that_cannot_be_written_can_be_read() {
    let place = measured();
    let folder = place.path("");
    fs::set_permissions(place.path("weir.db"), Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o555)).unwrap();
    let listed = by_a_stranger(&place, &["list"]);
    let shown = by_a_stranger(&place, &["show", "1"]);
    let written = by_a_stranger(&place, &["calibrate"]);
    fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
    assert_eq!(listed.code, 0, "{}", listed.err);
    assert!(listed.out.contains("plan"), "{}", listed.out);
    shown.measured();
    assert!(shown.out.contains("one"), "{}", shown.out);
    written.fails(10, &["cannot open the store"]);
}

#[test]
fn a_store_that_is_removed_in_a_run_ends_it_with_10() {
    let place = Place::new();
    place.app(APP);
    place.plan(VARIANT);
    let weir = place
        .weir(&["run", "plan.toml", "--blocks", "40"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    assert!(
        testkit::eventually(PATIENCE, || place.stored() >= 1),
        "no trial was stored"
    );
    for name in ["weir.db", "weir.db-wal", "weir.db-shm"] {
        let _ = fs::remove_file(place.path(name));
    }
    let output = weir.wait_with_output().unwrap();
    let said = Said {
        code: output.status.code().unwrap_or(-1),
        out: String::new(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    said.fails(10, &["was removed or replaced while weir wrote to it"]);
    place.assert_clean();
}

#[test]
fn a_report_that_cannot_be_written_does_not_hide_the_table() {
    let place = Place::new();
    place.app(APP);
    place.plan(VARIANT);
    place.write("taken", "a file, and no folder");
    let said = place.run(&["run", "plan.toml", "--out", "taken"]);
    said.fails(10, &["cannot write the report to `taken`", "weir report 1"]);
    assert!(said.out.contains("one"), "no table: {}", said.out);
    place.assert_clean();
}
