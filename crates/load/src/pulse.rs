//! Whether this process as a whole was kept from running: by `SIGSTOP`, a suspended machine, or others
//! on every core.
//!
//! A thread of its own sleeps for a short while, again and again, and looks how late it wakes. Nothing
//! that workers do makes it late: a long turn of a loop keeps that loop from answering, and a loop that
//! has nothing to do waits because it wants to. A thread that has slept is also the one that a busy
//! scheduler serves first, so that where this one is late all others were.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use record::{Pause, PauseFacts};
use rustix::time::{ClockId, Timespec, clock_gettime};

use crate::clock::{Clock, seconds};

/// How long the thread sleeps.
const BEAT: Duration = Duration::from_millis(20);
/// How late it must wake for a pause, in nanoseconds.
const LATE: u64 = 100_000_000;

/// Watches for pauses until it is dropped.
pub(crate) struct Pulse {
    clock: Clock,
    beats: Arc<Mutex<Beats>>,
    /// Hung up by the end of this value, which ends the thread.
    _alive: Sender<()>,
}

impl Pulse {
    /// # Errors
    /// When no thread can be had.
    pub(crate) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        clock: Clock,
    ) -> io::Result<Self> {
        let beats = Arc::new(Mutex::new(Beats::default()));
        let (alive, over) = channel::<()>();
        let theirs = Arc::clone(&beats);
        std::thread::Builder::new()
            .name("weir-pulse".to_owned())
            .spawn_scoped(scope, move || {
                while over.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                    locked(&theirs).beat(clock.now(), asleep());
                }
            })?;
        Ok(Self {
            clock,
            beats,
            _alive: alive,
        })
    }

    /// What was before does not count.
    pub(crate) fn open(&self) {
        *locked(&self.beats) = Beats::since(self.clock.now(), asleep());
    }

    /// What there was since it was opened.
    pub(crate) fn close(&self) -> PauseFacts {
        let mut beats = locked(&self.beats);
        // whoever asks may be awake before the thread is
        beats.beat(self.clock.now(), asleep());
        beats.facts()
    }
}

fn locked(beats: &Mutex<Beats>) -> MutexGuard<'_, Beats> {
    beats.lock().unwrap_or_else(PoisonError::into_inner)
}

/// For how long the machine has been suspended since it started, in nanoseconds: at most too little,
/// by what passes between the two clocks.
fn asleep() -> u64 {
    let nanoseconds = |time: Timespec| {
        Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32).as_nanos() as u64
    };
    let boot = nanoseconds(clock_gettime(ClockId::Boottime));
    boot.saturating_sub(nanoseconds(clock_gettime(ClockId::Monotonic)))
}

/// What the beats have shown.
#[derive(Debug, Default)]
struct Beats {
    start: u64,
    last: u64,
    asleep: u64,
    /// Late by, from and until, of the longest.
    kept: Vec<(u64, Pause)>,
    longest: u64,
    total: u64,
    suspended: u64,
}

impl Beats {
    fn since(now: u64, asleep: u64) -> Self {
        Self {
            start: now,
            last: now,
            asleep,
            ..Self::default()
        }
    }

    /// The thread is awake.
    fn beat(&mut self, now: u64, asleep: u64) {
        let due = self.last + BEAT.as_nanos() as u64;
        let suspended = asleep.saturating_sub(self.asleep);
        let late = now.saturating_sub(due) + suspended;
        if late >= LATE {
            self.longest = self.longest.max(late);
            self.total += late;
            self.suspended += suspended;
            self.keep(late, due.min(now), now);
        }
        self.last = now;
        self.asleep = self.asleep.max(asleep);
    }

    fn keep(&mut self, late: u64, from: u64, until: u64) {
        let since = |moment: u64| seconds(moment.saturating_sub(self.start));
        let (from, until) = (since(from), since(until));
        self.kept.push((late, Pause { from, until }));
        if self.kept.len() > PauseFacts::KEPT {
            let shortest = self.kept.iter().enumerate().min_by_key(|(_, of)| of.0);
            if let Some((shortest, _)) = shortest {
                self.kept.remove(shortest);
            }
        }
    }

