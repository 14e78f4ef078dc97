//! Python apps as people lay them out, and what is said of those that cannot be loaded.

use std::path::PathBuf;

use record::Interface;
use stack::{Recognised, StackError};

use super::Folder;
use crate::support::python;

pub(super) const APP: &str = "def app(environ, start_response):\n    return []\n";

impl Folder {
    fn named(&self, entry: Option<&str>) -> Result<Recognised, StackError> {
        self.run_by(&self.python, entry)
    }
}

#[test]
fn an_app_is_found_where_projects_have_it() {
    for (file, entry, home, path) in [
        ("hello.py", "hello:app", "", None),
        ("app/main.py", "app.main:app", "", None),
        ("backend/main.py", "backend.main:app", "", None),
        ("backend/app/main.py", "app.main:app", "backend", None),
        ("src/main.py", "main:app", "", Some("src")),
        ("src/shop/web.py", "shop.web:app", "", Some("src")),
    ] {
        let folder = Folder::of(&[(file, APP)]);
        let found = folder.recognised().app;
        assert_eq!(
            (found.entry.as_str(), found.interface),
            (entry, Interface::Wsgi)
        );
        assert_eq!(
            found.dir,
            folder.inside(home).components().collect::<PathBuf>(),
            "{file}"
        );
        let given = found
            .env
            .get("PYTHONPATH")
            .map(|it| it.split(':').next().unwrap());
        let path = path.map(|path| folder.inside(path).display().to_string());
        assert_eq!(given, path.as_deref(), "{file}");
    }
}

#[test]
fn a_module_that_imports_its_neighbours_is_loaded_in_its_own_folder() {
    let app = format!("import shelves\n{APP}");
    let folder = Folder::of(&[("backend/main.py", &app), ("backend/shelves.py", "")]);
    let found = folder.recognised().app;
    assert_eq!(
        (found.entry.as_str(), found.dir),
        ("main:app", folder.inside("backend"))
    );
}

#[test]
fn a_file_may_be_named() {
    let files = [("tools/serve.py", APP), ("src/shop/web.py", APP)];
    let folder = Folder::of(&files);
    for (typed, entry) in [
        ("tools/serve.py", "tools.serve:app"),
        ("tools/serve.py:app", "tools.serve:app"),
        ("src/shop/web.py", "shop.web:app"),
    ] {
        assert_eq!(folder.named(Some(typed)).unwrap().app.entry, entry);
    }
}

#[test]
fn what_was_looked_at_is_said_with_the_reason() {
    let folder = Folder::of(&[
        ("app.py", "import no_such_package\n"),
        ("main.py", "import os\nkey = os.environ['SHOP_KEY']\n"),
        ("server.py", "answer = 42\n"),
        ("package.json", "{}"),
        ("go.mod", "module shop\n"),
    ]);
    let (said, hint) = folder.refused();
    let python = python().display().to_string();
    for words in [
        "no app can be loaded in `",
        "\n`app.py`: ModuleNotFoundError: No module named 'no_such_package' (loaded by ",
        &python,
        "\n`main.py`: KeyError: 'SHOP_KEY': the variable SHOP_KEY is not set (",
        "\n`server.py` holds no app",
        "\n`go.mod` is there, and no `func main`",
        "\n`package.json` has neither a `start` script nor a file to start",
    ] {
        assert!(said.contains(words), "`{words}`: {said}");
    }
    assert_eq!(
        hint,
        format!("install it: {python} -m pip install no_such_package")
    );
    let misspelt = Folder::of(&[("app.py", "from functols import cache\n")]);
    let (_, hint) = misspelt.refused();
    assert_eq!(hint, "did you mean `functools`, which is a part of Python?");
    let (said, hint) = Folder::of(&[]).refused();
    assert!(
        said.starts_with("nothing to serve was found in `"),
        "{said}"
    );
    assert!(hint.contains("weir try module:app"), "{hint}");
    assert!(said.contains("\nlooked for: `manage.py`, "), "{said}");
    let mut lines = said.lines().skip(1);
    assert!(lines.all(|line| line.chars().count() <= 100), "{said}");
}

#[test]
fn what_is_said_of_an_app_is_one_line_of_a_bounded_length() {
    let shouts = "raise RuntimeError('no\\n\\x1b[2J' * 5000)\n";
    let (said, _) = Folder::of(&[("app.py", shouts)]).refused();
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(lines[1].chars().count() < 500, "{said}");
}

