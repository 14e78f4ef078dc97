//! Whether an open loop kept its schedule, and who is to blame if it did not.

use record::{Distribution, LoadFacts};

use super::machine::SATURATED;
use super::paused;
use super::pool::{self, Pool};
use super::rule::Rule;
use super::{Evidence, Held};
use crate::opinion::DoubtKind;
use crate::words::{counted, number, percent};

/// Share of the offered rate below which it was not achieved.
const HELD: f64 = 0.99;
/// Lateness from which it is told: this share of the median response time, and no less than what a
/// kernel's wake-up may take, in seconds.
const LATE: (f64, f64) = (0.1, 50e-6);

const CLOSED: &str = "a closed loop has no schedule to keep";

const RATE: Rule = Rule {
    kind: DoubtKind::RateNotHeld,
    words: "of what fell due in an open loop, 99 % came to an end in the window or was on a \
            connection at its end; where it was the engine that fell behind, that disqualifies",
};

/// Who is to blame for a rate that was not held.
pub(super) enum Blame {
    /// weir itself stood still.
    Pause,
    /// The engine was too slow.
    Engine,
    /// There were too few connections.
    Connections(Pool),
    /// The server was too slow.
    Server,
}

/// Requests that came to an end in the window or were on a connection at its end. Failures have a doubt
/// of their own, and what is on a connection when the window closes is on time.
fn held(load: &LoadFacts) -> u64 {
    let on_time = load.in_flight.min(u64::from(load.connections));
    load.completed + load.failures() + on_time
}

/// Who is to blame, if requests of an open loop did not come to an end at the rate at which they fell due.
///
/// The engine is where a thread was busy nearly all the time, or where nothing waited for a connection
/// and time limits do not explain what is missing.
pub(super) fn blame(load: &LoadFacts, offered: f64) -> Option<Blame> {
    let (held, enough) = (held(load), HELD * load.scheduled as f64);
    if held as f64 >= enough {
        return None;
    }
    if explained_by_a_pause(load, offered, enough - held as f64) {
        return Some(Blame::Pause);
    }
    let unexplained = load.waited.is_empty() && ((held + load.timed_out) as f64) < enough;
    if load.engine.busiest >= SATURATED || unexplained {
        return Some(Blame::Engine);
    }
    let pool = pool::too_small(load, offered).map(Blame::Connections);
    Some(pool.unwrap_or(Blame::Server))
}

/// An open loop whose requests do not come to an end at the rate at which they fall due.
///
/// If the stack was too slow that is a finding, and told: the throughput is then what it can do,
/// and the response times say how long the window was. If the engine was too slow the figures are the
/// generator's, and the trial is out.
pub(super) fn rate_not_held(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Some(offered) = load.offered else {
        return RATE.silent(CLOSED);
    };
    let engine = match blame(load, offered) {
        None => {
            let (held, of) = (held(load), load.scheduled);
            let share = percent(held as f64 / of.max(1) as f64);
            return RATE.passed(format!("{held} of {of} ({share})"));
        }
        Some(Blame::Pause) => {
            return RATE.silent("weir itself was paused while what is missing fell due");
        }
        Some(Blame::Connections(_)) => return RATE.silent("there were too few connections for it"),
        Some(Blame::Engine) => true,
        Some(Blame::Server) => false,
    };
    let because = format!(
        "{} requests/s were offered and {} answered ({}): {}",
        number(offered),
        number(load.throughput()),
        percent(load.throughput() / offered),
        held_back(load)
    );
    let advice = if engine {
        "the load generator could not keep up: give weir more `threads` or a core of its own, or \
         lower the rate"
    } else if load.waited.is_empty() {
        "the server had the requests and did not answer in time: lower the rate, or raise \
         `timeout` if its clients would wait for longer"
    } else {
        "the server held every connection busy: response times now grow with the window, so lower \
         the rate, or give it more connections if it has room for them"
    };
    RATE.doubted(engine, because, advice)
}

/// Whether no more is missing than fell due while weir itself stood still.
fn explained_by_a_pause(load: &LoadFacts, offered: f64, missing: f64) -> bool {
    paused::seen(load).is_some_and(|pause| missing <= offered * pause.total)
}

/// `120 dropped, 3 timed out, 40 still waiting; 512 waited for a connection (p99 1.2 s)`.
fn held_back(load: &LoadFacts) -> String {
    let waiting = load.in_flight.saturating_sub(u64::from(load.connections));
    let parts: Vec<String> = [
        (load.dropped, "dropped"),
        (load.timed_out, "timed out"),
        (waiting, "still waiting"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {what}"))
    .collect();
    let waited = if load.waited.is_empty() {
        "none waited for a connection".to_owned()
    } else {
        let requests = counted(load.waited.count(), "request");
        let known = highest_known(&load.waited).or(load.waited.max().map(|most| ("at most", most)));
        let long = known.map(|(name, time)| format!(" ({name} {} ms)", number(time * 1e3)));
        format!(
            "{requests} waited for a connection{}",
            long.unwrap_or_default()
        )
    };
    if parts.is_empty() {
        waited
    } else {
        format!("{}; {waited}", parts.join(", "))
    }
}

/// The 99th percentile; where fewer than 100 samples lie beyond it the 90th, or the median. Nothing
/// where there are too few for any.
fn highest_known(times: &Distribution) -> Option<(&'static str, f64)> {
    crate::quantiles(times)
        .filter(|(name, _)| ["p50", "p90", "p95", "p99"].contains(name))
        .last()
        .map(|(name, figure)| (name, figure.value))
}

const ON_TIME: Rule = Rule {
    kind: DoubtKind::Late,
    words: "what the engine or the kernel is late (p99, or the highest quantile with 100 answers \
            beyond it) is below a tenth of the median response time, or 50 us",
};

/// An open loop's response times begin when a request is due, so that what the engine or the kernel
/// is late is in them. From a tenth of the median (and 50 us) this is told; it disqualifies
/// nothing, as the service times stand beside them and are free of it.
pub(super) fn late(evidence: &Evidence) -> Held {
    let load = evidence.load;
    if load.offered.is_none() {
        return ON_TIME.silent(CLOSED);
    }
    let Some(median) = load.response.quantile(0.5) else {
        return ON_TIME.silent("nothing was answered");
    };
    let limit = (median * LATE.0).max(LATE.1);
    let both = [
        ("woken late by the kernel", &load.woken),
        ("sent late by the engine", &load.lateness),
    ];
    let told = |beyond: bool| {
        let known = both
            .iter()
            .filter_map(|(who, times)| Some((who, highest_known(times)?)));
        let told = known
            .filter(|(_, (_, late))| !beyond || *late > limit)
            .map(|(who, (name, late))| format!("{who}, {name} {} us", number(late * 1e6)));
        told.collect::<Vec<_>>().join("; ")
    };
    let because = told(true);
    if because.is_empty() {
        let known = Some(told(false)).filter(|known| !known.is_empty());
        let known = known.unwrap_or_else(|| "too few requests to tell".to_owned());
        return ON_TIME.passed(format!("{known} (at most {} us)", number(limit * 1e6)));
    }
    let because = format!("{because} (more than {} us)", number(limit * 1e6));
    let advice = "response times carry this, service times do not: give weir a core of its own, or \
                  run on a quieter machine";
    ON_TIME.doubted(false, because, advice)
}
