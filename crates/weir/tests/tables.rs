//! Tables in the documents that restate what the code registers: `make docs` writes them, and a test compares them.

use std::fmt::Write as _;
use std::fs;

use record::Metric;
use record::metric::Dimension;

use crate::support::{Place, repository};

/// A document, and the name of a table in it: between `<!-- NAME -->` and `<!-- end of NAME -->`.
type Table = (&'static str, &'static str, fn() -> String);

const TABLES: &[Table] = &[
    ("how-we-measure.md", "metrics", metrics),
    ("how-we-measure.md", "doubts", doubts),
    ("findings.md", "findings", findings),
    ("exit-codes.md", "exit codes", exit_codes),
];

#[test]
fn tables_in_the_documents_are_those_of_the_code() {
    for (document, name, table) in TABLES {
        let path = repository().join("docs").join(document);
        let text = fs::read_to_string(&path).unwrap();
        let [begin, end] = [
            format!("<!-- {name} -->\n"),
            format!("<!-- end of {name} -->"),
        ];
        let (before, rest) = text.split_once(&begin).expect(&begin);
        let (_, after) = rest.split_once(&end).expect(&end);
        let wanted = format!("{before}{begin}{}{end}{after}", table());
        if std::env::var_os("WEIR_WRITE_DOCS").is_some() {
            fs::write(&path, wanted).unwrap();
        } else {
            assert!(
                text == wanted,
                "`{name}` in docs/{document} is not the code's: `make docs` writes it"
            );
        }
    }
}

#[test]
fn the_annotated_plan_names_every_metric() {
    let plan = fs::read_to_string(repository().join("docs/plan.toml")).unwrap();
    let named = |name: &str| {
        plan.split(|c: char| !c.is_alphanumeric() && c != '-')
            .any(|word| word == name)
    };
    let missing: Vec<_> = Metric::ALL
        .iter()
        .map(|metric| metric.name())
        .filter(|name| !named(name))
        .collect();
    assert!(missing.is_empty(), "docs/plan.toml lacks {missing:?}");
}

/// Every metric, as conditions and rankings name it.
fn metrics() -> String {
    let mut table = "| metric | meaning | unit | better |\n|---|---|---|---|\n".to_owned();
    for row in Metric::ALL.iter().map(|metric| metric.row()) {
        let unit = match row.dimension {
            Dimension::Rate => "requests/s",
            Dimension::Time => "time",
            Dimension::CpuTime => "CPU time",
            Dimension::Size => "bytes",
            Dimension::Share => "share",
            Dimension::Count => "number",
        };
        let better = if row.larger_is_better {
            "larger"
        } else {
            "smaller"
        };
        let _ = writeln!(
            table,
            "| `{}` | {} | {unit} | {better} |",
            row.name, row.noun
        );
    }
    table
}

/// Every doubt that a load can raise.
fn doubts() -> String {
    let mut table =
        "| doubt | every load is held to this | disqualifies | repeated |\n|---|---|---|---|\n"
            .to_owned();
    for rule in judge::DoubtKind::ALL.iter().map(|kind| kind.rule()) {
        let (plain, grave) = (rule.title(false), rule.title(true));
        let title = if plain == grave {
            plain.to_owned()
        } else {
            format!("{plain}; where it disqualifies: {grave}")
        };
        let repeated = if rule.lasts == judge::Lasts::Passes {
            "yes"
        } else {
            ""
        };
        let _ = writeln!(
            table,
            "| {title} | {} | {} | {repeated} |",
            rule.rule, rule.disqualifies
        );
    }
    table
}

/// Every finding that a trial can have.
fn findings() -> String {
    let mut table =
        "| finding | when it is found | about | source |\n|---|---|---|---|\n".to_owned();
    for rule in judge::FindingKind::ALL.iter().map(|kind| kind.rule()) {
        let about = match rule.about {
            judge::About::Measurement => "the measurement",
            judge::About::Limit => "what holds it back",
            judge::About::Beside => "what it suffers from beside",
        };
        let (title, when, source) = (rule.title, rule.rule, rule.source);
        let _ = writeln!(table, "| {title} | {when} | {about} | {source} |");
    }
    table
}

fn exit_codes() -> String {
    Place::new()
        .run(&["help", "exit-codes"])
        .succeeds()
        .out
        .clone()
}
