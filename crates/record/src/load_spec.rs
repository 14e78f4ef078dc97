//! A load as a user asks for it, and what that means.
//!
//! [`LoadSpec`] is what plans, stages and the command line all fill in. Specs are laid over one
//! another ([`LoadSpec::over`]) and resolved once ([`LoadSpec::resolve`]); the rules are in
//! [`rules`], which hold for a [`Load`](crate::Load) wherever it comes from.

mod resolve;
mod rules;
mod shape;

use std::net::IpAddr;

use serde::Deserialize;

use crate::{Crowd, Process, Spread, Visits};

/// A table whose keys are all optional, and which can be laid over another one.
macro_rules! load_spec {
    ($($(#[$doc:meta])* $key:ident: $kind:ty,)*) => {
        /// A load as a user asks for it. Every key is optional; `docs/plan.toml` explains each.
        #[derive(Clone, Debug, Default, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
        pub struct LoadSpec {
            $($(#[$doc])* pub $key: Option<$kind>,)*
        }

        impl LoadSpec {
            /// Each key of this one, or else of that one.
            fn or(self, other: Self) -> Self {
                Self { $($key: self.$key.or(other.$key),)* }
            }
        }
    };
}

load_spec! {
    /// Connections kept busy (closed loop), or ready for what falls due (open loop).
    connections: u32,
    /// Requests after which the window ends.
    requests: u64,
    /// Seconds after which the window ends.
    seconds: f64,
    /// Load that is applied and thrown away before the window.
    warm_up: WarmUpSpec,
    /// Whether a connection carries more than one request.
    keep_alive: bool,
    /// Requests after which a connection is closed and opened anew.
    per_connection: u32,
    /// Most requests under way at once on a connection.
    streams: u32,
    /// Worker threads; 0 for one per core.
    threads: u32,
    /// Seconds after which an unanswered request counts as timed out.
    timeout: f64,
    /// Seconds to wait, after the window, for requests that are under way.
    drain: f64,
    /// Seconds that opening a connection may take.
    connect_timeout: f64,
    /// Seconds from a request to the first byte of its answer.
    first_byte_timeout: f64,
    /// Closed loop: seconds between an answer and the connection's next request.
    think: f64,
    /// How think times scatter.
    think_spread: Spread,
    /// Open loop: requests per second.
    rate: f64,
    /// Open loop: rates to go through in straight lines of equal length.
    ramp: Vec<f64>,
    /// Open loop: rates to hold for equal times.
    steps: Vec<f64>,
    /// Open loop: a rate, and the one for a tenth of the window in its middle.
    spike: Vec<f64>,
    /// How arrivals scatter around the rate.
    arrivals: Process,
    /// Open loop: most requests due and unfinished.
    max_outstanding: u32,
    /// Most times that a failed request is tried again.
    retries: u32,
    /// Seconds after which an unanswered attempt is tried again.
    retry_after: f64,
    /// Seconds of pause before the first retry.
    backoff: f64,
    /// Whether the route is a page, loaded with all that it needs.
    page: bool,
    /// Connections of each visitor of a page.
    page_connections: u32,
    /// With which cache a page's visitors come.
    page_visits: Visits,
    /// Addresses of this machine to connect from, in turn.
    sources: Vec<IpAddr>,
    /// Connections beside the measured ones.
    crowd: Crowd,
}

impl LoadSpec {
    /// What a plan's load is where nothing else is said.
    pub fn of_plans() -> Self {
        Self {
            connections: Some(100),
            warm_up: Some(WarmUpSpec::seconds(1.0)),
            ..Self::default()
        }
    }

    /// This one's keys over those of `other`. Keys that exclude each other go together: a stage that
    /// counts requests does not go by the plan's seconds, and one with a rate has no think time.
    #[must_use]
    pub fn over(&self, other: &Self) -> Self {
        let mut other = other.clone();
        if self.requests.is_some() || self.seconds.is_some() {
            (other.requests, other.seconds) = (None, None);
        }
        if self.rates().next().is_some() {
            (other.rate, other.ramp, other.steps, other.spike) = (None, None, None, None);
            (other.think, other.think_spread) = (None, None);
        }
        if self.think.is_some() {
            (other.rate, other.ramp, other.steps, other.spike) = (None, None, None, None);
            (other.arrivals, other.max_outstanding) = (None, None);
        }
        if self.retries == Some(0) {
            (other.retry_after, other.backoff) = (None, None);
        }
        if self.page == Some(false) {
            (other.page_connections, other.page_visits) = (None, None);
        }
        self.clone().or(other)
    }
}

/// `{ requests = 200 }`, `{ seconds = 1 }`, or `{ until = "stationary", seconds = 10 }`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WarmUpSpec {
    /// Requests, 0 for no warm-up.
    pub requests: Option<u64>,
    /// Seconds, 0 for no warm-up; with `until`, at most so many.
    pub seconds: Option<f64>,
    /// What it lasts until.
    pub until: Option<Until>,
}

impl WarmUpSpec {
    /// So many seconds; 0 for none.
    pub fn seconds(seconds: f64) -> Self {
        Self {
            seconds: Some(seconds),
            ..Self::default()
        }
    }

    /// Until rate and median are stationary.
    pub fn until_stationary() -> Self {
        Self {
            until: Some(Until::Stationary),
            ..Self::default()
        }
    }
}

/// What a warm-up may last until.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// Rate and median of two looks in a row agree.
    Stationary,
}

#[cfg(test)]
mod tests;
