//! What is found of a variant, as `weir explain` tells it.

use crate::sample;
use crate::terminal::plain;
use judge::{Judged, Verdict};
use record::Metric;
use report::{terminal, view};

#[test]
fn what_was_measured_is_told_as_that_and_what_may_come_as_a_limit() {
    let run = sample::run();
    let trials = sample::trials(&run);
    let mut judged = sample::judged(&run, &trials);
    let told = |judged: &Judged| {
        let of = sample::findings(&run, &trials, judged);
        let explained = view::explained(&of, Some("one-worker"));
        let alone = plain(&terminal::findings(&explained, 200));
        let alone: Vec<&str> = alone.split_whitespace().collect();
        // wherever its lines end
        [alone.join(" "), plain(&terminal::run(&of, &[], 100))]
    };
    let [alone, table] = told(&judged);
    assert!(alone.contains("(up to 1.90 × the throughput)"), "{alone}");
    assert!(
        table.contains("one-worker           one process has all of a core  up to 1.90 ×"),
        "{table}"
    );
    let finding = &mut judged.variants[1].findings[0].finding;
    finding.measured = Some(sample::comparison(
        Metric::Throughput,
        "two-workers",
        "one-worker",
        1.9,
        Verdict::Better,
    ));
    let [alone, table] = told(&judged);
    assert!(alone.contains("(1.90 × the throughput)"), "{alone}");
    let row = table.lines().find(|line| {
        line.starts_with("  one-worker") && line.contains("one process has all of a core")
    });
    let row = row.unwrap();
    assert!(row.ends_with(" 1.90 ×") && !row.contains("up to"), "{row}");
}
