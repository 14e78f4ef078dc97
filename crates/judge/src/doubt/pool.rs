//! Whether an open loop had the connections that its rate needs.

use record::LoadFacts;

/// How many times as long a response may take with all connections busy as with half of them at most. A
/// server that works on each request as it comes takes as long (1); one that lets them wait for each other
/// takes twice as long for twice as many (2); this is the middle.
const GROWN: f64 = 1.5;

/// What a pool of connections could carry, and what its rate takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pool {
    /// Seconds from sent to done, on average.
    pub(super) service: f64,
    /// The median of the same, where at most half of the connections were busy.
    pub(super) light: Option<f64>,
    /// Seconds for which a connection's user sleeps before a request, on average.
    pub(super) sleep: f64,
    /// Requests per second that all connections carry.
    pub(super) most: f64,
    /// Connections that the rate takes.
    pub(super) needed: u64,
}

/// The pool, if it is what held the rate back.
///
/// A connection carries a request at a time (or as many as it has streams), so that c of them carry
/// c / (mean service time) a second, whatever serves them: Little's law. Where its user sleeps before each request the
/// time of that is added, as a connection carries nothing meanwhile. That rate is below the offered one as
/// well where the server is too slow, because its service times then grow until it is. So the service times
/// are compared with those of requests that found at most half of the pool busy. What the rate takes is
/// offered x (service time + sleep) on average, and three standard deviations of a Poisson number more.
pub(super) fn too_small(load: &LoadFacts, offered: f64) -> Option<Pool> {
    if load.waited.is_empty() {
        return None;
    }
    let streams = load.spoken.map_or(1, |spoken| spoken.streams.max(1));
    let slots = f64::from(load.connections) * f64::from(streams);
    let service = load.service.mean().filter(|mean| *mean > 0.0)?;
    let sleep = load.sleep_each();
    let each = service + sleep;
    let peak = peak(load).max(offered);
    let most = slots / each;
    let light = load.light.quantile(0.5);
    let grown = match (light, load.service.quantile(0.5)) {
        // where it was slower with few of them busy, that was another load, as one that it had not got over
        (Some(light), Some(median)) => median > GROWN * light || light > GROWN * median,
        // a single request at a time waits for no other
        _ => slots > 1.0,
    };
    if grown || most >= peak {
        return None;
    }
    let taken = peak * each;
    let needed = (taken + 3.0 * taken.sqrt()) / f64::from(streams);
    Some(Pool {
        service,
        light,
        sleep,
        most,
        needed: needed.ceil() as u64,
    })
}

/// The highest rate of a schedule.
fn peak(load: &LoadFacts) -> f64 {
    let arrivals = load.shape.arrivals();
    arrivals.map_or(0.0, record::Arrivals::highest_rate)
}
