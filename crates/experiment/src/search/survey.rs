use record::{Amount, Arrivals, Load, LoadFacts, Process, Shape, WarmUpPlan, units};

use super::time::{LeftOut, OPEN_WARM_UP, Time};
use super::{Proposal, Strategy};

/// A step that gains less than this over the best before it gains nothing.
const GAIN: f64 = 1.02;
/// So many steps in a row that gain nothing end the closed loops: one may be noise.
const FLAT: u32 = 2;
/// Shares of the capacity at which latency is looked at.
const SHARES: [f64; 4] = [0.3, 0.5, 0.7, 0.9];

/// How much a URL can, and how fast it is below that.
///
/// A closed loop with 1, 2, 4, … connections finds the capacity, four open loops at shares of it
/// tell what users would wait. (Capacity from closed, latency from open: Schroeder, Wierman,
/// Harchol-Balter, "Open Versus Closed", NSDI 2006.) It keeps to its length however slow the server is,
/// and says what was left out for it.
#[derive(Debug)]
pub struct Survey {
    base: Load,
    /// Most connections.
    most: u32,
    seed: u64,
    /// Whether an open loop in which everything fails is a result.
    may_break: bool,
    time: Time,
    /// The highest throughput of a closed loop without an error, and its connections.
    best: Option<(f64, u32)>,
    phase: Phase,
    /// See [`Survey::rising`].
    rising: Option<u32>,
}

#[derive(Debug)]
enum Phase {
    /// Closed loops: the connections of the next, the length of the last, and how many gained nothing.
    Closed {
        connections: u32,
        length: f64,
        flat: u32,
    },
    /// Open loops: the shares of the capacity that are left, and the length of each; `None` before the first.
    Open(Option<(std::vec::IntoIter<f64>, f64)>),
}

impl Survey {
    /// A survey of so many seconds, which begins now, with up to `most` connections.
    pub fn new(base: Load, seconds: f64, most: u32, seed: u64, may_break: bool) -> Self {
        Self {
            base,
            most,
            seed,
            may_break,
            time: Time::new(seconds),
            best: None,
            phase: Phase::Closed {
                connections: 1,
                length: 0.0,
                flat: 0,
            },
            rising: None,
        }
    }

    /// The connections of the last closed loop, where it still gained and there are to be no more.
    pub fn rising(&self) -> Option<u32> {
        self.rising
    }

    /// What there was no time for.
    pub fn left_out(&self) -> Option<LeftOut> {
        self.time.left_out()
    }

    /// How much of its time has passed, in seconds.
    pub fn passed(&self) -> f64 {
        self.time.passed()
    }

    /// With a server that takes long each load does, so that there are fewer of them.
    fn closed(&mut self) -> Option<Proposal> {
        let Phase::Closed {
            connections,
            length,
            flat,
        } = &mut self.phase
        else {
            return None;
        };
        if *connections > self.most || *flat >= FLAT {
            return None;
        }
        *length = self.time.step(*connections, self.best.is_some())?;
        let load = Load {
            connections: *connections,
            amount: Amount::Seconds(*length),
            // what the first steps do warms up the later ones
            warm_up: match connections {
                1 => WarmUpPlan::Stationary(self.time.warm_up()),
                _ => WarmUpPlan::None,
            },
            ..self.base.clone()
        };
        Some(Proposal {
            name: units::counted(u64::from(*connections), "connection"),
            sweep: None,
            load,
            until: Some(self.time.until(*length)),
            may_break: false,
            may_be_empty: false,
        })
    }

    /// At those shares of the capacity for which there is time, from the lowest.
    fn open(&mut self) -> Option<Proposal> {
        let (rate, connections) = self.best?;
        let Phase::Open(shares) = &mut self.phase else {
            return None;
        };
        let (left, length) = shares.get_or_insert_with(|| {
            let (shares, length) = self.time.shares(&SHARES);
            (shares.into_iter(), length)
        });
        let share = left.next()?;
        let mut load = Load {
            // room for what chance piles up: several times what keeps it busy
            connections: connections.saturating_mul(4).max(16).min(self.most),
            amount: Amount::Seconds(*length),
            warm_up: WarmUpPlan::Seconds(*length * OPEN_WARM_UP),
            shape: Shape::Open(Arrivals {
                process: Process::Poisson,
                segments: Arrivals::steady(share * rate),
                max_outstanding: Arrivals::MAX_OUTSTANDING,
                seed: self.seed,
            }),
            ..self.base.clone()
        };
        load.make_room();
        Some(Proposal {
            name: format!("{:.1} %", share * 100.0),
            sweep: None,
            load,
            until: Some(self.time.until(*length)),
            may_break: self.may_break,
            may_be_empty: false,
        })
    }

    /// Takes note of a closed loop; whether another may follow.
    fn learn_closed(&mut self, load: &LoadFacts) -> bool {
        let Phase::Closed {
            connections,
            length,
            flat,
        } = &mut self.phase
        else {
            return true;
        };
        if load.lost() > 0 {
            return false;
        }
        self.time.answered_within(load.response.max());
        // nothing came in the window, and what came after it says how long the next must be
        let too_slow = load.completed == 0;
        if too_slow && self.time.slow() <= *length {
            // it was not the server: the machine had no core for the load, and the next window is longer for it
            self.time.answered_within(Some(*length));
            return true;
        }
        let (rate, best) = (load.throughput(), self.best.map_or(0.0, |best| best.0));
        let gained = rate > best * GAIN || too_slow;
        *flat = if gained { 0 } else { *flat + 1 };
        if rate > best {
            self.best = Some((rate, *connections));
        }
        *connections *= self.time.factor();
        true
    }
}

impl Strategy for Survey {
    fn next(&mut self) -> Option<Proposal> {
        if let Some(step) = self.closed() {
            return Some(step);
        }
        if let Phase::Closed {
            connections, flat, ..
        } = self.phase
        {
            let best = self.best.map(|(_, connections)| connections);
            self.rising = best.filter(|_| connections > self.most && flat == 0);
            self.phase = Phase::Open(None);
        }
        self.open()
    }

    fn learn(&mut self, load: Option<&LoadFacts>) -> bool {
        match (&mut self.phase, load) {
            (Phase::Closed { .. }, Some(load)) => {
                if !self.learn_closed(load) {
                    self.phase = Phase::Open(None);
                }
                load.completed > 0 || load.failures() + load.timed_out > 0
            }
            (Phase::Closed { .. }, None) => {
                self.phase = Phase::Open(None);
                false
            }
            (Phase::Open(_), Some(_)) => true,
            (Phase::Open(left), None) => {
                *left = Some((Vec::new().into_iter(), 0.0));
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_in_which_the_machine_stood_still_is_repeated_with_more_time() {
        let mut survey = Survey::new(Load::default(), 60.0, 1_000, 1, false);
        let first = survey.next().unwrap().load;
        assert!(
            !survey.learn(Some(&LoadFacts::default())),
            "it is no result"
        );
        let again = survey.next().unwrap().load;
        assert_eq!(again.connections, first.connections);
        let Amount::Seconds(length) = first.amount else {
            panic!("a window of time");
        };
        assert!(matches!(again.amount, Amount::Seconds(longer) if longer > 2.0 * length));
    }
}
