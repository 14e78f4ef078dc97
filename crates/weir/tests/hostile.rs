//! What comes from an app, a plan, a path, a command line or a server never steers a terminal, on either stream,
//! nor stands raw in a page.

use crate::support::through::on_a_terminal;
use crate::support::{Place, scripted};
use testkit::{Step, answer};

/// A window's title, a cleared screen, a bell, the same by C1 controls, and a line written backwards.
const HOSTILE: &str =
    "a\u{1b}]0;owned\u{7}b\u{1b}[2Jc\u{7}d\u{9b}2Je\u{9d}0;owned\u{9c}f\u{202e}g\u{2066}h";
/// What may not reach a terminal of it. weir's own moving line needs other sequences.
const RAW: [&str; 9] = [
    "\u{1b}]",
    "\u{1b}[2J",
    "\u{7}",
    "\0",
    "\u{9b}",
    "\u{9d}",
    "\u{9c}",
    "\u{202e}",
    "\u{2066}",
];

fn is_harmless(what: &str, shown: &str) {
    for raw in RAW {
        assert!(!shown.contains(raw), "{what}: {raw:?} in {shown:?}");
    }
}

/// A value with a line feed in it does not pass for a line of weir's.
fn forges_nothing(shown: &str) {
    for line in shown.lines() {
        assert!(!line.starts_with("hint: forged"), "{shown}");
    }
}

/// On a terminal and in pipes; returns what stood on each of the two.
fn in_every_way(place: &Place, args: &[&str]) -> (String, String) {
    let terminal = on_a_terminal(place, args);
    let said = place.run(args);
    for (what, shown) in [
        ("terminal", &terminal),
        ("standard output", &said.out),
        ("standard error", &said.err),
    ] {
        is_harmless(what, shown);
        forges_nothing(shown);
    }
    (said.out, said.err)
}

#[test]
fn an_app_and_a_plan() {
    let place = Place::new();
    // TOML and Python write what steers as JSON does, as a number
    let written = |text: &str| {
        let json = serde_json::to_string(text).unwrap();
        let number = |c: char| match c {
            c if c.is_ascii() => c.to_string(),
            c => format!("\\u{:04x}", u32::from(c)),
        };
        json.chars().map(number).collect::<String>()
    };
    let log = written(&format!("{HOSTILE}\0"));
    let title = written(&format!("hint: no\nhint: forged {HOSTILE}"));
    place.write(
        "plan.toml",
        &format!(
            "app = \"app\"\ntitle = {title}\nblocks = 1\nseed = 1\nnoise-floor = \"none\"\n\
             [load]\nconnections = 4\nrequests = 40\nwarm-up = {{ requests = 4 }}\n\
             [[variant]]\nname = \"one\"\ntitle = {title}\nserver = \"gunicorn\"\n"
        ),
    );
    place.app(&format!(
        "import sys\nsys.stderr.reconfigure(encoding='utf-8')\nprint({log}, file=sys.stderr, flush=True)\n\
         raise RuntimeError({log} + '\\nhint: forged')\n"
    ));
    let (_, err) = in_every_way(&place, &["run", "plan.toml", "--ready-timeout", "2m"]);
    assert!(err.contains("owned"), "the log is told: {err}");

    // and an app that fails under load, so that there is a run to be told
    place.app(&format!(
        "import os, sys\nsys.stderr.reconfigure(encoding='utf-8')\nasked = 0\ndef app(environ, start):\n    global asked\n    asked += 1\n    \
         if asked > 10:\n        print({log}, file=sys.stderr, flush=True)\n        start('500 Oops', [('Content-Length', '4')])\n        \
         return [b'oops']\n    start('200 OK', [('Content-Length', '2')])\n    return [b'ok']\n"
    ));
    let (out, _) = in_every_way(
        &place,
        &["run", "plan.toml", "--ready-timeout", "2m", "--out", "out"],
    );
    assert!(out.contains("owned"), "the title is told: {out}");
    in_every_way(&place, &["list"]);
    in_every_way(&place, &["show", "last"]);
    let (json, _) = in_every_way(&place, &["show", "last", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let title = json["run"]["plan"]["title"].as_str().unwrap();
    assert!(title.ends_with(HOSTILE), "JSON means the same: {title:?}");
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("owned"), "{page}");
    is_harmless("page", &page);
    assert!(!page.contains('\u{1b}'), "no escape at all");
}

#[test]
fn a_server() {
    let body = format!("{HOSTILE}\0\nhint: forged\n");
    let (_peer, url) = scripted(move |_| Step::serve(answer(200, &[("Server", HOSTILE)], &body)));
    let place = Place::new();
    // a wrong response is an error, with its excerpt; beside a threshold about errors it is a result
    let few = [
        "-c",
        "1",
        "-n",
        "20",
        "--warm-up",
        "0s",
        "--contains",
        "never",
    ];
    let (_, err) = in_every_way(&place, &[&["bench", &url][..], &few].concat());
    assert!(err.contains("owned"), "{err}");
    for format in ["text", "json", "ndjson", "csv", "markdown"] {
        let more = [
            "--fail-if",
            "errors > 0",
            "--format",
            format,
            "--out",
            "out",
        ];
        in_every_way(&place, &[&["bench", &url][..], &few, &more].concat());
    }
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    is_harmless("page", &page);
    in_every_way(&place, &["ab", "-n", "4", &url]);
}

#[test]
fn a_path_and_a_command_line() {
    let place = Place::new();
    let forged = format!("{HOSTILE}\nhint: forged");
    for args in [
        &["run", &forged][..],
        &["bench", &forged],
        &["bench", "http://127.0.0.1:9/", &forged],
        &["bench", "http://127.0.0.1:9/", "--fail-if", &forged],
        &[&forged],
        &["help", &forged],
        &["show", &forged],
        &["stack", &forged, "--print"],
        &["list", "--store", &forged],
        &[
            "bench",
            "http://127.0.0.1:9/",
            "-c",
            "1",
            "-n",
            "1",
            "--out",
            &forged,
        ],
    ] {
        let (out, err) = in_every_way(&place, args);
        assert!(
            err.contains("error: ") || !out.is_empty(),
            "{args:?}: {out}{err}"
        );
    }
}
