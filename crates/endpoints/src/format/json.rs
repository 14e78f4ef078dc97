//! A JSON object a line, as nginx (`escape=json`), Caddy, Traefik and structured loggers write them: what is meant is known by
//! the names of keys, also of those one level deeper (`request.uri`).

use serde_json::{Map, Value};

use super::one;
use crate::entry::Entry;
use crate::time::{Basis, Time, Unit, written};

const METHODS: [&str; 5] = [
    "method",
    "request_method",
    "http_method",
    "requestMethod",
    "RequestMethod",
];
const TARGETS: [&str; 8] = [
    "uri",
    "request_uri",
    "path",
    "url",
    "target",
    "RequestPath",
    "requestUrl",
    "http_path",
];
const REQUESTS: [&str; 2] = ["request", "request_line"];
const STATUSES: [&str; 6] = [
    "status",
    "status_code",
    "statusCode",
    "code",
    "DownstreamStatus",
    "http_status",
];
const SIZES: [&str; 8] = [
    "body_bytes_sent",
    "bytes_sent",
    "bytes",
    "size",
    "response_size",
    "responseSize",
    "DownstreamContentSize",
    "content_length",
];
/// Keys of times. The unit of one is defined where the key names it, known where one program alone writes it, and guessed
/// where programs differ: `latency` is in seconds of zap, in nanoseconds of slog, in milliseconds of others.
const TIMES: [(&str, Unit, Basis); 25] = [
    ("request_time", Unit::Seconds, Basis::Known),
    ("reqtime", Unit::Seconds, Basis::Known),
    ("Duration", Unit::Nanoseconds, Basis::Known),
    ("responseTime", Unit::Milliseconds, Basis::Known),
    ("duration_ms", Unit::Milliseconds, Basis::Defined),
    ("durationMs", Unit::Milliseconds, Basis::Defined),
    ("response_time_ms", Unit::Milliseconds, Basis::Defined),
    ("latency_ms", Unit::Milliseconds, Basis::Defined),
    ("latencyMs", Unit::Milliseconds, Basis::Defined),
    ("elapsed_ms", Unit::Milliseconds, Basis::Defined),
    ("took_ms", Unit::Milliseconds, Basis::Defined),
    ("time_ms", Unit::Milliseconds, Basis::Defined),
    ("request_time_ms", Unit::Milliseconds, Basis::Defined),
    ("duration_us", Unit::Microseconds, Basis::Defined),
    ("latency_us", Unit::Microseconds, Basis::Defined),
    ("request_time_us", Unit::Microseconds, Basis::Defined),
    ("duration_ns", Unit::Nanoseconds, Basis::Defined),
    ("latency_ns", Unit::Nanoseconds, Basis::Defined),
    ("duration", Unit::Seconds, Basis::Guessed),
    ("latency", Unit::Seconds, Basis::Guessed),
    ("response_time", Unit::Seconds, Basis::Guessed),
    ("elapsed", Unit::Seconds, Basis::Guessed),
    ("took", Unit::Seconds, Basis::Guessed),
    ("time_taken", Unit::Seconds, Basis::Guessed),
    ("elapsed_time", Unit::Seconds, Basis::Guessed),
];

/// Keys whose unit follows from another key beside them: of echo, which writes `latency_human` as well, and of Caddy, which
/// has what was asked for in `request`.
const BESIDE: [(&str, &str, Unit); 2] = [
    ("latency", "latency_human", Unit::Nanoseconds),
    ("duration", "request", Unit::Seconds),
];

pub(super) fn entries(line: &str, each: &mut dyn FnMut(&mut Entry)) -> bool {
    let object = line
        .starts_with('{')
        .then(|| serde_json::from_str(line).ok())
        .flatten();
    let Some(Value::Object(object)) = object else {
        return false;
    };
    one(entry(&object), each)
}

fn entry(object: &Map<String, Value>) -> Option<Entry<'_>> {
    let entry = Entry {
        status: number(object, &STATUSES).map(|status| status as u16),
        bytes: number(object, &SIZES).map(|bytes| bytes as u64),
        time: time(object),
        ..Entry::once()
    };
    if let Some(target) = text(object, &TARGETS) {
        return Some(entry.of(text(object, &METHODS).unwrap_or_default(), target));
    }
    entry.asking(text(object, &REQUESTS)?)
}

/// The first of these keys, of the object itself or of one in it.
fn find<'a>(object: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a Value> {
    let inner = object.values().filter_map(Value::as_object);
    let plain = |of: &'a Map<String, Value>| {
        let mut found = keys.iter().filter_map(move |key| of.get(*key));
        found.find(|value| !value.is_object())
    };
    std::iter::once(object).chain(inner).find_map(plain)
}

