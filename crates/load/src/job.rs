use record::{Amount, Load, Protocol, Route, Target, WarmUpPlan};

use wire::{Ask, Session, Unsendable};

use crate::LoadError;

/// Everything that decides what a load does.
#[derive(Clone, Debug)]
pub struct Job {
    /// Where to connect.
    pub target: Target,
    /// What is spoken there.
    pub protocol: Protocol,
    /// The `Host` header, whatever the target.
    pub host: String,
    /// The request. Of the route's expectations only its status is used, through `expected`.
    pub route: Route,
    /// What every answer is compared with.
    pub expected: Expected,
    /// How much, how long, over how many connections.
    pub load: Load,
}

/// The answer that counts as right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Status.
    pub status: u16,
    /// Body.
    pub body: Body,
}

/// The body that counts as right. Bodies are compared as they arrive and never kept. The answer to
/// a `HEAD` request has none to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Any body.
    Any,
    /// Exactly these bytes.
    Exact(Vec<u8>),
    /// A body that contains each of these.
    Contains(Vec<Vec<u8>>),
}

impl Job {
    /// Longest time limit and longest window, in seconds: one hour, as distributions have it.
    const LONGEST: f64 = 3600.0;

    pub(crate) fn check(&self) -> Result<(), LoadError> {
        let wrong = |what: &'static str, value: String| Err(LoadError::Invalid { what, value });
        let seconds = |value: f64| value > 0.0 && value <= Self::LONGEST;
        let load = &self.load;
        if load.connections == 0 {
            return wrong(
                "connections must be at least 1",
                load.connections.to_string(),
            );
        }
        if !seconds(load.timeout) {
            return wrong(
                "the time limit must be above 0 and at most 3600 s",
                load.timeout.to_string(),
            );
        }
        match load.amount {
            Amount::Requests(0) => return wrong("requests must be at least 1", "0".to_owned()),
            // A day is beyond any use and keeps all arithmetic in nanoseconds exact.
            Amount::Seconds(length) if !seconds(length / 24.0) => {
                return wrong(
                    "the duration must be above 0 s and at most a day",
                    length.to_string(),
                );
            }
            _ => {}
        }
        crate::shape::check(load)?;
        match load.warm_up {
            WarmUpPlan::Seconds(length) if length != 0.0 && !seconds(length) => wrong(
                "the warm-up must be at least 0 and at most 3600 s",
                length.to_string(),
            ),
            _ => Ok(()),
        }
    }

    pub(crate) fn threads(&self) -> u32 {
        crate::threads(&self.load)
    }

    /// Connections of each thread: as even as can be, and their sum is exact.
    pub(crate) fn shares(&self) -> Vec<u64> {
        let (connections, threads) = (self.load.connections, self.threads());
        let (each, rest) = (u64::from(connections / threads), connections % threads);
        (0..threads)
            .map(|thread| each + u64::from(thread < rest))
            .collect()
    }

    /// The request, ready to be sent.
    pub(crate) fn request<S: Session>(&self) -> Result<S::Request, Unsendable> {
        let headers = &self.route.headers;
        let headers: Vec<(&str, &str)> = headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        S::prepare(&Ask {
            method: self.route.method.name(),
            path: &self.route.path,
            host: &self.host,
            headers: &headers,
            body: &[],
            keep_alive: self.load.keep_alive,
        })
    }
}
