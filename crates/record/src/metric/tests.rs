use super::*;

#[test]
fn the_stores_names_are_the_rows() {
    for metric in Metric::ALL {
        let stored = serde_json::to_string(metric).unwrap();
        assert_eq!(stored, format!("\"{}\"", metric.name()));
        assert_eq!(Metric::named(metric.name()), Some(*metric));
        let row = metric.row();
        assert!(
            !row.noun.is_empty() && !row.column.is_empty(),
            "{}",
            row.name
        );
    }
}

#[test]
fn quantiles_of_responses_alone_are_told_as_such() {
    assert_eq!(Metric::P95.quantile(), Some(0.95));
    assert_eq!(Metric::PageP50.quantile(), None);
    assert_eq!(Metric::Mean.quantile(), None);
}
