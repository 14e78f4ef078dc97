//! What `weir endpoints` shows of failures where there is little room, and what a mix says of secrets that were masked.

use std::fs;

use crate::endpoints::log;
use crate::support::{Place, nginx};

/// The words of a text, wherever its lines end.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_mix_with_masked_values_says_so_when_it_is_written_and_when_it_is_loaded() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let asked = log(12, "0.1").replace("/a/", "/orders?token=secret");
    place.write("log", &(asked + &log(4, "0.1")));
    let said = place.run(&["endpoints", "log", "--write-mix", "mix.toml"]);
    let told = flat(&said.succeeds().err);
    assert!(
        told.contains("values of `token` were masked in 12 requests: `mix.toml` has `***`"),
        "{told}"
    );
    let mix = fs::read_to_string(place.path("mix.toml")).unwrap();
    let one = "weight = 12\npath = \"/orders?token=***\"\n";
    assert!(mix.contains(one), "they differ in what is masked: {mix}");
    let load = ["bench", &url, "--mix", "mix.toml", "-n", "40", "-c", "1"];
    let told = flat(&place.run(&load).measured().err);
    assert!(
        told.contains("`mix.toml` has `***` in place of values of `token`"),
        "{told}"
    );
    place.write("mix.toml", &mix.replace("***", "mine"));
    let told = flat(&place.run(&load).measured().err);
    assert!(!told.contains("in place of values"), "{told}");
}

#[test]
fn at_80_columns_what_fails_is_shown_and_sums_have_one_unit() {
    let place = Place::new();
    let failing = log(500, "0.100").replace("\" 200 ", "\" 404 ");
    let tiny = log(1, "0.001").replace("/a/0", "/tiny");
    let long = log(40, "100.000").replace("/a/", "/b/");
    place.write("log", &[failing, tiny, long].concat());
    let said = place.run(&["endpoints", "log", "--width", "80"]);
    let out = &said.succeeds().out;
    let head = out.lines().next().unwrap();
    assert!(head.contains("4xx") && !head.contains("5xx"), "{out}");
    for told in ["66.7 min", "0.833 min", "<0.01 min", "<0.01 %"] {
        assert!(out.contains(told), "`{told}`: {out}");
    }
    place.write("before", &log(1, "585.000"));
    place.write("now", &log(1, "606.000"));
    let said = place.run(&["endpoints", "now", "--diff", "before"]);
    let out = &said.succeeds().out;
    assert!(out.contains("9.75 min → 10.1 min"), "{out}");
    assert!(!out.contains("585 s"), "{out}");
}
