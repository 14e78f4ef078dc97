//! Apps: declared in app.toml, found out by a look at them, set up.

use std::path::Path;

use crate::support::{self, HELLO, python, wsgi};
use record::{App, Interface, Route};
use stack::StackError;

fn app_toml(text: &str) -> Result<App, StackError> {
    let folder = testkit::temp_dir();
    std::fs::create_dir(folder.path().join("files")).unwrap();
    std::fs::write(folder.path().join("app.toml"), text).unwrap();
    stack::app::read(folder.path(), Some(&python()))
}

const APP: &str = "name = \"a\"\ninterface = \"wsgi\"\nentry = \"a:b\"\n";
const ROUTE: &str = "[[routes]]\npath = \"/\"\n";

#[test]
fn app_toml_is_read_whole() {
    let text = format!(
        "{APP}frameworks = [\"flask\"]\nsetup = [[\"{{{{ python }}}}\", \"seed.py\"]]\nenv = {{ A = \"b\" }}\n\
         [[routes]]\npath = \"/\"\nmethod = \"HEAD\"\nstatus = 302\nexpect-headers = {{ ETag = true, content-type = \"text/html\" }}\n\
         contains = [\"x\"]\ndynamic = [\"[0-9]+\"]\nwait = 0.1\n[site]\ndir = \"files\"\nurl = \"/f/\"\n"
    );
    let app = app_toml(&text).unwrap();
    assert_eq!(
        app.setup,
        [[python().display().to_string(), "seed.py".to_owned()]]
    );
    assert_eq!(app.routes[0].status, 302);
    assert_eq!(app.routes[0].wait, Some(0.1));
    assert_eq!(app.routes[0].expect_headers["etag"], None);
    assert!(app.site.unwrap().dir.ends_with("files") && app.dir.is_absolute());
}

#[test]
fn a_php_app_says_that_it_has_no_front_controller() {
    let php = "name = \"a\"\ninterface = \"php\"\nentry = \"index.php\"\n";
    let app = |more: &str| app_toml(&format!("{php}{more}{ROUTE}")).unwrap();
    assert_eq!(app("").front_controller, None);
    let site = app("front-controller = false\n");
    assert_eq!(site.front_controller, Some(false));
    let written = stack::app::written(&site).unwrap();
    assert!(written.contains("front-controller = false\n"), "{written}");
}

#[test]
fn what_a_page_contains_is_one_text_or_several() {
    let one = format!("{APP}{ROUTE}contains = \"x\"\n{ROUTE}contains = [\"x\", \"y\"]\n{ROUTE}");
    let routes = app_toml(&one).unwrap().routes;
    let contains: Vec<_> = routes.iter().map(|route| &route.contains[..]).collect();
    let [x, y] = ["x", "y"].map(str::to_owned);
    assert_eq!(contains, [&[x.clone()][..], &[x, y], &[]]);
    let wrong = app_toml(&format!("{APP}{ROUTE}contains = 1\n"));
    let said = wrong.unwrap_err().to_string();
    assert!(
        said.contains("line 6: expected a text, or a list of texts"),
        "{said}"
    );
}

#[test]
fn a_body_is_text_base64_or_a_file() {
    let post = "[[routes]]\npath = \"/\"\nmethod = \"POST\"\n";
    let routes = [
        "body = \"a=1\"\n",
        "body = { base64 = \"gqYA\" }\nequals = { file = \"app.toml\" }\n",
        "equals = \"\"\n",
    ];
    let text = format!(
        "{APP}{post}{}{post}{}{post}{}",
        routes[0], routes[1], routes[2]
    );
    let app = app_toml(&text).unwrap();
    assert_eq!(*app.routes[0].body, *b"a=1");
    assert_eq!(*app.routes[1].body, [0x82, 0xa6, 0]);
    assert_eq!(app.routes[1].equals, Some(text.as_str().into()));
    assert!(app.routes[2].body.is_empty());
    assert_eq!(app.routes[2].equals, Some("".into()));
    assert_eq!(app.routes[0].equals, None);
}

