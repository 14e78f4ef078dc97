use super::*;

fn formula(load: &LoadFacts, figure: &str) -> Option<String> {
    let all = computed(load, None);
    let found = all.into_iter().find(|of| of.figure == figure);
    found.map(|of| of.formula)
}

#[test]
fn a_formula_carries_the_counts_that_went_in() {
    let mut load = LoadFacts {
        seconds: 2.0,
        scheduled: 1_000,
        completed: 990,
        timed_out: 10,
        ..LoadFacts::default()
    };
    (0..1_000).for_each(|_| load.response.record(5_000_000));
    let told = |figure| formula(&load, figure).unwrap_or_default();
    assert!(told("throughput").starts_with("990 correct responses / 2.00 s"));
    assert_eq!(
        told("errors"),
        "(0 failed + 10 timed out) / 1,000 scheduled = 1.00 %"
    );
    assert!(told("quantiles").contains("p90 100, p95 50, p99 10, p99.9 1, not given"));
    assert!(told("mean, max").contains("timed out as at least that long"));
    assert_eq!(formula(&load, "offered"), None);
}

#[test]
fn an_open_loop_says_over_what_its_rate_was_taken() {
    let mut load = LoadFacts {
        seconds: 2.0,
        scheduled: 1_000,
        completed: 1_000,
        offered: Some(500.0),
        ..LoadFacts::default()
    };
    assert_eq!(
        formula(&load, "offered").unwrap(),
        "1,000 requests that fell due / 2.00 s"
    );
    load.offered = Some(999.0);
    assert_eq!(
        formula(&load, "offered").unwrap(),
        "999 gaps between requests / 1.00 s from the first due time to the last"
    );
}
