//! What `weir bench` decides and measures, whatever else it is asked for: thresholds by what they are about,
//! the same load with files and without, options before and after the URL.

use crate::support::{Place, Said, loads_of, peer, scripted};
use serde_json::Value;
use testkit::{Refusing, ScriptedPeer, Step, answer};

/// One answer in five is a 500.
fn failing() -> (ScriptedPeer, String) {
    let round = |status| [Step::Read, Step::Send(answer(status, &[], "hello"))];
    let rounds = [200, 200, 200, 200, 500].map(round).concat();
    scripted(move |_| vec![Step::Forever(rounds.clone())])
}

/// One request at a time, so that the generator waits for the peer and is never what is doubted.
fn bench(url: &str, more: &[&str]) -> Said {
    let args = ["bench", url, "-c", "1", "-n", "200", "--warm-up", "0s"];
    Place::new().run(&[&args[..], more].concat())
}

#[test]
fn errors_decide_a_threshold_about_errors() {
    let (_peer, url) = failing();
    let said = bench(&url, &["--fail-if", "errors > 0.1%", "--json"]);
    let json = said.load();
    assert_eq!(said.code, 3, "{}", said.err);
    assert_eq!(
        json["doubts"][0]["disqualifies"], true,
        "{}",
        json["doubts"]
    );
    assert_eq!(json["thresholds"][0]["crossed"], "yes");
    assert_eq!(json["thresholds"][0]["counts"], true);
    // kept, or about something else: figures that are not to be trusted decide nothing
    for (gate, counts) in [("errors > 50%", true), ("p50 > 0us", false)] {
        let said = bench(&url, &["--fail-if", gate, "--json"]);
        assert_eq!(said.code, 4, "{gate}: {}", said.err);
        assert_eq!(said.load()["thresholds"][0]["counts"], counts, "{gate}");
        // the last line says why
        let why = "exit code 4: these figures cannot be trusted: ";
        let last = said.err.trim_end().lines().next_back();
        assert!(
            last.is_some_and(|last| last.starts_with(why)),
            "{}",
            said.err
        );
    }
    let text = bench(&url, &["--fail-if", "p50 > 9s"]).out;
    // a long line is wrapped
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in [
        "? `p50 > 9s`: not crossed, p50 is ",
        ", but figures that cannot be trusted decide nothing",
    ] {
        assert!(flat.contains(told), "`{told}`: {text}");
    }
    // each load of a sweep alike
    let sweep = ["--sweep", "connections=1,2", "-n", "100", "--warm-up", "0s"];
    let sweep = |gate| {
        let args = [&["bench", &url, "--fail-if", gate][..], &sweep].concat();
        Place::new().run(&args).code
    };
    assert_eq!(sweep("errors > 0.1%"), 3);
    assert_eq!(sweep("throughput > 0"), 4);
}

#[test]
fn timeouts_decide_a_threshold_about_timeouts() {
    let (_peer, url) = scripted(|_| vec![Step::Stall]);
    let silent = [
        "bench",
        &url,
        "-c",
        "2",
        "-n",
        "4",
        "--timeout",
        "200ms",
        "--warm-up",
        "0s",
    ];
    let run = |more: &[&str]| Place::new().run(&[&silent[..], more].concat());
    let said = run(&["--fail-if", "timeouts > 1%", "--json"]);
    let json = said.load();
    assert_eq!(said.code, 3, "{}", said.err);
    let load = &json["load"];
    assert_eq!(load["completed"], 0);
    assert!(load["timed_out"].as_u64().unwrap() >= 2, "{load}");
    assert_eq!(json["thresholds"][0]["crossed"], "yes");
    // in every form
    let text = run(&["--fail-if", "errors > 1%"]);
    assert_eq!(text.code, 3, "{}", text.err);
    assert!(
        text.out.contains("✗ `errors > 1%`: crossed"),
        "{}",
        text.out
    );
    // who asks nothing about errors is told that the target could not be loaded
    run(&["--fail-if", "p99 > 1s"])
        .fails(9, &["was answered correctly", "no response within 0.2 s"]);
}

#[test]
fn a_target_that_nobody_listens_at_is_no_measurement() {
    let port = Refusing::new();
    let url = format!("http://{}/", port.address());
    let said = bench(&url, &["--fail-if", "errors > 1%"]);
    said.fails(9, &["no connection to", "connection refused"]);
    let once = Place::new().run(&["bench", &url, "-c", "1", "-n", "1", "--warm-up", "0s"]);
    once.fails(9, &["in 1 attempt: connection refused"]);
}

#[test]
fn options_stand_before_or_after_the_url() {
    let (_peer, url) = peer();
    let place = Place::new();
    let few = ["-c", "1", "-n", "20", "--warm-up", "0s"];
    for order in [
        &["--fail-if", "errors > 0", "p50 > 9s", "URL"][..],
        &["--fail-if", "errors > 0", "URL", "--fail-if", "p50 > 9s"],
        &["URL", "--fail-if", "errors > 0", "p50 > 9s"],
        &[
            "--fail-if=errors > 0",
            "--header",
            "A: <b>",
            "--contains",
            "hello",
            "URL",
            "--fail-if=p50 > 9s",
        ],
        &[
            "--contains",
            "hello",
            "--fail-if",
            "errors > 0, p50 > 9s",
            "--matches",
            "h",
            "URL",
        ],
    ] {
        let order: Vec<&str> = order
            .iter()
            .map(|word| if *word == "URL" { url.as_str() } else { word })
            .collect();
        let said = place.run(&[&["bench"][..], &order, &few].concat());
        assert_eq!(said.code, 0, "{}{}", said.out, said.err);
        for told in ["✓ `errors > 0`: not crossed", "✓ `p50 > 9s`: not crossed"] {
            assert!(said.out.contains(told), "`{told}`: {}", said.out);
        }
    }
    let nonsense = place.run(&["bench", "--fail-if", "p99 50ms", &url]);
    assert_eq!(nonsense.code, 2);
    assert!(nonsense.err.contains("expected `<`"), "{}", nonsense.err);
}

