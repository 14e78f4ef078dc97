//! `weir wrk` and `weir ab`: a script that reads those tools' figures goes on working.

use std::process::Command;

use crate::support::{Place, Said};
use testkit::Nginx;

fn nginx() -> (Nginx, String) {
    let nginx = Nginx::start("location / { return 200 hello; } location /no { return 404 no; }");
    let url = format!("http://{}/", nginx.address());
    (nginx, url)
}

/// The first number after a name at the beginning of a line.
pub(crate) fn figure(text: &str, name: &str) -> f64 {
    let line = text
        .lines()
        .find(|line| line.trim_start().starts_with(name));
    let line = line.unwrap_or_else(|| panic!("no `{name}` in {text}"));
    let rest = line.trim_start()[name.len()..].trim();
    let number = rest
        .split(|c: char| !(c.is_ascii_digit() || c == '.'))
        .next();
    number.unwrap().parse().unwrap()
}

/// On a busy machine there may be doubts, which do not show in how it ends.
pub(crate) fn measured(said: &Said) -> &str {
    &said.succeeds().out
}

/// Every line without its figures, for comparison with the real tool's.
pub(crate) fn shape(text: &str) -> Vec<String> {
    let words = |line: &str| {
        let letters = |c: char| {
            if c.is_ascii_digit() || c == '.' {
                ' '
            } else {
                c
            }
        };
        let line: String = line.chars().map(letters).collect();
        line.split_whitespace()
            .filter(|word| word.len() > 2)
            .collect::<Vec<_>>()
            .join(" ")
    };
    // what ab thinks of its own figures' scatter is no part of its format
    let opinion = |line: &str| line.contains("The median and mean") || line.contains("results are");
    // what weir thinks of them
    let text = text.replace(" (few lie beyond)", "");
    text.lines()
        .map(words)
        .filter(|line| !line.is_empty() && !opinion(line))
        .collect()
}

/// What the real tool prints.
pub(crate) fn real(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}: run `make deps`"));
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn ab_is_spoken() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let args = ["-n", "20000", "-c", "4", "-k", "-q", &url];
    let said = place.run(&[&["ab"][..], &args].concat());
    let text = measured(&said);
    let counts = ["Complete requests:", "Failed requests:", "Document Length:"];
    let counts = counts.map(|name| figure(text, name) as u64);
    assert_eq!(counts, [20_000, 0, 5]);
    // nginx closes a connection after a thousand requests
    let kept = figure(text, "Keep-Alive requests:");
    assert!((19_900.0..20_000.0).contains(&kept), "{kept}");
    assert!(figure(text, "Requests per second:") > 0.0);
    let theirs = shape(&real("ab", &args));
    let theirs: Vec<_> = theirs.into_iter().skip(3).collect();
    let ours: Vec<_> = shape(text).into_iter().skip(1).collect();
    assert_eq!(ours, theirs);
}

#[test]
fn ab_knows_its_other_options() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let odd = place.run(&[
        "ab",
        "-n",
        "40",
        "-c",
        "2",
        "-i",
        "-dS",
        &(url.clone() + "no"),
    ]);
    let text = measured(&odd);
    assert!(text.contains("\nNon-2xx responses:      40\n"), "{text}");
    assert!(!text.contains("Percentage"), "{text}");
    let csv = [
        "ab",
        "-n",
        "300",
        "-A",
        "me:secret",
        "-C",
        "a=b",
        "-e",
        "served.csv",
        &url,
    ];
    let text = place.run(&csv);
    assert!(measured(&text).contains("  50%"), "{}", text.out);
    assert!(text.out.contains("  99%"), "{}", text.out);
    let served = std::fs::read_to_string(place.path("served.csv")).unwrap();
    assert!(served.starts_with("Percentage served,Time in ms\n0,"));
    place
        .run(&["ab", "-X", "a:1", &url])
        .fails(22, &["`-X`", "refused"]);
}

#[test]
fn ab_connects_from_an_address() {
    let nginx = Nginx::start("location / { return 200 \"from $remote_addr\"; }");
    let url = format!("http://{}/", nginx.address());
    let place = Place::new();
    // "from 127.0.0.1" is one byte shorter
    let said = place.run(&["ab", "-n", "20", "-B", "127.0.0.21", &url]);
    let text = measured(&said);
    assert_eq!(figure(text, "Document Length:") as u64, 15, "{text}");
    assert_eq!(figure(text, "Failed requests:") as u64, 0, "{text}");
    let other = place.run(&["ab", "-B", "::1", &url]);
    other.fails(22, &["`::1`", "of the target's kind"]);
}