#[test]
fn a_wrong_app_toml_is_named_with_its_line_or_key() {
    let cases = [
        (
            format!("{APP}colour = 1\n{ROUTE}"),
            "line 4: unknown field `colour`",
        ),
        (
            format!("{APP}{ROUTE}status = \"ok\"\n"),
            "line 6: invalid type",
        ),
        (format!("{APP}routes = []\n"), "`routes` is empty"),
        (
            format!("{APP}[[routes]]\npath = \"x\"\n"),
            "a path begins with `/`",
        ),
        (
            format!("{APP}{ROUTE}wait = 0.0\n"),
            "`wait` must be above 0",
        ),
        (
            format!("{APP}{ROUTE}dynamic = [\"(\"]\n"),
            "`dynamic` `(` is not a regular expression",
        ),
        (
            format!("{APP}{ROUTE}[site]\ndir = \"files\"\nurl = \"f\"\n"),
            "must begin and end with `/`",
        ),
        (
            format!("{APP}{ROUTE}[site]\ndir = \"gone\"\nurl = \"/f/\"\n"),
            "is no folder",
        ),
        (
            format!("name = \"a\"\ninterface = \"wsgi\"\n{ROUTE}"),
            "`entry` is missing",
        ),
        (
            format!("{APP}front-controller = true\n{ROUTE}"),
            "`front-controller` is for `interface = \"php\"`: leave it out",
        ),
        (
            format!("{APP}setup = [[\"{{{{ pyton }}}}\"]]\n{ROUTE}"),
            "`setup`: ",
        ),
    ];
    refused(&cases);
    let error = stack::app::read(Path::new("/no/such/app"), None).unwrap_err();
    assert!(error.to_string().starts_with("`/no/such/app`: "), "{error}");
    let error = stack::app::interpreter(Path::new("/"), Some(Path::new("/no/python"))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no Python for the app: `/no/python` is no program"
    );
}

#[test]
fn a_wrong_body_is_named_with_its_route() {
    refused(&[
        (
            format!("{APP}{ROUTE}body = \"x\"\n"),
            "route `GET /`: `body` means nothing with GET: write `method = \"POST\"`",
        ),
        (
            format!("{APP}{ROUTE}method = \"POST\"\nbody = {{ base64 = \"?\" }}\n"),
            "route `POST /`: `body`: `?` is not base64",
        ),
        (
            format!("{APP}{ROUTE}equals = {{ file = \"gone\" }}\n"),
            "route `GET /`: `equals`: `",
        ),
        (
            format!("{APP}{ROUTE}equals = {{ fil = \"gone\" }}\n"),
            "line 6: expected a text, `{ base64 = \"…\" }` or `{ file = \"…\" }`",
        ),
        (
            format!("{APP}{ROUTE}method = \"PSOT\"\n"),
            "line 6: unknown variant `PSOT`",
        ),
    ]);
}

/// Each of these is refused with these words.
fn refused(cases: &[(String, &str)]) {
    for (text, expected) in cases {
        let error = app_toml(text).unwrap_err().to_string();
        assert!(
            error.contains("app.toml`") && error.contains(expected),
            "{expected}: {error}"
        );
    }
}

fn detect(source: &str, entry: &str) -> Result<stack::Detected, StackError> {
    let folder = testkit::temp_dir();
    std::fs::create_dir(folder.path().join("static")).unwrap();
    std::fs::write(folder.path().join("shop.py"), source).unwrap();
    stack::app::detect(
        entry,
        folder.path(),
        Some(&python()),
        &[],
        stack::Wish::PATIENCE,
    )
}

