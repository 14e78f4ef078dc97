//! A load as a user asks for it, and what that means.
//!
//! [`LoadSpec`] is what plans, variants and the command line all fill in. Specs are laid over one
//! another ([`LoadSpec::over`]) and resolved once ([`LoadSpec::resolve`]); the rules are in
//! [`rules`], which hold for a [`Load`](crate::Load) wherever it comes from.

mod faults;
mod resolve;
mod rules;
mod shape;
mod warm_up;
mod written;

use std::net::IpAddr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use shape::RateShape;
use shape::hold;

use crate::{Arrivals, Crowd, Fault, Process, Reactor, Spread, Visits};

/// A table whose keys are all optional, and which can be laid over another one. Each shape of a rate is a key of it
/// and a row of [`RATE_SHAPES`].
macro_rules! load_spec {
    (keys { $($(#[$doc:meta])* $key:ident: $kind:ty,)* }
    rate_shapes { $($(#[doc = $help:literal])* $shape:ident {
        rates: $rates:literal, needs: $needs:literal, hint: $hint:literal, segments: $segments:expr,
    })* }) => {
        /// A load as a user asks for it. Every key is optional; `docs/plan.toml` explains each.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(
            deny_unknown_fields,
            rename_all = "kebab-case",
            default,
            expecting = "a table, as in `load = { connections = 100, seconds = 2 }`"
        )]
        pub struct LoadSpec {
            $($(#[$doc])* #[serde(skip_serializing_if = "Option::is_none")] pub $key: Option<$kind>,)*
            $($(#[doc = $help])* #[serde(skip_serializing_if = "Option::is_none")]
            pub $shape: Option<Vec<f64>>,)*
        }

        /// Every way in which the rate of an open loop changes.
        pub const RATE_SHAPES: &[RateShape] = &[$(RateShape {
            key: stringify!($shape),
            help: concat!($($help),*),
            rates: $rates,
            needs: $needs,
            hint: $hint,
            segments: $segments,
            given: |spec| spec.$shape.as_deref(),
            field: |spec| &mut spec.$shape,
        }),*];

        impl LoadSpec {
            /// The keys that it has, as they are written in a plan.
            pub fn given(&self) -> impl Iterator<Item = String> + use<> {
                let keys = [
                    $((self.$key.is_some(), stringify!($key)),)*
                    $((self.$shape.is_some(), stringify!($shape)),)*
                ];
                let keys = keys.into_iter().filter(|(given, _)| *given);
                keys.map(|(_, key)| key.replace('_', "-"))
            }

            /// Each key of this one, or else of that one.
            fn or(self, other: Self) -> Self {
                Self {
                    $($key: self.$key.or(other.$key),)*
                    $($shape: self.$shape.or(other.$shape),)*
                }
            }
        }
    };
}

load_spec! { keys {
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
    /// Whether a request's head and body leave in two segments.
    split: bool,
    /// Most requests under way at once on a connection.
    streams: u32,
    /// Worker threads; 0 for one per core.
    threads: u32,
    /// How they learn what their sockets bring.
    reactor: Reactor,
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
    /// Plans: the variant whose throughput in a closed loop the rates are shares of.
    of_capacity: String,
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
    /// File of weighted requests, in place of the route.
    mix: PathBuf,
    /// Access log or browser's archive whose requests are sent in their order, in place of the route.
    replay: PathBuf,
    /// Addresses of this machine to connect from, in turn.
    sources: Vec<IpAddr>,
    /// Connections beside the measured ones.
    crowd: Crowd,
    /// What befalls the app server in the window.
    faults: Vec<Fault>,
    /// Conditions: the highest rate at which they hold is looked for.
    goal: String,
    /// Looks per second at what the threads of the stack's programs do.
    profile: f64,
    /// Whether processes, sockets and counters are looked at in the window, too.
    observe: bool,
} rate_shapes {
    /// Open loop: rates to ramp through linearly over the duration, as in 100:1000
    ramp {
        rates: "A:B[:C...]",
        needs: "needs two rates at least",
        hint: "give where it begins and where it ends, such as 100 and 1000",
        segments: |rates, seconds| (rates.len() > 1).then(|| Arrivals::ramp(rates, seconds)),
    }
    /// Open loop: rates to hold in turn over the duration, as in 100:200:400
    steps {
        rates: "A:B[:C...]",
        needs: "needs a rate at least",
        hint: "give the rates in turn, such as 100 and 200",
        segments: |rates, seconds| Some(Arrivals::steps(rates, seconds)),
    }
    /// Open loop: base rate, and the peak rate for a tenth of the duration in its middle
    spike {
        rates: "BASE:PEAK",
        needs: "needs two rates",
        hint: "give the rate before and after and the one at the peak, such as 100 and 1000",
        segments: |rates, seconds| match rates {
            &[base, peak] => Some(hold(&[(base, 0.45), (peak, 0.1), (base, 0.45)], seconds)),
            _ => None,
        },
    }
} }

impl LoadSpec {
    /// What a plan's load is where nothing else is said.
    pub fn of_plans() -> Self {
        Self {
            connections: Some(100),
            warm_up: Some(WarmUpSpec::seconds(1.0)),
            ..Self::default()
        }
    }

    /// This one's keys over those of `other`. Keys that exclude each other go together: a variant that
    /// counts requests does not go by the plan's seconds, and one with a rate has no think time.
    #[must_use]
    pub fn over(&self, other: &Self) -> Self {
        let mut other = other.clone();
        if self.requests.is_some() || self.seconds.is_some() {
            (other.requests, other.seconds) = (None, None);
        }
        if self.rates().next().is_some() {
            other.forget_rates();
            (other.think, other.think_spread) = (None, None);
        }
        if self.think.is_some() {
            other.forget_rates();
            (other.arrivals, other.max_outstanding) = (None, None);
        }
        if self.retries == Some(0) {
            (other.retry_after, other.backoff) = (None, None);
        }
        if self.mix.is_some() || self.replay.is_some() {
            (other.mix, other.replay) = (None, None);
        }
        if self.page == Some(false) {
            (other.page_connections, other.page_visits) = (None, None);
        }
        self.clone().or(other)
    }
}

/// `{ requests = 200 }`, `{ seconds = 1 }` or `1`, or `{ until = "stationary", seconds = 10 }`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct WarmUpSpec {
    /// Requests, 0 for no warm-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
    /// Seconds, 0 for no warm-up; with `until`, at most so many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// What it lasts until.
    #[serde(skip_serializing_if = "Option::is_none")]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// The mean rate and the mean median of the last two looks agree with those of the two looks before them.
    Stationary,
}

#[cfg(test)]
mod tests;
