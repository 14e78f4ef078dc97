//! Labelled tab-separated values: `time:…\tmethod:GET\turi:/\tstatus:200\tsize:5\treqtime:0.003`.

use super::one;
use crate::entry::Entry;
use crate::time::{Basis, Time, Unit, written};

/// Labels of times, and their units. The names of <http://ltsv.org> come first.
const TIMES: [(&str, Unit, Basis); 7] = [
    ("reqtime", Unit::Seconds, Basis::Known),
    ("reqtime_microsec", Unit::Microseconds, Basis::Defined),
    ("request_time", Unit::Seconds, Basis::Known),
    ("apptime", Unit::Seconds, Basis::Known),
    ("taken", Unit::Microseconds, Basis::Known),
    ("duration", Unit::Seconds, Basis::Guessed),
    ("response_time", Unit::Seconds, Basis::Guessed),
];

pub(super) fn entries(line: &str, each: &mut dyn FnMut(&mut Entry)) -> bool {
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
                let place = TIMES.iter().position(|(name, ..)| *name == label);
                let known = place.filter(|place| *place < rank);
                if let Some((place, time)) =
                    known.and_then(|place| Some((place, time(place, value)?)))
                {
                    rank = place;
                    entry.time = Some(time);
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

/// What stands under a label of times; nothing under `-`, as where no upstream was asked.
fn time(place: usize, text: &str) -> Option<Time> {
    let (key, unit, basis) = TIMES[place];
    let number = text.parse().ok().map(|value| Time {
        value,
        unit,
        basis,
        key,
    });
    number.or_else(|| written(text))
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
