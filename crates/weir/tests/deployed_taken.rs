//! What is in the way of what `weir write` hands over: other programs at its ports, and a tool that is missing.

use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::support::started::{Started, is_open};
use crate::support::{Place, two_free_ports, wait_until};

const APP: &str = "
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

/// A front end and an app server, measured.
pub(crate) fn tried(place: &Place) {
    place.write("app.py", APP);
    let small = ["try", "--quick", "-n", "200", "-c", "4", "--variants"];
    let said = place.run(&[&small[..], &["nginx+gunicorn-cores"]].concat());
    said.measured();
}

/// The script of the variant of the last run, written for this port.
pub(crate) fn written(place: &Place, variant: &str, folder: &str, port: u16) -> PathBuf {
    let of = format!("last:{variant}");
    let said = place.run(&["write", &of, folder, "--port", &port.to_string()]);
    said.succeeds();
    place.path(folder).join("start.sh")
}

/// Starts a script in whose way something is, as it says.
pub(crate) fn refused(script: &Path) -> String {
    let (status, said) = Started::script(script, &[]).ended();
    assert_eq!(status, Some(75), "{said}");
    said
}

/// The same script serves once nothing is in its way.
pub(crate) fn serves_again(script: &Path, port: u16) {
    let server = Started::script(script, &[]);
    wait_until("it serves again", || is_open(port));
    server.terminate();
    assert_eq!(server.ended().0, Some(143));
}

#[test]
fn two_stacks_need_two_ports_and_nothing_else() {
    let place = Place::new();
    tried(&place);
    let (port, other) = (two_free_ports(), two_free_ports());
    let variant = "nginx+gunicorn-cores";
    let one = Started::script(&written(&place, variant, "one", port), &[]);
    wait_until("one serves", || is_open(port) && is_open(port + 1));
    let script = written(&place, variant, "two", port);
    let said = refused(&script);
    let taken = format!("port {port} is taken by ");
    assert!(said.contains(&taken), "{said}");
    let words = "or set PORT to one that is free together with the next one";
    assert!(said.contains(words), "{said}");
    let at = other.to_string();
    let two = Started::script(&script, &[("PORT", at.as_str())]);
    wait_until("two serves", || is_open(other) && is_open(other + 1));
    one.terminate();
    assert_eq!(one.ended().0, Some(143));
    assert!(is_open(other) && is_open(other + 1), "two serves on");
    two.terminate();
    assert_eq!(two.ended().0, Some(143));
    place.assert_clean();
}

#[test]
fn a_port_behind_that_is_taken_is_told_with_who_has_it() {
    let place = Place::new();
    tried(&place);
    let port = two_free_ports();
    let script = written(&place, "nginx+gunicorn-cores", "deploy", port);
    let behind = TcpListener::bind((Ipv4Addr::LOCALHOST, port + 1)).unwrap();
    let said = refused(&script);
    for words in [
        format!("port {} is taken by ", port + 1),
        format!("(process {})", std::process::id()),
    ] {
        assert!(said.contains(&words), "{words}: {said}");
    }
    assert!(!is_open(port), "the front end has not started");
    drop(behind);
    serves_again(&script, port);
    place.assert_clean();
}

#[test]
fn a_missing_flock_is_told() {
    let place = Place::new();
    tried(&place);
    let script = written(&place, "nginx+gunicorn-cores", "deploy", two_free_ports());
    let bin = place.path("bin");
    std::fs::create_dir(&bin).unwrap();
    for tool in ["/bin/sh", "/usr/bin/readlink"] {
        symlink(tool, bin.join(Path::new(tool).file_name().unwrap())).unwrap();
    }
    let path = bin.display().to_string();
    let (status, said) = Started::script(&script, &[("PATH", path.as_str())]).ended();
    assert_eq!(status, Some(78), "{said}");
    let words = "there is no `flock` here: install util-linux";
    assert!(said.contains(words), "{said}");
}