#[test]
fn ab_sends_bodies_and_compares_lengths() {
    let nginx = Nginx::start(
        "location / { if ($request_method != POST) { return 405; } return 200 $server_protocol; }
         location = /varies { return 200 $connection_requests$msec; }
         location = /kept { return 200 $http_connection; }",
    );
    let url = |path: &str| format!("http://{}{path}", nginx.address());
    let place = Place::new();
    let body = place.write("body", "{}").display().to_string();
    let all = url("/");
    let options = "-n 300 -c 2 -T application/json -q".split(' ');
    let args: Vec<&str> = options.chain(["-p", &body, &all]).collect();
    let said = place.run(&[&["ab"][..], &args].concat());
    let text = measured(&said);
    assert_eq!(figure(text, "Failed requests:") as u64, 0);
    assert_eq!(
        figure(text, "Document Length:") as u64,
        8,
        "HTTP/1.0: {text}"
    );
    let theirs = real("ab", &args);
    for same in [
        "Total transferred:",
        "Total body sent:",
        "HTML transferred:",
    ] {
        assert_eq!(
            figure(text, same) as u64,
            figure(&theirs, same) as u64,
            "{same}"
        );
    }
    // nginx counts the requests of a connection: from the tenth on there is a digit more
    let varies = url("/varies");
    let args = ["ab", "-n", "100", "-k", &varies];
    let said = place.run(&args);
    assert_eq!(
        figure(&said.out, "(Connect: 0, Receive: 0, Length:") as u64,
        91,
        "{}",
        said.out
    );
    let said = place.run(&[&args[..], &["-l"]].concat());
    assert_eq!(figure(measured(&said), "Failed requests:") as u64, 0);
    let kept = url("/kept");
    let said = place.run(&["ab", "-n", "20", "-k", "-v", "3", &kept]);
    assert_eq!(figure(measured(&said), "Document Length:") as u64, 10);
    assert!(
        said.out.contains("LOG: Response code = 200"),
        "{}",
        said.out
    );
}

#[test]
fn wrk_runs_scripts() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    place.write(
        "a.lua",
        "function init(args) io.write('first ', args[1], '\\n') end
         function request() return wrk.format('PUT', '/' .. wrk.method) end
         function done(summary) io.write('last ', summary.requests, '\\n') end",
    );
    let args = [
        "wrk", "-t1", "-c2", "-d", "1s", "-s", "a.lua", &url, "--", "word",
    ];
    let said = place.run(&args);
    let lines: Vec<_> = measured(&said).lines().collect();
    assert_eq!(lines[0], "first word");
    assert!(lines[1].starts_with("Running "), "{}", said.out);
    let last = lines.last().unwrap();
    let requests = figure(&said.out, "last ");
    assert!(last.starts_with("last ") && requests > 0.0, "{}", said.out);
}

/// wrk calls a script without a guard, and ends with 1 at its first error.
#[test]
fn a_script_that_fails_in_the_load_does_not_pass() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    for (text, bench) in [
        ("function user() error('no words') end", 5),
        ("function response() error('no words') end", 4),
    ] {
        place.write("bug.lua", text);
        let args = ["wrk", "-t1", "-c2", "-d", "1s", "-s", "bug.lua", &url];
        let said = place.run(&args);
        let first = "in the load, at first with `bug.lua:1: no words`";
        said.fails(1, &["the script failed ", first]);
        assert!(said.out.contains("Requests/sec:"), "{}", said.out);
        let own = format!("`weir bench` would have ended with {bench}: ");
        assert!(said.err.contains(&own), "{}", said.err);
    }
}

#[test]
fn wrk_is_spoken() {
    let (_nginx, url) = nginx();
    let place = Place::new();
    let args = ["-t", "2", "-c", "4", "-d", "1s", "--latency", &url];
    let said = place.run(&[&["wrk"][..], &args].concat());
    let text = measured(&said);
    assert!(figure(text, "Requests/sec:") > 0.0);
    assert!(text.contains("  2 threads and 4 connections\n"), "{text}");
    assert_eq!(shape(text), shape(&real("wrk", &args)));
    let paced = ["wrk", "-t1", "-c2", "-d1s", "-R", "500", "-L", &url];
    let said = place.run(&paced);
    let rate = figure(measured(&said), "Requests/sec:");
    // what a busy machine has put off at the end is not in it
    assert!((250.0..=510.0).contains(&rate), "{rate}");
    assert!(
        said.out.contains("HdrHistogram - Recorded Latency"),
        "{}",
        said.out
    );
    let odd = place.run(&["wrk", "-t1", "-c1", "-d", "1s", &(url.clone() + "no")]);
    assert!(figure(measured(&odd), "Non-2xx or 3xx responses:") > 0.0);
    place
        .run(&["wrk", "-s", "a.lua", &url])
        .fails(1, &["a.lua"]);
    place
        .run(&["wrk", "-c", "1", "-t", "2", &url])
        .fails(1, &["connections"]);
    for (tool, code) in [("wrk", 1), ("ab", 22)] {
        let said = place.run(&[tool, "--json", &url]);
        said.fails(code, &["`--json` is refused", "weir bench URL"]);
    }
}

#[test]
fn completions_and_manual_know_every_option() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let said = place.run(&["completions", shell]);
        assert!(said.succeeds().out.contains("fail-if"), "{shell}");
    }
    let page = place.run(&["man"]).succeeds().out.clone();
    assert!(
        page.contains("weir\\-bench") || page.contains("weir bench"),
        "{page}"
    );
    assert!(page.contains("fail\\-if"), "{page}");
}
