use std::sync::{Arc, Mutex, PoisonError};

use record::Distribution;

/// What a load tells while it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// How far the warm-up is.
    WarmUp(Tick),
    /// The measured window is about to open; the workers wait until the callback returns.
    Opened,
    /// How far the measured window is.
    Tick(Tick),
    /// The window is over, what was in flight has been waited for, and the workers are idle.
    Closed,
}

/// A look at a running phase.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tick {
    /// Seconds since the phase began.
    pub elapsed: f64,
    /// Requests answered rightly in this phase.
    pub completed: u64,
    /// Requests that the phase is to make, when it goes by count.
    pub of: Option<u64>,
    /// Requests answered rightly per second since the tick before.
    pub rate: f64,
    /// Median of the response time since the tick before, in seconds.
    pub p50: Option<f64>,
    /// 99th percentile of the response time since the tick before, in seconds; `None` when nothing
    /// was answered.
    pub p99: Option<f64>,
    /// Requests that failed or timed out in this phase, without those that met a full accept queue.
    pub failed: u64,
    /// Response times since the tick before.
    pub recent: Arc<Distribution>,
}

/// Figures that a worker publishes a few times per second.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    pub(crate) completed: u64,
    /// Requests that failed in a way that lets nobody hope.
    pub(crate) hopeless: u64,
    /// All response times of the phase.
    pub(crate) response: Distribution,
}

/// Where a worker leaves its figures and the caller's thread finds them.
#[derive(Debug, Default)]
pub(crate) struct Board(Mutex<Figures>);

impl Board {
    pub(crate) fn publish(&self, completed: u64, hopeless: u64, response: &Distribution) {
        let mut figures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        figures.completed = completed;
        figures.hopeless = hopeless;
        figures.response.clone_from(response);
    }

    pub(crate) fn add_to(&self, sum: &mut Figures) {
        let figures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sum.completed += figures.completed;
        sum.hopeless += figures.hopeless;
        sum.response.merge(&figures.response);
    }
}
