use std::borrow::Cow;

use serde_json::Value;

use super::fields;
use super::line::Line;

/// Reads a line that is a JSON object. A value within another is found by both keys.
pub(super) fn parse(text: &str) -> Option<Line<'static>> {
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
    fields::parse(get)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, u16, i64, u64)> {
        let line = parse(text)?;
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
            let _ = parse(&text);
            let quoted = Value::from(text.as_str());
            let _ = parse(&format!(r#"{{"time":1795209033,"request":{quoted},"status":200,"duration":{quoted}}}"#));
        }
    }
}
