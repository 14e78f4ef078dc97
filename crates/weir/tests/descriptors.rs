//! More connections than one file table may hold descriptors: of weir's own, and of a client that it looks at.

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

/// Opens more connections than weir may have descriptors, and asks over the first of them.
const CROWD: &str = "import os, resource, socket
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
host, port = os.environ['WEIR_URL'].removeprefix('http://').rstrip('/').split(':')
all = [socket.create_connection((host, int(port))) for _ in range(80)]
all[0].sendall(b'GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n')
assert all[0].recv(4096)
";

#[test]
fn connections_of_a_client_that_there_are_no_descriptors_for_are_turned_away_and_counted() {
    let place = Place::new();
    place.write("crowd.py", CROWD);
    let args = ["client", "--json", "--", "python3", "crowd.py"];
    let account = said(after(&place, "ulimit -S -n 64", &args)).json();
    let talk = &account["talk"];
    let count = |name: &str| talk[name].as_u64().unwrap();
    assert!(count("turned_away") > 0, "{account:#}");
    assert_eq!(
        count("connections") + count("turned_away"),
        80,
        "{account:#}"
    );
    assert_eq!(count("requests"), 1, "{account:#}");
}
