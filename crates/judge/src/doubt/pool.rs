//! Whether an open loop had the connections that its rate takes.

use record::LoadFacts;

use super::rule::Rule;
use super::schedule::{Blame, blame};
use super::{Evidence, Held};
use crate::opinion::DoubtKind;
use crate::words::{counted, number, percent};

/// How many times as long an answer may take with all connections busy as with half of them at most. A
/// server that works on each request as it comes takes as long (1); one that lets them wait for each other
/// takes twice as long for twice as many (2); this is the middle.
const GROWN: f64 = 1.5;

const POOL: Rule = Rule {
    kind: DoubtKind::Connections,
    words: "an open loop has the connections that its rate takes: where all were busy, and answers took \
            less than 1.5 times as long as with half of them busy, the rate was not held for want of \
            connections, which disqualifies",
};

/// What a pool of connections could carry, and what its rate takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pool {
    /// Seconds from sent to done, on average.
    service: f64,
    /// The median of the same, where at most half of the connections were busy.
    light: Option<f64>,
    /// Requests per second that all connections carry.
    most: f64,
    /// Connections that the rate takes.
    needed: u64,
}

/// The pool, if it is what held the rate back.
///
/// A connection carries a request at a time (or as many as it has streams), so that c of them carry
/// c / (mean service time) a second, whatever serves them: Little's law. That is below the offered rate as
/// well where the server is too slow, because its service times then grow until it is. So the service times
/// are compared with those of requests that found at most half of the pool busy. What the rate takes is
/// offered x service time on average, and three standard deviations of a Poisson number more.
pub(super) fn too_small(load: &LoadFacts, offered: f64) -> Option<Pool> {
    if load.waited.is_empty() {
        return None;
    }
    let streams = load.spoken.map_or(1, |spoken| spoken.streams.max(1));
    let slots = f64::from(load.connections) * f64::from(streams);
    let service = load.service.mean().filter(|mean| *mean > 0.0)?;
    let peak = peak(load).max(offered);
    let most = slots / service;
    let light = load.light.quantile(0.5);
    let grown = match (light, load.service.quantile(0.5)) {
        (Some(light), Some(median)) => median > GROWN * light,
        // a single request at a time waits for no other
        _ => slots > 1.0,
    };
    if grown || most >= peak {
        return None;
    }
    let busy = peak * service;
    let needed = (busy + 3.0 * busy.sqrt()) / f64::from(streams);
    Some(Pool {
        service,
        light,
        most,
        needed: needed.ceil() as u64,
    })
}

/// The highest rate of a schedule.
fn peak(load: &LoadFacts) -> f64 {
    let segments = load.shape.arrivals().map(|arrivals| &arrivals.segments);
    let rates = segments
        .into_iter()
        .flatten()
        .flat_map(|segment| [segment.from, segment.to]);
    rates.fold(0.0, f64::max)
}

/// The rate was not held, and more connections would have held it: a fault of the load, not of the server.
pub(super) fn connections(evidence: &Evidence) -> Held {
    let load = evidence.load;
    let Some(offered) = load.offered else {
        return POOL.silent("a closed loop keeps its connections busy");
    };
    let pool = match blame(load, offered) {
        Some(Blame::Connections(pool)) => pool,
        Some(_) => return POOL.silent("the rate was not held for another reason"),
        None => {
            let waited = counted(load.waited.count(), "request");
            return POOL.passed(format!(
                "the rate was held; {waited} waited for a connection"
            ));
        }
    };
    let ms = |seconds: f64| format!("{} ms", number(seconds * 1e3));
    let light = pool.light.map_or_else(String::new, |light| {
        format!(" ({} with at most half of them busy)", ms(light))
    });
    let because = format!(
        "{} requests/s were offered and {} answered ({}): {} carry {} requests/s at most when an answer \
         takes {}{light}; the rate takes about {} (`-c {}`)",
        number(offered),
        number(load.throughput()),
        percent(load.throughput() / offered),
        counted(load.connections.into(), "connection"),
        number(pool.most),
        ms(pool.service),
        pool.needed,
        pool.needed
    );
    let advice = "use as many connections as that, or a lower rate: the server answered as fast as with \
                  half of them, and was not asked for more";
    POOL.doubted(true, because, advice)
}
