//! `weir try --login`: a page that only a user with a session sees.

use crate::support::Place;

/// Asks for a user at `/login`, by a form with a token that goes with a cookie, or in JSON; `/` leads there whoever has
/// no session.
pub(crate) const APP: &str = r#"
import json, os
from urllib.parse import parse_qs

FORM = b"""<form method=post><input type=hidden name=token value=t0><input name=user>
<input name=key type=password><input type=submit name=go></form>"""

def app(environ, start):
    def say(status, body=b"", *headers):
        start(status, [("Content-Type", "text/html"), ("Content-Length", str(len(body))), *headers])
        return [body]

    cookies = environ.get("HTTP_COOKIE", "")
    path, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
    if path == "/login" and method == "GET":
        return say("200 OK", FORM, ("Set-Cookie", "visit=v0; Path=/; HttpOnly; SameSite=Lax"))
    if path == "/login":
        sent = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        if environ["CONTENT_TYPE"] == "application/json":
            said = json.loads(sent)
        else:
            said = {name: value[0] for name, value in parse_qs(sent.decode()).items()}
            if said.get("token") != "t0" or "visit=v0" not in cookies:
                return say("403 Forbidden", b"<title>Forged</title>")
        if said.get("user") == "ann" and said.get("key") == "k e&y":
            return say("302 Found", b"", ("Location", "/"), ("Set-Cookie", "sid=s0; Path=/; Secure"))
        return say("200 OK", FORM)
    if "sid=s0" not in cookies:
        return say("302 Found", b"", ("Location", "/login?next=/"))
    return say("200 OK", b"hello ann, with " + cookies.encode())
"#;
const SMALL: [&str; 9] = [
    "try",
    "--quick",
    "-n",
    "100",
    "-c",
    "4",
    "--json",
    "--no-stress",
    "--ready-timeout=2m",
];

fn place() -> Place {
    let place = Place::new();
    place.write("app.py", APP);
    place
}

#[test]
fn what_a_user_sees_is_compared_and_loaded() {
    let place = place();
    for login in [
        "POST /login user=ann key=$SHOP_KEY",
        r#"POST /login {"user": "ann", "key": "$SHOP_KEY"}"#,
    ] {
        let more = ["--variants", "gunicorn-1,nginx-keepalive+gunicorn-cores"];
        let mut weir = place.weir(&[&SMALL, &more[..], &["--login", login]].concat());
        weir.env("SHOP_KEY", "k e&y");
        let said = crate::support::said(weir);
        let run = said.measured().json();
        let variants = run["judged"]["variants"].as_array().unwrap();
        assert_eq!(variants.len(), 2);
        for variant in variants {
            assert!(variant["failure"].is_null(), "{variant}");
            assert!(variant["figures"]["throughput"]["value"].as_f64().unwrap() > 0.0);
        }
        for text in [&said.out, &said.err] {
            assert!(
                !text.contains("k e&y") && !text.contains("sid=s0"),
                "{text}"
            );
        }
        assert_eq!(run["run"]["plan"]["app"]["login"], "POST /login ***");
    }
    place.assert_clean();
}

#[test]
fn a_login_that_opens_no_session_says_what_to_look_at() {
    let place = place();
    let login = |login: &str| place.run(&[&SMALL[..], &["--login", login]].concat());
    let again = "answers `POST /login` with its form again, as for credentials that are wrong";
    login("POST /login user=ann key=wrong").fails(8, &[again, "its form asks for `user`, `key`"]);
    let forged = "with status 403 (`Forged`), expected a session";
    login("POST /login user=ann token=t1").fails(8, &[forged, "check the path, the fields"]);
    let unset = "`$WEIR_NO_SUCH` in `POST /login …` is not set";
    login("POST /login user=ann key=$WEIR_NO_SUCH").fails(5, &[unset, "export WEIR_NO_SUCH="]);
    let unread = login("GET /login");
    unread.fails_with(2);
    assert!(
        unread.err.contains("no method that has a body"),
        "{}",
        unread.err
    );
    place.assert_clean();
}

/// An app that keeps no cookies: whoever logs in has a token, or at `/odd` something that weir does not know.
const TOKENS: &str = r#"
import json

def app(environ, start):
    def say(status, text):
        body = text.encode()
        start(status, [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]

    path, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
    if method == "POST" and path == "/odd":
        return say("200 OK", json.dumps({"key": "s3cr3t", "kind": "odd"}))
    if method == "POST":
        return say("200 OK", json.dumps({"access_token": "t0.k-en", "token_type": "bearer"}))
    if environ.get("HTTP_AUTHORIZATION") != "Bearer t0.k-en":
        return say("401 Unauthorized", "{}")
    return say("200 OK", json.dumps({"hello": "ann"}))
"#;

#[test]
fn the_token_of_a_login_is_every_requests() {
    let place = Place::new();
    place.write("app.py", TOKENS);
    let only = ["--variants", "gunicorn-1"];
    let tried = |login: &str| place.run(&[&SMALL[..], &only, &["--login", login]].concat());
    let said = tried("POST /token username=ann password=x");
    let run = said.measured().json();
    let variant = &run["judged"]["variants"][0];
    assert!(variant["failure"].is_null(), "{variant}");
    for text in [&said.out, &said.err] {
        assert!(!text.contains("t0.k-en"), "{text}");
    }
    let odd = tried("POST /odd username=ann password=x");
    let none = "with status 200, no new cookie and no token, expected a session";
    odd.fails(8, &[none, "its JSON has `key`, `kind`", "`access_token`"]);
    assert!(!odd.err.contains("s3cr3t"), "{}", odd.err);
    place.assert_clean();
}

#[test]
fn an_app_file_has_the_login_too() {
    let place = place();
    place.write(
        "app.toml",
        "name = \"shop\"\ninterface = \"wsgi\"\nentry = \"app:app\"\n\
         login = \"POST /login user=ann key='k e&y'\"\n[[routes]]\npath = \"/\"\ncontains = [\"hello ann\"]\n",
    );
    place.write(
        "plan.toml",
        "app = \".\"\n[load]\nconnections = 2\nrequests = 50\n[[variant]]\nname = \"one\"\nserver = \"gunicorn\"\n\
         [[variant]]\nname = \"other\"\nserver = \"gunicorn\"\nfront = \"nginx\"\n",
    );
    let said = place.run(&["run", "plan.toml", "--quick", "--json"]);
    let run = said.measured().json();
    for variant in run["judged"]["variants"].as_array().unwrap() {
        assert!(variant["failure"].is_null(), "{variant}");
    }
    place.assert_clean();
}