#[test]
fn an_app_is_found_out() {
    let flask = detect(
        "from flask import Flask\nprint('noise')\napp = Flask(__name__)\n",
        "shop",
    )
    .unwrap();
    assert_eq!(
        (flask.app.entry.as_str(), flask.app.interface),
        ("shop:app", Interface::Wsgi)
    );
    assert_eq!(flask.app.frameworks, ["flask"]);
    assert!(
        flask
            .framework
            .unwrap()
            .1
            .starts_with(|c: char| c.is_ascii_digit())
    );
    let site = flask.app.site.unwrap();
    assert_eq!(site.url, "/static/");
    assert!(site.dir.ends_with("static"));
    assert_eq!(flask.app.routes, [Route::get("/")]);

    let factory = detect(
        "from flask import Flask\ndef create_app():\n    return Flask('shop')\n",
        "shop",
    )
    .unwrap();
    assert_eq!(factory.app.entry, "shop:create_app()");
    let plain = detect(
        "def hello(environ, start_response):\n    return []\n",
        "shop:hello",
    )
    .unwrap();
    assert_eq!(
        (plain.app.interface, plain.app.frameworks.len()),
        (Interface::Wsgi, 0)
    );
    let asgi = detect("class App:\n    async def __call__(self, scope, receive, send):\n        pass\nthing = App()\n", "shop").unwrap();
    assert_eq!(
        (asgi.app.entry.as_str(), asgi.app.interface),
        ("shop:thing", Interface::Asgi)
    );
}

#[test]
fn an_app_that_cannot_be_found_out() {
    let error = detect("import not_installed_anywhere\n", "shop:app").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("No module named 'not_installed_anywhere'"),
        "{error}"
    );
    assert!(
        error
            .hint()
            .unwrap()
            .ends_with("-m pip install not_installed_anywhere")
    );
    assert!(
        error
            .log_tail()
            .last()
            .unwrap()
            .starts_with("ModuleNotFoundError")
    );

    let error = detect("", "other:app").unwrap_err();
    assert!(
        error
            .hint()
            .unwrap()
            .contains("in the folder where `other` lies"),
        "{:?}",
        error.hint()
    );
    let error = detect("app = 3\n", "shop:app").unwrap_err();
    assert!(error.to_string().contains("cannot be called"), "{error}");
    let error = detect("def fine(environ, start_response): pass\n", "shop:apq").unwrap_err();
    assert_eq!(error.hint().unwrap(), "callables in it: fine");
    let error = detect("import os\nos._exit(7)\n", "shop").unwrap_err();
    assert!(error.to_string().contains("ended with code 7"), "{error}");
    let error = stack::app::detect(
        "shop",
        Path::new("/no/such/folder"),
        None,
        &[],
        stack::Wish::PATIENCE,
    )
    .unwrap_err();
    assert!(error.to_string().contains("/no/such/folder"), "{error}");
}

#[test]
fn setup_commands_run_once_in_order_under_a_guardian() {
    let mut demo = wsgi(HELLO);
    let sh = |script: &str| ["sh", "-c", script].map(str::to_owned).to_vec();
    demo.app.env.insert("GREETING".into(), "hi".into());
    demo.app.setup = vec![sh("echo $GREETING > one"), sh("cat one one > two")];
    stack::setup(&demo.app, &support::guard(), &support::CALM).unwrap();
    assert_eq!(
        std::fs::read_to_string(demo.dir.path().join("two")).unwrap(),
        "hi\nhi\n"
    );
    demo.app.setup = vec![sh("echo broken >&2; exit 4"), sh("touch never")];
    let error = stack::setup(&demo.app, &support::guard(), &support::CALM).unwrap_err();
    assert_eq!(
        error.to_string(),
        "setup command `sh -c echo broken >&2; exit 4` ended with code 4"
    );
    assert_eq!(error.log_tail(), ["broken"]);
    assert!(!demo.dir.path().join("never").exists());
    demo.app.setup = vec![vec!["/no/such/command".into()]];
    let error = stack::setup(&demo.app, &support::guard(), &support::CALM).unwrap_err();
    assert!(error.to_string().contains("/no/such/command"), "{error}");
}
