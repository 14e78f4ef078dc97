//! The formats of logs: each is one file that turns a line into an entry, and its line in [`Format`].

mod combined;
mod haproxy;
mod json;
mod ltsv;
mod spans;
mod statsd;

use crate::entry::Entry;
use crate::time::{Unit, guess};

macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident = $file:ident, $name:literal;)+) => {
        /// How lines are written.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Format {
            $($(#[$doc])* $format,)+
        }

        impl Format {
            /// Every format, in the order in which it is looked for.
            pub const ALL: &[Self] = &[$(Self::$format),+];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$format => $name,)+
                }
            }

            /// Hands over what a line says of requests; whether it is a line of this format.
            pub(crate) fn entries(self, line: &str, each: &mut dyn FnMut(&mut Entry)) -> bool {
                match self {
                    $(Self::$format => $file::entries(line, each),)+
                }
            }
        }
    };
}

formats! {
    /// OpenTelemetry's JSON of spans (OTLP), a batch a line.
    Spans = spans, "otlp";
    /// A JSON object a line, whatever its keys, as nginx, Caddy, Traefik and structured loggers write them.
    Json = json, "json";
    /// Labelled tab-separated values (<http://ltsv.org>).
    Ltsv = ltsv, "ltsv";
    /// HAProxy's `option httplog`.
    HaProxy = haproxy, "haproxy";
    /// The common and the combined log format, with times after them: nginx's `$request_time`, Apache's `%D` and `%T`.
    Combined = combined, "combined";
    /// Timers of statsd and DogStatsD.
    Statsd = statsd, "statsd";
}

impl Format {
    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.name() == name)
    }

    /// The unit of times that neither the format nor its lines define, by the first values under a key.
    pub(crate) fn guess(self, key: &str, mut values: Vec<f64>) -> Unit {
        let all_whole = values.iter().all(|value| value.fract() == 0.0);
        values.sort_by(f64::total_cmp);
        let median = values.get(values.len() / 2).copied().unwrap_or_default();
        match self {
            Self::Combined => combined::guess(key, median),
            _ => guess(median, all_whole),
        }
    }

    /// The first format that this is a line of.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|format| format.entries(line, &mut |_| ()))
    }
}

/// Hands over the one request of a line; whether there is one.
fn one(entry: Option<Entry>, each: &mut dyn FnMut(&mut Entry)) -> bool {
    entry.is_some_and(|mut entry| {
        each(&mut entry);
        true
    })
}

/// What one line of a format says, for its tests.
#[cfg(test)]
fn said(format: Format, line: &str) -> Vec<Entry<'static>> {
    let mut said = Vec::new();
    let mut keep = |entry: &mut Entry| {
        said.push(Entry {
            method: entry.method.clone().into_owned().into(),
            path: entry.path.clone().into_owned().into(),
            query: entry.query.clone().into_owned().into(),
            seconds: entry.time.and_then(crate::time::Time::seconds),
            ..*entry
        });
    };
    assert!(format.entries(line, &mut keep), "{line}");
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_is_known_by_a_line() {
        let lines = [
            (
                Format::Combined,
                r#"::1 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5"#,
            ),
            (Format::Ltsv, "time:x\tmethod:GET\turi:/\tstatus:200"),
            (Format::Json, r#"{"method":"GET","path":"/","status":200}"#),
            (
                Format::HaProxy,
                r#"haproxy[1]: ::1:33317 [01/Jan/2026:00:00:00.000] web app/a 1/0/3/6/10 200 5 - - ---- 1/1/1/1/0 0/0 "GET / HTTP/1.1""#,
            ),
            (Format::Statsd, "app.request:320|ms|@0.1"),
            (Format::Spans, r#"{"resourceSpans":[]}"#),
        ];
        for (format, line) in lines {
            assert_eq!(Format::of(line), Some(format), "{line}");
            assert_eq!(Format::named(format.name()), Some(format));
        }
        for line in ["", "hello", "{}", "2026-01-01 started", "a:b"] {
            assert_eq!(Format::of(line), None, "{line}");
        }
    }
}
