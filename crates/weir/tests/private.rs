//! What weir writes for a run is its user's alone, whatever the umask.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use crate::support::through::after;
use crate::support::{PATIENCE, Place};
use rustix::process::{Pid, Signal, kill_process};

const APP: &str = "
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

/// A front end that speaks TLS, a socket between it and the app server, and a service that changes its user where
/// weir is root.
const VARIANT: &str = "[[variant]]\nname = \"whole\"\nserver = { entry = \"gunicorn\", link = \"unix\" }\n\
                     front = { entry = \"nginx\", link = \"https\", access-log = true }\n\
                     services = { database = \"postgresql\" }\n";

#[test]
fn a_runs_folder_is_private_whatever_the_umask() {
    for umask in ["000", "022", "077"] {
        let place = Place::new();
        place.app(APP);
        place.write(
            "app/app.toml",
            "name = \"mine\"\ninterface = \"wsgi\"\nentry = \"mine:app\"\n[[routes]]\npath = \"/\"\n\
             [services.database]\nenv = { STORE = \"{{ url }}\" }\n",
        );
        place.plan(VARIANT);
        let mut weir = up(&place, umask);
        let folder = run_folder(&place);
        let found = look(&folder, true);
        kill_process(Pid::from_child(&weir), Signal::INT).unwrap();
        assert_eq!(weir.wait().unwrap().code(), Some(0), "umask {umask}");
        place.assert_clean();
        let bad: Vec<_> = found.iter().filter_map(Found::flaw).collect();
        assert!(bad.is_empty(), "umask {umask}: {bad:#?}");
        for name in ["key.pem", "nginx.conf", "gunicorn.sock", "gunicorn.log"] {
            let there = found.iter().any(|file| file.path.ends_with(name));
            assert!(there, "no `{name}` in {found:#?}");
        }
    }
}

/// `weir up` under this umask, once it serves.
fn up(place: &Place, umask: &str) -> Child {
    let mut shell = after(
        place,
        &format!("umask {umask}"),
        &["up", "plan.toml", "whole", "--ready-timeout", "2m"],
    );
    let mut weir = shell
        .process_group(0)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let out = weir.stdout.as_mut().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut first).unwrap();
    assert!(first.contains("https://"), "umask {umask}: {first}");
    weir
}

/// The folder of the stack: the one with a certificate.
fn run_folder(place: &Place) -> PathBuf {
    let find = || {
        let folders = fs::read_dir(place.path("tmp")).unwrap();
        let mut folders = folders.map(|folder| folder.unwrap().path());
        folders.find(|folder| folder.join("key.pem").exists())
    };
    assert!(testkit::eventually(PATIENCE, || find().is_some()));
    find().unwrap()
}

#[derive(Debug)]
struct Found {
    path: PathBuf,
    mode: u32,
    folder: bool,
    socket: bool,
    /// Whether another user may come as far as its folder.
    reachable: bool,
}

impl Found {
    fn flaw(&self) -> Option<String> {
        let others = self.mode & 0o077;
        let name = self.path.file_name().unwrap().to_str().unwrap();
        let log = self.path.extension().is_some_and(|kind| kind == "log");
        let fine = match () {
            () if self.folder => !self.reachable || [0, 0o011].contains(&others),
            () if name == "key.pem" => others == 0,
            () if self.socket || log => !self.reachable || others == 0,
            () => others & 0o022 == 0,
        };
        (!fine).then(|| format!("{} has mode {:o}", self.path.display(), self.mode))
    }
}

/// Everything below a folder, and the folder.
fn look(path: &Path, reachable: bool) -> Vec<Found> {
    let Ok(known) = fs::symlink_metadata(path) else {
        return Vec::new(); // servers make and remove files as they like
    };
    let mode = known.permissions().mode() & 0o777;
    let mut found = vec![Found {
        path: path.to_owned(),
        mode,
        folder: known.is_dir(),
        socket: known.file_type().is_socket(),
        reachable,
    }];
    if known.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            found.extend(look(&entry.path(), reachable && mode & 0o011 != 0));
        }
    }
    found
}
