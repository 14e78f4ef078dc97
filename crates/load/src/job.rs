use std::net::IpAddr;

use record::{Amount, Load, Protocol, Target, WarmUpPlan};

use crate::error::{NO_PARAMS, OTHER_KIND};
use crate::{LoadError, Traffic};

/// Everything that decides what a load does.
#[derive(Clone, Debug)]
pub struct Job {
    /// Where to connect.
    pub target: Target,
    /// What is spoken there.
    pub protocol: Protocol,
    /// The `Host` header, whatever the target.
    pub host: String,
    /// What app servers are told beside the request.
    pub cgi: Cgi,
    /// What is asked, and which answers count as right.
    pub traffic: Traffic,
    /// How much, how long, over how many connections.
    pub load: Load,
    /// Whether a target that answers nothing rightly is a fact rather than an error: one that was seen to
    /// answer just before, and breaks under the load.
    pub may_break: bool,
}

/// What a front end is configured to tell an app server with each request, in FastCGI, SCGI and uwsgi.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cgi {
    /// The folder in which a request's path names a script; absent for an application that is mounted
    /// at the root.
    pub document_root: Option<String>,
    /// Names and values of further variables, and of those that stand for weir's own.
    pub params: Vec<(String, String)>,
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
        if load.streams == 0 {
            return wrong("requests at once must be at least 1", "0".to_owned());
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
        let scripts = [Protocol::FastCgi, Protocol::Scgi, Protocol::Uwsgi];
        if self.cgi != Cgi::default() && !scripts.contains(&self.protocol) {
            return wrong(NO_PARAMS, self.protocol.words().to_owned());
        }
        crate::tls::check(self)?;
        crate::shape::check(load)?;
        self.check_connections()?;
        crate::crowd::check(load)?;
        match load.warm_up {
            WarmUpPlan::Seconds(length) | WarmUpPlan::Stationary(length)
                if length != 0.0 && !seconds(length) =>
            {
                wrong(
                    "the warm-up must be at least 0 and at most 3600 s",
                    length.to_string(),
                )
            }
            _ => Ok(()),
        }
    }

    /// The demands on single connections.
    fn check_connections(&self) -> Result<(), LoadError> {
        let wrong = |what: &'static str, value: String| Err(LoadError::Invalid { what, value });
        let load = &self.load;
        if !(1..=1000).contains(&load.streams) {
            return wrong(
                "requests under way at once on a connection must be between 1 and 1000",
                load.streams.to_string(),
            );
        }
        if load.per_connection == Some(0) {
            return wrong("a connection must carry at least 1 request", "0".to_owned());
        }
        let retry = load.retry.unwrap_or_default();
        let limits = [load.connect_timeout, load.first_byte_timeout, retry.after];
        for limit in limits.into_iter().flatten() {
            if !(limit > 0.0 && limit <= load.timeout) {
                return wrong(
                    "a time limit of a part must be above 0 s and at most that of the whole",
                    limit.to_string(),
                );
            }
        }
        if !(0.0..=Self::LONGEST).contains(&retry.backoff) {
            return wrong(
                "a back-off must be at least 0 and at most 3600 s",
                retry.backoff.to_string(),
            );
        }
        self.check_sources()?;
        self.traffic.check()
    }

    /// Connections can come from addresses of the target's kind.
    fn check_sources(&self) -> Result<(), LoadError> {
        let misfit = |source: &&IpAddr| match self.target {
            Target::Tcp(address) => source.is_ipv4() != address.is_ipv4(),
            Target::Unix(_) => true,
        };
        match self.load.sources.iter().find(misfit) {
            None => Ok(()),
            Some(source) => Err(LoadError::Invalid {
                what: OTHER_KIND,
                value: source.to_string(),
            }),
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
}
