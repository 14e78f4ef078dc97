//! The load of a plan file as a user types it, for all stages or for one.

use record::{Crowd, Process, Spread, Visits};
use serde::Deserialize;

/// A table whose keys are all optional, and which can be laid over another one.
macro_rules! load_table {
    ($($key:ident: $kind:ty,)*) => {
        /// `[load]`, or the `load` of a stage.
        #[derive(Clone, Debug, Default, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
        pub(crate) struct LoadTable {
            $(pub(crate) $key: Option<$kind>,)*
        }

        impl LoadTable {
            /// Each key of this one, or else of that one.
            fn or(&self, other: &Self) -> Self {
                Self { $($key: self.$key.clone().or_else(|| other.$key.clone()),)* }
            }
        }
    };
}

load_table! {
    connections: u32,
    requests: u64,
    seconds: f64,
    warm_up: WarmUpTable,
    keep_alive: bool,
    per_connection: u32,
    streams: u32,
    threads: u32,
    timeout: f64,
    drain: f64,
    connect_timeout: f64,
    first_byte_timeout: f64,
    think: f64,
    think_spread: Spread,
    rate: f64,
    ramp: Vec<f64>,
    steps: Vec<f64>,
    spike: Vec<f64>,
    arrivals: Process,
    max_outstanding: u32,
    retries: u32,
    retry_after: f64,
    backoff: f64,
    page: bool,
    page_connections: u32,
    page_visits: Visits,
    crowd: CrowdTable,
}

impl LoadTable {
    /// A stage's keys over those of the plan. Keys that exclude each other go together: a stage that
    /// counts requests does not go by the plan's seconds, and one with a rate has no think time.
    pub(crate) fn over(&self, plan: &Self) -> Self {
        let mut plan = plan.clone();
        if self.requests.is_some() || self.seconds.is_some() {
            (plan.requests, plan.seconds) = (None, None);
        }
        let rates = [
            self.ramp.is_some(),
            self.steps.is_some(),
            self.spike.is_some(),
        ];
        if self.rate.is_some() || rates.contains(&true) {
            (plan.rate, plan.ramp, plan.steps, plan.spike) = (None, None, None, None);
            (plan.think, plan.think_spread) = (None, None);
        }
        if self.think.is_some() {
            (plan.rate, plan.ramp, plan.steps, plan.spike) = (None, None, None, None);
            (plan.arrivals, plan.max_outstanding) = (None, None);
        }
        if self.retries == Some(0) {
            (plan.retry_after, plan.backoff) = (None, None);
        }
        if self.page == Some(false) {
            (plan.page_connections, plan.page_visits) = (None, None);
        }
        self.or(&plan)
    }
}

/// `{ requests = 200 }`, `{ seconds = 1 }`, or `{ until = "stationary", seconds = 10 }`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct WarmUpTable {
    pub(crate) requests: Option<u64>,
    pub(crate) seconds: Option<f64>,
    pub(crate) until: Option<Until>,
}

/// What a warm-up may wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Until {
    Stationary,
}

/// Who is there beside the measured connections.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct CrowdTable {
    idle: u32,
    slow_readers: u32,
    slow_writers: u32,
    slow_rate: f64,
    resets: f64,
}

impl Default for CrowdTable {
    fn default() -> Self {
        let Crowd {
            idle,
            slow_readers,
            slow_writers,
            slow_rate,
            resets,
        } = Crowd::default();
        Self {
            idle,
            slow_readers,
            slow_writers,
            slow_rate,
            resets,
        }
    }
}

impl From<&CrowdTable> for Crowd {
    fn from(table: &CrowdTable) -> Self {
        Self {
            idle: table.idle,
            slow_readers: table.slow_readers,
            slow_writers: table.slow_writers,
            slow_rate: table.slow_rate,
            resets: table.resets,
        }
    }
}
