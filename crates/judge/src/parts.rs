//! Where the time of a response is spent, as the front end that clients speak to has timed it.

use record::Measured;
use serde::Serialize;

use crate::seen_run::SeenRun;

/// Mean seconds of a response, by where they were spent.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Parts {
    /// The front end that clients speak to.
    pub front: String,
    /// What it passes requests on to.
    pub behind: String,
    /// All of it, from sent to answered.
    pub all: f64,
    /// Until the front end has the request, and from when it has handed over the response; in it, too, where `inside` is
    /// absent.
    pub outside: f64,
    /// In the front end, while no server behind it had the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<f64>,
    /// In the front end's queue, until a server behind it was free; absent where nothing waited there, or it does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<f64>,
    /// At the server behind, with the time to connect to it.
    pub server: f64,
}

impl Parts {
    /// Of a trial; `None` where its front end, if it has one, does not tell.
    fn of(measured: &Measured) -> Option<Self> {
        let mut passed = measured.stack.passed();
        let (front, behind) = (passed.next()?, passed.next()?);
        let all = measured.load.service.mean()?;
        let timed = |name| measured.observed.seconds(&front.entry, name);
        let queue = timed("queue-time");
        let first_byte = || Some(timed("connect-time")? + timed("first-byte-time")?);
        let server = timed("server-time").or_else(first_byte)?;
        let passed_on = queue.unwrap_or(0.0) + server;
        let request = timed("request-time");
        // each is a mean of its own, of some of the requests: what is less than nothing is nothing
        Some(Self {
            front: front.entry.clone(),
            behind: behind.entry.clone(),
            all,
            outside: (all - request.unwrap_or(passed_on)).max(0.0),
            inside: request.map(|request| (request - passed_on).max(0.0)),
            queue: queue.filter(|queue| *queue > 0.0),
            server,
        })
    }
}

/// Of a variant: its trial that counts and is in the middle of all by the time of a response.
pub(crate) fn of_variant(seen_run: &SeenRun, variant: &str) -> Option<Parts> {
    let trials = seen_run.of(variant);
    let counted = trials.filter(|seen| seen.opinion.counts);
    let mut parts: Vec<Parts> = counted
        .filter_map(|seen| Parts::of(seen.trial.measured()?))
        .collect();
    parts.sort_by(|one, other| one.all.total_cmp(&other.all));
    (!parts.is_empty()).then(|| parts.swap_remove(parts.len() / 2))
}
