//! What the command line says of a load, as the spec that plans fill in too.

use record::{LoadSpec, WarmUpSpec};

use super::{BenchArgs, Methods};

/// Fewer requests have no warm-up.
const FEW: u64 = 100;
/// How many times as many requests are measured as warm up before them, as in `weir try`.
const WARM_UP: u64 = 5;
/// Longest warm-up of a typed duration, in seconds: as long as that, but for these bounds.
const UNTIL: (f64, f64) = (2.0, 10.0);

impl BenchArgs {
    /// The load as it was typed, with what `weir bench` takes where nothing was.
    pub(crate) fn load_spec(&self) -> LoadSpec {
        let page = self.traffic.page.then_some(true);
        let mut typed = LoadSpec {
            connections: self.load.connections,
            requests: self.load.requests,
            seconds: self.load.duration,
            warm_up: self.load.warm_up.map(WarmUpSpec::seconds),
            keep_alive: self.no_keep_alive.then_some(false),
            per_connection: self.clients.per_connection,
            split: self.clients.split.then_some(true),
            streams: self.spoken.streams.or(self.spoken.pipeline),
            threads: self.load.threads,
            reactor: self.load.reactor,
            timeout: self.load.timeout,
            drain: self.load.drain,
            connect_timeout: self.clients.connect_timeout,
            first_byte_timeout: self.clients.first_byte_timeout,
            think: self.load.think,
            think_spread: self.load.think_spread,
            rate: self.load.rate,
            arrivals: self.load.arrivals,
            max_outstanding: self.load.max_outstanding,
            retries: self.clients.retries,
            retry_after: self.clients.retry_after,
            backoff: self.clients.backoff,
            page,
            page_connections: self.traffic.page_connections,
            page_visits: self.traffic.page_visits,
            sources: Some(self.clients.source.clone()),
            crowd: Some(self.crowd.crowd()),
            profile: self.load.profile,
            ..LoadSpec::default()
        };
        for (shape, rates) in &self.load.changing.0 {
            *(shape.field)(&mut typed) = Some(rates.clone());
        }
        typed.over(&self.usual())
    }

    /// The same, or the first load of a sweep.
    pub(crate) fn first_load(&self) -> LoadSpec {
        let typed = self.load_spec();
        let first = self
            .points
            .sweep
            .as_ref()
            .and_then(|sweep| sweep.specs().next());
        match first {
            Some((_, spec)) => spec.over(&typed),
            None => typed,
        }
    }

    /// Whether exactly so many requests are sent as were asked for, and none beside them: whoever gives a number for
    /// a method that changes something on the server (one that is not safe, RFC 9110, section 9.2.1) wants that
    /// number of orders, and not more of a warm-up that nobody asked for. So few that no figure needs a warm-up are
    /// counted too, whatever they ask.
    pub(crate) fn is_exact(&self) -> bool {
        const SAFE: [&str; 4] = ["GET", "HEAD", "OPTIONS", "TRACE"];
        let all = self.traffic.replay_methods == Methods::All;
        let safe = SAFE.contains(&self.method()) && !all;
        let requests = self.load.requests;
        requests.is_some_and(|requests| requests < FEW || !safe)
    }

    /// A script counts what it sees, which is to be what is reported. A number of requests has a warm-up in proportion to it.
    fn usual(&self) -> LoadSpec {
        let warm_up = match self.load.requests {
            _ if self.script.script.is_some() || self.is_exact() => WarmUpSpec::seconds(0.0),
            Some(requests) => WarmUpSpec {
                requests: Some(requests / WARM_UP),
                ..WarmUpSpec::default()
            },
            None => WarmUpSpec {
                seconds: self
                    .load
                    .duration
                    .map(|length| length.clamp(UNTIL.0, UNTIL.1)),
                ..WarmUpSpec::until_stationary()
            },
        };
        LoadSpec {
            warm_up: Some(warm_up),
            ..LoadSpec::default()
        }
    }
}

/// Keys of a load as options of `weir bench`.
pub(crate) fn as_options(key: &str, value: Option<&str>) -> String {
    let option = match key {
        "seconds" => "duration",
        "warm-up.seconds" => "warm-up",
        "crowd" => "idle",
        key => key.strip_prefix("crowd.").unwrap_or(key),
    };
    let times = [
        "backoff",
        "connect-timeout",
        "drain",
        "duration",
        "first-byte-timeout",
        "retry-after",
        "think",
        "timeout",
        "warm-up",
    ];
    match value {
        None | Some("true") => format!("`--{option}`"),
        Some(value) if times.contains(&option) => format!("`--{option} {value}s`"),
        Some(value) => format!("`--{option} {value}`"),
    }
}

/// The same where requests are pipelined.
pub(crate) fn as_pipelined(key: &str, value: Option<&str>) -> String {
    as_options(if key == "streams" { "pipeline" } else { key }, value)
}

/// The same as options of `weir wrk`.
pub(crate) fn as_wrk(key: &str, value: Option<&str>) -> String {
    let option = match key {
        "connections" => "-c",
        "threads" => "-t",
        "seconds" => "-d",
        "timeout" => "-T",
        "rate" => "-R",
        _ => return as_options(key, value),
    };
    short(option, value)
}

/// The same as options of `weir ab`.
pub(crate) fn as_ab(key: &str, value: Option<&str>) -> String {
    let option = match key {
        "connections" => "-c",
        "requests" => "-n",
        "seconds" => "-t",
        "timeout" => "-s",
        _ => return as_options(key, value),
    };
    short(option, value)
}

fn short(option: &str, value: Option<&str>) -> String {
    match value {
        None => format!("`{option}`"),
        Some(value) => format!("`{option} {value}`"),
    }
}
