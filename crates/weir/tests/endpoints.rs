//! `weir endpoints`: what each endpoint costs, from logs that real servers write.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::UdpSocket;
use std::process::Stdio;
use std::sync::LazyLock;

use serde_json::Value;
use testkit::Nginx;

use crate::support::schema::assert_is;
use crate::support::{self, PATIENCE, Place};

/// An nginx that logs how long each request took, in two formats.
fn nginx() -> Nginx {
    let http = "log_format timed '$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \
                \"$http_referer\" \"$http_user_agent\" $request_time';\n\
                log_format object escape=json '{\"request_method\":\"$request_method\",\"request_uri\":\"$request_uri\",\
                \"status\":\"$status\",\"body_bytes_sent\":\"$body_bytes_sent\",\"request_time\":\"$request_time\"}';";
    let server = "access_log timed.log timed; access_log object.log object;\n\
                  location /users/ { return 200 user; }\n\
                  location /slow { limit_rate 4k; root .; }\n\
                  location / { return 404; }";
    let nginx = Nginx::start_with(http, server);
    // a second each: of 8 kB the first half comes at once
    fs::write(nginx.folder().join("slow"), vec![b'x'; 8_000]).unwrap();
    nginx
}

/// Its logs.
const NAMES: [&str; 2] = ["timed.log", "object.log"];

pub(crate) fn account(place: &Place, args: &[&str]) -> Value {
    let said = place.run(&[&["endpoints", "--json"], args].concat());
    let value = said.json();
    assert_is("endpoints", &value);
    value
}

fn endpoints(place: &Place, args: &[&str]) -> Vec<Value> {
    let value = account(place, args);
    value["endpoints"].as_array().unwrap().clone()
}

/// Timers that a program sends, while weir listens at a port that the kernel chose.
#[test]
fn timers_are_heard_at_an_address_of_this_machine() {
    let place = Place::new();
    let args = ["endpoints", "--json", "--udp", "127.0.0.1:0"];
    let mut child = place
        .weir(&args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let line = said.next().unwrap().unwrap();
    let address = line
        .split_once(" at ")
        .unwrap()
        .1
        .split(';')
        .next()
        .unwrap();
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    for datagram in [
        "shop.cart:320|ms|@0.1\nshop.page:5|ms",
        "no timer at all",
        "shop.hits:1|c",
        "shop.page:7|ms\n",
    ] {
        socket.send_to(datagram.as_bytes(), address).unwrap();
    }
    // what was sent before it ends is counted
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0), "it is how it is ended");
    let all: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_is("endpoints", &all);
    let all = all["endpoints"].as_array().unwrap();
    assert_eq!(of(all, "shop.cart")["now"]["count"], 10);
    assert_eq!(of(all, "shop.page")["now"]["count"], 2);
    assert_eq!(all.len(), 2, "{all:#?}");
    let far = place.run(&["endpoints", "--udp", "0.0.0.0:0"]);
    far.fails(2, &["0.0.0.0:0", "--udp 127.0.0.1:0"]);
}

#[test]
fn a_load_of_weirs_own_has_endpoints_too() {
    let (_nginx, url) = support::nginx();
    let place = Place::new();
    place.write(
        "mix.toml",
        "[[request]]\nname = \"GET /often\"\nweight = 9\npath = \"/often\"\n\n[[request]]\nname = \"GET /rare\"\npath = \"/rare\"\n",
    );
    let args = ["bench", &url, "--mix", "mix.toml", "-n", "1000", "-c", "2"];
    place.run(&args).measured();
    let all = endpoints(&place, &["--run", "last"]);
    let count = |route: &str| of(&all, route)["now"]["count"].as_u64().unwrap();
    assert_eq!(count("/often") + count("/rare"), 1000);
    assert!(count("/often") > 5 * count("/rare"), "{all:#?}");
    assert_eq!(of(&all, "/often")["method"], "GET");
    for route in ["/often", "/rare"] {
        let now = &of(&all, route)["now"];
        assert_eq!(now["successes"], now["count"], "{all:#?}");
        let bytes = of(&all, route)["now"]["bytes"].as_u64().unwrap();
        assert!(bytes > 0 && bytes.is_multiple_of(count(route)), "{all:#?}");
    }
    place
        .run(&["endpoints", "--run", "last:no"])
        .fails(2, &["no variant `no`"]);
}

fn of<'a>(all: &'a [Value], route: &str) -> &'a Value {
    let mut found = all.iter().filter(|of| of["route"] == route);
    found.next().unwrap_or_else(|| panic!("{route}: {all:#?}"))
}

/// What they say when it was asked for five users 40 times each, for a slow file four times, and for what is not there 20
/// times.
static LOGS: LazyLock<[String; 2]> = LazyLock::new(|| {
    let (nginx, place) = (nginx(), Place::new());
    let load = |path: &str, requests: &str, status: &str| {
        let url = format!("http://{}{path}", nginx.address());
        let args = ["bench", &url, "-n", requests, "-c", "2", "--warm-up", "0s"];
        let said = place.run(&[&args[..], &["--status", status, "-q"]].concat());
        assert!([0, 4].contains(&said.code), "{path}: {}", said.err);
    };
    for user in 1..=5 {
        load(&format!("/users/{user}?page={user}"), "40", "200");
    }
    load("/slow", "4", "200");
    load("/gone", "20", "404");
    NAMES.map(|name| {
        let log = nginx.folder().join(name);
        let whole = || fs::read_to_string(&log).is_ok_and(|text| text.lines().count() >= 224);
        assert!(testkit::eventually(PATIENCE, whole), "{name}");
        fs::read_to_string(log).unwrap()
    })
});

