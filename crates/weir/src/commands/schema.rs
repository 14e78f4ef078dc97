//! The shape of everything that weir prints as JSON, as one JSON Schema: made from the types that are printed.

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

type Shape = fn(&mut SchemaGenerator) -> Schema;

/// Each output: its name in the schema, what prints it, and its type.
const OUTPUTS: &[(&str, &str, Shape)] = &[
    (
        "run",
        "`bench`, `run`, `try`, `show`, and the `run.json` of a report",
        shape::<report::json::Document>,
    ),
    (
        "line",
        "a line of `bench --format ndjson`",
        shape::<report::load::Line>,
    ),
    (
        "live",
        "a line of `bench --live`",
        shape::<super::bench::LiveLine>,
    ),
    (
        "calibration",
        "`calibrate`",
        shape::<report::load::Calibrated>,
    ),
    ("runs", "`list`", shape::<Vec<super::list::KeptRun>>),
    (
        "forgotten",
        "`forget`",
        shape::<Vec<super::forget::ForgottenRun>>,
    ),
    (
        "comparisons",
        "`compare` of runs and variants",
        shape::<Vec<report::terminal::Compared>>,
    ),
    (
        "against",
        "`compare` of two loads of `bench`",
        shape::<report::load::Against>,
    ),
    (
        "explained",
        "`explain`",
        shape::<Vec<report::view::Explained>>,
    ),
    (
        "advised",
        "`explain --try`",
        shape::<report::terminal::Advised>,
    ),
    ("endpoints", "`endpoints`", shape::<endpoints::Costs>),
    ("client", "`client`", shape::<judge::Account>),
    (
        "clients",
        "`client --against`",
        shape::<report::terminal::Clients>,
    ),
    ("profile", "`profile`", shape::<report::profile::Shares>),
    ("files", "`report`", shape::<Vec<(String, String)>>),
    ("written", "`write`", shape::<Vec<std::path::PathBuf>>),
    ("claims", "`claims`", shape::<Vec<report::claims::ClaimRow>>),
    (
        "schedule",
        "`run --dry-run` and `claims --estimate`",
        shape::<Vec<report::terminal::Due>>,
    ),
    (
        "entries",
        "`catalogue`",
        shape::<Vec<report::terminal::Listed>>,
    ),
    (
        "knobs",
        "`catalogue explain`",
        shape::<Vec<report::terminal::Explained>>,
    ),
    (
        "checks",
        "`catalogue check`",
        shape::<Vec<report::terminal::Checked>>,
    ),
    (
        "programs",
        "`stack`",
        shape::<Vec<report::terminal::Preview>>,
    ),
    ("installed", "`doctor`", shape::<report::terminal::Doctor>),
];

fn shape<T: schemars::JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The schema. Any output of weir is valid against it, and against the definition of its own name.
pub(super) fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut generator = settings.into_generator();
    let mut outputs = Map::new();
    for (name, by, shape) in OUTPUTS {
        let mut schema = shape(&mut generator).to_value();
        schema["description"] = json!(format!("What is printed by {by}."));
        outputs.insert((*name).to_owned(), schema);
    }
    let any: Vec<_> = outputs
        .keys()
        .map(|name| json!({ "$ref": format!("#/$defs/{name}") }))
        .collect();
    let mut definitions = generator.take_definitions(true);
    definitions.append(&mut outputs);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": report::json::SCHEMA,
        "description": "What weir prints as JSON. Within a version keys are added, never renamed or removed. \
                        Durations are seconds, sizes bytes, rates per second, shares from 0 to 1.",
        "anyOf": any,
        "$defs": definitions,
    })
}
