//! Clients as variants of a plan: programs that are measured, compared and refused as such.

use crate::support::schema::assert_is;
use crate::support::{Place, python};

/// A client that opens a connection for each request, and one that keeps its own.
const ORDERS: &str = "
import http.client, os, sys, urllib.parse
url = urllib.parse.urlsplit(os.environ['WEIR_URL'])
kept = http.client.HTTPConnection(url.hostname, url.port)
assert os.environ['ORDER'] == 'tea'
while True:
    connection = kept if sys.argv[1] == 'kept' else http.client.HTTPConnection(url.hostname, url.port)
    connection.request('GET', '/')
    connection.getresponse().read()
";

/// The one that talks in this way, as a variant.
fn variant(way: &str, python: &str) -> String {
    format!(
        "[[variant]]\nname = \"{way}\"\nclient = [\"{python}\", \"orders.py\", \"{way}\"]\nenv = {{ ORDER = \"tea\" }}\n"
    )
}

#[test]
fn a_client_is_a_variant() {
    let place = Place::new();
    std::fs::create_dir(place.path("plans")).unwrap();
    place.write("plans/orders.py", ORDERS);
    // by a path from where weir runs, which is not where clients do
    std::os::unix::fs::symlink(python(), place.path("chosen")).unwrap();
    let claim = "[[claim]]\nid = \"X1\"\ntext = \"t\"\nreported = \"r\"\nexpect = [\"opens of `anew` > 0.8\", \"opens of `kept` < 0.1\", \
                 \"cpu-per-request of `anew` / cpu-per-request of `kept` > 1\"]\n";
    let plan = format!(
        "blocks = 6\nnetwork = \"own\"\nnoise-floor = \"none\"\n[load]\nseconds = 0.5\n{}{}{claim}",
        variant("kept", "python3"),
        variant("anew", "{python}")
    );
    place.write("plans/plan.toml", &plan);
    let said = place.run(&["run", "plans/plan.toml", "--json", "--python", "chosen"]);
    said.measured();
    let run = said.json();
    assert_is("run", &run);
    let command = &run["run"]["plan"]["variants"][1]["client"]["command"][0];
    assert!(command.as_str().unwrap().ends_with("/chosen"), "{command}");
    assert_eq!(
        run["judged"]["claims"][0]["holds"], "holds",
        "{}",
        run["judged"]["claims"]
    );
    place
        .run(&["endpoints", "--run", "1:kept"])
        .fails(2, &["`kept` is a client"]);
    let page = place.run(&["show", "1"]);
    // lines are broken where the page ends
    let told: Vec<_> = page.succeeds().out.split_whitespace().collect();
    let told = told.join(" ");
    for words in ["kept", "asking weir's own origin for 500 ms", "2 clients"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    // of response times, which only it knows, nothing is missed
    assert!(
        !told.contains("needs 20 responses") && !told.contains("too few"),
        "{told}"
    );
    let report = place.run(&["report", "1", "--out", "report"]);
    report.succeeds();
    place.assert_clean();
}

#[test]
fn what_stands_out_of_how_a_client_talks_is_told() {
    let place = Place::new();
    place.write("orders.py", ORDERS);
    let (kept, anew) = (variant("kept", "python3"), variant("anew", "python3"));
    let plan = format!("blocks = 2\n[load]\nseconds = 0.5\n{kept}{anew}");
    place.write("plan.toml", &plan);
    place.run(&["run", "plan.toml"]).measured();
    let opens = "a connection is opened for a request, not kept";
    let page = place.run(&["show", "1"]);
    assert!(page.succeeds().out.contains(opens), "{}", page.out);
    let of = |variant: &str| {
        let said = place.run(&["explain", &format!("1:{variant}"), "--json"]);
        let explained = said.succeeds().json();
        assert_is("explained", &explained);
        let talked = &explained[0]["talked"];
        assert!(talked["talk"]["requests"].as_u64() > Some(1), "{talked}");
        talked["habits"].clone()
    };
    assert_eq!(of("kept"), serde_json::json!([]));
    let habit = &of("anew")[0];
    assert_eq!(
        (&habit["kind"], &habit["in_trials"]),
        (&"anew".into(), &2.into()),
        "{habit}"
    );
    let why = place.run(&["explain", "1:anew"]);
    assert!(
        why.succeeds().out.contains("→ keep one client object"),
        "{}",
        why.out
    );
    let report = place.run(&["report", "1", "--out", "report"]);
    report.succeeds();
    let page = std::fs::read_to_string(place.path("report/report.html")).unwrap();
    for words in [opens, "How it talked", "1.00 requests on each"] {
        assert!(page.contains(words), "{words}");
    }
    place.assert_clean();
}

#[test]
fn a_variant_whose_client_asks_nothing_says_so() {
    let place = Place::new();
    let plan = |client: &str, more: &str| {
        place.write(
            "plan.toml",
            &format!("blocks = 1\n[load]\nseconds = 0.5\n[[variant]]\nname = \"c\"\nclient = {client}\n{more}"),
        );
        place.run(&["run", "plan.toml", "--ready-timeout", "20s"])
    };
    plan("[\"true\"]", "").fails(7, &["`true` made no request", "WEIR_URL"]);
    plan("[\"sh\", \"-c\", \"echo no shop >&2; exit 3\"]", "")
        .fails(7, &["ended with code 3", "no shop"]);
    plan("[\"no-such-client\"]", "").fails(6, &["`no-such-client` is no program that can be run"]);
    plan("[]", "").fails(5, &["names no program"]);
    plan("[\"true\"]", "url = \"http://127.0.0.1/\"\n").fails(5, &["`url` has no meaning"]);
    plan("{ command = [\"true\"], delay = 100 }", "").fails(5, &["between 0 and 60 seconds"]);
    plan("[\"true\"]", "load = { rate = 100 }\n").fails(5, &["load.rate", "when it likes"]);
    plan("[\"true\"]", "load = { think = 0.1 }\n").fails(5, &["load.think", "when it likes"]);
    plan("[\"true\"]", "load = { page-connections = 2 }\n")
        .fails(5, &["variant[0].load.page-connections", "as it likes"]);
    let without = place.write("none.toml", "[load]\nconnections = 2\n");
    place
        .run(&["run", without.to_str().unwrap()])
        .fails(5, &["at least one variant"]);
    let claim =
        "[[claim]]\nid = \"X1\"\ntext = \"t\"\nreported = \"r\"\nexpect = [\"p99 of `c` < 1s\"]\n";
    plan("[\"true\"]", claim).fails(5, &["`c` is a client", "cpu-per-request"]);
    plan("{ command = [\"true\"], dealy = 1 }", "").fails(5, &["dealy"]);
    plan("[\"true\"]", "");
    for command in [
        "stack c --plan plan.toml",
        "up plan.toml c",
        "profile plan.toml c",
    ] {
        let words: Vec<_> = command.split(' ').collect();
        place
            .run(&words)
            .fails(2, &["`c` is a client", "weir client"]);
    }
    place.assert_clean();
}
