use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use load::{Request, RequestSource as _};
use testkit::{Nginx, eventually};

use super::super::{LogFormat, ReplayPlan};
use super::{asked, paths, plan, read};

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
            eventually(Duration::from_mins(1), || lines() == 4),
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