    fn facts(&self) -> PauseFacts {
        PauseFacts {
            longest: seconds(self.longest),
            total: seconds(self.total),
            suspended: seconds(self.suspended),
            stretches: self.kept.iter().map(|(_, pause)| *pause).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: u64 = 1_000_000;

    /// Beats at these milliseconds after a window that opened at 1 s, on a machine that had slept for a
    /// second; the second number is how long it has been suspended since.
    fn beats(at: &[(u64, u64)]) -> PauseFacts {
        let moment = |(now, asleep): (u64, u64)| {
            let asleep = (1_000 + asleep) * MILLISECOND;
            ((1_000 + now) * MILLISECOND, asleep)
        };
        let (start, asleep) = moment((0, 0));
        let mut beats = Beats::since(start, asleep);
        for &at in at {
            let (now, asleep) = moment(at);
            beats.beat(now, asleep);
        }
        beats.facts()
    }

    #[test]
    fn what_a_scheduler_does_is_no_pause() {
        assert_eq!(
            beats(&[(20, 0), (41, 0), (150, 0), (150, 0), (269, 0)]),
            PauseFacts::default()
        );
    }

    #[test]
    fn a_stop_is_as_long_as_it_was() {
        let seen = beats(&[(20, 0), (4_040, 0), (4_060, 0), (4_200, 0)]);
        let (from, until) = (0.04, 4.04);
        let stretches = vec![
            Pause { from, until },
            Pause {
                from: 4.08,
                until: 4.2,
            },
        ];
        assert_eq!(
            seen,
            PauseFacts {
                longest: 4.0,
                total: 4.12,
                suspended: 0.0,
                stretches
            }
        );
        assert!((seen.between(3.0, 4.1) - 1.06).abs() < 1e-9);
        assert!(seen.between(4.3, 5.0).abs() < 1e-9);
    }

    #[test]
    fn a_suspended_machine_is_told_though_its_monotonic_clock_stood_still() {
        let seen = beats(&[(20, 0), (40, 90_000), (60, 90_000)]);
        assert!((seen.longest - 90.0).abs() < 1e-9, "{seen:?}");
        assert!((seen.suspended - 90.0).abs() < 1e-9, "{seen:?}");
        assert!(seen.between(0.0, 10.0).abs() < 1e-9, "{seen:?}");
        // the two clocks are not read at once
        assert_eq!(beats(&[(20, 0), (40, 5), (60, 0)]), PauseFacts::default());
    }

    #[test]
    fn the_longest_of_many_are_kept() {
        let mut at = 0;
        let times: Vec<_> = (0..40)
            .map(|number| {
                at += 20 + 100 + number;
                (at, 0)
            })
            .collect();
        let seen = beats(&times);
        assert_eq!(seen.stretches.len(), PauseFacts::KEPT);
        assert!((seen.longest - 0.139).abs() < 1e-9, "{seen:?}");
        assert!(seen.total > 40.0 * 0.1, "{seen:?}");
        assert!(seen.stretches.is_sorted_by(|a, b| a.until <= b.from));
    }

    #[test]
    fn it_begins_anew_with_each_window_and_ends_when_it_is_dropped() {
        std::thread::scope(|scope| {
            let pulse = Pulse::start(scope, Clock::start()).unwrap();
            let late = pulse.beats.lock().unwrap();
            let since = std::time::Instant::now();
            while since.elapsed() < Duration::from_millis(200) {
                std::thread::yield_now(); // the thread cannot beat, as if it did not run
            }
            drop(late);
            assert!(pulse.close().longest >= 0.1);
            let since = std::time::Instant::now();
            pulse.open();
            let seen = pulse.close();
            assert!(seen.total <= since.elapsed().as_secs_f64(), "{seen:?}");
        });
    }
}
