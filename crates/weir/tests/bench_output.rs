//! `weir bench`: every form of its result, its thresholds, its files, and Ctrl-C.

use std::io::Read as _;
use std::process::Stdio;

use crate::support::schema::assert_is;
use crate::support::{PATIENCE, Place, Said, load_of, peer, scripted};
use serde_json::Value;
use testkit::{ScriptedPeer, Step};

/// 400 requests: enough for p50 to p95. One at a time, so that the generator waits for the peer and nothing
/// that disqualifies is doubted.
fn bench(place: &Place, url: &str, more: &[&str]) -> Said {
    let args = ["bench", url, "-c", "1", "-n", "400", "--warm-up", "0s"];
    place.run(&[&args[..], more].concat())
}

fn measured(said: &Said) {
    assert_eq!(said.code, 0, "{} {}", said.out, said.err);
}

#[test]
fn every_form_gives_a_bound_of_a_quantile_without_its_ten_samples() {
    let (_peer, url) = peer();
    let place = Place::new();
    let of = |format| {
        let said = bench(&place, &url, &["--format", format]);
        measured(&said);
        said.out
    };
    let text = of("text");
    assert!(text.contains("≥ p99 needs 1,000 responses"), "{text}");
    assert!(text.contains("95 % interval"), "{text}");

    let known = |value: &Value| {
        let response = &value["response"];
        assert!(response["p50"].as_f64().unwrap() > 0.0);
        let ends = &response["intervals"]["p50"];
        assert!(ends[0].as_f64() <= response["p50"].as_f64(), "{response}");
        assert!(ends[1].as_f64() >= response["p50"].as_f64(), "{response}");
        assert!(response["p95"].is_f64() && response["at_least"]["p95"].is_null());
        assert_eq!(response.get("p99"), None);
        let least = response["at_least"]["p99"].as_f64();
        assert!(least >= response["p95"].as_f64() && least <= response["max"].as_f64());
    };
    let json: Value = serde_json::from_str(&of("json")).unwrap();
    assert_eq!(json["schema"], "weir/2");
    known(&load_of(&json));

    let ndjson = of("ndjson");
    let lines: Vec<Value> = ndjson
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (summary, pieces) = lines.split_last().unwrap();
    assert_eq!(summary["type"], "summary");
    known(&load_of(summary));
    assert!(pieces.iter().all(|piece| piece["type"] == "interval"));
    let completed: u64 = pieces
        .iter()
        .map(|piece| piece["completed"].as_u64().unwrap())
        .sum();
    assert_eq!(completed, 400);

    let csv = of("csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 2);
    let cell = |name: &str| rows[1][rows[0].iter().position(|head| *head == name).unwrap()];
    assert_eq!((cell("completed"), cell("response_p99_s")), ("400", ""));
    let seconds = |name: &str| cell(name).parse::<f64>().unwrap();
    assert!(seconds("response_p99_at_least_s") <= seconds("response_max_s"));
    assert_eq!(cell("response_p50_at_least_s"), "");
    assert!(cell("response_p50_low_s").parse::<f64>().unwrap() > 0.0);

    let markdown = of("markdown");
    let row = markdown.lines().find(|row| row.contains("| response |"));
    let cells: Vec<_> = row.unwrap().split('|').map(str::trim).collect();
    let bounds = cells[6..12].iter().map(|cell| cell.starts_with('≥'));
    let expected = [false, false, false, true, true, true];
    assert_eq!(bounds.collect::<Vec<_>>(), expected, "{markdown}");
}

#[test]
fn thresholds_decide_how_it_ends() {
    let (_peer, url) = peer();
    let place = Place::new();
    let kept = bench(&place, &url, &["--fail-if", "p50 > 30s", "errors > 0.1%"]);
    measured(&kept);
    assert!(
        kept.out
            .contains("`errors > 0.1%`: not crossed, measured 0")
    );
    for (crossed, words) in [
        ("p50 > 0us", "crossed, measured"),
        (
            "p99.9 > 30s",
            "cannot tell, which counts as crossed, p99.9 is at least",
        ),
    ] {
        let said = bench(&place, &url, &["--fail-if", crossed]);
        said.crosses();
        // lines wrap where they must
        let flat = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(words), "{}", said.out);
    }
    // 400 answers decide it where all of them are on one side
    let few = bench(&place, &url, &["--fail-if", "p99 > 30s"]);
    measured(&few);
    assert!(
        few.out.contains("`p99 > 30s`: not crossed, p99 is "),
        "{}",
        few.out
    );
    let said = place.run(&["bench", &url, "--fail-if", "p98 > 5ms"]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("are p50, p90, p95, p99, p99.9"),
        "{}",
        said.err
    );
    let said = place.run(&["bench", &url, "--fail-if", "p99 < 50"]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("did you mean `p99 < 50ms`?"),
        "{}",
        said.err
    );
}

