//! More connections than one file table may hold descriptors.

use crate::support::through::after;
use crate::support::{Place, Said, said};
use testkit::Nginx;

/// 300 connections where a process may have 200 descriptors.
fn bench(threads: &str) -> Said {
    let nginx = Nginx::start("location / { return 200 \"ok\\n\"; }");
    let url = format!("http://{}/", nginx.address());
    let place = Place::new();
    let limited = [
        "bench",
        &url,
        "-c",
        "300",
        "-n",
        "3000",
        "--warm-up",
        "0s",
        "-t",
        threads,
        "--json",
    ];
    said(after(&place, "ulimit -n 200", &limited))
}

#[test]
fn workers_have_file_tables_of_their_own_where_one_is_too_small() {
    let said = bench("2");
    said.measured();
    let result = said.load();
    let load = &result["load"];
    let counts = ["connects", "completed", "timed_out"].map(|name| load[name].as_u64());
    assert_eq!(counts, [Some(300), Some(3000), Some(0)], "{load}");
    assert_eq!(load["failed"], serde_json::json!({}), "{load}");
}

#[test]
fn without_threads_to_share_them_it_is_an_error_that_says_what_to_do() {
    bench("1").fails(11, &["open files, and it is `200`", "more threads"]);
}
