//! The main job: a user's own app on every stack that fits, and servers of the user's own.

use std::sync::LazyLock;

use crate::support::{APP, Place, Said, repository};

/// A server that weir has never heard of: one file, no Rust.
const WSGIREF: &str = r#"
name = "wsgiref"
kind = "app-server"
title = "wsgiref, the standard library's server"
home = "https://docs.python.org/3/library/wsgiref.html"
runs = ["wsgi"]
listens = { http1 = ["tcp"] }
argv = [
    "{{ python }}", "-c",
    "import sys, importlib; sys.path.insert(0, '.'); from wsgiref.simple_server import make_server; m, c = sys.argv[1].split(':'); make_server(sys.argv[2], int(sys.argv[3]), getattr(importlib.import_module(m), c)).serve_forever()",
    "{{ app.entry }}", "{{ listen.host }}", "{{ listen.port }}",
]

[stop]
signal = "TERM"
grace = 2

[find]
version = { argv = ["{{ python }}", "--version"], pattern = 'Python (\S+)' }

[[candidates]]
name = "wsgiref"
title = "wsgiref"
rank = 5
"#;

const SMALL: [&str; 6] = ["--quick", "-n", "200", "-c", "4", "--json"];

fn names(said: &Said) -> Vec<String> {
    let run = said.json();
    let judged = &run["judged"];
    assert_eq!(judged["blocks"], 1);
    let variants = judged["variants"].as_array().unwrap().iter();
    let name = |of: &serde_json::Value| of["name"].as_str().unwrap().to_owned();
    variants.map(name).collect()
}

fn trying(place: &Place, entry: &str, more: &[&str]) -> Said {
    let args: Vec<&str> = ["try", entry]
        .into_iter()
        .chain(SMALL)
        .chain(more.iter().copied())
        .collect();
    place.run(&args)
}

/// A plain app, tried on all that fits it, and on a server of the user's own.
static TRIED: LazyLock<Said> = LazyLock::new(|| {
    let place = Place::new();
    place.write("mine.py", APP);
    place.write("own/app-servers/wsgiref.toml", WSGIREF);
    let said = trying(&place, "mine:app", &["--catalogue", "own"]);
    said.measured();
    place.assert_clean();
    said
});

#[test]
fn the_guestbook_without_a_plan() {
    let place = Place::new();
    let folder = repository().join("apps/guestbook");
    let said = trying(
        &place,
        "guestbook:app",
        &["--dir", folder.to_str().unwrap()],
    );
    said.measured();
    let tried = names(&said);
    for name in [
        "flask-dev",
        "gunicorn-1",
        "gunicorn-cores",
        "nginx-static",
        "nginx+gunicorn-cores",
    ] {
        assert!(tried.contains(&name.to_owned()), "{tried:?}: {}", said.err);
    }
    assert!(said.err.contains("WSGI app (flask 3"), "{}", said.err);
    place.assert_clean();
}

#[test]
fn a_plain_wsgi_app_is_not_given_to_servers_of_a_framework() {
    let said = &*TRIED;
    let tried = names(said);
    for name in ["gunicorn-1", "gunicorn-cores", "nginx+gunicorn-cores"] {
        assert!(tried.contains(&name.to_owned()), "{tried:?}: {}", said.err);
    }
    assert!(
        !tried.iter().any(|name| name.contains("flask")),
        "{tried:?}"
    );
    let run = said.json();
    let mut untried = run["run"]["plan"]["not_tried"].as_array().unwrap().iter();
    let left = untried.find(|of| of["names"].to_string().contains("\"nginx-static\""));
    let why = left.and_then(|of| of["why"].as_str()).unwrap_or_default();
    assert!(why.contains("declares no static file"), "{why}");
}

#[test]
fn one_file_is_a_server_of_the_users_own() {
    assert_eq!(names(&TRIED)[0], "wsgiref");
    let place = Place::new();
    place.write("mine.py", APP);
    place.write("own/app-servers/wsgiref.toml", WSGIREF);
    let doctor = place.run(&["doctor", "mine:app", "--catalogue", "own"]);
    assert!(doctor.succeeds().out.contains("wsgiref"), "{}", doctor.out);
    place.assert_clean();
}

/// What Python lacks for it to serve an app is what to install.
#[test]
fn a_server_without_what_it_needs_is_missing() {
    const LINE: &str = "-m pip install no-such-module-of-weir";
    let place = Place::new();
    place.write("mine.py", APP);
    let needs = "[[needs]]\nwhat = \"a module\"\nwhen = \"app.interface == 'wsgi'\"\n\
                 check = [\"{{ python }}\", \"-c\", \"import no_such_module_of_weir\"]\n\
                 install = \"{{ python }} -m pip install no-such-module-of-weir\"\n";
    place.write(
        "own/app-servers/wsgiref.toml",
        &format!("{WSGIREF}\n{needs}"),
    );
    for app in [&["mine:app"][..], &[]] {
        let doctor = [&["doctor"][..], app, &["--catalogue", "own"]].concat();
        let found = place.run(&[&doctor[..], &["--json"]].concat()).json();
        let mut programs = found["programs"].as_array().unwrap().iter();
        let own = programs.find(|of| of["name"] == "wsgiref").unwrap();
        assert!(own["version"].is_null(), "{app:?}: {own}");
        let install = own["install"].as_str().unwrap();
        assert!(install.ends_with(LINE), "{app:?}: {install}");
        let said = place.run(&doctor);
        let package = "no-such-module-of-weir";
        let is_typed = |line: &str| line.contains("pip install") && line.contains(package);
        let mut lines = found["install"].as_array().unwrap().iter();
        assert!(
            lines.any(|line| is_typed(line.as_str().unwrap())),
            "{found}"
        );
        for machine in [&found["others"]["share"], &found["pace"]["lowest"]] {
            assert!(machine.as_f64().is_some(), "{found}");
        }
        assert!(said.succeeds().out.lines().any(is_typed), "{}", said.out);
    }
    place.assert_clean();
}

