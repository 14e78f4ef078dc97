//! Apps that do not lie in their project's own folder, and projects that make their app in a function or by settings.

use record::Interface;
use stack::Recognised;

use super::{Folder, says};
use crate::support::python;

const SETTINGS: &str = "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings.dev')\n";
const DJANGO: &str = "def application(environ, start_response):\n    return []\n";

#[test]
fn django_has_the_settings_of_its_deployment() {
    let variable = "DJANGO_SETTINGS_MODULE";
    let live =
        format!("import os\nos.environ.setdefault('{variable}', 'shop.settings.live')\n{DJANGO}");
    let own = Folder::of(&[("manage.py", SETTINGS), ("shop/wsgi.py", &live)]).recognised();
    assert_eq!(own.app.entry, "shop.wsgi:application");
    assert!(!own.app.env.contains_key(variable), "{:?}", own.app.env);
    says(
        &own,
        "`shop/wsgi.py` names the settings `shop.settings.live`, as servers take them, and `manage.py` names `shop.settings.dev`",
    );
    let without = Folder::of(&[("manage.py", SETTINGS), ("wsgi.py", DJANGO)]).recognised();
    assert_eq!(without.app.entry, "wsgi:application");
    assert_eq!(without.app.env[variable], "shop.settings.dev");
    says(
        &without,
        "`manage.py` names the settings `shop.settings.dev`",
    );
}

#[test]
fn an_app_lies_one_or_two_folders_down() {
    let folder = Folder::of(&[
        ("netbox/manage.py", SETTINGS),
        ("netbox/shop/wsgi.py", DJANGO),
        (
            "docs/site/package.json",
            "{\"scripts\": {\"start\": \"node a.js\"}}",
        ),
        (
            "frontend/package.json",
            "{\"scripts\": {\"start\": \"ng serve\"}}",
        ),
    ]);
    let found = folder.recognised();
    assert_eq!(found.app.dir, folder.inside("netbox"));
    says(&found, "it lies in `netbox`");
    let main = "package main\nfunc main() { os.Getenv(\"PORT\") }\n";
    let folder = Folder::of(&[
        ("services/shop/go.mod", "module shop\n"),
        ("services/shop/main.go", main),
        ("services/shop/tools/go.mod", "module tools\n"),
    ]);
    assert_eq!(folder.recognised().app.dir, folder.inside("services/shop"));
    let deep = Folder::of(&[("a/b/c/go.mod", "module shop\n")]);
    assert!(deep.looked_at().is_err());
}

#[test]
fn of_several_apps_their_user_has_to_choose() {
    let folder = Folder::of(&[
        (
            "apps/api/package.json",
            "{\"scripts\": {\"start\": \"node a.js\"}}",
        ),
        ("apps/it's/go.mod", "module shop\n"),
    ]);
    let (_, hint) = folder.refused();
    let inside = folder.dir.path().join("apps").display().to_string();
    assert_eq!(
        hint,
        format!("say which of its apps: `weir try {inside}/api`, or `weir try \"{inside}/it's\"`")
    );
    let python = ("ledger/app/main.py", DJANGO);
    let folder = Folder::of(&[python, ("b-env/app/main.py", DJANGO)]);
    let (_, hint) = folder.refused();
    let dir = folder.dir.path().display();
    assert_eq!(
        hint,
        format!("say which of its apps: `weir try {dir}/b-env`, or `weir try {dir}/ledger`")
    );
    let wsgi =
        "def app(environ, start_response):\n    start_response('200 OK', [])\n    return [b'']\n";
    let two = [("a/app.py", wsgi), ("b/app.py", wsgi)];
    let folder = Folder::of(&two);
    let (_, hint) = folder.refused();
    let dir = folder.dir.path().display();
    assert_eq!(
        hint,
        format!("say which of its apps: `weir try {dir}/a`, or `weir try {dir}/b`")
    );
    let [first, second] = two;
    let both = Folder::of(&[first, second, ("wsgi.py", "from a.app import app\n")]);
    assert_eq!(both.recognised().app.entry, "wsgi:app");
    let package = Folder::of(&[first, ("a/__init__.py", ""), second]);
    assert_eq!(package.recognised().app.entry, "a.app:app");
    let custom = Folder::of(&[first, ("api/app.py", wsgi)]);
    says(&custom.recognised(), "it lies in `api`");
    let found = Folder::of(&[python]).recognised();
    assert_eq!(found.app.entry, "app.main:application");
    says(&found, "it lies in `ledger`");
}

