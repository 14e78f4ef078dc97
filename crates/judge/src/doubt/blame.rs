//! What is to blame where an open loop did not keep its schedule.

use record::LoadFacts;

use super::generator_saturated::SATURATED;
use super::paused;
use super::pool::{self, Pool};

/// Share of the offered rate below which it was not achieved.
const HELD: f64 = 0.99;

/// What is to blame for a rate that was not held.
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
pub(super) fn held(load: &LoadFacts) -> u64 {
    let on_time = load.in_flight.min(u64::from(load.connections));
    load.completed + load.failures() + on_time
}

/// What is to blame, if requests of an open loop did not come to an end at the rate at which they fell due.
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

/// Whether no more is missing than fell due while weir itself stood still.
fn explained_by_a_pause(load: &LoadFacts, offered: f64, missing: f64) -> bool {
    paused::seen(load).is_some_and(|pause| missing <= offered * pause.total)
}
