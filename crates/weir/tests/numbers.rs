//! Numbers, rates and durations as people and other tools write them; and options that other tools have.

use crate::support::{Place, Said, peer};

fn bench(url: &str, more: &[&str]) -> Said {
    let args = ["bench", url, "--warm-up", "0s", "--json"];
    Place::new().run(&[&args[..], more].concat())
}

#[test]
fn thousands_longer_times_and_mixed_units_are_understood() {
    let (_peer, url) = peer();
    let load = |more: &[&str]| bench(&url, more).measured().load();
    assert_eq!(load(&["-c", "1", "-n", "1k"])["load"]["completed"], 1_000);
    let open = ["-c", "4", "-d", "500ms", "--arrivals", "constant", "-R"];
    for rate in ["200/s", "0.2k", "12k/min"] {
        let of = load(&[&open[..], &[rate]].concat());
        assert_eq!(of["load"]["offered"], 200.0, "{rate}");
        assert_eq!(of["load"]["scheduled"], 100, "{rate}");
    }
    let of = load(&["-c", "1", "-d", "0s300ms"]);
    assert_eq!(of["planned"]["seconds"], 0.3);
    let wrk = ["wrk", "-t1", "-c1", "-d", "200ms", "-R", "1k", &url];
    Place::new().run(&wrk).succeeds();
}

#[test]
fn what_is_no_number_is_refused_with_one() {
    let (peer, url) = peer();
    for (more, words) in [
        (["-R", "5/week"], ["--rate", "`3M/day`"]),
        (["-R", "fast"], ["fast", "`500` or `2k`"]),
        (["-c", "1.5"], ["--connections", "whole number"]),
        (["-n", "1m"], ["--requests", "whole number"]),
        (["-d", "1m30"], ["--duration", "`1m30s`"]),
        (["--spike", "1:2x"], ["--spike", "`500` or `2k`"]),
    ] {
        let said = bench(&url, &more);
        assert_eq!(said.code, 2, "{more:?}: {}", said.err);
        for word in words {
            assert!(said.err.contains(word), "`{word}`: {}", said.err);
        }
    }
    assert_eq!(peer.connections(), 0);
}

#[test]
fn an_option_of_another_tool_is_told_by_its_name_here() {
    let (peer, url) = peer();
    for (more, words) in [
        (["-z", "30s"], ["unexpected argument `-z`", "`-d 30s`"]),
        (["-q", "100"], ["takes no number", "`-R 100`"]),
        (["-m", "POST"], ["unexpected argument `-m`", "`-X POST`"]),
        (
            ["--data", "a=b"],
            ["unexpected argument `--data`", "`--body TEXT`"],
        ),
        (
            ["-a", "ann:p-4-s"],
            ["unexpected argument `-a`", "Authorization"],
        ),
        (["-d", "a=b"], ["`-d` is the duration", "`--body TEXT`"]),
    ] {
        let said = bench(&url, &more);
        said.fails(2, &words);
        assert!(!said.err.contains("p-4-s"), "{}", said.err);
    }
    assert_eq!(peer.connections(), 0);
}