#[test]
fn a_variable_that_is_not_set_is_named() {
    for (source, words) in [
        (
            "import os\nos.environ['SHOP_KEY']\n",
            "the variable SHOP_KEY is not set",
        ),
        (
            "raise ValueError('Set the SHOP_KEY environment variable')\n",
            "the variable SHOP_KEY is not set",
        ),
        (
            "raise KeyError('SHOP_KEY not found. Declare it as envvar')\n",
            "SHOP_KEY",
        ),
        (
            "raise ValueError('variables SHOP_KEY, SHOP_URL are missing')\n",
            "the variables SHOP_KEY, SHOP_URL are not set",
        ),
    ] {
        let (said, _) = Folder::of(&[("app.py", source)]).refused();
        assert!(said.contains(words), "{source}: {said}");
    }
    let source = "import os\nos.environ['SHOP_KEY']\n";
    let hint = |more: &[(&str, &str)]| {
        Folder::of(&[&[("app.py", source)], more].concat())
            .refused()
            .1
    };
    assert_eq!(hint(&[]), "set it: `export SHOP_KEY=…`");
    let file = hint(&[(".env", "SHOP_KEY=secret\n")]);
    assert!(
        file.contains("set -a; . ./.env; set +a") && !file.contains("secret"),
        "{file}"
    );
}

#[test]
fn a_program_that_wants_arguments_is_said_to_want_them() {
    let source = "import argparse\nparser = argparse.ArgumentParser()\n\
                  parser.add_argument('--config', required=True)\nparser.parse_args()\n";
    let (said, hint) = Folder::of(&[("app.py", source)]).refused();
    for words in ["ends the program (SystemExit: 2)", "are required: --config"] {
        assert!(said.contains(words), "{said}");
    }
    assert!(
        hint.contains("weir try --command 'python FILE …'"),
        "{hint}"
    );
}

#[test]
fn a_class_is_no_app_unless_it_takes_a_request() {
    let class = "class Shop:\n    def __init__(self, first, second=None):\n        pass\n\
                 class App:\n    def __init__(self, *args, **kwargs): pass\n";
    let folder = Folder::of(&[("app.py", class)]);
    for name in ["Shop", "App"] {
        let error = folder.named(Some(&format!("app:{name}"))).unwrap_err();
        assert!(
            error.to_string().contains("is a class, not an app"),
            "{error}"
        );
    }
    let (said, _) = folder.refused();
    assert!(said.contains("`app.py` holds no app"), "{said}");
    let class = "class App:\n    def __init__(self, environ, start_response):\n        pass\n";
    let found = Folder::of(&[("app.py", class)])
        .named(Some("app:App"))
        .unwrap();
    assert_eq!(found.app.interface, Interface::Wsgi);
}

/// The class by which an app of aiohttp is known, where its package is not installed.
const AIOHTTP: [(&str, &str); 2] = [
    ("aiohttp/__init__.py", ""),
    (
        "aiohttp/web_app.py",
        "class Application:\n    def __call__(self):\n        return self\n",
    ),
];

#[test]
fn an_app_of_aiohttp_is_served_by_its_library() {
    for (source, expression) in [
        ("app = Application()\n", "app"),
        (
            "async def init_app():\n    return Application()\n",
            "init_app()",
        ),
        (
            "def create_app():\n    return Application()\n",
            "create_app()",
        ),
        (
            "def build(argv, debug=False):\n    app = Application()\n    return app\n",
            "build([])",
        ),
        (
            "def main():\n    run_app(build())\n    return Application()\n\n\ndef other(x):\n    return Application()\n\n\n\
             def build():\n    return Application()\n",
            "build()",
        ),
    ] {
        let source = format!("from aiohttp.web_app import Application\n{source}");
        let folder = Folder::of(&[&AIOHTTP[..], &[("app.py", &source)]].concat());
        let found = folder.recognised();
        assert_eq!(found.app.interface, Interface::Program);
        assert!(
            found
                .app
                .entry
                .ends_with("' -m aiohttp.web -H $HOST -P $PORT weir_made:app")
        );
        let path = found.app.env["PYTHONPATH"].split(':').next().unwrap();
        let made = std::fs::read_to_string(PathBuf::from(path).join("weir_made.py")).unwrap();
        let call = format!("return import_module('app').{expression}\n");
        assert!(made.contains(&call), "{made}");
        // as `aiohttp.web` calls it
        let called = "import asyncio, inspect, weir_made as made; it = made.app([]); \
                      it = asyncio.run(it) if inspect.iscoroutine(it) else it; print(type(it).__name__)";
        let said = std::process::Command::new(python())
            .args(["-c", called])
            .env("PYTHONPATH", &found.app.env["PYTHONPATH"])
            .current_dir(&found.app.dir)
            .output()
            .unwrap();
        assert_eq!(
            String::from_utf8_lossy(&said.stdout),
            "Application\n",
            "{said:?}"
        );
    }
}
