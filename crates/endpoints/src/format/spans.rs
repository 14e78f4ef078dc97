//! OpenTelemetry's JSON of spans (OTLP 1.x), a batch a line, as its file exporter writes them. Spans of servers are requests.

use serde_json::Value;

use crate::entry::{Entry, path_of};
use crate::time::{Time, Unit};

pub(super) fn entries(line: &str, each: &mut dyn FnMut(&mut Entry)) -> bool {
    if !line.starts_with('{') || !line.contains("\"resourceSpans\"") {
        return false;
    }
    let Ok(batch) = serde_json::from_str::<Value>(line) else {
        return false;
    };
    let scopes = list(&batch, "resourceSpans")
        .iter()
        .flat_map(|of| list(of, "scopeSpans"));
    let spans = scopes.flat_map(|of| list(of, "spans"));
    spans
        .filter_map(entry)
        .for_each(|mut entry| each(&mut entry));
    batch.get("resourceSpans").is_some()
}

fn list<'a>(of: &'a Value, key: &str) -> &'a [Value] {
    of.get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// A span of a server (kind 2): its route if it has one, else its path, else its name.
fn entry(span: &Value) -> Option<Entry<'_>> {
    let kind = span.get("kind")?;
    if kind.as_u64() != Some(2) && kind.as_str() != Some("SPAN_KIND_SERVER") {
        return None;
    }
    let attribute = |names: [&str; 2]| {
        let all = span.get("attributes")?.as_array()?;
        let found = all.iter().find(|of| {
            let key = of.get("key").and_then(Value::as_str);
            key.is_some_and(|key| names.contains(&key))
        });
        found?.get("value")
    };
    let text = |names| attribute(names)?.get("stringValue")?.as_str();
    let number = |names| {
        let value = attribute(names)?.get("intValue")?;
        value.as_u64().or_else(|| value.as_str()?.parse().ok())
    };
    let route = text(["http.route", "http.route"]);
    let path = text(["url.path", "http.target"]).map(path_of);
    let name = span.get("name").and_then(Value::as_str);
    let moment = |key| {
        let value = span.get(key)?;
        value.as_u64().or_else(|| value.as_str()?.parse().ok())
    };
    let (from, until): (u64, u64) = (moment("startTimeUnixNano")?, moment("endTimeUnixNano")?);
    Some(Entry {
        method: text(["http.request.method", "http.method"])
            .unwrap_or_default()
            .into(),
        path: route.or(path).or(name)?.into(),
        is_route: route.is_some() || path.is_none(),
        status: number(["http.response.status_code", "http.status_code"]).map(|of| of as u16),
        bytes: number(["http.response.body.size", "http.response_content_length"]),
        time: Some(Time::defined(
            (i128::from(until) - i128::from(from)) as f64,
            Unit::Nanoseconds,
        )),
        ..Entry::once()
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Format, said};

    #[test]
    fn spans_of_servers_are_requests() {
        let line = r#"{"resourceSpans":[{"scopeSpans":[{"spans":[
            {"name":"GET /u/{id}","kind":2,"startTimeUnixNano":"1000000000","endTimeUnixNano":"1250000000","attributes":[
             {"key":"http.request.method","value":{"stringValue":"GET"}},{"key":"http.route","value":{"stringValue":"/u/{id}"}},
             {"key":"http.response.status_code","value":{"intValue":"200"}}]},
            {"name":"SELECT","kind":3,"startTimeUnixNano":"1","endTimeUnixNano":"2"}]}]}]}"#;
        let entries = said(Format::Spans, &line.replace('\n', ""));
        assert_eq!(entries.len(), 1);
        let entry = &entries[0];
        assert_eq!(
            (&*entry.method, &*entry.path, entry.is_route),
            ("GET", "/u/{id}", true)
        );
        assert_eq!((entry.status, entry.seconds), (Some(200), Some(0.25)));
    }
}
