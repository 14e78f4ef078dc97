//! `weir calibrate`, and what `weir bench` says afterwards.

use record::{Calibration, ClosedLoop, Distribution};
use serde_json::Value;
use store::Store;

use crate::disturbed::Hogs;
use crate::support::{Place, load_of, nginx, peer, standing};

const WORDS: &str = "of the cheapest request (`weir calibrate`)";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Its words: lines are broken where the page ends.
fn words_of(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_calibrated_machine_tells_a_load_where_it_stood() {
    let (_peer, url) = peer();
    let place = Place::new();
    let bench = |more: &[&str]| {
        let args = ["bench", &url, "-n", "200", "-c", "2", "--warm-up", "0s"];
        let said = place.run(&[&args[..], more].concat());
        said.measured();
        words_of(&said.out)
    };
    assert!(!bench(&[]).contains(WORDS), "nothing is known yet");
    assert!(load_of(&json(&bench(&["--json"]))).get("ceiling").is_none());

    let said = place.run(&["calibrate", "-d", "3s"]);
    for words in ["ceiling", "req/s", "CPU per request", "5 windows", "p99"] {
        assert!(said.succeeds().out.contains(words), "{words}: {}", said.out);
    }

    assert!(bench(&[]).contains(WORDS));
    let bench_json = load_of(&json(&bench(&["--json"])));
    let number = |key: &str| bench_json["ceiling"][key].as_f64().unwrap();
    let throughput = bench_json["throughput"].as_f64().unwrap();
    assert!((number("share") - throughput / number("ceiling")).abs() < 1e-9);
    // another kind of load has another ceiling
    assert!(!bench(&["--no-keep-alive"]).contains(WORDS));
}

#[test]
fn a_calibration_is_facts_and_what_follows_from_them() {
    let place = Place::new();
    let said = place.run(&["calibrate", "-d", "3s", "--json"]);
    let document = json(&said.succeeds().out);
    assert_eq!(document["schema"], "weir/2");
    let facts = &document["calibration"];
    let paces = facts["closed_loops"].as_array().unwrap();
    assert_eq!(paces.len(), 5);
    for pace in paces {
        assert!(pace["throughput"].as_f64().unwrap() > 0.0, "{pace}");
        let busy = pace["busy"].as_f64().unwrap();
        assert!(busy > 0.0 && busy < 1.1, "{pace}");
    }
    // the other event loop is compared where it can be had
    let by_ring = place.run(&[
        "bench",
        "http://127.0.0.1:1/",
        "-n",
        "1",
        "--reactor",
        "ring",
    ]);
    let told = document["ring_costs"].as_array();
    if by_ring.err.contains("needs io_uring") {
        testkit::may_skip("ring", "the cost of io_uring, which needs it");
        assert!(told.is_none() && facts.get("ring").is_none(), "{document}");
        assert!(facts.get("races").is_none(), "{document}");
    } else {
        assert_eq!(facts["ring"].as_array().unwrap().len(), 5);
        // a thousand connections need more descriptors than some have
        let over: Vec<_> = told.unwrap().iter().map(|of| &of["connections"]).collect();
        assert!(over.starts_with(&[&Value::from(10), &Value::from(100)]));
        for cost in told.unwrap() {
            let ratio = &cost["ratio"];
            assert!(ratio["value"].as_f64().unwrap() > 0.0, "{cost}");
            let high = ratio["interval"][1].as_f64().unwrap();
            assert_eq!(cost["cheaper"], high < 1.0, "{cost}");
        }
        for race in facts["races"].as_array().unwrap() {
            for side in ["poll", "ring"] {
                assert_eq!(race[side].as_array().unwrap().len(), 5, "{race}");
            }
        }
    }
    let mut costs: Vec<f64> = paces
        .iter()
        .map(|pace| pace["cpu_per_request"].as_f64().unwrap())
        .collect();
    costs.sort_by(f64::total_cmp);
    let per_thread = document["ceiling"]["per_thread"].as_f64().unwrap();
    assert!((per_thread * costs[2] - 1.0).abs() < 1e-9);
    assert!(document["response"]["p50"].as_f64().unwrap() > 0.0);
}

#[test]
fn what_is_too_short_to_measure_anything_is_refused() {
    let place = Place::new();
    let said = place.run(&["calibrate", "-d", "0s"]);
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.err.contains("such as `10s`"), "{}", said.err);
    assert!(!place.path("weir.db").exists(), "nothing was stored");
}

