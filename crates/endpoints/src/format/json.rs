//! A JSON object a line, as nginx (`escape=json`), Caddy, Traefik and structured loggers write them: what is meant is known by
//! the names of keys, also of those one level deeper (`request.uri`).

use serde_json::{Map, Value};

use super::{one, seconds};
use crate::entry::Entry;

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
/// Keys of times, with how many of their units a second has.
const TIMES: [(&str, f64); 22] = [
    ("request_time", 1.0),
    ("reqtime", 1.0),
    ("response_time", 1.0),
    ("duration", 1.0),
    ("Duration", 1e9),
    ("latency", 1.0),
    ("elapsed", 1.0),
    ("took", 1.0),
    ("time_taken", 1.0),
    ("duration_ms", 1e3),
    ("response_time_ms", 1e3),
    ("responseTime", 1e3),
    ("latency_ms", 1e3),
    ("elapsed_ms", 1e3),
    ("took_ms", 1e3),
    ("time_ms", 1e3),
    ("request_time_ms", 1e3),
    ("duration_us", 1e6),
    ("latency_us", 1e6),
    ("request_time_us", 1e6),
    ("duration_ns", 1e9),
    ("latency_ns", 1e9),
];

pub(super) fn entries(line: &str, each: &mut dyn FnMut(&Entry)) -> bool {
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
        seconds: time(object),
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
fn time(object: &Map<String, Value>) -> Option<f64> {
    TIMES.iter().find_map(|(key, per_second)| {
        let value = find(object, &[*key])?;
        if let Some(number) = value.as_f64() {
            return seconds(number / per_second);
        }
        let text = value.as_str()?;
        let digits = text
            .find(|of: char| !of.is_ascii_digit() && of != '.')
            .unwrap_or(text.len());
        let number: f64 = text[..digits].parse().ok()?;
        let per_second = match text[digits..].trim() {
            "" => *per_second,
            "s" => 1.0,
            "ms" => 1e3,
            "us" | "µs" | "μs" => 1e6,
            "ns" => 1e9,
            _ => return None,
        };
        seconds(number / per_second)
    })
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
    fn what_names_no_request_is_none() {
        for line in ["{}", r#"{"msg":"started"}"#, "{", r#"{"path":7}"#] {
            assert!(!entries(line, &mut |_| ()), "{line}");
        }
    }
}
