//! Lines whose values have names.

use std::borrow::Cow;

use serde_json::Value;

use super::date;
use super::line::{self, Line};

/// Keys that hold the time at which a request ended, and with it the line was written.
const END: &str =
    "time timestamp @timestamp time_iso8601 time_local msec ts datetime date requestTime asctime";
/// Keys that hold the time at which it began.
const START: &str = "StartUTC StartLocal start_time startTime";
const REQUEST: &str = "req request request_line requestLine";
const METHOD: &str =
    "method request_method RequestMethod http_method httpMethod verb request.method";
const PATH: &str =
    "request_uri uri RequestPath path url request.uri request.url target requestUrl request_path";
const STATUS: &str = "status DownstreamStatus status_code statusCode response_code code response.status OriginStatus";
/// Keys that hold how long it took, by their unit in nanoseconds.
const TOOK: [(f64, &str); 4] = [
    (
        1e9,
        "request_time reqtime duration response_time responseTime latency elapsed",
    ),
    (1e6, "duration_ms latency_ms elapsed_ms"),
    (1e3, "reqtime_microsec duration_us"),
    (1.0, "Duration duration_ns"),
];

/// Reads a line that is a JSON object. A value within another is found by both keys.
pub(super) fn json(text: &str) -> Option<Line<'static>> {
    let object: Value = serde_json::from_str(text).ok()?;
    let get = |key: &str| {
        let found = match key.split_once('.') {
            Some((outer, inner)) => object.get(outer)?.get(inner)?,
            None => object.get(key)?,
        };
        match found {
            Value::String(text) => Some(Cow::Owned(text.clone())),
            Value::Number(number) => Some(Cow::Owned(number.to_string())),
            _ => None,
        }
    };
    parse(get)
}

/// Reads a line of Labeled Tab-separated Values (ltsv.org).
pub(super) fn ltsv(text: &str) -> Option<Line<'_>> {
    let get = |key: &str| {
        let mut pairs = text.split('\t').filter_map(|pair| pair.split_once(':'));
        let (_, value) = pairs.find(|(label, value)| *label == key && *value != "-")?;
        Some(line::unescape(value))
    };
    parse(get)
}

/// Reads a line whose values have names, by the names that are in use for them.
fn parse<'a>(get: impl Fn(&str) -> Option<Cow<'a, str>>) -> Option<Line<'a>> {
    let one = |keys: &'static str| keys.split(' ').find_map(&get);
    let start = START.split(' ').find_map(|key| date::parse(&get(key)?));
    let end = || {
        END.split(' ').find_map(|key| {
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
        status: one(STATUS)?.parse().ok().filter(|&status| status < 1000)?,
        at,
        took,
    })
}

fn asked<'a>(
    one: &impl Fn(&'static str) -> Option<Cow<'a, str>>,
) -> Option<(Cow<'a, str>, Cow<'a, str>)> {
    if let (Some(method), Some(target)) = (one(METHOD), one(PATH)) {
        let path = line::path(&target)?.into_owned();
        return line::is_method(&method).then_some((method, path.into()));
    }
    let request = one(REQUEST)?;
    let (method, path) = line::request(&request)?;
    Some((method.to_owned().into(), path.into_owned().into()))
}

fn took<'a>(get: &impl Fn(&str) -> Option<Cow<'a, str>>) -> u64 {
    let read = |key: &str, unit: f64| {
        let text = get(key)?;
        // `1.2ms` says its unit itself.
        let at = text.find(|c: char| c.is_alphabetic() || c == 'µ');
        let (number, unit) = match at.map(|at| text.split_at(at)) {
            None => (text.as_ref(), unit),
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
    let mut all =
        (TOOK.iter()).flat_map(|(unit, keys)| keys.split(' ').map(move |key| (key, *unit)));
    all.find_map(|(key, unit)| read(key, unit)).unwrap_or(0)
}

#[cfg(test)]
mod json_tests {
    use super::*;

    fn read(text: &str) -> Option<(String, u16, i64, u64)> {
        let line = json(text)?;
        let asked = format!("{} {}", line.method, line.path);
        Some((asked, line.status, line.at, line.took))
    }

    /// As servers and proxies in use write them.
    #[test]
    fn the_keys_in_use_are_known() {
        let second = 1_795_209_033_000_000_000;
        for (text, wanted) in [
            (
                r#"{"time":"2026-11-20T21:10:33+00:00","request":"GET /a HTTP/1.1","status":"200","request_time":"0.004"}"#,
                ("GET /a", 200, second, 4_000_000),
            ),
            (
                r#"{"msec":"1795209033.250","request_method":"HEAD","request_uri":"/b?c","status":304,"request_time":0.001}"#,
                ("HEAD /b?c", 304, second + 250_000_000, 1_000_000),
            ),
            (
                r#"{"level":"info","ts":1795209033.5,"logger":"http.log.access","request":{"method":"GET","host":"h","uri":"/c"},"duration":0.002,"status":200}"#,
                ("GET /c", 200, second + 500_000_000, 2_000_000),
            ),
            (
                r#"{"RequestMethod":"GET","RequestPath":"/d","DownstreamStatus":200,"Duration":3000000,"StartUTC":"2026-11-20T21:10:33.1Z","time":"2026-11-20T21:10:34Z"}"#,
                ("GET /d", 200, second + 100_000_000, 0),
            ),
            (
                r#"{"timestamp":1795209033125,"method":"GET","url":"http://h/e","status_code":200,"latency":"1.5ms"}"#,
                ("GET /e", 200, second + 125_000_000, 1_500_000),
            ),
        ] {
            let (asked, status, at, took) = read(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((asked.as_str(), status, at, took), wanted, "{text}");
        }
        for wrong in [
            "{}",
            "[]",
            "{",
            "1",
            r#"{"time":"x","request":"GET / HTTP/1.1","status":200}"#,
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    proptest::proptest! {
        #[test]
        fn garbage_never_panics(text in ".*") {
            let _ = json(&text);
            let quoted = Value::from(text.as_str());
            let _ = json(&format!(r#"{{"time":1795209033,"request":{quoted},"status":200,"duration":{quoted}}}"#));
        }
    }
}

#[cfg(test)]
mod ltsv_tests {
    use super::*;

    #[test]
    fn the_labels_of_ltsv_org_are_known() {
        let text = "time:[20/Nov/2026:21:10:33 +0000]\thost:10.0.0.1\tmethod:GET\turi:/a?b=c:d\tstatus:200\t\
                    size:5\treqtime_microsec:1500\treqtime:-";
        let line = ltsv(text).unwrap();
        assert_eq!(
            (line.method.as_ref(), line.path.as_ref()),
            ("GET", "/a?b=c:d")
        );
        assert_eq!((line.status, line.took), (200, 1_500_000));
        let whole =
            "time:20/Nov/2026:21:10:33 +0000\treq:POST /x HTTP/1.1\tstatus:201\treqtime:0.5";
        let line = ltsv(whole).unwrap();
        assert_eq!((line.method.as_ref(), line.path.as_ref()), ("POST", "/x"));
        assert_eq!(line.took, 500_000_000);
        for wrong in [
            "",
            "time:x\turi:/",
            "a\tb",
            "time:[20/Nov/2026:21:10:33 +0000]\treq:-\tstatus:200",
        ] {
            assert_eq!(ltsv(wrong), None, "{wrong}");
        }
    }

    proptest::proptest! {
        #[test]
        fn garbage_never_panics(text in ".*") {
            let _ = ltsv(&text);
            let _ = ltsv(&format!("time:1795209033\treq:{text}\tstatus:200\treqtime:{text}"));
        }
    }
}