fn text<'a>(object: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a str> {
    find(object, keys)?.as_str()
}

fn number(object: &Map<String, Value>, keys: &[&str]) -> Option<f64> {
    let value = find(object, keys)?;
    let value = value.as_f64().or_else(|| value.as_str()?.parse().ok())?;
    (value.is_finite() && value >= 0.0).then_some(value)
}

/// A number in the unit of its key, or a text with a unit: `"12.5ms"`.
fn time(object: &Map<String, Value>) -> Option<Time> {
    TIMES.iter().find_map(|(key, unit, basis)| {
        let value = find(object, &[*key])?;
        let text = value.as_str().map(str::trim);
        if value.is_null() || text.is_some_and(|text| matches!(text, "" | "-")) {
            return None;
        }
        if let Some(time) = text.and_then(written) {
            return Some(time);
        }
        let beside = BESIDE
            .iter()
            .find(|(of, other, _)| of == key && is_beside(object, other));
        let (unit, basis) = beside.map_or((*unit, *basis), |(.., unit)| (*unit, Basis::Known));
        let number = value.as_f64().or_else(|| text?.parse().ok());
        Some(Time {
            // what is no number is told as such
            value: number.unwrap_or(f64::NAN),
            unit,
            basis,
            key,
        })
    })
}

/// Whether an object has a key that tells: a text, or what was asked for.
fn is_beside(object: &Map<String, Value>, key: &str) -> bool {
    match object.get(key) {
        Some(Value::String(_)) => key != "request",
        Some(Value::Object(inner)) => inner.contains_key("uri"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, said};
    use super::*;

    fn one(line: &str) -> Entry<'static> {
        said(Format::Json, line).remove(0)
    }

    #[test]
    fn each_servers_own_keys_are_known() {
        let nginx = r#"{"request_method":"GET","request_uri":"/a?b","status":"200","body_bytes_sent":"5","request_time":"0.012"}"#;
        let caddy = r#"{"level":"info","request":{"method":"GET","uri":"/a?b"},"duration":0.012,"size":5,"status":200}"#;
        let traefik = r#"{"RequestMethod":"GET","RequestPath":"/a?b","DownstreamStatus":200,"DownstreamContentSize":5,"Duration":12000000}"#;
        let own = r#"{"msg":"done","http_method":"GET","path":"/a","status_code":200,"bytes":5,"duration_ms":12}"#;
        let text = r#"{"request":"GET /a HTTP/1.1","status":200,"bytes":5,"latency":"12ms"}"#;
        for line in [nginx, caddy, traefik, own, text] {
            let entry = one(line);
            assert_eq!((&*entry.method, &*entry.path), ("GET", "/a"), "{line}");
            assert_eq!(
                (entry.status, entry.bytes, entry.seconds),
                (Some(200), Some(5), Some(0.012)),
                "{line}"
            );
        }
    }

    #[test]
    fn who_writes_a_key_is_known_by_what_stands_beside_it() {
        let echo =
            r#"{"method":"GET","uri":"/a","status":200,"latency":12000000,"latency_human":"12ms"}"#;
        let time = one(echo).time.unwrap();
        assert_eq!((time.unit, time.basis), (Unit::Nanoseconds, Basis::Known));
        let caddy = r#"{"request":{"method":"GET","uri":"/a"},"duration":0.012}"#;
        assert_eq!(one(caddy).time.unwrap().basis, Basis::Known);
        for (line, seconds) in [
            (
                r#"{"method":"GET","path":"/a","duration":"1m2.5s"}"#,
                Some(62.5),
            ),
            (
                r#"{"method":"GET","path":"/a","durationMs":250}"#,
                Some(0.25),
            ),
            (r#"{"method":"GET","path":"/a","latency":"-"}"#, None),
            (
                r#"{"method":"GET","path":"/a","latency":null,"elapsed":0.5}"#,
                Some(0.5),
            ),
        ] {
            assert_eq!(one(line).seconds, seconds, "{line}");
        }
    }

    #[test]
    fn what_stands_there_and_is_no_number_is_told() {
        let odd = one(r#"{"method":"GET","path":"/a","latency":"soon"}"#)
            .time
            .unwrap();
        assert!(odd.value.is_nan());
        let bare = one(r#"{"method":"GET","path":"/a","latency":12000000}"#)
            .time
            .unwrap();
        assert_eq!((bare.basis, bare.key), (Basis::Guessed, "latency"));
    }

    #[test]
    fn what_names_no_request_is_none() {
        for line in ["{}", r#"{"msg":"started"}"#, "{", r#"{"path":7}"#] {
            assert!(!entries(line, &mut |_| ()), "{line}");
        }
    }
}
