//! How each way is loaded: connections that are kept busy, or requests on a schedule.

use std::path::Path;

use experiment::AppTimes;
use record::{Amount, Load, LoadSpec, Plan, WarmUpPlan, WarmUpSpec};
use report::units;

use crate::args::{TryArgs, as_options};
use crate::error::{Error, Result};

/// Connections that are kept busy, unless the user says how many.
const CONNECTIONS: u32 = 100;
/// Requests of a trial, unless the user says how many; at a rate, those of so many seconds.
const REQUESTS: u64 = 1_000;
const SECONDS: f64 = 5.0;
/// The fewest of a trial that is shortened for want of time.
const FEWEST: u64 = 200;
/// Seconds of a trial, and of its warm-up, where the app answers more than [`REQUESTS`] in them: noise is fast, and
/// shorter windows catch more or less of it by chance.
const WINDOW: f64 = 1.0;
const WARM_UP: f64 = 0.2;
/// Seconds after which a request counts as timed out: a client that waits longer has gone.
const TIMEOUT: f64 = 10.0;
/// Connections of an open loop before its app was seen, and the fewest.
const POOL: u32 = 10;

/// The load of a trial.
///
/// # Errors
/// A rate or a number of connections beyond what weir can load with; a file of requests that cannot be read.
pub(super) fn of(args: &TryArgs, cores: u32, seed: u64) -> Result<Load> {
    let usual = args.rate.map_or(CONNECTIONS, |_| POOL);
    let connections = args.connections.unwrap_or(usual);
    let usual = args
        .rate
        .map_or(REQUESTS, |rate| (rate * SECONDS).ceil() as u64);
    let requests = args.requests.unwrap_or(usual.max(1));
    let spec = LoadSpec {
        connections: Some(connections),
        requests: Some(requests),
        warm_up: Some(WarmUpSpec {
            requests: Some(warm_up(requests, connections)),
            ..WarmUpSpec::default()
        }),
        keep_alive: Some(true),
        threads: Some(0),
        timeout: Some(TIMEOUT),
        rate: args.rate,
        mix: args.mix.clone(),
        replay: args.replay.clone(),
        ..LoadSpec::default()
    };
    let load = spec.resolve(cores, seed);
    let mut load = load.map_err(|flaw| Error::of_load(&flaw, as_options))?;
    experiment::find_requests(&mut load, Path::new(""))?;
    Ok(load)
}

fn warm_up(requests: u64, connections: u32) -> u64 {
    (requests / 5).max(connections.into())
}

/// Lets each trial last a second, where the user did not say how many requests it has and a fast app was seen, or files
/// are loaded: a thousand are answered in 20 ms, and a fifth of them by a development server in even less. A replay keeps its
/// number, and so does what writes.
pub(super) fn lengthen(args: &TryArgs, plan: &mut Plan, seen: Option<&AppTimes>) {
    let writes = plan.app.routes[0].method.writes() || experiment::requests_write(&plan.load);
    let fast = seen.is_none_or(|seen| {
        seen.requests_in(WINDOW)
            .is_some_and(|n| n > REQUESTS as f64)
    });
    if fast && !is_chosen(args) && !writes {
        let own = plan.variants.iter_mut().filter_map(|of| of.load.as_mut());
        for load in own.chain([&mut plan.load]) {
            load.amount = Amount::Seconds(WINDOW);
            load.warm_up = WarmUpPlan::Seconds(WARM_UP);
        }
    }
}

/// Whether the user said how many requests a trial has.
pub(super) fn is_chosen(args: &TryArgs) -> bool {
    args.requests.is_some() || args.rate.is_some() || args.replay.is_some()
}

/// Lets each trial have fewer requests, until it `fits` what there is time for, or they are too few; what to say of it. A thousand
/// of a slow app may take all of a budget, and a block alone tells nothing.
pub(super) fn shorten(plan: &mut Plan, fits: impl Fn(&Plan) -> bool) -> Option<String> {
    let before = plan.load.amount;
    while !fits(plan) {
        let Amount::Requests(requests) = plan.load.amount else {
            break;
        };
        let fewer = requests / 2;
        if fewer < u64::from(plan.load.connections).max(FEWEST) {
            break;
        }
        let own = plan.variants.iter_mut().filter_map(|of| of.load.as_mut());
        for load in own.chain([&mut plan.load]) {
            if let Amount::Requests(requests) = load.amount {
                let fewer = (requests / 2).max(load.connections.into());
                load.amount = Amount::Requests(fewer);
                load.warm_up = WarmUpPlan::Requests(warm_up(fewer, load.connections));
            }
        }
    }
    let Amount::Requests(requests) = plan.load.amount else {
        return None;
    };
    (plan.load.amount != before).then(|| {
        format!(
            "  each trial has {} requests, as it seems to answer so slowly: `-n N` makes it another number",
            units::count(requests)
        )
    })
}

/// The load with a fifth of its requests, and one for each connection at least.
pub(super) fn shortened(load: &Load) -> Load {
    let amount = match load.amount {
        Amount::Requests(requests) => Amount::Requests((requests / 5).max(load.connections.into())),
        seconds @ Amount::Seconds(_) => seconds,
    };
    Load {
        amount,
        ..load.clone()
    }
}

/// Gives an open loop the connections that its rate needs, where the user did not say how many; what to say of it.
pub(super) fn size_pool(args: &TryArgs, plan: &mut Plan, seen: &AppTimes) -> Option<String> {
    let rate = args.rate.filter(|_| args.connections.is_none())?;
    let connections = seen.pool(rate, POOL);
    let own = plan.variants.iter_mut().filter_map(|of| of.load.as_mut());
    own.chain([&mut plan.load])
        .for_each(|load| load.connections = connections);
    Some(format!(
        "{} requests/s over up to {connections} connections; `-c N` makes it another number",
        units::number(rate)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_is_shortened_until_it_fits_and_no_further_than_it_says_something() {
        let plan = || Plan {
            load: Load {
                connections: 100,
                amount: Amount::Requests(REQUESTS),
                ..Load::default()
            },
            ..Plan::default()
        };
        let mut whole = plan();
        assert_eq!(shorten(&mut whole, |_| true), None);
        assert_eq!(whole.load.amount, Amount::Requests(1_000));
        let mut half = plan();
        let told = shorten(&mut half, |of| of.load.amount == Amount::Requests(500));
        assert!(told.unwrap().starts_with("  each trial has 500 requests"));
        assert_eq!(half.load.warm_up, WarmUpPlan::Requests(100));
        let mut slow = plan();
        assert!(shorten(&mut slow, |_| false).is_some());
        assert_eq!(slow.load.amount, Amount::Requests(250));
    }
}
