//! What a load table means: defaults filled in, contradictions and nonsense told by their key.

use std::num::NonZero;
use std::thread::available_parallelism;

use record::{Amount, Crowd, Load, Retry, Shape, Visitors, WarmUpPlan};

use crate::load_table::{LoadTable, Until, WarmUpTable};
use crate::shape::Wishes;

/// A key that makes no sense.
pub(crate) struct LoadProblem {
    pub(crate) key: &'static str,
    pub(crate) problem: String,
    pub(crate) hint: Option<String>,
}

/// Longest warm-up that waits until rate and median are stationary, seconds.
const UNTIL_STATIONARY: f64 = 10.0;
/// Longest pause before a retry, seconds.
const LONGEST_PAUSE: f64 = 3600.0;
/// Most requests under way at once on a connection.
const MOST_STREAMS: u32 = 1000;
/// Fastest of the slow, bytes per second.
const FASTEST_SLOW: f64 = 1e6;
/// Most resets per second.
const MOST_RESETS: f64 = 1e6;
/// Connections of a browser to a host, in HTTP/1.
const BROWSER: u32 = 6;

type Told<T> = Result<T, LoadProblem>;

/// The load that a table asks for. `seed` is that of an open loop's arrivals.
pub(crate) fn load(table: &LoadTable, seed: u64) -> Told<Load> {
    let amount = amount(table)?;
    let mut load = Load {
        connections: at_least_1("connections", table.connections.unwrap_or(100))?,
        amount,
        warm_up: warm_up(table.warm_up.as_ref())?,
        keep_alive: table.keep_alive.unwrap_or(true),
        threads: table.threads.unwrap_or(0),
        timeout: table.timeout.unwrap_or(30.0),
        shape: shape(table, amount, seed)?,
        streams: at_least_1("streams", table.streams.unwrap_or(1))?,
        crowd: crowd(table)?,
        page: page(table)?,
        ..Load::default()
    };
    if !(load.timeout.is_finite() && load.timeout > 0.0) {
        return Err(wrong(
            "timeout",
            "must be above 0 seconds",
            "write `timeout = 30`",
        ));
    }
    if load.streams > MOST_STREAMS {
        return Err(wrong(
            "streams",
            "must be at most 1000",
            "write `streams = 10`",
        ));
    }
    load.per_connection = table
        .per_connection
        .map(|each| at_least_1("per-connection", each))
        .transpose()?;
    if load.per_connection.is_some() && !load.keep_alive {
        return Err(wrong(
            "per-connection",
            "means nothing where each request has a connection of its own",
            "leave it out, or write `keep-alive = true`",
        ));
    }
    load.connect_timeout = part("connect-timeout", table.connect_timeout, load.timeout)?;
    load.first_byte_timeout = part("first-byte-timeout", table.first_byte_timeout, load.timeout)?;
    load.retry = retry(table, load.timeout)?;
    if let Some(visitors) = load.page {
        let cores = available_parallelism().map_or(1, NonZero::get) as u32;
        load.for_visitors(visitors.connections, cores);
    }
    Ok(load)
}

fn amount(table: &LoadTable) -> Told<Amount> {
    match (table.requests, table.seconds) {
        (Some(count), None) => {
            let write = "write `requests = 1000`";
            let some = (count > 0).then_some(Amount::Requests(count));
            some.ok_or_else(|| wrong("requests", "must be at least 1", write))
        }
        (None, Some(seconds)) if seconds.is_finite() && seconds > 0.0 => {
            Ok(Amount::Seconds(seconds))
        }
        (None, Some(_)) => Err(wrong("seconds", "must be above 0", "write `seconds = 10`")),
        (None, None) => Ok(Amount::Seconds(10.0)),
        (Some(_), Some(_)) => Err(wrong(
            "seconds",
            "a load ends by `requests` or by `seconds`, not by both",
            "remove one of the two keys",
        )),
    }
}

