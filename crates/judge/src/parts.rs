//! Where the time of a response is spent, as the front end that clients speak to has timed it, and until a server read the request.

use record::{Measured, QueueFacts};
use serde::Serialize;

use crate::seen_run::SeenRun;

/// Share of a response's time from which on it is told that a server had not begun to read the request, where nothing else is told.
const MUCH: f64 = 0.1;

/// Mean seconds of a response, by where they were spent.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
pub struct Parts {
    /// The front end that clients speak to; absent where they speak to the server itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front: Option<String>,
    /// What it passes requests on to, or the server itself.
    pub behind: String,
    /// All of it, from sent to answered.
    pub all: f64,
    /// Until the front end has the request, and from when it has handed over the response; in it, too, where `inside` is
    /// absent and `together` is not set. 0 where there is none.
    pub outside: f64,
    /// In the front end, while no server behind it had the request; absent where it does not tell that apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<f64>,
    /// In the front end's queue, until a server behind it was free; absent where nothing waited there, or it does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<f64>,
    /// At the server behind, with the time to connect to it; all where there is no front end.
    pub server: f64,
    /// Of `server`, until the program behind began to read the request: by Little's law from how many it had not begun to read in
    /// looks at its sockets, over the variant's trials. Absent where none waited so, and where looks were too few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<f64>,
    /// Whether `server` is the time in the front end and at the server behind together: the front end tells no other.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub together: bool,
}

impl Parts {
    /// Of a trial; `None` where its front end, if it has one, does not tell.
    fn of(measured: &Measured) -> Option<Self> {
        let mut passed = measured.stack.passed();
        let (first, second) = (passed.next(), passed.next());
        let all = measured.load.service.mean()?;
        let (Some(front), Some(behind)) = (first, second) else {
            // of a server that weir did not start its sockets tell the name
            let listens = || Some(&measured.observed.queues.first()?.program);
            let server = first.map(|of| &of.entry).or_else(listens)?;
            return Some(Self {
                behind: server.clone(),
                all,
                server: all,
                ..Self::default()
            });
        };
        let timed = |name| measured.observed.seconds(&front.entry, name);
        let queue = timed("queue-time");
        let first_byte = || Some(timed("connect-time")? + timed("first-byte-time")?);
        let behind_alone = timed("server-time").or_else(first_byte);
        let request = timed("request-time");
        let server = behind_alone.or(request)?;
        let passed_on = queue.unwrap_or(0.0) + server;
        let apart = request.filter(|_| behind_alone.is_some());
        // each is a mean of its own, of some of the requests: what is less than nothing is nothing
        Some(Self {
            front: Some(front.entry.clone()),
            behind: behind.entry.clone(),
            all,
            outside: (all - request.unwrap_or(passed_on)).max(0.0),
            inside: apart.map(|request| (request - passed_on).max(0.0)),
            queue: queue.filter(|queue| *queue > 0.0),
            server,
            unread: None, // one trial has few looks
            together: behind_alone.is_none(),
        })
    }
}

/// Of a variant: its trial that counts and is in the middle of all by the time of a response.
pub(crate) fn of_variant(seen_run: &SeenRun, variant: &str) -> Option<Parts> {
    let trials = seen_run.of(variant);
    let counted = trials.filter(|seen| seen.opinion.counts);
    let counted: Vec<&Measured> = counted.filter_map(|seen| seen.trial.measured()).collect();
    let mut parts: Vec<Parts> = counted.iter().copied().filter_map(Parts::of).collect();
    parts.sort_by(|one, other| one.all.total_cmp(&other.all));
    let middle = parts.len() / 2;
    let mut parts = parts.into_iter().nth(middle)?;
    let unread = until_read(&counted, &parts.behind);
    parts.unread = unread.map(|seconds| seconds.min(parts.server));
    let much = parts.unread >= Some(MUCH * parts.all);
    (parts.front.is_some() || much).then_some(parts)
}

/// Seconds that a request waits until this program begins to read it, by Little's law: those that do over the rate of responses.
fn until_read(trials: &[&Measured], program: &str) -> Option<f64> {
    let (mut all_looks, mut waiting, mut answered) = (0, 0.0, 0.0);
    for measured in trials {
        let Some((unread, looks)) = measured.observed.unread(program) else {
            continue;
        };
        all_looks += looks;
        waiting += unread * f64::from(looks);
        answered += measured.load.throughput() * f64::from(looks);
    }
    let enough = all_looks >= QueueFacts::ENOUGH_LOOKS;
    (enough && waiting > 0.0 && answered > 0.0).then(|| waiting / answered)
}
