//! The export: facts survive it to the last bit.

use crate::sample;
use record::{Run, Trial};
use report::{ReportError, json};

fn exported(run: &Run, trials: &[Trial]) -> String {
    let judged = sample::judged(run, trials);
    serde_json::to_string_pretty(&json::export(&sample::findings(run, trials, &judged))).unwrap()
}

#[test]
fn facts_are_read_back_as_they_were() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let export = json::read(&exported(&run, &trials)).unwrap();
    assert_eq!(export.run, run);
    assert_eq!(export.trials, trials);
}

#[test]
fn the_document_says_what_it_is() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let document: serde_json::Value = serde_json::from_str(&exported(&run, &trials)).unwrap();
    let keys: Vec<_> = document.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["schema", "headline", "to_run", "run", "judged", "trials"]
    );
    let program = &document["to_run"][0];
    assert_eq!(program["entry"], "gunicorn");
    assert_eq!(
        document["judged"]["decision"]["variant"], "two-workers",
        "what is run"
    );
    assert_eq!(document["schema"], "weir/2");
    assert_eq!(document["judged"]["claims"][1]["holds"], "does-not-hold");
    assert_eq!(
        document["judged"]["variants"][2]["against_baseline"][0]["verdict"],
        "better"
    );
    assert_eq!(
        document["judged"]["variants"][3]["doubts"][0][0]["kind"],
        "generator-saturated"
    );
}

#[test]
fn what_is_to_run_is_what_is_deployed() {
    let run = sample::run();
    let mut trials = sample::trials(&run);
    for trial in &mut trials {
        if let record::Outcome::Measured(measured) = &mut trial.outcome {
            measured.stack.servers[0].deployed = vec!["by-itself".to_owned()];
        }
    }
    let document: serde_json::Value = serde_json::from_str(&exported(&run, &trials)).unwrap();
    assert_eq!(document["to_run"][0]["command"], "by-itself");
}

#[test]
fn what_is_no_export_is_refused_with_a_hint() {
    let newer = json::read(r#"{"schema": "weir/3", "run": {}, "trials": []}"#).unwrap_err();
    assert!(matches!(newer, ReportError::Schema(_)), "{newer}");
    assert_eq!(
        newer.to_string(),
        "the export says schema `weir/3`, this weir reads `weir/2`"
    );
    for text in ["", "[]", "{}", r#"{"schema": "weir/2"}"#] {
        let error = json::read(text).unwrap_err();
        assert!(
            error.to_string().starts_with("not a run exported by weir:"),
            "{error}"
        );
        assert!(error.hint().is_some());
    }
}
