//! Passwords and tokens in URLs: sent as they should be, and written nowhere.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::support::Place;
use testkit::{ScriptedPeer, Step, answer};

const PASSWORD: &str = "p-4-s";
const TOKEN: &str = "t-0-k";
const ROOM: &str = "r-0-m";

fn peer() -> ScriptedPeer {
    ScriptedPeer::tcp(|_| Step::serve(answer(200, &[], "hello")))
}

/// Every request names the user so, and no other way.
fn asked(peer: &ScriptedPeer, authorization: &str) {
    let wanted = format!("authorization: {authorization}\r\n");
    let requests = peer.requests();
    assert!(!requests.is_empty());
    for request in requests {
        let text = String::from_utf8_lossy(&request).to_ascii_lowercase();
        let wanted = wanted.to_ascii_lowercase();
        assert_eq!(text.matches("authorization:").count(), 1, "{text}");
        assert!(text.contains(&wanted), "{text}");
    }
}

fn hides(what: &str, text: &str) {
    for secret in [PASSWORD, TOKEN, ROOM] {
        assert!(!text.contains(secret), "{what} has {secret}: {text}");
    }
}

/// Every file below a folder, none of which has a secret in it; how many there were.
fn hide(folder: &Path) -> usize {
    let mut seen = 0;
    for item in fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            seen += hide(&path);
        } else if let Ok(bytes) = fs::read(&path) {
            hides(
                &path.display().to_string(),
                &String::from_utf8_lossy(&bytes),
            );
            seen += 1;
        }
    }
    seen
}

fn url(peer: &ScriptedPeer) -> String {
    let host = peer.address();
    format!("http://ann:{PASSWORD}@{host}/path?api_key={TOKEN}&room={ROOM}&b=1")
}

#[test]
fn the_user_of_a_url_is_sent() {
    for command in [
        &["bench", "-c", "1", "-n", "2", "--warm-up", "0s"][..],
        &["ab", "-n", "2"],
        &["wrk", "-t1", "-c1", "-d", "600ms"],
    ] {
        let place = Place::new();
        let asks = |header: &[&str], user: &str, authorization: &str| {
            let peer = peer();
            let url = format!("http://{user}@{}/", peer.address());
            place.run(&[command, header, &[url.as_str()]].concat());
            asked(&peer, authorization);
        };
        asks(&[], "ann:pw", "Basic YW5uOnB3");
        asks(&[], "ann:p%40w", "Basic YW5uOnBAdw==");
        let own = ["-H", "authorization: Bearer x"];
        asks(&own, "ann:pw", "Bearer x");
    }
}

#[test]
fn the_user_of_a_url_is_sent_by_every_author() {
    let place = Place::new();
    place.write("mix.toml", "[[request]]\npath = \"/a\"\n");
    let line = "127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.0\" 200 5 \"-\" \"x\"\n";
    place.write("access.log", &line.repeat(2));
    for option in [
        &["--mix", "mix.toml"][..],
        &["--page"],
        &["--replay", "access.log"],
    ] {
        let peer = ScriptedPeer::tcp(|_| {
            Step::serve(answer(200, &[("Content-Type", "text/html")], "<p>hello"))
        });
        let url = format!("http://ann:pw@{}/", peer.address());
        let load = ["bench", &url, "-c", "1", "-n", "2", "--warm-up", "0s"];
        let said = place.run(&[&load[..], option].concat());
        assert_eq!(
            said.err
                .lines()
                .filter(|line| line.starts_with("error"))
                .count(),
            0,
            "{}",
            said.err
        );
        asked(&peer, "Basic YW5uOnB3");
    }
}

#[test]
fn secrets_are_in_no_file_and_in_no_output() {
    for format in ["text", "json", "ndjson", "csv", "markdown"] {
        let (place, peer) = (Place::new(), peer());
        let said = place.run(&[
            "bench",
            &url(&peer),
            "-c",
            "2",
            "-n",
            "20",
            "--warm-up",
            "0s",
            "--explain",
            "--mask",
            "room,other",
            "--format",
            format,
            "--out",
            "results",
            "--hdr",
            "times.hdr",
        ]);
        said.measured();
        hides("the output", &said.out);
        hides("the notes", &said.err);
        assert_eq!(hide(&place.path("results")), 4);
        let document = fs::read_to_string(place.path("results/run.json")).unwrap();
        serde_json::from_str::<serde_json::Value>(&document).unwrap();
        let shown = format!(
            "http://ann:***@{}/path?api_key=***&room=***&b=1",
            peer.address()
        );
        assert!(document.contains(&shown), "{document}");
        let sent = String::from_utf8(peer.requests().remove(0)).unwrap();
        let path = format!("GET /path?api_key={TOKEN}&room={ROOM}&b=1 ");
        assert!(sent.starts_with(&path), "{sent}");
    }
}

#[test]
fn secrets_are_in_no_other_tools_output_either() {
    let (place, peer) = (Place::new(), peer());
    for command in [
        &["ab", "-n", "2"][..],
        &["wrk", "-t1", "-c1", "-d", "200ms"],
    ] {
        let said = place.run(&[command, &["--mask", "room", &url(&peer)]].concat());
        said.succeeds();
        hides("the output", &said.out);
        hides("the notes", &said.err);
    }
}

