//! HAProxy's `option httplog`: `… frontend backend/server TR/Tw/Tc/Tr/Ta status bytes - - ---- conns queues "request"`, with
//! whatever syslog puts before it. Times are in milliseconds; the last of the five is that of the whole request.

use super::one;
use crate::entry::Entry;
use crate::time::{Time, Unit};

/// What HAProxy writes in place of a request that it could not read; the name of a row of its own.
const UNREADABLE: &str = "<BADREQ>";

pub(super) fn entries(line: &str, each: &mut dyn FnMut(&mut Entry)) -> bool {
    one(entry(line), each)
}

fn entry(line: &str) -> Option<Entry<'_>> {
    let (before, quoted) = line.split_once('"')?;
    let mut words = before.split(' ');
    let timers = words.find(|word| timers(word).is_some())?;
    // -1 where the request ended without a response
    let status: i32 = words.next()?.parse().ok()?;
    let bytes = words.next()?.trim_start_matches('+').parse().ok();
    let entry = Entry {
        status: u16::try_from(status).ok().filter(|of| *of > 0),
        unanswered: status <= 0,
        bytes,
        time: timers_time(timers),
        ..Entry::once()
    };
    match quoted.split('"').next()? {
        UNREADABLE => Some(Entry {
            path: UNREADABLE.into(),
            is_route: true,
            ..entry
        }),
        request => entry.asking(request),
    }
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

/// The time of the whole request; -1 is none.
fn timers_time(word: &str) -> Option<Time> {
    let [.., all] = timers(word)?;
    (all != -1).then(|| Time::defined(all as f64, Unit::Milliseconds))
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
    fn what_has_failed_is_a_request_too() {
        let of = |rest: &str| {
            let line =
                format!("haproxy[1]: 10.0.1.2:33317 [06/Feb/2026:12:14:14.655] http-in {rest}");
            said(Format::HaProxy, &line).remove(0)
        };
        let unreadable = of(
            "http-in/<NOSRV> -1/-1/-1/-1/10002 400 187 - - PR-- 1/1/0/0/0 0/0 {} {} \"<BADREQ>\"",
        );
        assert_eq!((&*unreadable.method, &*unreadable.path), ("", "<BADREQ>"));
        assert_eq!(
            (unreadable.status, unreadable.unanswered, unreadable.seconds),
            (Some(400), false, Some(10.002))
        );
        let left = of("static/srv1 10/-1/-1/-1/-1 -1 0 - - CC-- 1/1/1/1/0 0/0 \"GET /a HTTP/1.1\"");
        assert_eq!((&*left.path, left.status), ("/a", None));
        assert_eq!((left.unanswered, left.time), (true, None));
    }

    #[test]
    fn the_counts_of_connections_are_no_timers_of_a_request() {
        assert!(!entries("proxy started \"x\" 1/1/1/1/0", &mut |_| ()));
    }
}
