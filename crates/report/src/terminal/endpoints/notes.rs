//! What is to be known of the figures under a table of endpoints.

use endpoints::{Costs, Endpoint, Log, NOT_FOUND, OFTEN, Unit, Units};

use crate::harmless::one_line;
use crate::units;

/// How to have the unit of times as one knows it.
const ASK: &str = "`--unit s`, `ms`, `us` or `ns` sets it";

/// The notes of each log; what holds for all of them is said once.
pub(super) fn of(account: &Costs) -> Vec<String> {
    let logs = &account.logs;
    let mut notes = Vec::new();
    let said: Vec<_> = logs
        .iter()
        .map(|log| [assumed(log), without_time(log), impossible(log)])
        .collect();
    for (log, said_here) in logs.iter().zip(&said) {
        for (kind, note) in said_here.iter().enumerate() {
            let Some(note) = note else { continue };
            let everywhere = said.iter().all(|other| other[kind].as_ref() == Some(note));
            let note = if everywhere {
                note.clone()
            } else {
                format!("`{}`: {note}", one_line(&log.name))
            };
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    notes.extend(too_coarse(account));
    notes.extend(never_found(&account.endpoints));
    notes.extend(too_few(&account.endpoints));
    notes
}

/// That no time is more than nothing: who writes whole milliseconds knows nothing of shorter requests.
fn too_coarse(of: &Costs) -> Option<String> {
    let now = &of.total.now;
    (now.timed > 0 && now.sum <= 0.0).then(|| {
        "every time is 0: the log's times are coarser than its requests take, so that nothing says which endpoint costs most; let it \
         have microseconds, or load it and look at that (`weir endpoints --run RUN`)"
            .to_owned()
    })
}

/// What stands under one name because none of it was ever found.
fn never_found(all: &[Endpoint]) -> Option<String> {
    all.iter().any(|of| of.route == NOT_FOUND).then(|| {
        format!(
            "{NOT_FOUND}: paths that were never found, each asked for fewer than {OFTEN} times, or too many to be named"
        )
    })
}

/// That there are too few requests for some quantiles, and how many each needs.
fn too_few(all: &[Endpoint]) -> Option<String> {
    let given = |of: &Endpoint| [of.now.p50, of.now.p90, of.now.p95, of.now.p99];
    let lacks = |of: &Endpoint| of.now.timed > 0 && given(of).contains(&None);
    let needs = [("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99)];
    let needs = needs.map(|(name, q)| format!("{name} {}", units::count(judge::samples_for(q))));
    all.iter().any(lacks).then(|| {
        let needs = needs.join(", ");
        format!("a quantile is given where 10 times lie beyond it, of so many requests: {needs}")
    })
}

/// The units that nobody said.
fn assumed(log: &Log) -> Option<String> {
    let assumed = log.units.iter().filter(|of| of.is_assumed);
    let told: Vec<_> = assumed.map(unit).collect();
    let is_plain = log.format == "combined";
    let why = if is_plain {
        "the format has no unit"
    } else {
        "programs differ in the unit of this key"
    };
    (!told.is_empty()).then(|| format!("times: {} ({why}: {ASK})", told.join("; ")))
}

fn unit(of: &Units) -> String {
    let key = match &*of.key {
        key if key.contains(' ') => key.to_owned(),
        key => format!("`{key}`"),
    };
    format!("{key} taken for {}", of.unit.word())
}

/// Requests that are counted, and in no column of times.
fn without_time(log: &Log) -> Option<String> {
    let without = log.requests - log.timed - log.impossible;
    // that a log has no times at all is told elsewhere
    (without > 0 && log.timed > 0).then(|| {
        format!(
            "{} of {} requests have no time: counted, in no column of times",
            units::count(without),
            units::count(log.requests)
        )
    })
}

/// Times that no request takes.
fn impossible(log: &Log) -> Option<String> {
    let odd = log.odd.as_ref()?;
    let hint = if odd.long > 0 {
        format!("; is the unit another one? {ASK}")
    } else {
        String::new()
    };
    Some(format!(
        "{} of {} requests have a time that no request takes (negative, no number, or more than a day), the first in line {}: \
         {}: counted, in no column of times{hint}",
        units::count(odd.requests),
        units::count(log.requests),
        units::count(odd.line),
        value(odd.value, odd.unit),
    ))
}

fn value(value: f64, unit: Unit) -> String {
    if value.is_nan() {
        "no number".to_owned()
    } else if value.is_infinite() || value.abs() < 1e15 {
        format!("{value} {}", unit.name())
    } else {
        format!("{value:e} {}", unit.name())
    }
}

#[cfg(test)]
mod tests {
    use endpoints::{Endpoints, Format, How, Sort, read};

    use super::*;

    fn told(lines: &[&str], how: How) -> String {
        told_of(&[("x.log", lines)], how)
    }

    fn told_of(logs: &[(&str, &[&str])], how: How) -> String {
        let mut endpoints_of = Endpoints::default();
        let mut log = |(name, lines): &(&str, &[&str])| {
            let text = lines.join("\n");
            let found = read(text.as_bytes(), how, &mut |entry| {
                endpoints_of.add(entry, false);
            });
            Log::new((*name).to_owned(), false, found.unwrap())
        };
        let logs = logs.iter().map(&mut log).collect();
        let account = Costs {
            total: endpoints_of.together(),
            logs,
            endpoints: endpoints_of.sorted(Sort::Sum),
        };
        let text = crate::terminal::endpoints(&account, 30, 1_000);
        let plain = anstream::adapter::strip_str(&text).to_string();
        plain.replace("\n    ", " ")
    }

    fn combined(end: &str) -> String {
        format!(r#"::1 - - [t] "GET /a HTTP/1.1" 200 5 "-" "-" {end}"#)
    }

    #[test]
    fn a_unit_that_was_guessed_is_told_and_one_that_was_said_is_not() {
        let line = combined("5123");
        let text = told(&[&line], How::default());
        let words =
            "times: whole numbers taken for microseconds (the format has no unit: `--unit s`";
        assert!(text.contains(words), "{text}");
        assert!(text.contains("5.12 ms"), "{text}");
        let unit = Some(Unit::Milliseconds);
        let text = told(&[&line], How { unit, format: None });
        assert!(
            text.contains("5.12 s") && !text.contains("--unit"),
            "{text}"
        );
        let json = r#"{"method":"GET","path":"/a","latency":12000000}"#;
        let text = told(&[json], How::default());
        assert!(text.contains("`latency` taken for nanoseconds"), "{text}");
        assert!(text.contains("12.0 ms"), "{text}");
    }

    #[test]
    fn what_holds_for_all_logs_is_said_once() {
        let [timed, bare] = ["5123", "-"].map(combined);
        let (one, both) = ([timed.as_str()], [timed.as_str(), &bare]);
        let text = told_of(&[("a.log", &one), ("b.log", &both)], How::default());
        assert_eq!(text.matches("taken for microseconds").count(), 1, "{text}");
        assert!(text.contains("\n  times: whole numbers"), "{text}");
        assert!(
            text.contains("`b.log`: 1 of 2 requests have no time"),
            "{text}"
        );
    }

    #[test]
    fn requests_without_a_usable_time_are_told() {
        let lines = ["0.100", "-", "-", "-0.5", "1e300"].map(combined);
        let lines: Vec<_> = lines.iter().map(String::as_str).collect();
        let text = told(&lines, How::default());
        assert!(text.contains("2 of 5 requests have no time"), "{text}");
        assert!(
            text.contains("2 of 5 requests have a time that no request takes"),
            "{text}"
        );
        assert!(text.contains("in line 4: -0.5 s"), "{text}");
        assert!(text.contains("is the unit another one?"), "{text}");
    }

    #[test]
    fn times_that_are_all_zero_are_too_coarse() {
        let [zero, more] = ["0.000", "0.001"].map(combined);
        let words = "every time is 0: the log's times are coarser";
        let of = |lines: &[&str]| told(lines, How::default());
        assert!(of(&[&zero, &zero]).contains(words));
        assert!(!of(&[&zero, &more]).contains(words));
        assert!(!of(&[&combined("-")]).contains(words));
    }

    #[test]
    fn what_a_log_does_not_say_is_a_dash() {
        let text = told(
            &[r#"{"method":"GET","path":"/a","request_time":0.5}"#],
            How::default(),
        );
        let row = text.lines().nth(1).unwrap();
        let words: Vec<_> = row.split_whitespace().collect();
        // 2xx to 5xx, and bytes
        assert_eq!(
            words[words.len() - 7..],
            ["—", "—", "—", "—", "—", "GET", "/a"],
            "{text}"
        );
        assert!(!text.contains("no response"), "{text}");
    }

    #[test]
    fn failures_have_columns_of_their_own() {
        let line = |status: &str, request: &str| {
            format!(
                "haproxy[1]: 1.1.1.1:1 [t] in b/s 0/0/0/0/7 {status} 9 - - CC-- 1/1/1/1/0 0/0 \"{request}\""
            )
        };
        let lines = [
            line("404", "GET /a HTTP/1.1"),
            line("-1", "GET /a HTTP/1.1"),
            line("400", "<BADREQ>"),
        ];
        let lines: Vec<_> = lines.iter().map(String::as_str).collect();
        let how = How {
            format: Some(Format::HaProxy),
            unit: None,
        };
        let text = told(&lines, how);
        let row = |name: &str| -> Vec<&str> {
            let line = text.lines().find(|line| line.ends_with(name)).unwrap();
            line.split_whitespace().collect()
        };
        assert!(text.contains("2xx  3xx  4xx  5xx  no response"), "{text}");
        let ends = |name: &str, ends: &[&str]| assert!(row(name).ends_with(ends), "{text}");
        ends("GET /a", &["0", "0", "1", "0", "1", "18", "B", "GET", "/a"]);
        ends("<BADREQ>", &["0", "0", "1", "0", "0", "9", "B", "<BADREQ>"]);
    }
}
