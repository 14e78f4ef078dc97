use record::{Slow, TcpState};

use crate::clock::seconds;
use crate::flight::{Flight, NAMELESS};

/// How many are kept.
const KEPT: usize = 10;

/// The slowest requests, so that a high quantile can be explained.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slowest {
    kept: Vec<(u64, u32, Slow)>,
    /// What a request must exceed to be kept, nanoseconds.
    floor: u64,
}

impl Slowest {
    /// Whether a request that took so long is among them.
    #[inline]
    pub(crate) fn admits(&self, response: u64) -> bool {
        response > self.floor
    }

    /// Keeps one that ended `now`, in a phase that began at `start`, on a socket that had carried
    /// `before` others.
    #[cold]
    pub(crate) fn keep(
        &mut self,
        flight: &Flight,
        now: u64,
        start: u64,
        before: u32,
        tcp: Option<TcpState>,
    ) {
        let since = |later: u64, earlier: u64| seconds(later.saturating_sub(earlier));
        let again = flight.again || flight.tries > 0;
        let sent = flight.sent > 0 || again;
        let slow = Slow {
            due: since(flight.due, start),
            waited: since(if sent { flight.ready } else { now }, flight.due),
            late: if flight.sent > 0 {
                since(flight.sent, flight.ready)
            } else {
                0.0
            },
            first_byte: (flight.first_byte > 0).then(|| since(flight.first_byte, flight.sent)),
            response: since(now, flight.due),
            status: flight.progress.status,
            name: None,
            before,
            again,
            tcp,
        };
        self.kept.push((now - flight.due, flight.name, slow));
        self.prune();
    }

    /// Keeps one that fell due then, in a phase that began at `start`, and had no connection for so long.
    #[cold]
    pub(crate) fn keep_unsent(&mut self, due: u64, response: u64, start: u64) {
        let slow = Slow {
            due: seconds(due.saturating_sub(start)),
            waited: seconds(response),
            response: seconds(response),
            ..Slow::default()
        };
        self.kept.push((response, NAMELESS, slow));
        self.prune();
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.kept.extend(other.kept);
        self.prune();
    }

    /// The slowest first, with their names.
    pub(crate) fn told(self, names: &[String]) -> Vec<Slow> {
        let told = |(_, name, slow): (u64, u32, Slow)| Slow {
            name: names.get(name as usize).cloned(),
            ..slow
        };
        self.kept.into_iter().map(told).collect()
    }

    fn prune(&mut self) {
        self.kept
            .sort_by_key(|(response, ..)| std::cmp::Reverse(*response));
        self.kept.truncate(KEPT);
        if let (KEPT, Some((least, ..))) = (self.kept.len(), self.kept.last()) {
            self.floor = *least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_are_kept_whatever_their_order() {
        let (mut one, mut other) = (Slowest::default(), Slowest::default());
        for number in 0..1000_u64 {
            let response = (number * 7919) % 1000 + 1;
            let mut flight = Flight::default();
            flight.begin(5_000);
            let half = if number % 2 == 0 {
                &mut one
            } else {
                &mut other
            };
            if half.admits(response) {
                half.keep(&flight, 5_000 + response, 0, 0, None);
            }
        }
        one.merge(other);
        let told: Vec<f64> = one
            .told(&[])
            .iter()
            .map(|slow| slow.response * 1e9)
            .collect();
        let wanted: Vec<f64> = (991..=1000).rev().map(f64::from).collect();
        for (told, wanted) in told.iter().zip(&wanted) {
            assert!((told - wanted).abs() < 1e-3, "{told:?} {wanted:?}");
        }
        assert_eq!(told.len(), wanted.len());
    }
}
