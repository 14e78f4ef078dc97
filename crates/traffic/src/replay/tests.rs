use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::write::GzEncoder;
use load::{Author as _, Request, What};
use testkit::{Nginx, eventually, temp_dir};
use url::Url;

use super::{LogFormat, Pace, Replay, ReplayPlan};
use crate::TrafficError;

fn plan(path: &Path) -> ReplayPlan {
    ReplayPlan {
        path: path.to_owned(),
        format: LogFormat::Auto,
        pace: Pace::Scaled(1.0),
        all_methods: false,
        check: true,
        headers: vec![("X-Replay".into(), "1".into())],
        origin: Url::parse("http://127.0.0.1:8000/").unwrap().origin(),
    }
}

fn read(plan: &ReplayPlan) -> Replay {
    Replay::read(plan).unwrap_or_else(|error| panic!("{error}"))
}

fn text(text: &str) -> (testkit::TempDir, PathBuf) {
    let folder = temp_dir();
    let path = folder.path().join("log");
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// What one thread asks first.
fn asked(replay: &Replay, worker: usize, workers: usize, times: usize) -> Vec<Request> {
    let prepared = replay.prepared();
    let mut voice = replay.voice(worker, workers, 1).unwrap();
    (0..times)
        .map(|_| match voice.begin(0, 0).unwrap().what {
            What::Prepared(number) => prepared[number as usize].clone(),
            What::Request(request) => *request,
            What::Verbatim(_) => panic!("a replay writes no bytes"),
        })
        .collect()
}

fn paths(replay: &Replay) -> Vec<String> {
    let count = replay.summary().requests as usize;
    let requests = asked(replay, 0, 1, count).into_iter();
    requests
        .map(|request| format!("{} {}", request.method, request.path))
        .collect()
}

const FORMATS: &str = r#"
    log_format timed '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '
                     '"$http_referer" "$http_user_agent" $request_time $upstream_response_time';
    log_format labelled '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '
                        '"$http_referer" "$http_user_agent" "$http_x_forwarded_for" rt=$request_time';
    log_format common '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent';
    log_format ltsv 'time:$time_iso8601\thost:$remote_addr\treq:$request\tstatus:$status\treqtime:$request_time';
    log_format json escape=json '{"msec":"$msec","request_method":"$request_method","request_uri":"$request_uri",'
                                '"status":$status,"request_time":$request_time}';"#;

/// Logs as a real server writes them.
#[test]
fn a_real_servers_logs_are_read() {
    let kinds = [
        ("common", LogFormat::Common),
        ("combined", LogFormat::Combined),
        ("timed", LogFormat::CombinedTimed),
        ("labelled", LogFormat::CombinedTimed),
        ("ltsv", LogFormat::Ltsv),
        ("json", LogFormat::Json),
    ];
    let logs = kinds.map(|(name, _)| format!("access_log {name}.log {name};"));
    let logs = logs.concat();
    let server =
        format!("{logs} location / {{ return 200 hello; }} location /none {{ return 404; }}");
    let nginx = Nginx::start_with(FORMATS, &server);
    for request in [
        "GET /a?b=c HTTP/1.1\r\nUser-Agent: an \"odd\" one\r\n",
        "HEAD /none HTTP/1.1\r\n",
        "POST /form HTTP/1.1\r\nContent-Length: 0\r\n",
        "GET /\"quoted\" HTTP/1.1\r\n",
    ] {
        let mut peer = TcpStream::connect(nginx.address()).unwrap();
        write!(peer, "{request}Host: h\r\nConnection: close\r\n\r\n").unwrap();
        peer.read_to_end(&mut Vec::new()).unwrap();
    }
    for (name, format) in kinds {
        let log = nginx.folder().join(format!("{name}.log"));
        let lines = || fs::read_to_string(&log).unwrap_or_default().lines().count();
        assert!(
            eventually(Duration::from_secs(10), || lines() == 4),
            "{name}"
        );
        let replay = read(&plan(&log));
        assert_eq!(replay.summary().format, format, "{name}");
        assert_eq!(
            paths(&replay),
            ["GET /a?b=c", "HEAD /none", "GET /%22quoted%22"],
            "{name}"
        );
        let summary = replay.summary();
        assert_eq!(
            (summary.methods, summary.unread),
            (1, 0),
            "{name}: {summary}"
        );
        assert_eq!(summary.spread, format != LogFormat::Json, "{name}");
        assert_eq!(replay.expected().len(), 2, "200 and 404");
        assert_eq!(
            asked(&replay, 0, 1, 1)[0].headers,
            [("X-Replay".into(), "1".into())]
        );
        let all = ReplayPlan {
            all_methods: true,
            ..plan(&log)
        };
        let names = ["GET /%22quoted%22", "GET /a", "HEAD /none", "POST /form"];
        assert_eq!(read(&all).names(), names, "{name}");
    }
}

fn line(second: u32, request: &str, rest: &str) -> String {
    format!("1.2.3.4 - - [20/Nov/2026:21:10:{second:02} +0000] \"{request}\" {rest}\n")
}

#[test]
fn requests_of_a_second_are_spread_over_it_and_scaled() {
    let log: String = [
        (0, "/a"),
        (0, "/b"),
        (0, "/c"),
        (0, "/d"),
        (2, "/e"),
        (1, "/late"),
    ]
    .iter()
    .map(|(second, path)| line(*second, &format!("GET {path} HTTP/1.1"), "200 1"))
    .collect();
    let (_folder, path) = text(&log);
    let replay = read(&plan(&path));
    let millis = |replay: &Replay| -> Vec<u64> {
        let times = replay.times().unwrap();
        times.iter().map(|time| time / 1_000_000).collect()
    };
    assert_eq!(millis(&replay), [0, 250, 500, 750, 1000, 2000]);
    assert_eq!(paths(&replay)[4..], ["GET /late", "GET /e"]);
    assert_eq!(replay.length(), Some(2_000_000_000));
    let pace = |pace| ReplayPlan {
        pace,
        ..plan(&path)
    };
    let fast = read(&pace(Pace::Scaled(2.0)));
    assert_eq!(millis(&fast), [0, 125, 250, 375, 500, 1000]);
    assert_eq!(fast.summary().length, Duration::from_secs(2));
    let asap = read(&pace(Pace::Asap));
    assert!(asap.times().is_none() && asap.length().is_none());
}

#[test]
fn a_request_that_took_long_began_early() {
    let long = line(2, "GET /long HTTP/1.1", "200 1 \"-\" \"-\" 1.900");
    let short = line(1, "GET /short HTTP/1.1", "200 1 \"-\" \"-\" 0.001");
    let (_folder, path) = text(&(short + &long));
    let replay = read(&plan(&path));
    assert_eq!(paths(&replay), ["GET /long", "GET /short"]);
    assert_eq!(replay.length(), Some(899_000_000));
}

#[test]
fn what_cannot_be_read_is_counted_and_the_first_is_shown() {
    let log = line(0, "GET / HTTP/1.1", "200 1")
        + "\n"
        + &line(0, "\\x16\\x03\\x01", "400 150")
        + "garbage\n"
        + &line(0, "POST / HTTP/1.1", "200 1")
        + &"x".repeat(200_000)
        + "\n"
        + &line(1, "GET / HTTP/1.1", "200 1");
    let (_folder, path) = text(&log);
    let replay = read(&plan(&path));
    let told = replay.summary().to_string();
    assert!(
        told.starts_with(
            "a common log of 2 requests to ask, 1 of them distinct; 1 left out for their method; 3 could not be read, \
             the first is number 3: `1.2.3.4 - -"
        ),
        "{told}"
    );
}

#[test]
fn a_recording_without_requests_is_an_error_with_a_remedy() {
    for (log, wanted) in [
        (String::new(), "record some requests first"),
        ("a\nb\n".into(), "name its format with `--log-format`"),
        (
            line(0, "POST / HTTP/1.1", "200 1"),
            "use `--replay-methods all`",
        ),
        (
            "{\"log\": {\"entries\": 1}}".into(),
            "save it again from the network panel",
        ),
        (
            "{\"log\": {\"entries\": []}}".into(),
            "record some requests first",
        ),
    ] {
        let (_folder, path) = text(&log);
        let error = Replay::read(&plan(&path)).unwrap_err();
        let hint = error.hint().unwrap();
        assert!(matches!(error, TrafficError::Nothing { .. }), "{error}");
        assert!(hint.starts_with(wanted), "{log}: {hint}");
    }
    let missing = Replay::read(&plan(Path::new("/nowhere/at/all"))).unwrap_err();
    assert!(
        missing
            .to_string()
            .starts_with("cannot read `/nowhere/at/all`: ")
    );
}

#[test]
fn statuses_of_answers_that_will_not_come_again_are_not_demanded() {
    let log: String = [200, 304, 206, 499, 404]
        .iter()
        .map(|status| line(0, "GET / HTTP/1.1", &format!("{status} 1")))
        .collect();
    let (_folder, path) = text(&log);
    let replay = read(&plan(&path));
    assert_eq!(replay.recording.statuses, [Some(200), None, Some(404)]);
    let unchecked = ReplayPlan {
        check: false,
        ..plan(&path)
    };
    assert_eq!(read(&unchecked).recording.statuses, [None]);
}

#[test]
fn packed_logs_and_many_paths_and_several_threads() {
    let log: String = (0..25_000)
        .map(|n| {
            line(
                n / 5000,
                &format!("GET /item/{} HTTP/1.1", n % 20_000),
                "200 1",
            )
        })
        .collect();
    let folder = temp_dir();
    let path = folder.path().join("access.log.gz");
    let mut packer = GzEncoder::new(
        fs::File::create(&path).unwrap(),
        flate2::Compression::fast(),
    );
    packer.write_all(log.as_bytes()).unwrap();
    packer.finish().unwrap();
    let replay = read(&plan(&path));
    assert_eq!(
        (replay.summary().requests, replay.summary().distinct),
        (25_000, 20_000)
    );
    assert_eq!(
        replay.prepared().len(),
        10_000,
        "the others are made when they are asked"
    );
    let path = |n: usize| format!("/item/{}", n % 20_000);
    for worker in 0..3usize {
        // One more than its share: then it begins anew.
        let share = (25_000 - worker).div_ceil(3);
        let asked = asked(&replay, worker, 3, share + 1);
        for (number, request) in asked[..share].iter().enumerate() {
            assert_eq!(request.path, path(worker + 3 * number));
        }
        assert_eq!(asked[share].path, path(worker));
    }
}

#[test]
fn what_was_shed_is_passed_over() {
    let log: String = (0..8)
        .map(|n| line(n, &format!("GET /{n} HTTP/1.1"), "200 1"))
        .collect();
    let (_folder, path) = text(&log);
    let replay = read(&plan(&path));
    let prepared = replay.prepared();
    let mut voice = replay.voice(1, 2, 1).unwrap();
    let mut at = |due: u64| match voice.begin(0, due).unwrap().what {
        What::Prepared(number) => prepared[number as usize].path.clone(),
        other => panic!("{other:?}"),
    };
    let opened = 77_000_000_000;
    let due = |second: u64| opened + second * 1_000_000_000;
    assert_eq!(at(due(1)), "/1");
    assert_eq!(at(due(5)), "/5", "3 was shed");
    assert_eq!(at(due(7)), "/7");
    voice.restart();
    let mut first = |due: u64| match voice.begin(0, due).unwrap().what {
        What::Prepared(number) => prepared[number as usize].path.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(first(due(100)), "/1", "a new phase begins at the start");
}

#[test]
fn a_browsers_archive_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/chromium.har");
    let replay = read(&plan(&path));
    let summary = replay.summary();
    assert_eq!(summary.format, LogFormat::Har);
    assert_eq!(
        (
            summary.requests,
            summary.methods,
            summary.elsewhere,
            summary.unsent,
            summary.unread
        ),
        (2, 1, 1, 2, 1)
    );
    assert_eq!(summary.origin.as_deref(), Some("https://book.example.org"));
    assert_eq!(paths(&replay), ["GET /", "GET /static/style.css?v=3"]);
    assert_eq!(replay.length(), Some(31_000_000));
    let requests = asked(&replay, 0, 1, 2);
    let names = |request: &Request| -> Vec<String> {
        request
            .headers
            .iter()
            .map(|(name, _)| name.clone())
            .collect()
    };
    assert_eq!(
        names(&requests[0]),
        ["accept", "accept-encoding", "cookie", "X-Replay"]
    );
    assert_eq!(names(&requests[1]), ["If-None-Match", "X-Replay"]);
    assert_eq!(replay.recording.statuses, [Some(200), Some(304)]);
    let all = read(&ReplayPlan {
        all_methods: true,
        ..plan(&path)
    });
    let sign = asked(&all, 0, 1, 3).pop().unwrap();
    assert_eq!(
        (sign.method.as_str(), sign.body.as_slice()),
        ("POST", b"name=Ann&message=Hello".as_slice())
    );
    assert_eq!(names(&sign), ["content-type", "X-Replay"]);
    assert_eq!(all.length(), Some(2_000_000_000));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
    #[test]
    fn garbage_never_panics(bytes: Vec<u8>, tail in ".*") {
        let folder = temp_dir();
        let path = folder.path().join("log");
        for start in ["", "{\"log\": {", "\u{1f}", "1.2.3.4 - - [20/Nov/2026:21:10:00 +0000] \""] {
            fs::write(&path, [start.as_bytes(), &bytes, tail.as_bytes()].concat()).unwrap();
            let _ = Replay::read(&plan(&path));
        }
    }
}
