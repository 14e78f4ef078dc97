//! What `weir endpoints` says of the figures that it prints: which unit, what has no time, what was not read, what a mix lacks.

use std::fs;

use crate::endpoints::{account, log};
use crate::support::through::on_a_terminal;
use crate::support::{Place, nginx};

/// A line in JSON with this under the key `latency`.
fn with_latency(latency: &str) -> String {
    format!("{{\"method\":\"GET\",\"path\":\"/a\",\"status\":200,\"latency\":{latency}}}\n")
}

#[test]
fn the_unit_of_times_is_told_where_it_was_guessed_and_can_be_said() {
    let place = Place::new();
    place.write("bare.log", &with_latency("12000000"));
    let human = with_latency("12000000,\"latency_human\":\"12ms\"");
    place.write("echo.log", &human);
    place.write(
        "apache.log",
        &["0", "0", "1", "3"].map(|time| log(1, time)).concat(),
    );
    for (name, mean, unit, is_assumed) in [
        ("bare.log", 0.012, "ns", true),
        ("echo.log", 0.012, "ns", false),
        ("apache.log", 1.0, "s", true),
    ] {
        let all = account(&place, &[name]);
        let units = &all["logs"][0]["units"][0];
        assert_eq!(
            (&units["unit"], &units["is_assumed"]),
            (&unit.into(), &is_assumed.into()),
            "{all:#}"
        );
        assert_eq!(all["total"]["now"]["mean"], mean, "{name}");
        let said = place.run(&["endpoints", name]);
        let out = said.succeeds().out.replace("\n    ", " ");
        assert_eq!(out.contains("`--unit s`"), is_assumed, "{out}");
    }
    let all = account(&place, &["bare.log", "--unit", "us"]);
    assert_eq!(all["total"]["now"]["mean"], 12.0);
    let units = &all["logs"][0]["units"][0];
    assert_eq!(
        (&units["is_given"], &units["is_assumed"]),
        (&true.into(), &false.into())
    );
    // nobody waits for more than a day
    let said = place.run(&["endpoints", "bare.log", "--unit", "s"]);
    let out = said.succeeds().out.replace("\n    ", " ");
    assert!(out.contains("the first in line 1: 12000000 s"), "{out}");
    place.write("timers", "app:320|ms\n");
    let said = place.run(&["endpoints", "timers", "--unit", "s"]);
    assert!(
        said.succeeds().err.contains("`--unit` changes nothing"),
        "{}",
        said.err
    );
}

#[test]
fn what_has_no_time_is_told_and_rows_add_up() {
    let place = Place::new();
    place.write(
        "half.log",
        &(log(10, "0.100") + &log(10, "-") + &log(1, "inf")),
    );
    let said = place.run(&["endpoints", "half.log"]);
    let out = said.succeeds().out.replace("\n    ", " ");
    assert!(out.contains("10 of 21 requests have no time"), "{out}");
    assert!(
        out.contains("1 of 21 requests have a time that no request takes"),
        "{out}"
    );
    let all = account(&place, &["half.log"]);
    let now = &all["total"]["now"];
    assert_eq!((&now["count"], &now["timed"]), (&21.into(), &10.into()));
    let log = &all["logs"][0];
    assert_eq!((&log["lines"], &log["skipped"]), (&21.into(), &0.into()));
    assert_eq!(
        (&log["requests"], &log["impossible"]),
        (&21.into(), &1.into())
    );
}

