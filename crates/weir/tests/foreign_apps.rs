//! `weir try` on apps that nobody of weir wrote, as their registries have them: what it makes of each,
//! which variants it picks, and that it leaves the app's folder as it was.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Place, Said, is_the_machines, repository, said};

/// A folder that `make deps` fetched.
fn fetched(name: &str) -> PathBuf {
    let path = repository().join(".deps/apps").join(name);
    assert!(
        path.exists(),
        "{} is missing: run `make deps`",
        path.display()
    );
    path
}

/// What a run of `weir try` left.
struct Tried {
    said: Said,
    variants: Vec<String>,
}

/// Tries an app as its user would, in its folder, with as few variants as there can be, and so many requests for
/// each trial that they take a while: of one that lasts some milliseconds nothing can be said.
fn tried(folder: &str, requests: &str, more: &[&str]) -> Tried {
    let place = Place::new();
    let app = fetched(folder);
    let before = content(&app);
    let small = [
        "--quick", "-n", requests, "-c", "4", "--budget", "1s", "--json",
    ];
    let args: Vec<_> = ["try"].iter().chain(&small).chain(more).copied().collect();
    let mut weir = place.weir(&args);
    weir.current_dir(&app)
        .env("VIRTUAL_ENV", fetched("python"))
        .env("GOCACHE", fetched("go-cache"))
        .env("GOTOOLCHAIN", "local");
    let said = said(weir);
    said.measured();
    let run = said.json();
    let variants = run["judged"]["variants"].as_array().unwrap().iter();
    let variants = variants
        .map(|variant| {
            let name = variant["name"].as_str().unwrap().to_owned();
            let failure = variant["failure"].as_str().unwrap_or_default();
            assert!(
                failure.is_empty() || is_the_machines(failure),
                "{name}: {failure}"
            );
            name
        })
        .collect();
    let after = content(&app);
    for (file, bytes) in &after {
        assert!(
            before.get(file) == Some(bytes),
            "{} was written",
            file.display()
        );
    }
    assert_eq!(before.len(), after.len(), "files are gone");
    place.assert_clean();
    Tried { said, variants }
}

/// The files of a folder, whole.
fn content(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for item in std::fs::read_dir(folder).unwrap() {
            let item = item.unwrap();
            if item.file_type().unwrap().is_dir() {
                folders.push(item.path());
            // Puma's own plugin, for which Rails' config/puma.rb asks, makes this one.
            } else if !item.path().ends_with("tmp/restart.txt") {
                files.insert(item.path(), std::fs::read(item.path()).unwrap_or_default());
            }
        }
    }
    files
}

impl Tried {
    fn says(&self, words: &[&str]) -> &Self {
        for word in words {
            assert!(self.said.err.contains(word), "`{word}`: {}", self.said.err);
        }
        self
    }

    fn ran(&self, variants: &[&str]) {
        assert_eq!(self.variants, variants, "{}", self.said.err);
    }
}

#[test]
fn a_django_project() {
    tried("django-guardian-2.4.0/example_project", "100", &[])
        .says(&[
            "`example_project` is a WSGI app (django 5.2",
            "`manage.py` names the settings `settings`",
            "it has no `wsgi.py`",
            "DEBUG is on",
            "collectstatic",
            ": no time for them in a budget of 1 s",
        ])
        .ran(&[
            "gunicorn-1",
            "gunicorn-cores",
            "nginx-keepalive+gunicorn-cores",
        ]);
}

#[test]
fn a_fastapi_app() {
    tried(
        "fastapi-0.165.0/docs_src/bigger_applications",
        "2000",
        &["--path", "/?token=jessica"],
    )
    .says(&[
        "`app.main` is an ASGI app (fastapi 0.165.0",
        "module `app.main` holds `app.main:app`",
    ])
    .ran(&["uvicorn-1", "uvicorn-cores", "granian-cores"]);
}

#[test]
fn a_rails_app() {
    tried("shop", "400", &["--path", "/posts"])
        .says(&[
            "`shop` is a Rack app (rails)",
            "`config.ru` is there",
            "RAILS_ENV=production",
            "`config/puma.rb` says how you run it today: the variant `today`",
        ])
        .ran(&["today", "puma-workers", "nginx-keepalive+puma-workers"]);
}

/// Bundler's own words for this are a trace, and differ between its versions.
#[test]
fn a_rails_app_whose_gems_are_not_there() {
    let place = Place::new();
    let shop = place.path("shop");
    let mut copy = Command::new("cp");
    let copied = copy.arg("-r").arg(fetched("shop")).arg(&shop);
    assert!(copied.status().unwrap().success());
    let tried = || {
        let mut weir = place.weir(&["try", "--quick"]);
        weir.current_dir(&shop);
        said(weir)
    };
    let lock = shop.join("Gemfile.lock");
    let locked = std::fs::read_to_string(&lock).unwrap();
    let wanted = locked.replace("\n    racc (", "\n    racc (999.");
    assert_ne!(wanted, locked);
    std::fs::write(&lock, wanted).unwrap();
    tried().fails(
        5,
        &["`racc (999.", "`bundle install`", "`bundle lock --local`"],
    );
    std::fs::remove_file(&lock).unwrap();
    tried().fails(
        5,
        &[
            "`Gemfile.lock`",
            "`bundle install`",
            "`bundle lock --local`",
        ],
    );
    assert!(!lock.exists(), "nothing is written into the app's folder");
    place.assert_clean();
}

#[test]
fn an_express_app() {
    tried("express", "2000", &[])
        .says(&[
            "`express` is a program (express)",
            "`package.json` starts it with `node ./bin/www`",
            "it takes its port from PORT (`bin/www`)",
            "its files are in `public`",
        ])
        .ran(&["node", "node-cluster", "nginx-keepalive+node-cluster"]);
}

#[test]
fn a_go_program() {
    tried("go-httpbin", "5000", &[])
        .says(&[
            "`go-httpbin` is a program (go)",
            "`go.mod` names the module `github.com/mccutchen/go-httpbin/v2`; `./cmd/go-httpbin` is its program",
            "it takes its port from PORT (`httpbin/cmd/cmd.go`)",
            "`Dockerfile` says how you run it today: but `go-httpbin` is not on this machine",
        ])
        .ran(&["go", "haproxy+go", "nginx-keepalive+go"]);
}