fn shape(table: &LoadTable, amount: Amount, seed: u64) -> Told<Shape> {
    let wishes = Wishes {
        think: table.think,
        think_spread: table.think_spread,
        rate: table.rate,
        ramp: table.ramp.clone(),
        steps: table.steps.clone(),
        spike: table.spike.clone(),
        arrivals: table.arrivals,
        max_outstanding: table.max_outstanding,
        connections: table.connections.unwrap_or(100),
        seconds: match amount {
            Amount::Seconds(seconds) => Some(seconds),
            Amount::Requests(_) => None,
        },
        seed,
    };
    wishes.shape().map_err(|error| LoadProblem {
        key: error.key,
        problem: error.problem.clone(),
        hint: error.hint(),
    })
}

fn warm_up(table: Option<&WarmUpTable>) -> Told<WarmUpPlan> {
    let Some(table) = table else {
        return Ok(WarmUpPlan::Seconds(1.0));
    };
    let sound = |seconds: f64| seconds.is_finite() && seconds > 0.0;
    match (table.requests, table.seconds, table.until) {
        (Some(0), None, None) | (None, Some(0.0), None) => Ok(WarmUpPlan::None),
        (Some(count), None, None) => Ok(WarmUpPlan::Requests(count)),
        (None, Some(seconds), None) if sound(seconds) => Ok(WarmUpPlan::Seconds(seconds)),
        (None, most, Some(Until::Stationary)) if most.is_none_or(sound) => {
            Ok(WarmUpPlan::Stationary(most.unwrap_or(UNTIL_STATIONARY)))
        }
        _ => Err(wrong(
            "warm-up",
            "give `requests` or `seconds`, 0 or more, or `until` with at most so many `seconds`",
            "write `warm-up = { requests = 200 }`",
        )),
    }
}

/// The time limit of a part, which is at most that of the whole.
fn part(key: &'static str, limit: Option<f64>, whole: f64) -> Told<Option<f64>> {
    match limit {
        Some(limit) if !(limit > 0.0 && limit <= whole) => Err(wrong(
            key,
            "must be above 0 seconds and at most `timeout`",
            "a part takes no longer than the whole: lower it, or raise `timeout`",
        )),
        limit => Ok(limit),
    }
}

