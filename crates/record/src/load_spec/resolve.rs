//! A spec becomes a load: defaults filled in, contradictions refused by their key.

use super::rules::{self, Checked};
use super::{LoadSpec, Until, WarmUpSpec};
use crate::{Amount, Flaw, Load, RequestFile, Retry, Visitors, WarmUpPlan};

/// Longest warm-up that waits until rate and median are stationary, seconds.
const UNTIL_STATIONARY: f64 = 10.0;
/// Seconds in which the highest rate is looked for.
const SEARCH: f64 = 40.0;
/// Connections of a browser to a host, in HTTP/1.
const BROWSER: u32 = 6;

impl LoadSpec {
    /// The load that is asked for, on a machine with so many cores. `seed` is that of an open loop's
    /// arrivals.
    ///
    /// # Errors
    /// The first key that makes no sense or contradicts another one.
    pub fn resolve(&self, cores: u32, seed: u64) -> Result<Load, Flaw> {
        self.contradictions()?;
        let usual = Load::default();
        let amount = self.amount();
        let connections = self.connections.unwrap_or(usual.connections);
        let streams = self.streams.unwrap_or(usual.streams);
        let slots = u64::from(connections) * u64::from(streams);
        let mut load = Load {
            connections,
            amount,
            warm_up: warm_up(self.warm_up)?,
            keep_alive: self.keep_alive.unwrap_or(usual.keep_alive),
            threads: self.threads.unwrap_or(usual.threads),
            reactor: self.reactor.unwrap_or(usual.reactor),
            timeout: self.timeout.unwrap_or(usual.timeout),
            drain: self.drain,
            connect_timeout: self.connect_timeout,
            first_byte_timeout: self.first_byte_timeout,
            shape: self.shape(amount, slots, seed)?,
            streams,
            per_connection: self.per_connection,
            split: self.split.unwrap_or(usual.split),
            retry: self.retry(),
            page: self.visitors(),
            requests_from: self.requests_from()?,
            tls: None,
            sources: self.sources.clone().unwrap_or_default(),
            crowd: self.crowd.unwrap_or_default(),
            faults: self.faults.clone().unwrap_or_default(),
            goal: self.goal.clone(),
            profile: self.profile.filter(|rate| *rate != 0.0),
            unobserved: self.observe == Some(false),
        };
        load.check()?;
        if let Some(visitors) = load.page {
            load.for_visitors(visitors.connections, cores);
            load.check()?; // whole visitors may be more connections
        }
        Ok(load)
    }

    /// Keys that exclude each other, or mean nothing without another one.
    fn contradictions(&self) -> Checked<()> {
        if self.requests.is_some() && self.seconds.is_some() {
            return Err(Flaw::new(
                "seconds",
                "a load ends by {requests} or by {seconds}, not by both",
                "leave out one of the two",
            ));
        }
        if self.keep_alive == Some(false) && self.streams.is_some_and(|streams| streams > 1) {
            return Err(Flaw::new(
                "streams",
                "has no effect where each request has a connection of its own",
                "leave it out, or keep connections open",
            ));
        }
        let own_rates =
            self.requests.is_some() || self.think.is_some() || self.rates().next().is_some();
        if self.goal.is_some() && own_rates {
            return Err(Flaw::new(
                "goal",
                "looks for a rate of its own, within {seconds}",
                "leave out {requests}, {think} and {rate}",
            ));
        }
        let retries = self.retries.unwrap_or(0) > 0;
        let after = self.retry_after.is_some() && !retries;
        let backoff = self.backoff.is_some() && !retries;
        let page = self.page == Some(true);
        let each = self.page_connections.is_some() && !page;
        let visits = self.page_visits.is_some() && !page;
        let spread = self.think_spread.is_some() && self.think.is_none();
        rules::none_of(&[
            ("retry-after", after, "{retries = 3}"),
            ("backoff", backoff, "{retries = 3}"),
            ("page-connections", each, "{page = true}"),
            ("page-visits", visits, "{page = true}"),
            ("think-spread", spread, "{think = 0.01}"),
        ])
    }

    fn amount(&self) -> Amount {
        match (self.requests, self.seconds) {
            (Some(count), _) => Amount::Requests(count),
            (None, Some(seconds)) => Amount::Seconds(seconds),
            (None, None) if self.goal.is_some() => Amount::Seconds(SEARCH),
            (None, None) => Load::default().amount,
        }
    }

    fn retry(&self) -> Option<Retry> {
        let times = self.retries.unwrap_or(0);
        (times > 0).then(|| Retry {
            times,
            after: self.retry_after,
            backoff: self.backoff.unwrap_or(0.0),
        })
    }

    fn requests_from(&self) -> Checked<Option<RequestFile>> {
        let page = self.page == Some(true);
        Ok(Some(match (&self.mix, &self.replay) {
            (Some(_), Some(_)) => {
                let problem = "requests come from {mix} or from {replay}, not from both";
                return Err(Flaw::new("replay", problem, "leave out one of the two"));
            }
            (None, None) => return Ok(None),
            _ if page => {
                let problem = "has no effect where requests come from a file";
                return Err(Flaw::new("page", problem, "leave it out, or the file"));
            }
            (Some(mix), None) => RequestFile::Mix(mix.clone()),
            (None, Some(log)) => RequestFile::Replay(log.clone()),
        }))
    }

    fn visitors(&self) -> Option<Visitors> {
        (self.page == Some(true)).then(|| Visitors {
            connections: self.page_connections.unwrap_or(BROWSER),
            visits: self.page_visits.unwrap_or_default(),
        })
    }
}

fn warm_up(spec: Option<WarmUpSpec>) -> Checked<WarmUpPlan> {
    let Some(spec) = spec else {
        return Ok(Load::default().warm_up);
    };
    match (spec.requests, spec.seconds, spec.until) {
        (Some(0), None, None) | (None, Some(0.0), None) => Ok(WarmUpPlan::None),
        (Some(count), None, None) => Ok(WarmUpPlan::Requests(count)),
        (None, Some(seconds), None) => Ok(WarmUpPlan::Seconds(seconds)),
        (None, most, Some(Until::Stationary)) => {
            Ok(WarmUpPlan::Stationary(most.unwrap_or(UNTIL_STATIONARY)))
        }
        _ => Err(Flaw::new(
            "warm-up",
            "needs `requests`, `seconds`, or `until` with at most so many `seconds`",
            "write {warm-up.requests = 200}",
        )),
    }
}
