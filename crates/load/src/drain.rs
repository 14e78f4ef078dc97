//! How long requests that are under way when a window closes are waited for.

use crate::clock::nanoseconds;

/// Half of the window's length, between these, in nanoseconds, and as long as the longest answer took.
const LEAST: u64 = 1_000_000_000;
const MOST: u64 = 10_000_000_000;

/// How long a phase waits for what is under way at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Patience {
    /// As long as answers come: until none has come for half of the window (between 1 s and 10 s) and the
    /// time of its longest answer.
    #[default]
    Answers,
    /// The same for a phase that is thrown away: for 1 s and the time of its longest answer.
    Warm,
    /// So many nanoseconds in all.
    Fixed(u64),
}

impl Patience {
    /// Of a warm-up, or of a window after which so many seconds are waited if that was asked for.
    pub(crate) fn of(warm_up: bool, seconds: Option<f64>) -> Self {
        match seconds {
            _ if warm_up => Self::Warm,
            Some(seconds) => Self::Fixed(nanoseconds(seconds)),
            None => Self::Answers,
        }
    }
}

/// The drain of a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drain {
    /// Nanoseconds without a response after which it is over; absent when answers do not prolong it.
    silence: Option<u64>,
    /// When it is over.
    pub(crate) until: u64,
}

impl Drain {
    /// While the window is open.
    pub(crate) const NONE: Self = Self {
        silence: None,
        until: u64::MAX,
    };

    /// Of a window that was open from `start` to `end`, with this longest answer.
    pub(crate) fn begin(patience: Patience, start: u64, end: u64, longest: u64) -> Self {
        let most = match patience {
            Patience::Fixed(length) => {
                return Self {
                    silence: None,
                    until: end.saturating_add(length),
                };
            }
            Patience::Answers => MOST,
            Patience::Warm => LEAST,
        };
        let share = (end.saturating_sub(start) / 2).clamp(LEAST, most);
        let silence = share.saturating_add(longest);
        Self {
            silence: Some(silence),
            until: end.saturating_add(silence),
        }
    }

    /// Of a window that closed at `end` and whose load goes on for as long as answers come: none for as long as the longest
    /// took ends that.
    pub(crate) fn behind(patience: Patience, end: u64, longest: u64) -> Self {
        match patience {
            Patience::Fixed(_) => Self::begin(patience, end, end, longest),
            Patience::Answers | Patience::Warm => Self {
                silence: Some(longest),
                until: end.saturating_add(longest),
            },
        }
    }

    /// An answer has come.
    #[inline]
    pub(crate) fn heard(&mut self, now: u64) {
        if let Some(silence) = self.silence {
            self.until = now.saturating_add(silence);
        }
    }

    pub(crate) fn is_over(&self, now: u64) -> bool {
        now >= self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn a_drain_lasts_as_long_as_answers_come() {
        for (window, longest, silence) in [(1, 0, 1), (4, 3, 5), (600, 1, 11)] {
            let (end, longest) = (window * SECOND, longest * SECOND);
            let mut drain = Drain::begin(Patience::Answers, 0, end, longest);
            assert_eq!(drain.until, end + silence * SECOND);
            drain.heard(end + SECOND);
            assert_eq!(drain.until, end + SECOND + silence * SECOND);
            assert!(!drain.is_over(drain.until - 1) && drain.is_over(drain.until));
        }
        let warm = Drain::begin(Patience::Warm, 0, 600 * SECOND, 2 * SECOND);
        assert_eq!(warm.until, 603 * SECOND);
    }

    #[test]
    fn a_time_that_was_asked_for_is_kept() {
        let mut drain = Drain::begin(Patience::of(false, Some(0.5)), 0, SECOND, 9 * SECOND);
        drain.heard(SECOND);
        assert_eq!(drain.until, SECOND + SECOND / 2);
        assert!(!Drain::NONE.is_over(u64::MAX - 1));
    }
}