fn retry(table: &LoadTable, timeout: f64) -> Told<Option<Retry>> {
    let times = table.retries.unwrap_or(0);
    if times == 0 {
        let needless = [
            ("retry-after", table.retry_after.is_some()),
            ("backoff", table.backoff.is_some()),
        ];
        return match needless.into_iter().find(|(_, given)| *given) {
            Some((key, _)) => Err(wrong(
                key,
                "means nothing where nobody tries again",
                "give `retries = 3` too",
            )),
            None => Ok(None),
        };
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

fn page(table: &LoadTable) -> Told<Option<Visitors>> {
    if table.page != Some(true) {
        let needless = [
            ("page-connections", table.page_connections.is_some()),
            ("page-visits", table.page_visits.is_some()),
        ];
        return match needless.into_iter().find(|(_, given)| *given) {
            Some((key, _)) => Err(wrong(
                key,
                "means nothing where the route is loaded by itself",
                "give `page = true` too",
            )),
            None => Ok(None),
        };
    }
    Ok(Some(Visitors {
        connections: at_least_1(
            "page-connections",
            table.page_connections.unwrap_or(BROWSER),
        )?,
        visits: table.page_visits.unwrap_or_default(),
    }))
}

fn crowd(table: &LoadTable) -> Told<Crowd> {
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

fn at_least_1(key: &'static str, value: u32) -> Told<u32> {
    let problem = || {
        wrong(
            key,
            "must be at least 1",
            &format!("write `{key} = 1` or more"),
        )
    };
    (value > 0).then_some(value).ok_or_else(problem)
}

fn wrong(key: &'static str, problem: &str, hint: &str) -> LoadProblem {
    LoadProblem {
        key,
        problem: problem.to_owned(),
        hint: Some(hint.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> LoadTable {
        toml::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn of(text: &str) -> Load {
        load(&read(text), 1).unwrap_or_else(|wrong| panic!("{text}: {}", wrong.problem))
    }

    #[test]
    fn every_key_of_clients_comes_through() {
        let load = of(
            "timeout = 20\nconnect-timeout = 1\nfirst-byte-timeout = 2\nstreams = 3\n\
            per-connection = 4\nretries = 5\nretry-after = 6\nbackoff = 0.5\n\
            warm-up = { until = \"stationary\" }\nthink = 0.1\nthink-spread = \"uniform\"\n\
            crowd = { idle = 1, slow-readers = 2, slow-writers = 3, slow-rate = 4, resets = 5 }",
        );
        assert_eq!(
            (load.connect_timeout, load.first_byte_timeout),
            (Some(1.0), Some(2.0))
        );
        assert_eq!((load.streams, load.per_connection), (3, Some(4)));
        let retry = Retry {
            times: 5,
            after: Some(6.0),
            backoff: 0.5,
        };
        assert_eq!(load.retry, Some(retry));
        assert_eq!(load.warm_up, WarmUpPlan::Stationary(UNTIL_STATIONARY));
        let crowd = Crowd {
            idle: 1,
            slow_readers: 2,
            slow_writers: 3,
            slow_rate: 4.0,
            resets: 5.0,
        };
        assert_eq!(load.crowd, crowd);
    }

    #[test]
    fn a_page_has_whole_visitors() {
        let load = of("connections = 7\nthreads = 1\npage = true\npage-visits = \"fresh\"");
        assert_eq!((load.connections, load.threads), (12, 1));
        let visitors = load.page.unwrap();
        assert_eq!(
            (visitors.connections, visitors.visits),
            (6, record::Visits::Fresh)
        );
    }

    #[test]
    fn a_stage_has_the_last_word_and_leaves_what_it_excludes() {
        let plan = read("requests = 100\nrate = 5\nretries = 2\nretry-after = 1");
        let stage = read("seconds = 3\nthink = 0.5\nretries = 0");
        let load = load(&stage.over(&plan), 1).unwrap_or_else(|wrong| panic!("{}", wrong.problem));
        assert_eq!(load.amount, Amount::Seconds(3.0));
        assert!(!load.shape.is_open());
        assert_eq!(load.retry, None);
        let unchanged = LoadTable::default().over(&plan);
        assert_eq!(unchanged, plan);
    }

    #[test]
    fn nonsense_names_its_key() {
        for (key, text) in [
            ("connections", "connections = 0"),
            ("requests", "requests = 0"),
            ("seconds", "seconds = nan"),
            ("timeout", "timeout = 0"),
            ("connect-timeout", "connect-timeout = 31"),
            ("first-byte-timeout", "first-byte-timeout = -1"),
            ("streams", "streams = 0"),
            ("streams", "streams = 1001"),
            ("per-connection", "per-connection = 0"),
            ("per-connection", "per-connection = 2\nkeep-alive = false"),
            ("retry-after", "retry-after = 1"),
            ("retry-after", "retries = 1\nretry-after = 0"),
            ("backoff", "backoff = 1"),
            ("backoff", "retries = 1\nbackoff = -1"),
            ("page-connections", "page-connections = 6"),
            ("page-connections", "page = true\npage-connections = 0"),
            ("page-visits", "page = false\npage-visits = \"both\""),
            ("crowd.slow-rate", "crowd = { slow-rate = 0 }"),
            ("crowd.resets", "crowd = { resets = inf }"),
            (
                "warm-up",
                "warm-up = { until = \"stationary\", requests = 5 }",
            ),
            (
                "warm-up",
                "warm-up = { until = \"stationary\", seconds = 0 }",
            ),
        ] {
            let wrong = load(&read(text), 1)
                .err()
                .unwrap_or_else(|| panic!("{text}"));
            assert_eq!(wrong.key, key, "{text}");
            assert!(wrong.hint.is_some());
        }
        for text in [
            "retrys = 1",
            "page = 6",
            "crowd = { ideal = 1 }",
            "warm-up = { until = \"x\" }",
        ] {
            assert!(toml::from_str::<LoadTable>(text).is_err(), "{text}");
        }
    }
}