#[test]
fn a_scanner_is_one_route_and_a_few_requests_have_no_tail() {
    let place = Place::new();
    let scanned = |path: &str| {
        let line = log(1, "0.100").replace("/a/0", path);
        line.replace("\" 200 ", "\" 404 ")
    };
    let scanned = ["/.env", "/wp-login.php", "/admin"].map(scanned).concat();
    place.write("now.log", &(scanned + &log(6, "0.200")));
    let all = account(&place, &["now.log"]);
    let all = all["endpoints"].as_array().unwrap();
    let of = |route: &str| &all.iter().find(|of| of["route"] == route).unwrap()["now"];
    assert_eq!(all.len(), 2, "{all:#?}");
    let lost = of("(not found)");
    assert_eq!(
        (&lost["count"], &lost["client_errors"]),
        (&3.into(), &3.into())
    );
    let few = of("/a/{}");
    assert_eq!(
        (&few["p50"], &few["p99"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
    assert!(few["max"].is_f64(), "{few}");
    let said = place.run(&["endpoints", "now.log"]);
    let out = said.succeeds().out.replace("\n    ", " ");
    for words in [
        "each asked for fewer than 10 times",
        "p50 20, p90 100, p95 200, p99 1,000",
    ] {
        assert!(out.contains(words), "`{words}`: {out}");
    }
    let mut rows = said.out.lines();
    let row = rows.find(|line| line.trim_end().ends_with("GET /a/{}"));
    let dashes = row.unwrap().split_whitespace().filter(|word| *word == "—");
    assert!(dashes.count() >= 2, "p50 and p99 of six requests: {out}");
}

#[test]
fn of_a_log_that_is_cut_off_the_begin_is_shown() {
    let place = Place::new();
    place.write("whole.log", &log(50_000, "0.100"));
    let packed = std::process::Command::new("gzip")
        .arg(place.path("whole.log"))
        .status();
    assert!(packed.unwrap().success());
    let packed = fs::read(place.path("whole.log.gz")).unwrap();
    fs::write(place.path("part.log.gz"), &packed[..packed.len() / 2]).unwrap();
    fs::write(place.path("head.log.gz"), &packed[..15]).unwrap();
    let said = place.run(&["endpoints", "part.log.gz", "--json"]);
    assert_eq!(said.code, 5, "{}", said.err);
    let all = said.json();
    let count = all["total"]["now"]["count"].as_u64().unwrap();
    assert!(count > 1_000 && count < 49_000, "{count}");
    assert_eq!(all["logs"][0]["cut"], "ends in the middle");
    let lines = &all["logs"][0]["lines"];
    let told = format!("`part.log.gz` ends in the middle: its first {lines} lines are counted");
    assert!(said.err.contains(&told), "{}", said.err);
    place
        .run(&["endpoints", "head.log.gz"])
        .fails(5, &["ends in the middle", "give the whole file"]);
}

#[test]
fn a_mix_has_a_sample_of_what_was_asked_for_and_says_so() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let pages = log(300, "0.1").replace("/a/", "/search?q=x&page=");
    place.write(
        "log",
        &(log(5_000, "0.1") + &pages + &log(7, "0.1").replace("GET", "POST")),
    );
    let said = place.run(&["endpoints", "log", "--mix", "mix.toml"]);
    let err = &said.succeeds().err;
    assert!(err.contains("`GET /a/{}` 200 of about "), "{err}");
    assert!(err.contains("stands for 5,300 of 5,307 requests"), "{err}");
    let mix = fs::read_to_string(place.path("mix.toml")).unwrap();
    assert!(mix.contains("drawn at random"), "{mix}");
    let sampled = mix.matches("  \"search?q=x&page=").count();
    assert_eq!(sampled, 200, "{mix}");
    let load = ["bench", &url, "--mix", "mix.toml", "-n", "500", "-c", "2"];
    place.run(&load).measured();
}

/// Each of these would count as an error of the load.
#[test]
fn what_was_answered_otherwise_than_with_200_is_not_in_a_mix() {
    let place = Place::new();
    let of = |requests: u32, path: &str, status: &str| {
        let lines = log(requests, "0.1").replace(" 200 ", &format!(" {status} "));
        let lines = lines.lines().map(|line| {
            let (before, after) = line.split_once("/a/").unwrap();
            let (_, after) = after.split_once(' ').unwrap();
            format!("{before}{path} {after}\n")
        });
        lines.collect::<String>()
    };
    let all = [
        of(5, "/page", "200"),
        of(30, "/old", "302"),
        of(10, "/private", "401"),
        of(3, "/half", "200"),
        of(3, "/half", "404"),
        of(20, "/gone", "404"),
        of(1, "/wp-login.php", "404"),
    ];
    place.write("log", &all.concat());
    let said = place.run(&["endpoints", "log", "--write-mix", "mix.toml"]);
    let err = said.succeeds().err.split_whitespace().collect::<Vec<_>>();
    let err = err.join(" ");
    assert!(
        err.contains("stands for 8 of 72 requests (11.1 %)"),
        "{err}"
    );
    let mix = fs::read_to_string(place.path("mix.toml")).unwrap();
    assert_eq!(mix.matches("[[request]]").count(), 2, "{mix}");
    for request in [
        "name = \"GET /page\"\nweight = 5\n",
        "name = \"GET /half\"\nweight = 3\n",
    ] {
        assert!(mix.contains(request), "{request}: {mix}");
    }
}

/// An empty mix is none that `weir bench` reads.
#[test]
fn a_log_of_which_nothing_can_be_asked_for_writes_no_mix() {
    let place = Place::new();
    let missing = log(20, "0.1").replace(" 200 ", " 404 ");
    place.write(
        "other.log",
        &(missing + &log(7, "0.1").replace("GET", "POST")),
    );
    place.write("timers", "shop.cart:320|ms\n");
    place.write("count", "shop.hits:1|c\n");
    for (name, words) in [
        (
            "other.log",
            "20 answered otherwise than with 200 or 304, 7 with another method",
        ),
        ("timers", "1 whose method is not known"),
        ("count", "there is none"),
    ] {
        let said = place.run(&["endpoints", name, "--write-mix", "mix.toml"]);
        said.fails(5, &[words, "into `mix.toml`", "`weir help mix`"]);
        assert!(!place.path("mix.toml").exists(), "{name}");
    }
}

/// To `weir bench` the same option names a mix that is read.
#[test]
fn a_mix_that_weir_did_not_write_is_not_replaced() {
    let place = Place::new();
    place.write("log", &log(5, "0.1"));
    let own = "[[request]]\npath = \"/\"\n";
    place.write("own.toml", own);
    for option in ["--write-mix", "--mix"] {
        let said = place.run(&["endpoints", "log", option, "own.toml"]);
        said.fails(2, &["`own.toml` is there already", "name a new file"]);
        assert_eq!(fs::read_to_string(place.path("own.toml")).unwrap(), own);
        // what weir wrote it writes anew
        let said = place.run(&["endpoints", "log", option, "mix.toml"]);
        said.succeeds();
    }
}

#[test]
fn a_rule_that_fits_nothing_and_the_order_are_the_users() {
    let place = Place::new();
    place.write(
        "a.log",
        &(log(9, "0.100") + &log(1, "0.500").replace("/a/", "/b/")),
    );
    let said = place.run(&[
        "endpoints",
        "a.log",
        "--route",
        "/nowhere/{x}",
        "--sort",
        "mean",
    ]);
    let out = &said.succeeds().out;
    assert!(
        said.err.contains("`--route '/nowhere/{x}'` fits none"),
        "{}",
        said.err
    );
    let first = out.lines().nth(1).unwrap();
    assert!(first.ends_with("GET /b/{}"), "{out}");
    assert!(out.contains("p90") && out.contains("p95"), "{out}");
}

/// Nobody types a log: where none is named, a terminal is not waited for.
#[test]
fn without_a_log_nothing_is_read_from_a_terminal() {
    let told = on_a_terminal(&Place::new(), &["endpoints"]);
    for words in ["there is no log to read", "`weir endpoints access.log`"] {
        assert!(told.contains(words), "`{words}`: {told}");
    }
}

#[test]
fn a_variant_whose_name_has_a_space_is_named_so_that_it_can_be_typed() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let load = ["bench", &url, "-n", "200", "--sweep", "connections=1,2"];
    place.run(&load).measured();
    let said = place.run(&["endpoints", "--run", "last"]);
    said.fails(2, &["`weir endpoints --run '1:1 connection'`"]);
}
