//! Labelled tab-separated values: `time:…\tmethod:GET\turi:/\tstatus:200\tsize:5\treqtime:0.003`.

use super::{one, seconds};
use crate::entry::Entry;

/// Labels of times, and how many of their units a second has. The names of <http://ltsv.org> come first.
const TIMES: [(&str, f64); 7] = [
    ("reqtime", 1.0),
    ("reqtime_microsec", 1e6),
    ("request_time", 1.0),
    ("apptime", 1.0),
    ("taken", 1e6),
    ("duration", 1.0),
    ("response_time", 1.0),
];

pub(super) fn entries(line: &str, each: &mut dyn FnMut(&Entry)) -> bool {
    one(entry(line), each)
}

fn entry(line: &str) -> Option<Entry<'_>> {
    let (mut method, mut target, mut request) = ("", None, None);
    let mut entry = Entry::once();
    let mut rank = TIMES.len();
    for field in line.split('\t') {
        let (label, value) = field.split_once(':')?;
        match label {
            "method" | "request_method" => method = value,
            "uri" | "path" | "request_uri" => target = Some(value),
            "req" | "request" => request = Some(value),
            "status" => entry.status = value.parse().ok(),
            "size" | "bytes" | "body_bytes_sent" => entry.bytes = value.parse().ok(),
            label => {
                let place = TIMES.iter().position(|(name, _)| *name == label);
                let known = place.filter(|place| *place < rank);
                if let Some((place, value)) = known.zip(value.parse::<f64>().ok()) {
                    rank = place;
                    entry.seconds = seconds(value / TIMES[place].1);
                }
            }
        }
    }
    match (target, request) {
        (Some(target), _) => Some(entry.of(method, target)),
        (None, Some(request)) => entry.asking(request),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, said};

    #[test]
    fn labels_stand_in_any_order() {
        let line = "status:201\tuptime:-\treqtime_microsec:900\treqtime:0.25\tsize:7\tmethod:POST\turi:/a?b";
        let entry = said(Format::Ltsv, line).remove(0);
        assert_eq!((&*entry.method, &*entry.path), ("POST", "/a"));
        assert_eq!(
            (entry.status, entry.bytes, entry.seconds),
            (Some(201), Some(7), Some(0.25))
        );
    }

    #[test]
    fn a_request_line_and_other_units_will_do() {
        let entry = said(Format::Ltsv, "req:GET /x HTTP/1.1\tstatus:200\ttaken:1500").remove(0);
        assert_eq!((&*entry.path, entry.seconds), ("/x", Some(0.0015)));
    }
}
