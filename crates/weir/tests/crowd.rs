//! `weir bench` beside idle, slow and rude connections.

use crate::support::{Place, peer};
use testkit::Nginx;

#[test]
fn a_crowd_is_asked_for_and_told_apart() {
    let nginx = Nginx::start("location / { return 200 \"ok\\n\"; }");
    let url = format!("http://{}/", nginx.address());
    let mut args = vec!["bench", &url, "-n", "50", "-c", "2", "--warm-up", "0s"];
    args.extend(["--idle", "3", "--slow-writers", "2", "--slow-rate", "5B/s"]);
    args.extend(["--resets", "20/s"]);
    let said = Place::new().run(&args);
    for words in [
        "50 completed",
        "3 idle connections: 3 opened, 3 responses",
        "2 slow writers: 2 opened",
        "to reset: ",
    ] {
        assert!(
            said.out.contains(words),
            "`{words}`: {}{}",
            said.out,
            said.err
        );
    }
    args.push("--json");
    let said = Place::new().run(&args);
    let load = &said.load()["load"];
    assert_eq!(load["completed"], 50);
    let habits = load["crowd"]["habits"].as_object().unwrap();
    assert_eq!(habits["idle"]["statuses"]["200"], 3);
    assert_eq!(habits["slow-writer"]["opened"], 2);
    assert!(habits.contains_key("reset") && !habits.contains_key("slow-reader"));
}

#[test]
fn a_pace_that_makes_no_sense_is_one_clear_error() {
    let (_peer, url) = peer();
    for (flag, value, hint) in [
        ("--slow-rate", "0B/s", "1KB/s"),
        ("--slow-rate", "1KB/h", "1KB/s"),
        ("--resets", "many", "50/s"),
    ] {
        let said = Place::new().run(&["bench", &url, flag, value]);
        assert_eq!(said.code, 2, "{}", said.err);
        assert!(
            said.err.contains(flag) && said.err.contains(hint),
            "{}",
            said.err
        );
    }
}
