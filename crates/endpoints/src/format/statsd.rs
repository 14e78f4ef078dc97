//! Timers of statsd and DogStatsD: `name:320|ms|@0.1|#method:get,path:/x`, one or several a line.

use crate::entry::Entry;
use crate::time::{Time, Unit};

/// Most requests that one sample stands for.
const MOST: f64 = 1e6;

/// Only timers are requests: other kinds of metrics are lines of the format and say nothing.
pub(super) fn entries(line: &str, each: &mut dyn FnMut(&mut Entry)) -> bool {
    let Some((name, rest)) = line.split_once(':') else {
        return false;
    };
    let named = |of: u8| of.is_ascii_graphic() && of != b'"' && of != b'{';
    let Some((values, sections)) = rest.split_once('|') else {
        return false;
    };
    if name.is_empty() || !name.bytes().all(named) {
        return false;
    }
    let mut sections = sections.split('|');
    let kind = sections.next().unwrap_or_default().trim_end();
    if !matches!(kind, "ms" | "c" | "g" | "h" | "d" | "s" | "m") {
        return false;
    }
    if kind != "ms" {
        return true;
    }
    let mut entry = Entry {
        path: name.into(),
        is_route: true,
        ..Entry::once()
    };
    for section in sections {
        if let Some(rate) = section.strip_prefix('@') {
            let rate: f64 = rate.trim_end().parse().unwrap_or(1.0);
            entry.times = (1.0 / rate.max(1.0 / MOST)).round().max(1.0) as u64;
        } else if let Some(tags) = section.strip_prefix('#') {
            tagged(&mut entry, tags);
        }
    }
    // DogStatsD packs several values of a name: `name:1:2:3|ms`
    for value in values.split(':') {
        let Ok(milliseconds) = value.parse() else {
            return false;
        };
        entry.time = Some(Time::defined(milliseconds, Unit::Milliseconds));
        each(&mut entry);
    }
    true
}

/// What tags say of a request.
fn tagged<'a>(entry: &mut Entry<'a>, tags: &'a str) {
    for tag in tags.trim_end().split(',') {
        match tag.split_once(':') {
            Some(("method" | "http_method" | "http.method", method)) => {
                entry.method = method.to_ascii_uppercase().into();
            }
            Some(("path" | "route" | "endpoint" | "http.route" | "resource", path)) => {
                entry.path = path.into();
            }
            Some(("status" | "status_code" | "http.status_code", status)) => {
                entry.status = status.parse().ok();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, said};

    #[test]
    fn a_sampled_timer_stands_for_many() {
        let entry = said(Format::Statsd, "shop.cart.add:320|ms|@0.1").remove(0);
        assert_eq!(
            (&*entry.path, entry.times, entry.seconds),
            ("shop.cart.add", 10, Some(0.32))
        );
        assert!(entry.is_route);
    }

    #[test]
    fn tags_name_the_request() {
        let line = "http:1.5:2.5|ms|#env:prod,method:get,route:/users/{id},status:404";
        let entries = said(Format::Statsd, line);
        assert_eq!(entries.len(), 2);
        let second = &entries[1];
        assert_eq!(
            (&*second.method, &*second.path, second.status),
            ("GET", "/users/{id}", Some(404))
        );
        assert_eq!(second.seconds, Some(0.0025));
    }

    #[test]
    fn a_counter_is_a_line_and_no_request() {
        assert!(said(Format::Statsd, "gunicorn.requests:1|c").is_empty());
        assert!(!super::entries("a:x|ms", &mut |_| ()));
    }
}
