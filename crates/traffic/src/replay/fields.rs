use std::borrow::Cow;

use super::date;
use super::line::{self, Line};

/// Keys that hold the time at which a request ended, and with it the line was written.
const END: [&str; 11] = [
    "time",
    "timestamp",
    "@timestamp",
    "time_iso8601",
    "time_local",
    "msec",
    "ts",
    "datetime",
    "date",
    "requestTime",
    "asctime",
];
/// Keys that hold the time at which it began.
const START: [&str; 4] = ["StartUTC", "StartLocal", "start_time", "startTime"];
const REQUEST: [&str; 4] = ["req", "request", "request_line", "requestLine"];
const METHOD: [&str; 7] = [
    "method",
    "request_method",
    "RequestMethod",
    "http_method",
    "httpMethod",
    "verb",
    "request.method",
];
const PATH: [&str; 10] = [
    "request_uri",
    "uri",
    "RequestPath",
    "path",
    "url",
    "request.uri",
    "request.url",
    "target",
    "requestUrl",
    "request_path",
];
const STATUS: [&str; 8] = [
    "status",
    "DownstreamStatus",
    "status_code",
    "statusCode",
    "response_code",
    "code",
    "response.status",
    "OriginStatus",
];
/// Keys that hold how long it took, and their unit in nanoseconds.
const TOOK: [(&str, f64); 14] = [
    ("request_time", 1e9),
    ("reqtime", 1e9),
    ("duration", 1e9),
    ("response_time", 1e9),
    ("responseTime", 1e9),
    ("latency", 1e9),
    ("elapsed", 1e9),
    ("duration_ms", 1e6),
    ("latency_ms", 1e6),
    ("elapsed_ms", 1e6),
    ("reqtime_microsec", 1e3),
    ("duration_us", 1e3),
    ("Duration", 1.0),
    ("duration_ns", 1.0),
];

/// Reads a line whose values have names, by the names that are in use for them.
pub(super) fn parse<'a>(get: impl Fn(&str) -> Option<Cow<'a, str>>) -> Option<Line<'a>> {
    let one = |keys: &[&str]| keys.iter().find_map(|key| get(key));
    let start = START.iter().find_map(|key| date::parse(&get(key)?));
    let end = || {
        END.iter().find_map(|key| {
            let text = get(key)?;
            date::parse(text.trim_matches(['[', ']']))
        })
    };
    let (at, took) = match start {
        Some(start) => (start, 0),
        None => (end()?, took(&get)),
    };
    let (method, path) = asked(&one)?;
    Some(Line {
        method,
        path,
        status: one(&STATUS)?.parse().ok().filter(|&status| status < 1000)?,
        at,
        took,
    })
}

fn asked<'a>(
    one: &impl Fn(&[&str]) -> Option<Cow<'a, str>>,
) -> Option<(Cow<'a, str>, Cow<'a, str>)> {
    if let (Some(method), Some(target)) = (one(&METHOD), one(&PATH)) {
        let path = line::path(&target)?.into_owned();
        return line::is_method(&method).then_some((method, path.into()));
    }
    let request = one(&REQUEST)?;
    let (method, path) = line::request(&request)?;
    Some((method.to_owned().into(), path.into_owned().into()))
}

fn took<'a>(get: &impl Fn(&str) -> Option<Cow<'a, str>>) -> u64 {
    let read = |(key, unit): &(&str, f64)| {
        let text = get(key)?;
        // `1.2ms` says its unit itself.
        let at = text.find(|c: char| c.is_alphabetic() || c == 'µ');
        let (number, unit) = match at.map(|at| text.split_at(at)) {
            None => (text.as_ref(), *unit),
            Some((number, "s")) => (number, 1e9),
            Some((number, "ms")) => (number, 1e6),
            Some((number, "us" | "µs")) => (number, 1e3),
            Some((number, "ns")) => (number, 1.0),
            Some(_) => return None,
        };
        let nanos = number.trim().parse::<f64>().ok()? * unit;
        (0.0..86_400e9)
            .contains(&nanos)
            .then_some(nanos.round() as u64)
    };
    TOOK.iter().find_map(read).unwrap_or(0)
}
