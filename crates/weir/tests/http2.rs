//! `weir bench` over HTTP/2 without TLS, and what it says where that does not fit.

use crate::support::{Place, Said};
use testkit::Nginx;

const SERVER: &str = "location / { return 200 \"ok\\n\"; }";

fn bench(url: &str, more: &[&str]) -> Said {
    let mut args = vec!["bench", url, "-c", "2", "-n", "100", "--warm-up", "0s"];
    args.extend(more);
    Place::new().run(&args)
}

/// So short a load is doubted, which its exit code says; its answers are what matters here.
fn all_right(said: &Said) {
    let wanted = "100 scheduled = 100 completed + 0 failed";
    assert!(said.out.contains(wanted), "{}{}", said.out, said.err);
}

#[test]
fn a_scheme_or_a_flag_asks_for_it() {
    let nginx = Nginx::start_http2(SERVER);
    let place = nginx.address();
    for (url, more) in [
        (format!("h2c://{place}/"), &[][..]),
        (format!("http://{place}/"), &["--http2", "--streams", "1"]),
        (format!("h2c+unix:{}|/", nginx.path().display()), &[]),
    ] {
        let more = [more, &["--contains", "ok"]].concat();
        all_right(&bench(&url, &more));
    }
}

#[test]
fn one_that_does_not_speak_it_is_told_so() {
    let nginx = Nginx::start(SERVER);
    let said = bench(&format!("h2c://{}/", nginx.address()), &[]);
    said.fails(9, &["it may speak another", "does not speak HTTP/2"]);
    let url = format!("http://{}/", nginx.address());
    all_right(&bench(&url, &["--http1.0"]));
}

#[test]
fn flags_that_do_not_fit_are_refused() {
    for (url, flags, words) in [
        (
            "http://127.0.0.1:1/",
            &["--streams", "4"][..],
            "`--streams` does not go with HTTP/1",
        ),
        (
            "h2c://127.0.0.1:1/",
            &["--pipeline", "4"],
            "`--pipeline` does not go with HTTP/2",
        ),
        (
            "ajp://127.0.0.1:1/",
            &["--http2"],
            "`--http2` does not go with AJP13",
        ),
        (
            "h2c://127.0.0.1:1/",
            &["--http1.0"],
            "`--http1.0` does not go with HTTP/2",
        ),
    ] {
        bench(url, flags).fails(2, &[words]);
    }
}
