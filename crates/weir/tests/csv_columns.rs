//! The columns of `weir bench --format csv`, as the document has them.

use std::collections::BTreeSet;

use crate::support::{Place, peer, repository};

/// Times that have a column for each of their figures, which the document names once for all.
const TIMES: [&str; 7] = [
    "response_",
    "service_",
    "first_byte_",
    "body_",
    "connect_",
    "tls_",
    "page_",
];

#[test]
fn each_column_is_in_the_document() {
    let (_peer, url) = peer();
    let load = ["bench", &url, "-c", "1", "-n", "20", "--warm-up", "0s"];
    let said = Place::new().run(&[&load[..], &["--format", "csv"]].concat());
    let header = said.measured().out.lines().next().unwrap();
    let document = repository().join("docs/bench-output.md");
    let document = std::fs::read_to_string(document).unwrap();
    let row = document.split("## The row").nth(1).unwrap();
    let row = row.split("\n## ").next().unwrap();
    let words = row.split(|c: char| !c.is_alphanumeric() && c != '_');
    let named: BTreeSet<&str> = words.collect();
    let single = |name: &&str| !TIMES.iter().any(|time| name.starts_with(time));
    let missing: Vec<&str> = header
        .split(',')
        .filter(single)
        .filter(|name| !named.contains(name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    for time in TIMES {
        let time = time.trim_end_matches('_');
        assert!(named.contains(time), "{time}");
    }
}