#[test]
fn what_makes_an_app_may_want_to_be_given_something() {
    let wants = "from flask import Flask\ndef create_app(config_name, *, debug=False):\n    return Flask(config_name)\n";
    let package = ("app/__init__.py", wants);
    let (said, hint) = Folder::of(&[package]).refused();
    assert!(
        said.contains("`app/__init__.py`: `create_app` wants `config_name` (loaded by "),
        "{said}"
    );
    assert_eq!(
        hint,
        "say what it is given: `weir try 'app:create_app(\"…\")'`"
    );
    let named = "from app import create_app\napp = create_app('default')\n";
    let found = Folder::of(&[package, ("flasky.py", named)]).recognised();
    assert_eq!(found.app.entry, "flasky:app");
    let other = format!("{wants}def local():\n    return Flask('local')\n");
    let found = Folder::of(&[("app/__init__.py", &other)]).recognised();
    says(&found, "`app:local()` makes it");
    let folder = Folder::of(&[package]);
    let given = folder.run_by(&python(), Some("app:create_app(\"default\")"));
    let given = given.unwrap();
    assert_eq!(given.app.entry, "weir_made:app");
    says(&given, "`app:create_app(\"default\")` makes it");
    let error = folder
        .run_by(&python(), Some("app:create_app"))
        .unwrap_err();
    assert!(error.to_string().contains("wants `config_name`"), "{error}");
}

#[test]
fn an_app_without_a_page_at_its_root_names_those_that_it_has() {
    let paths = |found: &Recognised| found.elsewhere.clone().map(|paths| paths.join(" "));
    let flask = |routes: &str| {
        let source = format!("from flask import Flask\napp = Flask('shop')\n{routes}");
        Folder::of(&[("app.py", &source)]).recognised()
    };
    let route = |path: &str, more: &str| {
        format!("app.add_url_rule('{path}', '{path}', lambda **_: ''{more})\n")
    };
    let api =
        route("/<int:id>", "") + &route("/hook", ", methods=['POST']") + &route("/health", "");
    let elsewhere = |paths: &str| Some(paths.to_owned());
    let of_flask = paths(&flask(&api)).unwrap();
    assert!(of_flask.starts_with("/health "), "{of_flask}");
    assert!(of_flask.contains(" /<int:id>"), "{of_flask}");
    assert!(!of_flask.contains("/hook"), "{of_flask}");
    assert_eq!(paths(&flask(&(api + &route("/", "")))), None);

    let asgi = |routes: &str| {
        let source = format!(
            "class Route:\n    def __init__(self, path, *methods):\n        self.path = path\n        \
             if methods: self.methods = set(methods)\n\
             class App:\n    routes = [{routes}]\n    async def __call__(self, scope, receive, send):\n        pass\n\
             app = App()\n"
        );
        Folder::of(&[("app.py", &source)]).recognised()
    };
    let documents = "Route('/openapi.json', 'GET'), Route('/docs', 'GET'), Route('/api')";
    let found = asgi(documents);
    assert_eq!(found.app.interface, Interface::Asgi);
    assert_eq!(paths(&found), elsewhere("/docs"));
    let items = asgi(&format!(
        "{documents}, Route('/{{id}}', 'GET'), Route('/items', 'GET'), Route('/items', 'GET')"
    ));
    assert_eq!(paths(&items), elsewhere("/items /docs /{id}"));
    let odd = asgi("Route('/a`b', 'GET')");
    assert_eq!(paths(&odd), elsewhere(""));
    for root in [
        "Route('')",
        "Route('/{path:path}', 'GET')",
        "Route('/', 'GET')",
    ] {
        assert_eq!(
            paths(&asgi(&format!("{documents}, {root}"))),
            None,
            "{root}"
        );
    }
    assert_eq!(paths(&asgi("")), None);
}

#[test]
fn what_a_project_lists_is_what_to_install() {
    let hint = |file: &str, text: &str| {
        let lost = ("app.py", "import no_such_package\n");
        Folder::of(&[lost, (file, text)]).refused().1
    };
    let python = python().display().to_string();
    assert_eq!(
        hint("requirements.txt", "no_such_package\n"),
        format!(
            "install what `requirements.txt` lists: `{python} -m pip install -r requirements.txt` in that folder"
        )
    );
    assert_eq!(
        hint("uv.lock", "name = \"no-such-package\"\n"),
        "install what `uv.lock` lists: `uv sync` in that folder"
    );
    let unlisted = hint(
        "pyproject.toml",
        "[project]\ndependencies = [\"fastapi\"]\n",
    );
    let words = "`no_such_package` is not in `pyproject.toml`: add its package";
    assert!(unlisted.starts_with(words), "{unlisted}");
}
