//! What a load table means: defaults filled in, contradictions and nonsense told by their key.

mod clients;

use std::num::NonZero;
use std::thread::available_parallelism;

use record::{Amount, Load, Shape, WarmUpPlan, limits};

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
/// Longest wait for what is under way at the end of a window, seconds.
const LONGEST_DRAIN: f64 = 3600.0;

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
        crowd: clients::crowd(table)?,
        page: clients::page(table)?,
        ..Load::default()
    };
    if !(load.timeout.is_finite() && load.timeout > 0.0) {
        return Err(wrong(
            "timeout",
            "must be above 0 seconds",
            "write `timeout = 30`",
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
    load.drain = table.drain;
    if load
        .drain
        .is_some_and(|drain| !(0.0..=LONGEST_DRAIN).contains(&drain))
    {
        return Err(wrong(
            "drain",
            "must be between 0 and 3600 seconds",
            "write `drain = 5`",
        ));
    }
    load.connect_timeout = part("connect-timeout", table.connect_timeout, load.timeout)?;
    load.first_byte_timeout = part("first-byte-timeout", table.first_byte_timeout, load.timeout)?;
    load.retry = clients::retry(table, load.timeout)?;
    within_limits(&load)?;
    if let Some(visitors) = load.page {
        let cores = available_parallelism().map_or(1, NonZero::get) as u32;
        load.for_visitors(visitors.connections, cores);
        within_limits(&load)?; // whole visitors may be more connections
    }
    Ok(load)
}

/// What would otherwise be found out only when everything else stands.
fn within_limits(load: &Load) -> Told<()> {
    within_counts(load)?;
    within_times(load)
}

fn within_counts(load: &Load) -> Told<()> {
    let crowd = &load.crowd;
    let crowd = [crowd.idle, crowd.slow_readers, crowd.slow_writers].map(u64::from);
    let outstanding = load.shape.arrivals().map_or(0, |open| open.max_outstanding);
    let each = load.page.map_or(1, |page| page.connections);
    for (key, value, most, instead) in [
        (
            "connections",
            load.connections.into(),
            limits::CONNECTIONS.into(),
            "100",
        ),
        ("streams", load.streams.into(), limits::STREAMS.into(), "10"),
        ("streams", load.slots(), limits::AT_ONCE, "1"),
        ("threads", load.threads.into(), limits::THREADS.into(), "0"),
        (
            "crowd",
            crowd.iter().sum(),
            limits::CONNECTIONS.into(),
            "{ idle = 100 }",
        ),
        (
            "max-outstanding",
            outstanding.into(),
            limits::OUTSTANDING.into(),
            "100000",
        ),
        (
            "page-connections",
            each.into(),
            limits::CONNECTIONS.into(),
            "6",
        ),
    ] {
        if value > most {
            let problem = format!("asks for {value}, and {most} is the most");
            return Err(wrong(key, &problem, &format!("write `{key} = {instead}`")));
        }
    }
    Ok(())
}

fn within_times(load: &Load) -> Told<()> {
    let window = match load.amount {
        Amount::Seconds(seconds) => seconds,
        Amount::Requests(_) => 0.0,
    };
    let warm_up = match load.warm_up {
        WarmUpPlan::Seconds(seconds) | WarmUpPlan::Stationary(seconds) => seconds,
        WarmUpPlan::None | WarmUpPlan::Requests(_) => 0.0,
    };
    for (key, seconds, most, instead) in [
        ("seconds", window, limits::WINDOW, "seconds = 10"),
        ("timeout", load.timeout, limits::TIME, "timeout = 30"),
        (
            "warm-up",
            warm_up,
            limits::TIME,
            "warm-up = { seconds = 1 }",
        ),
    ] {
        if seconds > most {
            let problem = format!("must be at most {most} seconds");
            return Err(wrong(key, &problem, &format!("write `{instead}`")));
        }
    }
    Ok(())
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
mod tests;
