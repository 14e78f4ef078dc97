//! What is said of a text that is no condition, and where.

use record::{Condition, Variant};

/// What is said of a wrong text: the message, the first line of the hint, the carets.
fn said(text: &str) -> (String, String, String) {
    let variants = ["gunicorn", "nginx"].map(|name| Variant {
        name: name.to_owned(),
        ..Variant::default()
    });
    let error = Condition::read(text).check(&variants, &[]).unwrap_err();
    let hint = error.hint().unwrap();
    let lines: Vec<&str> = hint.lines().collect();
    assert_eq!(lines[1], text, "the hint shows the text");
    assert_eq!(lines.len(), 3);
    (error.to_string(), lines[0].to_owned(), lines[2].to_owned())
}

/// A wrong text, the message, what to write, and the carets.
const WRONG: [(&str, &str, &str, &str); 11] = [
    (
        "thruput of `nginx` > 1",
        "expected a metric, found `thruput` (column 1)",
        "did you mean `throughput`?",
        "^^^^^^^",
    ),
    (
        "throughput of `ngnix` > 1",
        "no variant is called `ngnix` (column 15)",
        "did you mean `nginx`?",
        "              ^^^^^^^",
    ),
    (
        "throughput of `apache` > 1",
        "no variant is called `apache` (column 15)",
        "the variants are `gunicorn`, `nginx`",
        "              ^^^^^^^^",
    ),
    (
        "throughput of nginx > 1",
        "expected a variant in backticks, found `nginx` (column 15)",
        "write the variant's name in backticks: `two-workers`",
        "              ^^^^^",
    ),
    (
        "throughput of `nginx",
        "expected a variant in backticks, found `'nginx` (column 15)",
        "write the variant's name in backticks: `two-workers`",
        "              ^^^^^^",
    ),
    (
        "mean of `nginx` = 3",
        "expected `<`, `<=`, `>`, `>=` or `within`, found `=` (column 17)",
        "a condition reads ``throughput of `b` / throughput of `a` >= 1.6``",
        "                ^",
    ),
    (
        "mean of `nginx` < fast",
        "expected a number, found `fast` (column 19)",
        "numbers read `1.6` or `300`, with their unit: `50ms`, `0.1%`",
        "                  ^^^^",
    ),
    (
        "mean of `nginx` < ",
        "expected a number, found the end (column 19)",
        "numbers read `1.6` or `300`, with their unit: `50ms`, `0.1%`",
        "                  ^",
    ),
    (
        "mean of `nginx` within 2s .. 10ms",
        "nothing lies within 2s .. 10ms (column 24)",
        "write the smaller end first: `within 10ms .. 2s`",
        "                       ^^^^^^^^^^",
    ),
    (
        "mean of `nginx` < 1s or > 2s",
        "expected `and` or the end, found `or` (column 22)",
        "another bound is joined by `and`: `>= 1.2 and < 2`",
        "                     ^^",
    ),
    (
        "mean of `nginx` / throughput of `nginx` < 1",
        "`throughput` is not measured in the unit of `mean` (column 19)",
        "write `mean` on both sides of the `/`",
        "                  ^^^^^^^^^^",
    ),
];

#[test]
fn errors_point_at_the_place_and_say_what_to_write() {
    for (text, message, hint, carets) in WRONG {
        let expected = (message.to_owned(), hint.to_owned(), carets.to_owned());
        assert_eq!(said(text), expected, "{text}");
    }
}
