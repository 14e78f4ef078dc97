//! Which of the crossed variants are kept.

use super::{names, refused};

const CROSSED: &str = r#"
    [[variant]]
    name = "x"
    server = { entry = "puma" }
    vary = { "server.workers" = [1, 2, 4], "server.threads" = [1, 8] }
"#;

#[test]
fn filters_take_levels_lists_ranges_and_constraints() {
    for (filter, kept) in [
        ("only = [{ workers = 2, threads = 8 }]", vec!["2,8"]),
        (
            "only = [{ workers = [1, 4], threads = 1 }]",
            vec!["1,1", "4,1"],
        ),
        ("except = [{ workers = \"2..4\" }]", vec!["1,1", "1,8"]),
        (
            "where = \"workers * threads <= 8\"",
            vec!["1,1", "1,8", "2,1", "4,1"],
        ),
        (
            "where = [\"workers * threads <= 8\", \"threads > 1 or workers > 2\"]",
            vec!["1,8", "4,1"],
        ),
    ] {
        let point = |at: &str| {
            let (workers, threads) = at.split_once(',').unwrap();
            format!("x@workers={workers},threads={threads}")
        };
        let kept: Vec<_> = kept.into_iter().map(point).collect();
        assert_eq!(names(&format!("{CROSSED}{filter}")), kept, "{filter}");
    }
}

#[test]
fn a_filter_that_means_nothing_is_an_error() {
    for (filter, problem, hint) in [
        (
            "except = [{ workers = 3 }]",
            "`workers` is never 3",
            "its levels are 1, 2, 4",
        ),
        (
            "only = [{ wrokers = 1 }]",
            "nothing there varies by `wrokers`",
            "it varies by `workers`, `threads`",
        ),
        (
            "where = \"wrokers < 2\"",
            "`wrokers < 2`: ",
            "it may speak of `threads`, `workers` and `cores`",
        ),
        ("where = \"workers +\"", "`workers +`: ", "it may speak of"),
        (
            "where = \"workers + 1\"",
            "`workers + 1`: it is neither true nor false",
            "it may speak of",
        ),
        ("where = 3", "is not a constraint", "write `where = "),
        (
            "where = \"workers > 4\"",
            "leaves no variant",
            "keep at least one",
        ),
    ] {
        let flaw = refused(&format!("{CROSSED}{filter}"));
        assert!(
            flaw.problem.starts_with(problem),
            "{filter}: {}",
            flaw.problem
        );
        assert!(flaw.hint.contains(hint), "{filter}: {}", flaw.hint);
    }
}
