use std::net::IpAddr;

use record::{Amount, Load, Protocol, Shape, Target, WarmUpPlan, limits};

use crate::error::{
    AT_ONCE, CONNECTIONS, CROWD, NO_PARAMS, OTHER_KIND, OUTSTANDING, STREAMS, THREADS,
};
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
        check_counts(load)?;
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
        if let Some(drain) = load
            .drain
            .filter(|drain| !(0.0..=Self::LONGEST).contains(drain))
        {
            return wrong(
                "the drain must be at least 0 and at most 3600 s",
                drain.to_string(),
            );
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

/// Refuses a load of more connections, threads or requests at once than [`limits`] has, before anything
/// is made for each of them.
///
/// # Errors
/// [`LoadError::Invalid`], with the number.
pub fn check_counts(load: &Load) -> Result<(), LoadError> {
    let crowd = &load.crowd;
    let crowd = [crowd.idle, crowd.slow_readers, crowd.slow_writers].map(u64::from);
    let outstanding = match &load.shape {
        Shape::Open(arrivals) => arrivals.max_outstanding,
        Shape::Closed { .. } | Shape::Recorded { .. } => 0,
    };
    let at_once = u64::from(load.connections) * u64::from(load.streams);
    let most = u64::from(limits::CONNECTIONS);
    for (what, value, least, most) in [
        (CONNECTIONS, load.connections.into(), 1, most),
        (STREAMS, load.streams.into(), 1, limits::STREAMS.into()),
        (AT_ONCE, at_once, 1, limits::AT_ONCE),
        (CROWD, crowd.iter().sum(), 0, most),
        (THREADS, load.threads.into(), 0, limits::THREADS.into()),
        (
            OUTSTANDING,
            outstanding.into(),
            0,
            limits::OUTSTANDING.into(),
        ),
    ] {
        if !(least..=most).contains(&value) {
            let value = value.to_string();
            return Err(LoadError::Invalid { what, value });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demands_name_the_limits_that_hold() {
        for (what, limit) in [
            (CONNECTIONS, limits::CONNECTIONS.into()),
            (STREAMS, limits::STREAMS.into()),
            (AT_ONCE, limits::AT_ONCE),
            (CROWD, limits::CONNECTIONS.into()),
            (THREADS, limits::THREADS.into()),
            (OUTSTANDING, limits::OUTSTANDING.into()),
        ] {
            let plain = what.replace(',', "");
            assert!(plain.ends_with(&format!(" {limit}")), "{what}");
        }
    }

    #[test]
    fn counts_beyond_any_machine_are_refused() {
        let all = u32::MAX;
        let refused = |change: fn(&mut Load)| {
            let mut load = Load::default();
            change(&mut load);
            let error = check_counts(&load).unwrap_err();
            assert!(error.hint().is_some(), "{error}");
            error.to_string()
        };
        assert_eq!(
            refused(|load| load.connections = u32::MAX),
            format!("connections must be between 1 and 1,000,000, not `{all}`")
        );
        assert!(refused(|load| load.connections = 0).contains("not `0`"));
        assert!(
            refused(|load| load.streams = u32::MAX).starts_with("requests under way at once on")
        );
        assert!(
            refused(|load| (load.connections, load.streams) = (100_000, 1000))
                .starts_with("connections times requests at once")
        );
        assert!(refused(|load| load.threads = u32::MAX).starts_with("threads"));
        assert!(refused(|load| load.crowd.idle = u32::MAX).starts_with("the crowd's connections"));
        assert_eq!(
            check_counts(&Load::default()).map_err(|error| error.to_string()),
            Ok(())
        );
    }
}
