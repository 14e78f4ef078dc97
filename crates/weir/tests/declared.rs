//! Apps that an `app.toml` declares, as `weir try` takes them; and what it says where there is no app.

use crate::support::{Place, Said};

/// Answers on three paths; what it reads of its environment is in one of them.
const APP: &str = "import os\ndef application(environ, start):\n    pages = {'/list': b'a list of ' + \
                   os.environ.get('SHOP_WORD', 'nothing').encode(), '/slow': b'slow'}\n    page = pages.get(environ['PATH_INFO'])\n    \
                   start('200 OK' if page else '404 Not Found', [('Content-Type', 'text/plain')])\n    return [page or b'no']\n";

const DECLARED: &str = "name = \"declared-shop\"\ninterface = \"wsgi\"\nentry = \"shop:application\"\n\
                        env = { SHOP_WORD = \"words\" }\n[[routes]]\npath = \"/list\"\ncontains = [\"a list of words\"]\n\
                        expect-headers = { content-type = \"text/plain\" }\n[[routes]]\npath = \"/slow\"\nequals = \"slow\"\n";

fn place(app: &str, declared: &str) -> Place {
    let place = Place::new();
    place.write("own/shop.py", app);
    place.write("own/app.toml", declared);
    place
}

fn tried(place: &Place, entry: &[&str]) -> Said {
    let small = [
        "--quick",
        "-n",
        "200",
        "-c",
        "4",
        "--variants",
        "gunicorn-1",
    ];
    place.run(&[&["try"], entry, &small[..]].concat())
}

#[test]
fn an_app_is_tried_as_its_file_says() {
    let place = place(APP, DECLARED);
    for entry in [
        &["own"][..],
        &["own/app.toml"],
        &["--dir", "own", "app.toml"],
    ] {
        let said = tried(&place, entry);
        said.measured();
        for words in [
            "`declared-shop` is a WSGI app",
            "`app.toml` says so, with 2 routes",
        ] {
            assert!(said.err.contains(words), "`{words}`: {}", said.err);
        }
    }
    let plan = &place.exported("last")["run"]["plan"];
    assert_eq!(plan["app"]["routes"][0]["path"], "/list");
    assert_eq!(plan["app"]["routes"][1]["equals"], "slow");
    assert_eq!(plan["app"]["env"]["SHOP_WORD"], "words");
    assert_eq!(plan["variants"][0]["route"], "/list");
    let said = tried(&place, &["own", "--path", "/slow"]);
    said.measured();
    let plan = &place.exported("last")["run"]["plan"];
    assert_eq!(plan["app"]["routes"][0]["equals"], "slow");
    assert_eq!(plan["variants"][0]["route"], "/slow");
    place.assert_clean();
}

#[test]
fn what_it_expects_is_held_against_each_answer() {
    let place = place(APP, &DECLARED.replace("a list of words", "a list of deeds"));
    tried(&place, &["own"]).fails(8, &["GET /list", "a list of deeds"]);
    place.assert_clean();
}

#[test]
fn what_is_wrong_in_it_is_an_error_as_in_a_run() {
    let place = place(APP, &DECLARED.replace("contains", "contians"));
    tried(&place, &["own"]).fails(5, &["app.toml", "contians", "weir help app"]);
    tried(&place, &["own/none.toml"]).fails(5, &["own/none.toml", "no such file"]);
    tried(&place, &["own/app.toml", "--as", "wsgi"]).fails(2, &["`--as`", "`interface`"]);
}

#[test]
fn who_says_what_to_serve_is_told_that_the_file_is_not_used() {
    let place = place(APP, DECLARED);
    let said = tried(
        &place,
        &["shop:application", "--dir", "own", "--path", "/slow"],
    );
    said.measured();
    let words = "`own/app.toml` is not used, as you said what to serve";
    assert!(said.err.contains(words), "{}", said.err);
}

#[test]
fn a_folder_that_is_not_there_is_said_to_be_missing() {
    let place = Place::new();
    place.write("app.py", "def app(environ, start): pass\n");
    for entry in [&["nosuch"][..], &["./no/such"], &["--dir", "nosuch"]] {
        let said = tried(&place, entry);
        said.fails(5, &["no such folder: `", "name the app's folder"]);
        assert!(!said.err.contains("Traceback"), "{}", said.err);
    }
}

#[test]
fn an_app_that_breaks_is_not_said_to_be_unnamed() {
    let place = Place::new();
    place.write(
        "app.py",
        "import json\nCONFIG = json.load(open('settings.json'))\napp = None\n",
    );
    let said = tried(&place, &[]);
    said.fails(5, &["settings.json", "mend what broke"]);
    assert!(!said.err.contains("say what to serve"), "{}", said.err);
}