#[test]
fn all_files_are_written_and_agree() {
    let (_peer, url) = peer();
    let place = Place::new();
    measured(&bench(
        &place,
        &url,
        &["--out", "result", "--hdr", "own.hdr"],
    ));
    let read = |name: &str| std::fs::read_to_string(place.path(name)).unwrap();
    let json = load_of(&serde_json::from_str(&read("result/run.json")).unwrap());
    assert_eq!(json["load"]["completed"], 400);
    assert!(read("result/intervals.ndjson").contains("\"type\":\"summary\""));
    assert!(read("result/report.html").contains("<th scope=\"row\">response</th>"));
    let log = read("own.hdr");
    assert_eq!(log, read("result/times.hdr"));
    assert!(log.contains("Tag=response,") && log.contains("Tag=service,"));
}

#[test]
fn what_runs_is_told_second_by_second() {
    let (_peer, url) = peer();
    let place = Place::new();
    let load = ["bench", &url, "-c", "2", "-d", "2s", "--warm-up", "0s"];
    let live = ["--live", "live.ndjson"];
    let said = place.run(&[&load[..], &live[..], &["--json"]].concat());
    said.measured();
    let text = std::fs::read_to_string(place.path("live.ndjson")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    for line in &lines {
        assert_is("live", line);
    }
    let first = &lines[0];
    assert_eq!(
        (&first["variant"], &first["phase"], &first["connections"]),
        (&url.as_str().into(), &"window".into(), &2.into()),
        "{text}"
    );
    assert!(first["throughput"].as_f64() > Some(0.0), "{text}");
    assert!(first["p50"].as_f64() <= first["p99"].as_f64(), "{text}");
    // together they are the window, and nothing but it
    let mut from = 0.0;
    let mut responses = 0.0;
    for line in lines.iter().filter(|line| line["phase"] == "window") {
        let until = line["seconds"].as_f64().unwrap();
        responses += line["throughput"].as_f64().unwrap() * (until - from);
        from = until;
    }
    let document = said.load();
    let figure = |key: &str| document["load"][key].as_f64().unwrap();
    let (seconds, completed) = (figure("seconds"), figure("completed"));
    assert!((from - seconds).abs() < 1e-6, "{seconds}: {text}");
    assert!((responses - completed).abs() < 0.5, "{completed}: {text}");
    let nowhere = place.run(&[&load[..], &["--live", "no/live.ndjson"]].concat());
    nowhere.fails(2, &["cannot write `no/live.ndjson`"]);
    let dash = place.run(&[&load[..], &["--live", "-"]].concat());
    dash.fails(2, &["no file is called `-`", "--live /dev/stderr"]);
    assert!(!place.path("-").exists());
}

#[test]
fn ctrl_c_still_reports_in_every_form() {
    let (peer, _) = peer();
    let place = Place::new();
    for (format, words) in [
        (
            "text",
            &["throughput", "interrupted after ", " of 60.0 s: "][..],
        ),
        ("json", &["\"status\": \"stopped\""]),
        ("ndjson", &["\"status\":\"stopped\""]),
        ("csv", &[",true,0,"]),
        ("markdown", &["| response |", "**interrupted after "]),
    ] {
        let out = interrupted(&place, &peer, &["--format", format, "--out", "cut"]);
        for words in words {
            assert!(out.contains(words), "`{words}` in {format}: {out}");
        }
        let page = std::fs::read_to_string(place.path("cut/report.html")).unwrap();
        assert!(page.contains("interrupted after "), "{page}");
    }
}

/// What weir prints of a load of a minute that is interrupted once two requests have come.
fn interrupted(place: &Place, peer: &ScriptedPeer, more: &[&str]) -> String {
    let url = format!("http://{}/", peer.address());
    let args = ["bench", &url, "-c", "2", "-d", "60s", "--warm-up", "0s"];
    let before = peer.requests().len();
    let mut child = place
        .weir(&[&args[..], more].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let come = || peer.requests().len() >= before + 2;
    assert!(testkit::eventually(PATIENCE, come));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let mut out = String::new();
    let pipe = child.stdout.as_mut().unwrap();
    pipe.read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{more:?}: {out}");
    out
}

#[test]
fn ctrl_c_reports_what_was_counted_though_nothing_was_answered() {
    let (peer, _) = scripted(|_| vec![Step::Read, Step::Stall]);
    let place = Place::new();
    let json = interrupted(&place, &peer, &["--json"]);
    let json = load_of(&serde_json::from_str(&json).unwrap());
    assert_eq!(json["interrupted"], true);
    assert_eq!(json["planned"]["seconds"], 60.0);
    let load = &json["load"];
    assert_eq!((&load["sent"], &load["in_flight"]), (&2.into(), &2.into()));
    assert_eq!(
        (&load["completed"], &load["scheduled"]),
        (&0.into(), &2.into())
    );
    for (format, words) in [
        (
            "text",
            &["2 scheduled = 0 completed", "interrupted after "][..],
        ),
        ("markdown", &["2 scheduled = 0 completed"]),
        ("csv", &[",true,0,2,0,"]),
        ("ndjson", &["\"status\":\"stopped\""]),
    ] {
        let out = interrupted(&place, &peer, &["--format", format]);
        for words in words {
            assert!(out.contains(words), "`{words}` in {format}: {out}");
        }
    }
}

#[test]
fn stolen_cpu_is_watched() {
    let (_peer, url) = peer();
    let said = bench(&Place::new(), &url, &["--json", "--explain"]);
    measured(&said);
    let json = said.load();
    let share = &json["load"]["stolen"]["share"];
    assert!((0.0..=1.0).contains(&share.as_f64().unwrap()), "{share}");
    let rules = json["explained"]["held_to"].as_array().unwrap();
    let rule = rules.iter().find(|rule| rule["kind"] == "stolen-cpu");
    assert_ne!(rule.unwrap()["outcome"], "does-not-apply", "{rules:?}");
}

#[test]
fn either_event_loop_can_be_asked_for_and_is_told() {
    let (_peer, url) = peer();
    let place = Place::new();
    for reactor in ["poll", "ring"] {
        let said = bench(&place, &url, &["--reactor", reactor, "--json"]);
        if said.code == 2 && reactor == "ring" {
            // an older kernel, or one that forbids it
            assert!(said.err.contains("io_uring"), "{}", said.err);
            testkit::may_skip("ring", "a load over io_uring, which needs it");
            continue;
        }
        measured(&said);
        let document: Value = serde_json::from_str(&said.out).unwrap();
        let load = &document["trials"][0]["outcome"]["measured"]["load"];
        assert_eq!(load["engine"]["reactor"], reactor, "{load}");
        assert_eq!(load["completed"], 400, "{load}");
    }
    place.assert_clean();
}
