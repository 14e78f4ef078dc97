//! The schema of what weir prints as JSON, as `docs/output.schema.json` has it, made strict: a key that it does not
//! know is wrong here, while other programs are to bear with it.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use jsonschema::Validator;
use serde_json::{Value, json};

use super::repository;

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let path = repository().join("docs/output.schema.json");
    let mut schema = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    make_strict(&mut schema);
    schema
});

static ANY: LazyLock<Validator> = LazyLock::new(|| jsonschema::validator_for(&SCHEMA).unwrap());

/// Those of outputs that were asked for, by their names: each takes its time to be made.
static NAMED: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());

fn make_strict(schema: &mut Value) {
    match schema {
        Value::Object(keys) => {
            if keys.contains_key("properties") && !keys.contains_key("additionalProperties") {
                keys.insert("unevaluatedProperties".to_owned(), json!(false));
            }
            keys.values_mut().for_each(make_strict);
        }
        Value::Array(items) => items.iter_mut().for_each(make_strict),
        _ => {}
    }
}

/// It is something that weir prints.
pub(crate) fn assert_known(value: &Value) {
    assert!(ANY.is_valid(value), "no output of weir: {value:#}");
}

/// It is this output.
pub(crate) fn assert_is(name: &str, value: &Value) {
    if let Some(error) = what_is_wrong(name, value) {
        panic!("`{name}`: {error}\n{value:#}");
    }
}

fn made_for(name: &str) -> Arc<Validator> {
    let mut schema = SCHEMA.clone();
    assert!(schema["$defs"].get(name).is_some(), "no output `{name}`");
    schema.as_object_mut().unwrap().remove("anyOf");
    schema["$ref"] = json!(format!("#/$defs/{name}"));
    Arc::new(jsonschema::validator_for(&schema).unwrap())
}

fn named(name: &str) -> Arc<Validator> {
    let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
    let made = named.entry(name.to_owned());
    made.or_insert_with(|| made_for(name)).clone()
}

/// What is wrong with it as this output.
pub(crate) fn what_is_wrong(name: &str, value: &Value) -> Option<String> {
    let validator = named(name);
    let errors = validator.iter_errors(value);
    let told: Vec<_> = errors
        .map(|error| format!("{}: {error}", error.instance_path))
        .take(3)
        .collect();
    (!told.is_empty()).then(|| told.join("\n"))
}