#[test]
fn secrets_are_in_no_error() {
    let place = Place::new();
    let query = format!("?token={TOKEN}");
    for url in [
        format!("http://ann:{PASSWORD}@no.such.host.invalid/{query}"),
        format!("gopher://ann:{PASSWORD}@127.0.0.1/{query}"),
        format!("http://ann:{PASSWORD}@127.0.0.1:99999/{query}"),
        format!("http://ann:{PASSWORD}@127.0.0.1:1/{query}"),
    ] {
        for args in [
            &["bench", &url, "-n", "1", "-c", "1", "--warm-up", "0s"][..],
            &["ab", &url],
            &["wrk", "-d", "1s", &url],
            &["bench", "-c", &url],
            &["list", &url],
        ] {
            let said = place.run(args);
            assert_ne!(said.code, 0);
            hides("the error", &(said.out + &said.err));
        }
    }
}

/// What an app of one's own is asked is kept for its user alone, and shown to nobody.
#[test]
fn secrets_of_an_app_are_in_no_export_and_in_no_report() {
    let place = Place::new();
    place.write(
        "mine.py",
        "def app(environ, start):\n    asked = environ['HTTP_AUTHORIZATION'] + environ['QUERY_STRING']\n    \
         start('200 OK' if 'p-4-s' in asked and 't-0-k' in asked else '403 No', [])\n    return [b'ok']\n",
    );
    // HTML writes a slash otherwise
    let path = format!("/?token=a/{TOKEN}");
    let headers = [
        format!("Authorization: Bearer {PASSWORD}"),
        format!("Cookie: room={ROOM}"),
    ];
    let fixed = [
        "try", "mine:app", "--quick", "-n", "40", "-c", "2", "--json",
    ];
    let asks = ["--path", &path, "-H", &headers[0], "-H", &headers[1]];
    let said = place.run(&[&fixed[..], &asks, &["--variants", "gunicorn-1"]].concat());
    hides("the output", &said.measured().out);
    hides("the notes", &said.err);
    let run = said.json();
    let load = &run["trials"][0]["outcome"]["measured"]["load"];
    assert_eq!(load["completed"], 40, "it was asked with them: {run:#}");
    assert!(hide(&place.path("weir.reports")) > 0);
    let shown = place.run(&["show", "last", "--json"]);
    hides("the store, shown", &shown.out);
    let store = fs::metadata(place.path("weir.db")).unwrap();
    assert_eq!(store.permissions().mode() & 0o077, 0, "for its user alone");
}

/// Nor is what its file says, whatever characters of it HTML writes otherwise.
#[test]
fn secrets_of_an_apps_file_are_in_no_export_and_in_no_report() {
    let place = Place::new();
    place.write(
        "own/mine.py",
        "import os\n\ndef app(environ, start):\n    right = 'p-4-s' in os.environ['DATABASE_URL']\n    \
         start('200 OK' if right else '500 No', [])\n    return [b'ok']\n",
    );
    place.write(
        "own/app.toml",
        &format!(
            "name = \"mine\"\ninterface = \"wsgi\"\nentry = \"mine:app\"\n\
             env = {{ DATABASE_URL = \"postgres://shop:{PASSWORD}@db/shop\" }}\n\
             [[routes]]\npath = \"/?b=1&token={TOKEN}/b\"\nheaders = {{ cookie = \"room={ROOM}\" }}\n"
        ),
    );
    let fixed = ["try", "own", "--quick", "-n", "40", "-c", "2", "--json"];
    let said = place.run(&[&fixed[..], &["--variants", "gunicorn-1"]].concat());
    hides("the output", &said.measured().out);
    hides("the notes", &said.err);
    assert!(hide(&place.path("weir.reports")) > 0);
    let page = fs::read_to_string(place.path("weir.reports/run-1/report.html")).unwrap();
    let shown = "DATABASE_URL=postgres:&#x2f;&#x2f;shop:***@db&#x2f;shop";
    assert!(page.contains(shown), "{page}");
}

/// What is written is to be kept with the app's other files: a variable has what it was asked with.
#[test]
fn what_says_who_asks_is_in_no_file_that_deploys() {
    let place = Place::new();
    place.write(
        "mine.py",
        &format!(
            "def app(environ, start):\n    known = environ.get('HTTP_AUTHORIZATION') == 'Bearer {TOKEN}'\n    \
             start('200 OK' if known else '401 No', [])\n    return [b'ok']\n"
        ),
    );
    let header = format!("Authorization: Bearer {TOKEN}");
    let fixed = ["try", "mine:app", "--quick", "-n", "40", "-c", "2"];
    let asks = ["-H", &header, "--variants", "gunicorn-1"];
    place.run(&[&fixed[..], &asks].concat()).measured();
    let said = place.run(&["write", "last:gunicorn-1", "deploy"]);
    said.succeeds();
    let told = "set `$WEIR_AUTHORIZATION` before `app.toml` is read";
    assert!(said.err.contains(told), "{}", said.err);
    assert!(hide(&place.path("deploy")) > 3);
    let readme = fs::read_to_string(place.path("deploy/README.md")).unwrap();
    let check = "--header \"Authorization: $WEIR_AUTHORIZATION\" http://";
    assert!(readme.contains(check), "{readme}");
    let again = ["run", "deploy/plan.toml", "--quick"];
    let unset = "header `Authorization`: `$WEIR_AUTHORIZATION` is not set";
    place
        .run(&again)
        .fails(5, &[unset, "export WEIR_AUTHORIZATION="]);
    let mut weir = place.weir(&again);
    weir.env("WEIR_AUTHORIZATION", format!("Bearer {TOKEN}"));
    crate::support::said(weir).measured();
}
