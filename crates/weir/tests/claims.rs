//! The claims that need a load per stage are run for real, one short block of each.

mod support;

use std::fs;

use serde_json::Value;
use support::{Place, repository};
use toml::Table;

/// One block of a plan that ships, with windows of a second, and its conditions' values.
fn values(place: &Place, name: &str, exchanged: Option<(&str, &str)>) -> Vec<f64> {
    let text = fs::read_to_string(repository().join("claims").join(name)).unwrap();
    let mut plan: Table = text.parse().unwrap();
    let app = repository()
        .join("claims")
        .join(plan["app"].as_str().unwrap());
    plan["app"] = app.to_str().unwrap().into();
    plan["load"]["seconds"] = 1.0.into();
    for stage in plan["stage"].as_array_mut().unwrap() {
        if let Some((one, other)) = exchanged {
            let name = stage["name"].as_str().unwrap();
            let new = match name {
                _ if name == one => other,
                _ if name == other => one,
                _ => name,
            };
            stage["name"] = new.to_owned().into();
        }
    }
    let plan = place.write(name, &toml::to_string(&plan).unwrap());
    let said = place.run(&["run", plan.to_str().unwrap(), "--quick", "--json"]);
    let export: Value = serde_json::from_str(&said.succeeds().out).unwrap();
    let claim = &export["judged"]["claims"][0];
    assert_eq!(claim["holds"], "cannot-tell", "one block decides nothing");
    let conditions = claim["conditions"].as_array().unwrap().iter();
    conditions
        .map(|condition| {
            condition["value"]
                .as_f64()
                .unwrap_or_else(|| panic!("{claim:#}"))
        })
        .collect()
}

#[test]
fn who_finds_the_accept_queue_full_gets_no_connection() {
    let place = Place::new();
    let values = values(&place, "a-queue.toml", None);
    assert!(values[0] > 2.0, "four times the queue: {values:?}");
    assert!(values[4] > 0.0, "unconnected: {values:?}");
    place.assert_clean();
}

/// The same plan with its stages exchanged says the opposite: the verdict is measured.
#[test]
fn a_page_takes_longer_than_its_document() {
    let place = Place::new();
    let exchange = Some(("page", "nginx-page"));
    let (straight, exchanged) = (
        values(&place, "a-page.toml", None),
        values(&place, "a-page.toml", exchange),
    );
    assert!(straight[0] > 1.0, "{straight:?}");
    assert!(
        straight[1] < 1.0 && exchanged[1] > 1.0,
        "{straight:?} {exchanged:?}"
    );
    place.assert_clean();
}

#[test]
fn clients_that_retry_ask_for_more_and_get_less() {
    let place = Place::new();
    let values = values(&place, "b-retry.toml", None);
    assert!(values[1] > 1.0, "attempts: {values:?}");
    assert!(values[2] < 1.0, "right answers: {values:?}");
    place.assert_clean();
}
