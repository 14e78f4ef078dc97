//! What is observed beside a load becomes facts of the trial.

use serde_json::Value;

use crate::support::Place;

const APP: &str = "
def app(environ, start):
    start('200 OK', [('Content-Type', 'text/plain')])
    return [b'hello']
";

/// A variant of the app behind this front end.
fn variant(front: &str) -> String {
    format!("[[variant]]\nname = \"{front}\"\nserver = \"gunicorn\"\nfront = \"{front}\"\n")
}

fn series<'a>(observed: &'a Value, of: &str, name: &str) -> &'a Value {
    let all = observed["series"].as_array().unwrap();
    let found = all
        .iter()
        .find(|one| one["of"] == of && one["name"] == name);
    found.unwrap_or_else(|| panic!("no `{name}` of `{of}` in {observed}"))
}

#[test]
fn front_ends_count_what_weir_counts_and_series_lie_on_its_clock() {
    let place = Place::new();
    place.app(APP);
    place.plan(&(variant("nginx") + &variant("haproxy")));
    place.run(&["run", "plan.toml"]).measured();
    let export = place.exported("1");
    for trial in export["trials"].as_array().unwrap() {
        let (load, observed) = (
            &trial["outcome"]["measured"]["load"],
            &trial["outcome"]["measured"]["observed"],
        );
        let front = trial["variant"].as_str().unwrap();
        let counters = &observed["counters"][0];
        assert_eq!(
            (counters["program"].as_str(), &counters["problem"]),
            (Some(front), &Value::Null)
        );
        let requests = counters["values"]["requests"]["value"].as_f64();
        assert_eq!(requests, load["sent"].as_f64(), "{counters} of {load}");
        for (of, name) in [
            ("gunicorn", "cpu-user"),
            (front, "rss"),
            (front, "requests"),
        ] {
            let series = series(observed, of, name);
            let at: Vec<_> = series["at"]
                .as_array()
                .unwrap()
                .iter()
                .map(Value::as_f64)
                .collect();
            assert!(at.first() < at.last() && at[0] < Some(0.0), "{series}");
            assert_eq!(at.len(), series["values"].as_array().unwrap().len());
        }
        let probes = observed["probes"].as_array().unwrap();
        let names: Vec<_> = probes
            .iter()
            .map(|of| of["probe"].as_str().unwrap())
            .collect();
        assert_eq!(
            names,
            [
                "counters",
                "network",
                "machine",
                "quota",
                "pressure",
                "clock",
                "sockets",
                "others",
                "processes"
            ]
        );
        assert!(
            probes.iter().all(|of| of["cpu"].as_f64() > Some(0.0)),
            "{probes:?}"
        );
    }
    let shown = place.run(&["show", "1"]);
    assert!(shown.out.contains("counted  by"), "{}", shown.out);
    place.assert_clean();
}

#[test]
fn counters_can_be_left_out() {
    let place = Place::new();
    place.app(APP);
    place.plan("[[variant]]\nname = \"plain\"\nserver = \"gunicorn\"\nfront = { entry = \"nginx\", counters = false }\n");
    place.run(&["run", "plan.toml"]).measured();
    let export = place.exported("1");
    let measured = &export["trials"][0]["outcome"]["measured"];
    assert_eq!(measured["observed"]["counters"], Value::Null);
    let files = &measured["stack"]["servers"][0]["files"][0];
    assert!(
        !files["content"].as_str().unwrap().contains("stub_status"),
        "{files}"
    );
}

#[test]
fn an_entry_says_what_it_counts() {
    let place = Place::new();
    let said = place.run(&["catalogue", "explain", "nginx"]);
    let words = "counts accepts (connections), active (connections, a gauge)";
    assert!(said.succeeds().out.contains(words), "{}", said.out);
}