#[test]
fn entries_in_the_configuration_folder_are_read() {
    let place = Place::new();
    place.write(".config/weir/catalogue/app-servers/wsgiref.toml", WSGIREF);
    let doctor = place.run(&["doctor"]);
    assert!(doctor.succeeds().out.contains("wsgiref"), "{}", doctor.out);
    let of_the_machine = ["The machine is ", "Its cores "];
    assert!(
        of_the_machine.iter().all(|of| doctor.out.contains(of)),
        "{}",
        doctor.out
    );
    let printed = place.run(&["stack", "wsgiref", "--print"]);
    assert!(
        printed.succeeds().out.contains("make_server"),
        "{}",
        printed.out
    );
}

#[test]
fn a_variant_that_fails_is_left_out_and_said() {
    let place = Place::new();
    place.write("mine.py", APP);
    place.write(
        "own/app-servers/wsgiref.toml",
        &WSGIREF.replace("import sys, importlib;", "raise SystemExit('no thanks');"),
    );
    let variants = "wsgiref,gunicorn-1,gunicorn-cores,nginx+gunicorn-cores";
    let more = ["--catalogue", "own", "--variants", variants];
    let said = trying(&place, "mine:app", &more);
    said.measured();
    let run = said.json();
    let failure = run["judged"]["variants"][0]["failure"].as_str().unwrap();
    assert!(failure.contains("no thanks"), "{failure}");
    assert_eq!(names(&said).len(), 4, "the others go on");
    place.assert_clean();
}

#[test]
fn a_folder_is_named_as_it_is() {
    let place = Place::new();
    place.write("shop/app.py", APP);
    let said = trying(&place, "shop", &["--variants", "gunicorn-1"]);
    assert_eq!(names(said.measured()), ["gunicorn-1"]);
    assert!(
        said.err.contains("module `app` holds `app:app`"),
        "{}",
        said.err
    );
    place.assert_clean();
}

#[test]
fn a_page_that_redirects_is_tried_when_it_is_said() {
    let place = Place::new();
    place.write("mine.py", "def app(environ, start):\n    start('302 Found', [('Location', '/login')])\n    return [b'']\n");
    let one = ["--variants", "gunicorn-1"];
    let said = trying(
        &place,
        "mine:app",
        &[&one[..], &["--status", "302"]].concat(),
    );
    assert_eq!(names(said.measured()), ["gunicorn-1"]);
    trying(
        &place,
        "mine:app",
        &[&one[..], &["--ready-timeout", "2m"]].concat(),
    )
    .fails(8, &["status 302", "expected 200"]);
}

#[test]
fn what_would_run_is_printed_and_nothing_started() {
    let place = Place::new();
    let plan = repository().join("claims/a-guestbook.toml");
    let printed = place.run(&[
        "stack",
        "nginx-in-front",
        "--plan",
        plan.to_str().unwrap(),
        "--print",
    ]);
    let text = &printed.succeeds().out;
    for word in [
        "nginx",
        "proxy_pass http",
        "gunicorn",
        "--workers",
        "GUESTBOOK_DATA",
        "nginx.conf",
        "sha256",
    ] {
        assert!(text.contains(word), "`{word}` is missing in: {text}");
    }
    let knob = place.run(&["stack", "gunicorn", "--set", "workers=7", "--print"]);
    assert!(knob.succeeds().out.contains("--workers 7"), "{}", knob.out);
    place
        .run(&["stack", "gunicorn", "--set", "workers=many", "--print"])
        .fails(5, &["workers", "many"]);
    for on in ["preload=on", "preload=true"] {
        let knob = place.run(&["stack", "gunicorn", "--set", on]);
        assert!(knob.succeeds().out.contains("--preload"), "{}", knob.out);
    }
    let knob = place.run(&["stack", "gunicorn", "--set", "preload=off"]);
    assert!(!knob.succeeds().out.contains("--preload"), "{}", knob.out);
    place.assert_clean();
}

#[test]
fn comparing_two_runs_says_what_else_differs() {
    let place = Place::new();
    place.write("mine.py", APP);
    let one = ["--variants", "gunicorn-1"];
    trying(&place, "mine:app", &one);
    place.run(
        &[
            &["try", "mine:app", "--quick", "-n", "200", "-c", "2"],
            &one[..],
        ]
        .concat(),
    );
    let compared = place.run(&["compare", "2:gunicorn-1", "1:gunicorn-1"]);
    assert!(
        compared.err.contains("note: the load differs"),
        "{} {}",
        compared.out,
        compared.err
    );
    let rows = place.run(&["compare", "2:gunicorn-1", "1:gunicorn-1", "--json"]);
    assert_eq!(rows.json()[0]["differences"][0], "the load differs");
}
