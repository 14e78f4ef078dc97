use serde::Serialize;

use crate::totals::Totals;

/// Whether so many requests are enough for a quantile (0 to 1).
pub(crate) type Enough = fn(f64, u64) -> bool;

/// What requests cost in one log. Times are in seconds.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Figures {
    /// Requests.
    pub count: u64,
    /// Those of them whose time is known: all times are of these.
    pub timed: u64,
    /// Responses with a status from 200 to 299.
    pub successes: u64,
    /// Responses with a status from 300 to 399.
    pub redirects: u64,
    /// Responses with a status from 500 on.
    pub errors: u64,
    /// Responses with a status from 400 to 499.
    pub client_errors: u64,
    /// Requests of which the log says that they got no response.
    pub unanswered: u64,
    /// Time of all requests together: what making it faster can save at most.
    pub sum: f64,
    /// The same as a share of the time of all endpoints, 0 to 1; absent where no time is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Mean time; absent where no time is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Median time, to three digits; absent where fewer than 10 times lie beyond it, as for the next three.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50: Option<f64>,
    /// 90th percentile of the time, to three digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p90: Option<f64>,
    /// 95th percentile of the time, to three digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95: Option<f64>,
    /// 99th percentile of the time, to three digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99: Option<f64>,
    /// Longest time; absent where no time is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Bytes of all responses whose size is known; absent where none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Whether the log says the status of any response.
    #[serde(skip)]
    pub has_statuses: bool,
}

impl Figures {
    pub(crate) fn of(totals: &Totals, all: f64, enough: Option<Enough>) -> Self {
        let timed = |value: f64| (totals.timed > 0).then_some(value);
        let quantile = |q: f64| {
            let given = enough.is_none_or(|enough| enough(q, totals.timed));
            totals.quantile(q).filter(|_| given)
        };
        Self {
            count: totals.count,
            timed: totals.timed,
            successes: totals.statuses[2],
            redirects: totals.statuses[3],
            errors: totals.statuses[5],
            client_errors: totals.statuses[4],
            unanswered: totals.unanswered,
            sum: totals.sum,
            share: timed(totals.sum / all).filter(|share| share.is_finite()),
            mean: timed(totals.sum / totals.timed.max(1) as f64),
            p50: quantile(0.5),
            p90: quantile(0.9),
            p95: quantile(0.95),
            p99: quantile(0.99),
            max: timed(totals.max),
            bytes: (totals.sized > 0).then_some(totals.bytes),
            has_statuses: totals.statuses[0] < totals.count || totals.unanswered > 0,
        }
    }
}
