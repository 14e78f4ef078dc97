//! A run's document, as weir exports it, taken apart.

use serde_json::Value;

/// The trials of an export that stand: one that was taken again counts by its last attempt.
pub(crate) fn standing(export: &Value) -> Vec<&Value> {
    let trials = export["trials"].as_array().unwrap();
    let place = |of: &Value| {
        (
            of["block"].clone(),
            of["variant"].clone(),
            of["again"].clone(),
            of["group"].clone(),
        )
    };
    let attempt = |of: &Value| of["attempt"].as_u64().unwrap_or(0);
    let later = |of: &Value| {
        let mut others = trials.iter().filter(|other| place(other) == place(of));
        others.any(|other| attempt(other) > attempt(of))
    };
    trials.iter().filter(|of| !later(of)).collect()
}

/// Whether a trial of a run's document is doubted for what others took of the machine, or as weir itself stood still: what
/// no test can help.
pub(crate) fn machine_is_doubted(document: &Value) -> bool {
    let trials = document["judged"]["trials"].as_array().unwrap().iter();
    let doubts = trials.filter_map(|trial| trial["doubts"].as_array());
    doubts.flatten().any(|doubt| {
        let mut kinds = ["disturbed", "starved", "stolen-cpu", "paused"].iter();
        kinds.any(|kind| doubt["kind"] == *kind)
    })
}

/// Whether a variant has no trial that counts for such a doubt: in a short time its trials are not taken again.
pub(crate) fn is_the_machines(failure: &str) -> bool {
    let words = ["went to other guests", "weir itself was paused"];
    words.iter().any(|words| failure.contains(words))
}

/// The loads of a run's document, each in one piece: its figures, its facts as `load`, its doubts, its plan, and whether
/// it was interrupted.
pub(crate) fn loads_of(document: &Value) -> Vec<Value> {
    let trials = document["trials"].as_array().unwrap().iter();
    let opinions = document["judged"]["trials"].as_array().unwrap();
    let variants = document["run"]["plan"]["variants"].as_array().unwrap();
    let one = |(trial, opinion): (&Value, &Value)| {
        let mut load = trial["figures"].clone();
        load["load"] = trial["outcome"]["measured"]["load"].clone();
        load["doubts"] = opinion["doubts"].clone();
        let variant = variants
            .iter()
            .find(|variant| variant["name"] == trial["variant"]);
        load["planned"] = variant.unwrap()["load"]["amount"].clone();
        load["interrupted"] = (document["run"]["status"] == "stopped").into();
        load
    };
    trials.zip(opinions).map(one).collect()
}

/// The one load of a run's document.
pub(crate) fn load_of(document: &Value) -> Value {
    let mut loads = loads_of(document);
    assert_eq!(loads.len(), 1, "{document:#}");
    loads.remove(0)
}