/// Keeps a calibration of this machine, in which a request took so many CPU seconds over each of the event loops.
fn keep(place: &Place, poll: f64, ring: f64) {
    let loops = |cpu_per_request| {
        let one = ClosedLoop {
            throughput: 1.0,
            cpu_per_request,
            busy: 1.0,
        };
        vec![one; 5]
    };
    let mut store = Store::open(&place.path("weir.db")).unwrap();
    let kept = store.save_calibration(&Calibration {
        measured: record::now(),
        weir: env!("CARGO_PKG_VERSION").to_owned(),
        host: observe::host(),
        closed_loops: loops(poll),
        ring: loops(ring),
        races: Vec::new(),
        connections: 100,
        rate: 1.0,
        response: Distribution::default(),
        woken: Distribution::default(),
        lateness: Distribution::default(),
        others: None,
    });
    kept.unwrap();
}

#[test]
fn a_calibration_beside_other_programs_says_so_and_replaces_none() {
    let place = Place::new();
    keep(&place, 4e-6, 3e-6);
    let hogs = Hogs::start(&place);
    let beside = place.run(&["calibrate", "-d", "3s"]);
    drop(hogs);
    let said = words_of(&beside.succeeds().out);
    for words in [
        "others",
        "of the machine's CPU time",
        "not kept in the store",
    ] {
        assert!(said.contains(words), "`{words}`: {said}");
    }
    let told = words_of(&beside.err);
    assert!(told.contains("the former calibration stays"), "{told}");
    let store = Store::open(&place.path("weir.db")).unwrap();
    let kept = store.calibration(&observe::host(), env!("CARGO_PKG_VERSION"));
    let kept = kept.unwrap().unwrap().closed_loops;
    assert!(
        kept.iter()
            .all(|of| of.cpu_per_request.to_bits() == 4e-6_f64.to_bits()),
        "{kept:?}"
    );
    place.assert_clean();
}

/// The event loop that the first load of a run's document was applied with.
fn taken(document: &Value) -> &str {
    let trial = standing(document)[0];
    let engine = &trial["outcome"]["measured"]["load"]["engine"];
    engine["reactor"].as_str().unwrap()
}

#[test]
fn a_load_is_applied_with_the_event_loop_that_the_calibration_found_to_be_cheaper() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    place.write("hello", "hello");
    place.write(
        "plan.toml",
        &format!(
            "blocks = 1\nseed = 1\nnoise-floor = \"none\"\n[load]\nconnections = 2\nrequests = 400\n\
             warm-up = {{ requests = 40 }}\n[[variant]]\nname = \"there\"\nurl = \"{url}\"\n"
        ),
    );
    let bench = |more: &[&str]| {
        let args = ["bench", &url, "-n", "200", "-c", "2", "--json"];
        place.run(&[&args[..], more].concat()).measured().json()
    };
    let expected = ["--equals", "hello"];
    let cheaper = if load::has_ring() {
        "ring"
    } else {
        testkit::may_skip("ring", "a load over io_uring as calibrated, which needs it");
        "poll"
    };
    // the latest calibration holds
    for (poll, ring, wanted) in [(4e-6, 3e-6, cheaper), (3e-6, 4e-6, "poll")] {
        keep(&place, poll, ring);
        assert_eq!(taken(&bench(&expected)), wanted, "{poll} {ring}");
        place.run(&["run", "plan.toml"]).measured();
        assert_eq!(taken(&place.exported("last")), wanted, "{poll} {ring}");
        assert_eq!(taken(&bench(&[])), "poll", "of any body nothing is known");
    }
    place.assert_clean();
}
