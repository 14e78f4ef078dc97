use record::{Amount, WarmUpPlan};

use crate::arrivals::Span;
use crate::clock::nanoseconds;

/// What is applied in one phase; with neither there is none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Phase {
    pub(crate) requests: Option<u64>,
    /// Nanoseconds.
    pub(crate) length: Option<u64>,
}

impl Phase {
    pub(crate) fn warm_up(plan: WarmUpPlan) -> Self {
        match plan {
            WarmUpPlan::None => Self::default(),
            WarmUpPlan::Requests(requests) => Self::new(Some(requests), None),
            WarmUpPlan::Seconds(length) | WarmUpPlan::Stationary(length) => {
                Self::new(None, Some(length))
            }
        }
    }

    pub(crate) fn window(amount: Amount) -> Self {
        match amount {
            Amount::Requests(requests) => Self::new(Some(requests), None),
            Amount::Seconds(length) => Self::new(None, Some(length)),
        }
    }

    fn new(requests: Option<u64>, seconds: Option<f64>) -> Self {
        let length = seconds.map(nanoseconds);
        Self { requests, length }
    }

    pub(crate) fn span(self, start: u64) -> Span {
        let Self { requests, length } = self;
        Span {
            start,
            length,
            requests,
        }
    }

    pub(crate) fn is_none(self) -> bool {
        self.requests.unwrap_or(0) == 0 && self.length.unwrap_or(0) == 0
    }
}
