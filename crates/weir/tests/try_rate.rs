//! `weir try --rate`: response times at the rate that the app has, over as many connections as it needs.

use crate::support::Place;

/// Takes 40 ms for each response, of which it works for almost nothing.
const APP: &str = "import time\ndef app(environ, start):\n    time.sleep(0.04)\n    \
                   start('200 OK', [('Content-Type', 'text/plain')])\n    return [b'hello']\n";

#[test]
fn ways_are_compared_at_a_rate_over_a_pool_that_carries_it() {
    let place = Place::new();
    place.write("app.py", APP);
    let variants = "gunicorn-1,gunicorn-cores";
    let args = ["try", "--rate", "30", "-n", "150", "--quick", "--no-stress"];
    let said = place.run(&[&args[..], &["--variants", variants, "--json"]].concat());
    let run = said.measured().json();
    let plan = &run["run"]["plan"];
    let connections = plan["load"]["connections"].as_u64().unwrap();
    assert!(
        (8..=40).contains(&connections),
        "4 x 30/s x 40 ms and what chance adds: {connections}"
    );
    let words = format!("30.0 requests/s over up to {connections} connections");
    assert!(said.err.contains(&words), "`{words}`: {}", said.err);
    assert_eq!(run["judged"]["lead"]["metric"], "mean");
    let mean = |name: &str| {
        let mut variants = run["judged"]["variants"].as_array().unwrap().iter();
        let of = variants.find(|of| of["name"] == name).unwrap();
        of["figures"]["mean"]["value"].as_f64().unwrap()
    };
    // one worker answers 25 requests/s at most, so that those on schedule wait longer and longer; two have time to spare, also
    // where each response waits for a core
    let (one, cores) = (mean("gunicorn-1"), mean("gunicorn-cores"));
    assert!(one > 3.0 * cores, "{one} {cores}");
    place.assert_clean();
}

#[test]
fn a_rate_that_makes_no_sense_is_refused() {
    let place = Place::new();
    place.write("app.py", APP);
    for rate in ["0", "nan", "1e9"] {
        place
            .run(&["try", "--rate", rate])
            .fails(2, &["--rate", "must be above 0"]);
    }
    place.assert_clean();
}