#[test]
fn an_address_alone_is_asked_over_http() {
    let (_peer, url) = peer();
    let address = url.trim_start_matches("http://");
    let said = bench(address, &["--json"]);
    assert_eq!(said.measured().load()["load"]["completed"], 200);
    Place::new()
        .run(&["bench", "/health"])
        .fails(2, &["it is a path without a host", "--unix"]);
}

#[test]
fn files_do_not_change_what_is_measured() {
    let (_peer, url) = peer();
    let place = Place::new();
    let survey = ["bench", &url, "--survey-seconds", "2s", "--json"];
    let told = |more: &[&str]| {
        let said = place.run(&[&survey[..], more].concat());
        said.measured();
        said.json()
    };
    let loads = |survey: &Value| -> Vec<Value> {
        let points = loads_of(survey).into_iter().take(2);
        points.map(|of| of["load"]["connections"].clone()).collect()
    };
    let without = told(&[]);
    let with = told(&["--out", "survey", "--hdr", "survey.hdr"]);
    // a busy machine may end one of them after its first load
    let (written_too, alone) = (loads(&with), loads(&without));
    let both = written_too.len().min(alone.len());
    assert_eq!(
        (written_too[..both].to_vec(), both > 0),
        (alone[..both].to_vec(), true)
    );
    let read = |name: &str| {
        std::fs::read_to_string(place.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let written: Value = serde_json::from_str(&read("survey/run.json")).unwrap();
    assert_eq!(written, with);
    let count = loads_of(&with).len();
    let page = read("survey/report.html");
    assert!(page.matches("Response time by percentile</h3>").count() >= 1);
    assert_eq!(page.matches("<details").count(), count, "one for each load");
    let log = read("survey.hdr");
    assert!(
        log.contains("Tag=response-1,") && log.contains(&format!("Tag=service-{count},")),
        "{log}"
    );
}

/// Whatever is written when the disk is full, it is the machine that ran out of something.
#[test]
fn a_full_disk_is_the_machines() {
    let (_peer, url) = peer();
    let said = bench(&url, &["--hdr", "/dev/full"]);
    said.fails(11, &["cannot write `/dev/full`", "free some of it"]);
}

#[test]
fn files_do_not_change_what_a_load_and_a_sweep_measure() {
    let (_peer, url) = peer();
    let place = Place::new();
    for more in [
        &["-c", "2", "-n", "50"][..],
        &["--sweep", "connections=1,2", "-n", "50"],
    ] {
        let run = |files: &[&str]| {
            let args = ["bench", &url, "--warm-up", "0s", "--json"];
            place.run(&[&args[..], more, files].concat()).json()
        };
        let (bare, kept) = (run(&[]), run(&["--out", "files", "--hdr", "files.hdr"]));
        assert_eq!(bare["schema"], kept["schema"]);
        let all = |of: &Value| {
            let points = loads_of(of);
            let asked = |point: &Value| {
                let load = &point["load"];
                [
                    &load["connections"],
                    &load["scheduled"],
                    &load["sent"],
                    &load["shape"],
                ]
                .map(Clone::clone)
            };
            points.iter().map(asked).collect::<Vec<_>>()
        };
        assert_eq!(all(&bare), all(&kept));
    }
}

#[test]
fn the_keep_alive_that_the_server_refused_is_said() {
    let answer = answer(200, &[("Connection", "close")], "hello");
    let (peer, url) = scripted(move |_| Step::serve_once(answer.clone()));
    let told =
        "200 connections were used for 200 requests: the server closed each after its response";
    let said = bench(&url, &["--explain"]);
    said.measured();
    assert_eq!(peer.connections(), 200);
    assert_eq!(
        said.out.matches(told).count(),
        2,
        "a doubt, and a rule: {}",
        said.out
    );
    let json = bench(&url, &["--json", "--explain"]).load();
    let doubts = json["doubts"].as_array().unwrap();
    assert!(
        doubts.iter().any(|doubt| doubt["because"] == told),
        "{doubts:?}"
    );
    // it was asked for
    let said = bench(&url, &["--no-keep-alive"]);
    assert!(!said.out.contains("the server closed"), "{}", said.out);
}

#[test]
fn connections_that_are_not_needed_are_not_claimed() {
    let (peer, url) = peer();
    let args = ["bench", &url, "-c", "300", "-n", "10", "--warm-up", "0s"];
    let said = Place::new().run(&args);
    assert_eq!(peer.connections(), 10);
    assert!(
        said.out
            .starts_with("closed loop over 10 of 300 connections"),
        "{}",
        said.out
    );
}

#[test]
fn a_recording_of_no_known_format_is_called_so() {
    let place = Place::new();
    let log = place.write("log", "nonsense\n");
    let args = [
        "bench",
        "http://127.0.0.1:9/",
        "--replay",
        log.to_str().unwrap(),
    ];
    let words = ["no line of it is a request in a known format; 1 could not be read"];
    place.run(&args).fails(5, &words);
}
