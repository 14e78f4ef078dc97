//! What became of the rates that were tried.

use serde::Serialize;

use super::Kept;

/// The windows at one rate in which goals held, in which they did not, and in which neither could be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Tries {
    /// Windows in which all held.
    pub held: u32,
    /// Windows in which one did not.
    pub missed: u32,
    /// Windows of which the figures say nothing of the server.
    pub unknown: u32,
}

impl Tries {
    /// Another window.
    pub const fn add(&mut self, kept: &Kept) {
        match kept {
            Kept::Held => self.held += 1,
            Kept::Missed(_) => self.missed += 1,
            Kept::Unknown(_) => self.unknown += 1,
        }
    }

    /// All windows.
    pub const fn all(self) -> u32 {
        self.held + self.missed + self.unknown
    }

    /// One window may have been disturbed: it takes two, and more than held.
    pub const fn fail(self) -> bool {
        self.missed > 1 && self.missed > self.held
    }

    /// It held in a window, and does not fail.
    pub const fn hold(self) -> bool {
        self.held > 0 && !self.fail()
    }

    /// Two windows told nothing, and the others decide nothing.
    pub const fn tell_nothing(self) -> bool {
        self.unknown > 1 && !self.hold() && !self.fail()
    }

    /// Whether no other window is needed to decide it.
    pub const fn decide(self) -> bool {
        self.hold() || self.fail() || self.tell_nothing()
    }
}

/// The rates of which that is true.
fn those(rates: &[(f64, Tries)], of: fn(Tries) -> bool) -> impl Iterator<Item = f64> {
    let those = rates.iter().filter(move |(_, tries)| of(*tries));
    those.map(|(rate, _)| *rate)
}

/// The highest of these rates that holds, and the lowest above it that fails.
pub fn between(rates: &[(f64, Tries)]) -> (Option<f64>, Option<f64>) {
    let holds = those(rates, Tries::hold).reduce(f64::max);
    let above = |rate: &f64| holds.is_none_or(|holds| *rate > holds);
    let misses = those(rates, Tries::fail).filter(above).reduce(f64::min);
    (holds, misses)
}

/// The lowest rate that tells nothing, where it closes the search from above: it lies above the one that holds, and below the one
/// that fails.
pub fn limit(rates: &[(f64, Tries)]) -> Option<f64> {
    let (holds, misses) = between(rates);
    let above = |rate: &f64| holds.is_none_or(|holds| *rate > holds);
    let below = |rate: &f64| misses.is_none_or(|misses| *rate < misses);
    those(rates, Tries::tell_nothing)
        .filter(|rate| above(rate) && below(rate))
        .reduce(f64::min)
}

/// Notes a window at a rate.
pub fn note(rates: &mut Vec<(f64, Tries)>, rate: f64, kept: &Kept) {
    let known = rates.iter().position(|(of, _)| of.total_cmp(&rate).is_eq());
    let at = known.unwrap_or_else(|| {
        rates.push((rate, Tries::default()));
        rates.len() - 1
    });
    rates[at].1.add(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Some` whether it held, `None` where nothing could be told.
    fn rates(windows: &[(f64, Option<bool>)]) -> Vec<(f64, Tries)> {
        let mut rates = Vec::new();
        for (rate, held) in windows {
            let kept = match held {
                Some(true) => Kept::Held,
                Some(false) => Kept::Missed(String::new()),
                None => Kept::Unknown(String::new()),
            };
            note(&mut rates, *rate, &kept);
        }
        rates
    }

    const HELD: Option<bool> = Some(true);
    const MISSED: Option<bool> = Some(false);

    #[test]
    fn one_window_in_which_a_goal_was_missed_decides_nothing() {
        let once = [(100.0, HELD), (150.0, MISSED), (200.0, HELD)];
        assert_eq!(between(&rates(&once)), (Some(200.0), None));
        let twice = [(100.0, HELD), (150.0, MISSED), (150.0, MISSED)];
        assert_eq!(between(&rates(&twice)), (Some(100.0), Some(150.0)));
        let again = [
            (150.0, MISSED),
            (150.0, HELD),
            (150.0, MISSED),
            (150.0, HELD),
        ];
        assert_eq!(between(&rates(&again)), (Some(150.0), None));
    }

    #[test]
    fn the_answer_is_no_lower_than_a_rate_that_holds() {
        let windows = [
            (90.0, MISSED),
            (90.0, MISSED),
            (100.0, HELD),
            (120.0, MISSED),
        ];
        assert_eq!(between(&rates(&windows)), (Some(100.0), None));
        let missed = [&windows[..], &[(120.0, MISSED)]].concat();
        assert_eq!(between(&rates(&missed)), (Some(100.0), Some(120.0)));
    }

    #[test]
    fn what_tells_nothing_is_no_miss_and_ends_the_search_from_above() {
        let once = rates(&[(100.0, HELD), (200.0, None)]);
        assert_eq!((between(&once), limit(&once)), ((Some(100.0), None), None));
        assert!(!once[1].1.decide());
        let twice = rates(&[(100.0, HELD), (200.0, None), (200.0, None)]);
        assert_eq!(between(&twice), (Some(100.0), None));
        assert_eq!(limit(&twice), Some(200.0));
        // a window that tells something decides, and a lower rate that fails is nearer
        let held = rates(&[(200.0, None), (200.0, None), (200.0, HELD)]);
        assert_eq!((between(&held), limit(&held)), ((Some(200.0), None), None));
        let missed = [(100.0, HELD), (200.0, None), (200.0, None)];
        let missed = rates(&[&missed[..], &[(150.0, MISSED), (150.0, MISSED)]].concat());
        assert_eq!((between(&missed).1, limit(&missed)), (Some(150.0), None));
    }
}
