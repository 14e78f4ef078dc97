//! Every plan in `examples/` is run for real, one block of it.

mod support;

use serde_json::Value;
use support::{Place, repository};

#[test]
fn every_example_runs() {
    let place = Place::new();
    let mut runs = 0;
    for file in std::fs::read_dir(repository().join("examples")).unwrap() {
        let plan = file.unwrap().path();
        let said = place.run(&["run", plan.to_str().unwrap(), "--quick", "--json"]);
        let export: Value = serde_json::from_str(&said.succeeds().out).unwrap();
        for stage in export["judged"]["stages"].as_array().unwrap() {
            assert!(stage["failure"].is_null(), "{stage:#}");
        }
        for claim in export["judged"]["claims"].as_array().unwrap() {
            assert_eq!(claim["holds"], "cannot-tell", "one block decides nothing");
            assert!(
                claim["conditions"][0]["value"].as_f64().unwrap() > 0.0,
                "{claim:#}"
            );
        }
        runs += 1;
    }
    assert!(runs >= 1);
    place.assert_clean();
}
