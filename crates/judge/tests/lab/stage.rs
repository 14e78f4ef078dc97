//! A stage whose clients set the pace, for findings to spoil.

use judge::{FindingKind, Found};
use record::{
    Arrivals, Distribution, Knob, Measured, Process, ProcessCost, Scale, ServerFacts, Shape,
};

use super::{CONNECTIONS, REQUESTS, facts, run, trial};

/// Seconds of the window, and requests per second.
pub(crate) const SECONDS: f64 = 10.0;
pub(crate) const RATE: f64 = 100.0;

/// Ten clients in a closed loop, 100 ms a response, a third of two cores used: the clients set the pace.
pub(crate) fn found(spoil: impl Fn(&mut Measured)) -> Vec<Found> {
    let run = run(&["one"]);
    let trials: Vec<_> = (0..3).map(|block| trial(block, "one", RATE)).collect();
    let trials: Vec<_> = trials
        .into_iter()
        .map(|mut trial| {
            let facts = facts(&mut trial);
            facts.load.service = facts.load.response.clone();
            facts.load.kept_busy = Some(u64::from(CONNECTIONS));
            facts.stack.servers = vec![server("nginx", &[]), server("gunicorn", &[("workers", 1)])];
            spoil(facts);
            trial
        })
        .collect();
    judge::judge(&run, &trials).variants[0].findings.clone()
}

pub(crate) fn kinds(spoil: impl Fn(&mut Measured)) -> Vec<FindingKind> {
    let found = found(spoil).into_iter();
    found.map(|found| found.finding.kind).collect()
}

pub(crate) fn first(spoil: impl Fn(&mut Measured)) -> Found {
    found(spoil).into_iter().next().expect("something is found")
}

pub(crate) fn server(entry: &str, knobs: &[(&str, i64)]) -> ServerFacts {
    let has = |wanted: &str| {
        let mut names = knobs.iter().map(|(name, _)| *name);
        names.find(|name| *name == wanted).map(str::to_owned)
    };
    let scale = Scale {
        processes: has("workers"),
        slots: has("threads").or(has("workers")),
        backlog: has("backlog"),
        handed: has("server-maxconn"),
        turn: has("max-fast-inline"),
        kept: has("upstream-keepalive"),
    };
    let knobs = knobs.iter();
    ServerFacts {
        scale,
        entry: entry.to_owned(),
        knobs: knobs
            .map(|(name, value)| ((*name).to_owned(), Knob::Number(*value)))
            .collect(),
        ..ServerFacts::default()
    }
}

pub(crate) fn process(owner: &str, cores: f64) -> ProcessCost {
    ProcessCost {
        owner: owner.to_owned(),
        cpu_user: cores * SECONDS,
        ..ProcessCost::default()
    }
}

/// So many requests per second fall due, whatever the stack does.
pub(crate) fn at_a_rate(facts: &mut Measured, offered: f64) {
    facts.load.offered = Some(offered);
    facts.load.shape = Shape::Open(Arrivals {
        process: Process::Poisson,
        segments: Arrivals::steady(offered),
        max_outstanding: 100,
        seed: 1,
    });
}

/// The app server's slots, and how long a response takes alone.
pub(crate) fn slots(facts: &mut Measured, slots: Option<f64>, alone: f64) {
    let last = facts.stack.servers.len() - 1;
    facts.stack.servers[last].slots = slots;
    facts.stack.verified.alone = Some(alone);
}

pub(crate) fn times(seconds: f64) -> Distribution {
    let mut times = Distribution::default();
    (0..REQUESTS).for_each(|_| times.record((seconds * 1e9) as u64));
    times
}
