//! What `weir try` says of an app that it cannot load, start or ask as it is.

use crate::support::{APP, Place, Said, said};

fn trying(place: &Place, more: &[&str]) -> Said {
    let fixed = [
        "try",
        "mine:app",
        "--quick",
        "-n",
        "400",
        "-c",
        "4",
        "--json",
        "--variants",
        "gunicorn-1",
    ];
    place.run(&[&fixed[..], more].concat())
}

/// It keeps its routes as frameworks do, and has none for `/`.
const ROOTLESS: &str = "
class Route:
    methods = {'GET'}
    def __init__(self, path):
        self.path = path

class App:
    routes = [Route('/items/{id}'), Route('/health')]
    def __call__(self, environ, start_response):
        there = environ['PATH_INFO'] == '/health'
        start_response('200 OK' if there else '404 Not Found', [('Content-Type', 'text/plain')])
        return [b'well']

app = App()
";

#[test]
fn an_app_without_a_page_at_its_root_is_not_started_and_its_routes_are_named() {
    let place = Place::new();
    place.write("mine.py", ROOTLESS);
    let said = trying(&place, &[]);
    let words = [
        "the app has no page at `/`",
        "it has `/health`, `/items/{id}`",
        "`weir try mine:app --path /health`",
    ];
    said.fails(2, &words);
    assert!(!said.err.contains("status 404"), "{}", said.err);
    let said = trying(&place, &["--path", "/health"]);
    let run = said.measured().json();
    assert_eq!(run["run"]["plan"]["variants"][0]["route"], "/health");
    assert!(!said.err.contains("no page at"), "{}", said.err);
    trying(&place, &["--path", "/"]).fails(8, &["with status 404"]);
    place.assert_clean();
}

/// Its worker hangs as it loads the app, and so does the command by which it is run today.
#[test]
fn an_app_that_hangs_under_two_servers_is_said_to_hang_under_all() {
    let place = Place::new();
    let hangs = "import sys, time\nwhile sys.argv[0] != '-c': time.sleep(1)\n";
    place.write("mine.py", &format!("{hangs}{APP}"));
    place.write("Procfile", "web: python3 mine.py $PORT\n");
    let names = "today,gunicorn-1,gunicorn-cores";
    let said = place.run(&[
        "try",
        "mine:app",
        "--variants",
        names,
        "--ready-timeout",
        "2s",
    ]);
    said.fails(
        7,
        &[
            "the app gets ready under no server (today and gunicorn-1 were tried): `gunicorn` was not ready after 2 s",
            "allow more time to get ready",
        ],
    );
    place.assert_clean();
}

#[test]
fn a_wrong_answer_is_told_of_every_server_where_nobody_named_one() {
    let place = Place::new();
    let source = "def app(environ, start):\n    start('500 Oops', [])\n    return [b'oops']\n";
    place.write("mine.py", source);
    let said = place.run(&["try", "mine:app", "--quick", "--ready-timeout", "2m"]);
    said.fails(8, &["error: under every server: `", "with status 500"]);
    trying(&place, &["--ready-timeout", "2m"]).fails(8, &["error: variant `gunicorn-1`: "]);
    place.assert_clean();
}

#[test]
fn a_folder_inside_a_package_is_looked_at_and_its_app_loaded_from_outside() {
    let place = Place::new();
    place.write("ledger/app/__init__.py", "");
    place.write("ledger/app/main.py", "from . import pages\n");
    let named = place.run(&["try", "ledger/app"]);
    named.fails(5, &["attempted relative import", "`weir try ledger`"]);
    let mut weir = place.weir(&["try"]);
    weir.current_dir(place.path("ledger/app"));
    said(weir).fails(5, &["`cd ..`, and then `weir try`"]);
    place.assert_clean();
}
