//! What the clients of a load do beside asking: try again, fetch whole pages, stand around.

use record::{Crowd, Retry, Visitors};

use super::{Told, at_least_1, part, wrong};
use crate::load_table::LoadTable;

/// Longest pause before a retry, seconds.
const LONGEST_PAUSE: f64 = 3600.0;
/// Fastest of the slow, bytes per second.
const FASTEST_SLOW: f64 = 1e6;
/// Most resets per second.
const MOST_RESETS: f64 = 1e6;
/// Connections of a browser to a host, in HTTP/1.
const BROWSER: u32 = 6;

pub(super) fn retry(table: &LoadTable, timeout: f64) -> Told<Option<Retry>> {
    let times = table.retries.unwrap_or(0);
    if times == 0 {
        let needless = [
            ("retry-after", table.retry_after.is_some()),
            ("backoff", table.backoff.is_some()),
        ];
        let problem = "means nothing where nobody tries again";
        return none_without(&needless, problem, "give `retries = 3` too");
    }
    let backoff = table.backoff.unwrap_or(0.0);
    if !(0.0..=LONGEST_PAUSE).contains(&backoff) {
        return Err(wrong(
            "backoff",
            "must be between 0 and 3600 seconds",
            "write `backoff = 0.5`",
        ));
    }
    Ok(Some(Retry {
        times,
        after: part("retry-after", table.retry_after, timeout)?,
        backoff,
    }))
}

pub(super) fn page(table: &LoadTable) -> Told<Option<Visitors>> {
    if table.page != Some(true) {
        let needless = [
            ("page-connections", table.page_connections.is_some()),
            ("page-visits", table.page_visits.is_some()),
        ];
        let problem = "means nothing where the route is loaded by itself";
        return none_without(&needless, problem, "give `page = true` too");
    }
    Ok(Some(Visitors {
        connections: at_least_1(
            "page-connections",
            table.page_connections.unwrap_or(BROWSER),
        )?,
        visits: table.page_visits.unwrap_or_default(),
    }))
}

pub(super) fn crowd(table: &LoadTable) -> Told<Crowd> {
    let crowd = table.crowd.as_ref().map(Crowd::from).unwrap_or_default();
    if !(crowd.slow_rate > 0.0 && crowd.slow_rate <= FASTEST_SLOW) {
        return Err(wrong(
            "crowd.slow-rate",
            "must be above 0 and at most 1,000,000 bytes per second",
            "write `slow-rate = 1000`",
        ));
    }
    if !(0.0..=MOST_RESETS).contains(&crowd.resets) {
        return Err(wrong(
            "crowd.resets",
            "must be between 0 and 1,000,000 per second",
            "write `resets = 50`",
        ));
    }
    Ok(crowd)
}

/// Nothing, if none of the keys is given that mean nothing then.
fn none_without<T>(keys: &[(&'static str, bool)], problem: &str, hint: &str) -> Told<Option<T>> {
    match keys.iter().find(|(_, given)| *given) {
        Some((key, _)) => Err(wrong(key, problem, hint)),
        None => Ok(None),
    }
}
