//! Every plan in `examples/` is run for real, one block of it.

use crate::support::{Place, repository, standing};
use serde_json::Value;

/// Whether every variant has a trial that counts. One that has none was disturbed by the machine each of three
/// times: nothing else may keep an example's trials out.
fn was_quiet(export: &Value) -> bool {
    let variants = export["judged"]["variants"].as_array().unwrap();
    let disturbed = variants
        .iter()
        .filter(|variant| !variant["failure"].is_null());
    let disturbed: Vec<_> = disturbed.collect();
    for variant in &disturbed {
        let taken_again = variant["taken_again"].as_array().unwrap();
        let trials: u64 = taken_again
            .iter()
            .filter_map(|of| of["trials"].as_u64())
            .sum();
        assert!(trials >= 2, "{variant:#}");
        assert!(
            taken_again.iter().all(|of| !of["doubt"].is_null()),
            "{variant:#}"
        );
    }
    disturbed.is_empty()
}

#[test]
fn every_example_runs() {
    let place = Place::new();
    let mut runs = 0;
    for file in std::fs::read_dir(repository().join("examples")).unwrap() {
        let plan = file.unwrap().path();
        let said = place.run(&["run", plan.to_str().unwrap(), "--quick", "--json"]);
        let export = said.measured().json();
        for trial in standing(&export) {
            let load = &trial["outcome"]["measured"]["load"];
            assert!(load["completed"].as_u64().unwrap() > 0, "{trial:#}");
            assert_eq!(load["failed"], serde_json::json!({}), "{trial:#}");
        }
        let quiet = was_quiet(&export);
        for claim in export["judged"]["claims"].as_array().unwrap() {
            assert_eq!(claim["holds"], "cannot-tell", "one block decides nothing");
            let value = claim["conditions"][0]["value"].as_f64();
            assert!(!quiet || value.unwrap() > 0.0, "{claim:#}");
        }
        runs += 1;
    }
    assert!(runs >= 1);
    place.assert_clean();
}