#[test]
fn what_nginx_logs_is_counted_by_route_and_the_largest_sum_comes_first() {
    let place = Place::new();
    for (name, log) in NAMES.into_iter().zip(&*LOGS) {
        place.write(name, log);
        let all = endpoints(&place, &[name]);
        assert_eq!(all[0]["route"], "/slow", "{name}: {all:#?}");
        let mean = |of: &Value| of["now"]["mean"].as_f64();
        assert!(mean(&all[0]) > mean(of(&all, "/users/{}")));
        let users = &of(&all, "/users/{}")["now"];
        assert_eq!(
            (&users["count"], &users["bytes"]),
            (&200.into(), &800.into()),
            "{name}"
        );
        assert_eq!(of(&all, "/gone")["now"]["count"], 20);
        let shares = all.iter().filter_map(|of| of["now"]["share"].as_f64());
        assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn the_rest_is_told_and_what_was_read_can_be_loaded() {
    let (nginx, place) = (nginx(), Place::new());
    let [log, _] = NAMES;
    place.write(log, &LOGS[0]);
    let text = place.run(&["endpoints", log, "-n", "1"]);
    let out = &text.succeeds().out;
    assert!(out.contains("GET /slow") && !out.contains("/gone"), "{out}");
    assert!(out.contains("2 more with 220 requests"), "{out}");
    let mix = ["endpoints", log, "--mix", "mix.toml", "-q"];
    place.run(&mix).succeeds();
    let url = format!("http://{}", nginx.address());
    let load = ["bench", &url, "--mix", "mix.toml", "-n", "50", "-c", "2"];
    let said = place.run(&[&load[..], &["--warm-up", "0s", "--json"]].concat());
    assert!(
        said.out.contains("GET /users/{}"),
        "{} {}",
        said.out,
        said.err
    );
}

const LINE: &str =
    "::1 - - [25/Nov/2026:10:00:00 +0000] \"GET /a/NUMBER HTTP/1.1\" 200 5 \"-\" \"-\" TIME\n";

pub(crate) fn log(requests: u32, time: &str) -> String {
    let line = |number: u32| {
        LINE.replace("NUMBER", &number.to_string())
            .replace("TIME", time)
    };
    (0..requests).map(line).collect()
}

#[test]
fn two_logs_are_compared_and_a_pipe_is_a_log() {
    let place = Place::new();
    place.write("before.log", &log(10, "0.400"));
    place.write("now.log", &log(20, "0.100"));
    let all = endpoints(&place, &["now.log", "--diff", "before.log"]);
    assert_eq!(all.len(), 1);
    assert_eq!(
        (&all[0]["now"]["count"], &all[0]["before"]["count"]),
        (&20.into(), &10.into())
    );
    let said = place.run(&["endpoints", "now.log", "--diff", "before.log"]);
    for words in ["400 ms → 100 ms", "0.250 ×", "10 → 20"] {
        assert!(said.succeeds().out.contains(words), "{words}: {}", said.out);
    }
    let mut weir = place.weir(&["endpoints", "--json"]);
    let mut child = weir
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(log(7, "0.001").as_bytes())
        .unwrap();
    let out = child.wait_with_output().unwrap();
    let all: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(all["endpoints"][0]["now"]["count"], 7);
    assert_eq!(all["logs"][0]["name"], "-");
}

#[test]
fn what_cannot_be_read_says_why_and_what_to_do() {
    let place = Place::new();
    place.write("notes.txt", "hello\nworld\n");
    place.write("empty.log", "");
    place.write("bare.log", &log(3, "-"));
    place
        .run(&["endpoints", "no.log"])
        .fails(5, &["no.log", "give a log"]);
    place
        .run(&["endpoints", "notes.txt"])
        .fails(5, &["hello", "LTSV"]);
    place
        .run(&["endpoints", "empty.log"])
        .fails(5, &["it has no lines"]);
    place
        .run(&["endpoints"])
        .fails(5, &["standard input: it has no lines", "access.log"]);
    for (option, value, word) in [
        ("--format", "combine", "`combined`"),
        ("--route", "users", "begins with `/`"),
        ("--route", "/users/{name", "segment 2, `{name`"),
        ("--unit", "msec", "`ms`"),
        ("--sort", "avg", "`mean`"),
    ] {
        let said = place.run(&["endpoints", "bare.log", option, value]);
        said.fails_with(2);
        assert!(said.err.contains(word), "{}", said.err);
    }
    let said = place.run(&["endpoints", "bare.log"]);
    assert!(
        said.succeeds().err.contains("$request_time"),
        "{}",
        said.err
    );
    assert!(said.out.contains('3'), "{}", said.out);
    // nothing of a log is a template, or steers a terminal
    let template = log(1, "0.1").replace("/a/0", "/{{x}}") + &log(2, "0.1");
    place.write("template.log", &template);
    let rule = ["--route", "/a/{number}", "--mix", "mix.toml", "-q"];
    let mix = [&["endpoints", "template.log"], &rule[..]].concat();
    place.run(&mix).succeeds();
    let mix = fs::read_to_string(place.path("mix.toml")).unwrap();
    assert_eq!(mix.matches("[[request]]").count(), 1, "{mix}");
    assert!(
        mix.contains("weight = 2\npath = \"/{{ asked1 | raw }}\"\n"),
        "{mix}"
    );
    assert!(
        mix.contains("list = [\n  \"a/0\",\n  \"a/1\",\n]\n"),
        "{mix}"
    );
    let steering = log(1, "0.1").replace("/a/0", "/\u{1b}[2Jx");
    place.write("hostile.log", &steering);
    let said = place.run(&["endpoints", "hostile.log"]);
    let out = &said.succeeds().out;
    assert!(
        !out.contains('\u{1b}') && !said.err.contains('\u{1b}'),
        "{out:?}"
    );
}
