//! Servers that are missing: what is said of them, and that they come beside an app's packages and never among them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Place, Said, is_the_machines, said};

/// A Flask app in a folder with an environment of its own, which has Flask and no server for production.
struct Fresh {
    place: Place,
    app: PathBuf,
}

/// Says what it was asked for, and installs nothing.
const NO_APT: &str = "#!/bin/sh\necho \"$*\" >> \"$HOME/apt.log\"\n";

impl Fresh {
    fn new(packages: &[&str]) -> Self {
        let place = Place::new();
        let app = place.path("shop");
        place.write(
            "shop/app.py",
            "from flask import Flask\napp = Flask(__name__)\n\n@app.get('/')\ndef page():\n    return 'hello'\n",
        );
        place.write("shop/requirements.txt", "flask\n");
        let venv = app.join(".venv");
        done(Command::new("python3").args(["-m", "venv"]).arg(&venv));
        let mut pip = Command::new(venv.join("bin/python"));
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]);
        done(pip.args(packages));
        for (name, script) in [("apt-get", NO_APT), ("dpkg-query", "#!/bin/sh\nexit 1\n")] {
            let program = place.write(&format!("bin/{name}"), script);
            testkit::executable(program);
        }
        Self { place, app }
    }

    /// weir in the app's folder, with an apt-get that installs nothing and no C compiler.
    fn weir(&self, args: &[&str]) -> Said {
        said(self.command(args))
    }

    fn command(&self, args: &[&str]) -> Command {
        let path = std::env::var("PATH").unwrap();
        let mut weir = self.place.weir(args);
        weir.current_dir(&self.app)
            .env_remove("VIRTUAL_ENV")
            .env(
                "PATH",
                format!("{}:{path}", self.place.path("bin").display()),
            )
            .env("CC", "false")
            .env(
                "PIP_CACHE_DIR",
                concat!(env!("CARGO_TARGET_TMPDIR"), "/pip"),
            );
        weir
    }

    fn overlays(&self) -> PathBuf {
        self.place.path(".local/share/weir/overlays")
    }
}

