//! How wide tables are: all there is in a pipe, and what was asked for elsewhere.

use crate::support::{Place, peer, said};

/// A table with intervals beside its quantiles, and a name that takes room.
fn sweep(place: &Place, url: &str, columns: Option<&str>, more: &[&str]) -> String {
    let args = ["bench", url, "--sweep", "connections=1,2", "-n", "400"];
    let args = [&args[..], &["--warm-up", "0s"], more].concat();
    let mut weir = place.weir(&args);
    if let Some(columns) = columns {
        weir.env("COLUMNS", columns);
    }
    said(weir).out
}

#[test]
fn a_pipe_has_every_column_unless_a_width_is_said() {
    let (_peer, url) = peer();
    let place = Place::new();
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max();
    let all = |text: &str| {
        let head = text
            .lines()
            .find(|line| line.trim_start().starts_with("load "));
        let head = head.unwrap_or_else(|| panic!("{text}"));
        ["p50", "p95", "p99", "engine/req"].map(|column| head.contains(column))
    };
    let piped = sweep(&place, &url, None, &[]);
    assert_eq!(all(&piped), [true; 4], "{piped}");
    for narrow in [
        sweep(&place, &url, Some("72"), &[]),
        sweep(&place, &url, None, &["--width", "72"]),
        sweep(&place, &url, Some("200"), &["--width", "72"]),
    ] {
        assert!(!all(&narrow)[3], "{narrow}");
        assert!(widest(&narrow) <= Some(72), "{narrow}");
    }
    // what is no width says nothing
    assert_eq!(all(&sweep(&place, &url, Some("wide"), &[])), [true; 4]);
    assert_eq!(all(&sweep(&place, &url, Some("0"), &[])), [true; 4]);
    let refused = place.run(&["list", "--width", "3"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
}
