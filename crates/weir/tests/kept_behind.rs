//! Whether a front end keeps its connections to the server behind it: what is counted, shown and advised of that.

use serde_json::Value;

use crate::own_network::may;
use crate::support::{Place, machine_is_doubted, standing};

const PLAN: &str = "app = \"app\"\nblocks = 1\nseed = 1\nnoise-floor = \"none\"\nnetwork = \"own\"\n\
                    [load]\nconnections = 4\nseconds = 1\nwarm-up = { seconds = 0.5 }\n";

/// gunicorn with threads, which keeps connections, reached over this transport behind nginx that keeps so many.
fn variant(name: &str, transport: &str, kept: u32) -> String {
    format!(
        "[[variant]]\nname = \"{name}\"\n\
         server = {{ entry = \"gunicorn\", link = \"{transport}\", worker-class = \"gthread\", threads = 4 }}\n\
         front = {{ entry = \"nginx\", upstream-keepalive = {kept} }}\n"
    )
}

/// What is found of the connections of a variant.
fn churn(document: &Value, name: &str) -> Option<Value> {
    let variants = document["judged"]["variants"].as_array().unwrap();
    let variant = variants.iter().find(|of| of["name"] == name).unwrap();
    let mut findings = variant["findings"].as_array().into_iter().flatten();
    findings
        .find(|of| of["kind"] == "connection-churn")
        .cloned()
}

#[test]
fn a_front_end_that_opens_a_connection_for_each_request_is_told_to_keep_them() {
    if !may() {
        return;
    }
    let place = Place::new();
    place.app(
        "def app(environ, start):\n    start('200 OK', [('Content-Length', '2')])\n    return [b'ok']\n",
    );
    let variants = [
        variant("anew", "tcp", 0),
        variant("kept", "tcp", 16),
        variant("unix", "unix", 0),
    ];
    place.write("plan.toml", &format!("{PLAN}{}", variants.concat()));
    let run = place.run(&["run", "plan.toml", "--json"]);
    let document = run.measured().json();
    for trial in standing(&document) {
        let server = &trial["outcome"]["measured"]["stack"]["servers"][1];
        let link = match trial["variant"].as_str().unwrap() {
            "unix" => "http+unix",
            _ => "http+tcp",
        };
        assert_eq!(server["link"], link);
        assert_eq!(server["keeps"], true);
    }
    for trial in document["judged"]["trials"].as_array().unwrap() {
        let each = trial["figures"]["opens-inside"].as_f64().unwrap();
        let expected = match trial["variant"].as_str().unwrap() {
            "anew" => 0.8..1.2,
            _ => 0.0..0.2,
        };
        assert!(expected.contains(&each), "{each}: {trial:#}");
    }
    if let Some(found) = churn(&document, "anew") {
        assert_eq!(found["confidence"], "counted", "{found:#}");
        let key = &found["change"]["key"];
        assert_eq!(key, "front.upstream-keepalive", "{found:#}");
    } else {
        // trials that others disturb are not looked at
        assert!(machine_is_doubted(&document), "{document:#}");
    }
    for none in ["kept", "unix"] {
        assert_eq!(churn(&document, none), None);
    }
    let shown = place.run(&["show", "1"]);
    let told = |name: &str| {
        let mut lines = shown.out.lines().map(str::trim_start);
        lines.any(|line| line.starts_with(name) && line.contains("over TCP"))
    };
    assert!(told("anew") && told("kept"), "{}", shown.out);
    assert!(!told("unix"), "{}", shown.out);
    place.assert_clean();
}