fn done(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Every file of a folder with its bytes, and every link with where it leads.
fn content(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(&folder).unwrap() {
            let item = item.unwrap();
            let (path, kind) = (item.path(), item.file_type().unwrap());
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_symlink() {
                let leads = fs::read_link(&path).unwrap().into_os_string();
                all.insert(path, leads.into_encoded_bytes());
            } else {
                all.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    all
}

const SMALL: [&str; 7] = ["--quick", "-n", "400", "-c", "4", "--budget", "1s"];

#[test]
fn missing_servers_are_brought_beside_the_apps_packages() {
    // older than what some servers would bring, and newer ones must not replace it
    let fresh = Fresh::new(&["flask", "click==8.1.7"]);
    let before = content(&fresh.app);
    told_what_suits(&fresh.weir(&["doctor", "."]).succeeds().out);
    let without = fresh.weir(&[&["try"][..], &SMALL].concat());
    without.measured();
    for words in [": not installed", "`--install`"] {
        assert!(without.err.contains(words), "{}", without.err);
    }
    assert!(!fresh.overlays().exists() && !fresh.place.path("apt.log").exists());
    fresh.weir(&["try", "--variants", "gunicorn-1"]).fails(
        6,
        &[
            "`gunicorn-1` needs `gunicorn`, which is not installed",
            "`weir doctor .` prints the command",
        ],
    );
    assert_eq!(content(&fresh.app), before, "nothing was installed");

    let tried = fresh.weir(&[&["try", "--install", "--json"][..], &SMALL].concat());
    ends_with_a_verdict(&tried);
    // uWSGI is built from its source, for which there is no compiler
    let unbuilt = "not installed: uwsgi: ended with code 1: ";
    assert!(tried.err.contains(unbuilt), "{}", tried.err);
    let apt = fs::read_to_string(fresh.place.path("apt.log")).unwrap();
    let installed: Vec<_> = apt
        .lines()
        .filter(|line| line.contains(" install "))
        .collect();
    assert!(
        installed.len() == 1 && installed[0].contains("libssl-dev"),
        "{apt}"
    );
    assert_eq!(
        content(&fresh.app),
        before,
        "the app's environment stays as it was"
    );

    // it is there for the next ones
    let doctor = fresh.weir(&["doctor", ".", "--json"]).json();
    let programs = doctor["programs"].as_array().unwrap();
    for name in ["gunicorn", "waitress", "granian", "flask-dev"] {
        let found = programs.iter().find(|of| of["name"] == name).unwrap();
        assert!(found["version"].is_string(), "{name}: {doctor}");
    }
    let click = clicked(&fresh);
    assert!(click.ends_with("/shop/.venv 8.1.7"), "{click}");
    fresh.place.assert_clean();
}

/// What could serve a Flask app is listed and nothing else, and one line of pip installs it.
fn told_what_suits(doctor: &str) {
    // the last paragraph names what else runs on the machine, and that may be anything
    let (doctor, _) = doctor.trim_end().rsplit_once("\n\n").unwrap();
    for program in ["flask-dev", "gunicorn", "waitress", "nginx"] {
        assert!(doctor.contains(program), "`{program}`: {doctor}");
    }
    for other in ["puma", "tomcat", "django-dev", "uvicorn", "curl", "flup"] {
        assert!(!doctor.contains(other), "`{other}`: {doctor}");
    }
    let typed = doctor
        .lines()
        .filter(|line| line.contains(" -m pip install "));
    let typed: Vec<_> = typed.collect();
    let [line] = typed[..] else {
        panic!("one line for pip: {doctor}");
    };
    for package in ["gunicorn", "waitress", "granian", "cheroot"] {
        assert!(line.contains(package), "`{package}`: {line}");
    }
}

fn ends_with_a_verdict(tried: &Said) {
    tried.measured();
    let run = tried.json();
    let variants = run["judged"]["variants"].as_array().unwrap();
    for of in variants {
        let failure = of["failure"].as_str().unwrap_or_default();
        assert!(failure.is_empty() || is_the_machines(failure), "{of}");
    }
    let names = variants.iter().map(|of| of["name"].as_str().unwrap());
    let brought = names.filter(|name| !name.contains("flask-dev")).count();
    assert!(brought >= 2, "{run}: {}", tried.err);
    let rivals = run["judged"]["lead"]["rivals"].as_array().unwrap();
    assert!(rivals.len() >= 2, "{run}");
}

/// Where the overlay's interpreter takes click from, and which one it is.
fn clicked(fresh: &Fresh) -> String {
    let overlay = fs::read_dir(fresh.overlays())
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let mut python = Command::new(overlay.path().join("bin/python"));
    let ask = "import click, importlib.metadata as m; \
               print(click.__file__.split('/lib/')[0], m.version('click'))";
    let output = python.args(["-B", "-c", ask]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn an_app_that_nothing_can_serve_is_told_what_to_type() {
    let fresh = Fresh::new(&["starlette"]);
    let app = "from starlette.applications import Starlette\napp = Starlette()\n";
    fs::write(fresh.app.join("app.py"), app).unwrap();
    let refused = fresh.weir(&["try", "app:app", "--quick"]);
    refused.fails(
        6,
        &[
            "no installed app server can serve this app",
            "weir try --install",
        ],
    );
    let hint = refused.err.split("hint: ").nth(1).unwrap();
    let pip: Vec<_> = hint
        .lines()
        .filter(|line| line.contains("-m pip install"))
        .collect();
    assert!(
        pip.len() == 1 && pip[0].contains("'uvicorn[standard]'"),
        "{hint}"
    );
    assert!(
        hint.lines().filter(|line| line.contains("apt-get")).count() <= 1,
        "{hint}"
    );
    assert!(!fresh.overlays().exists());

    // a package that pip cannot find is told with pip's last line, and the error says the lines again
    let mut weir = fresh.command(&["try", "app:app", "--install", "--quick"]);
    let found = ["PIP_FIND_LINKS", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"];
    for name in found {
        weir.env_remove(name);
    }
    weir.env("PIP_CONFIG_FILE", "/dev/null")
        .env("PIP_NO_INDEX", "1");
    let why = "not installed: hypercorn: ended with code 1: ERROR: No matching distribution";
    let refused = said(weir);
    refused.fails(6, &[why, "no installed app server can serve this app"]);
    let hint = refused.err.split("hint: ").nth(1).unwrap();
    assert!(
        !hint.contains("try --install"),
        "that has failed just now: {hint}"
    );
    fresh.place.assert_clean();
}
