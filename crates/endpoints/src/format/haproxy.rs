//! HAProxy's `option httplog`: `… frontend backend/server TR/Tw/Tc/Tr/Ta status bytes - - ---- conns queues "request"`, with
//! whatever syslog puts before it. Times are in milliseconds; the last of the five is that of the whole request.

use super::{one, seconds};
use crate::entry::Entry;

pub(super) fn entries(line: &str, each: &mut dyn FnMut(&Entry)) -> bool {
    one(entry(line), each)
}

fn entry(line: &str) -> Option<Entry<'_>> {
    let (before, quoted) = line.split_once('"')?;
    let mut words = before.split(' ');
    let timers = words.find(|word| timers(word).is_some())?;
    let status = words.next()?.parse().ok()?;
    let bytes = words.next()?.trim_start_matches('+').parse().ok();
    let entry = Entry {
        status: Some(status),
        bytes,
        seconds: timers_seconds(timers),
        ..Entry::once()
    };
    entry.asking(quoted.split('"').next()?)
}

/// The five times of a request; -1 where one was not come to, and a `+` before the last where the log was written early.
fn timers(word: &str) -> Option<[i64; 5]> {
    let mut found = [0; 5];
    let mut parts = word.split('/');
    for place in &mut found {
        *place = parts.next()?.trim_start_matches('+').parse().ok()?;
    }
    parts.next().is_none().then_some(found)
}

fn timers_seconds(word: &str) -> Option<f64> {
    timers(word).and_then(|[.., all]| seconds(all as f64 / 1e3))
}

#[cfg(test)]
mod tests {
    use super::super::{Format, said};
    use super::entries;

    #[test]
    fn the_last_timer_is_the_whole_request() {
        let line = "<134>Feb  6 12:14:14 localhost haproxy[14389]: 10.0.1.2:33317 [06/Feb/2026:12:14:14.655] http-in \
                    static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} \"GET /index.html?x HTTP/1.1\"";
        assert_eq!(Format::of(line), Some(Format::HaProxy));
        let entry = said(Format::HaProxy, line).remove(0);
        assert_eq!((&*entry.method, &*entry.path), ("GET", "/index.html"));
        assert_eq!(
            (entry.status, entry.bytes, entry.seconds),
            (Some(200), Some(2_750), Some(0.109))
        );
    }

    #[test]
    fn the_counts_of_connections_are_no_timers_of_a_request() {
        assert!(!entries("proxy started \"x\" 1/1/1/1/0", &mut |_| ()));
    }
}
