//! How the slots of a closed loop spend a window: what Little's law is held to.

use std::cmp::Reverse;

use record::{Distribution, SlotTime, Tail};

use crate::clock::seconds;

/// From when to when, nanoseconds.
type Span = (u64, u64);

/// One worker's part. Where nothing holds the number of requests under way it has no slots, and keeps
/// nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    start: u64,
    /// How many there are.
    count: u64,
    /// Seconds from the start until slots were asked for the first time.
    lead: f64,
    /// Nanoseconds of kept times that lie before the start.
    before: u64,
    /// Nanoseconds of requests that were under way at the start and whose times are not kept.
    carried: u64,
    /// Seconds of requests that failed, and of the pauses after them.
    failed: f64,
    /// Nanoseconds of think time.
    pub(crate) thought: u64,
    /// When slots found no further request, and how many of them.
    dry: Vec<(u64, u64)>,
    /// Requests whose times are kept, and pauses, that may reach beyond the end of the window: where
    /// that is, a window by count shows when it is over.
    kept: Vec<Span>,
    pauses: Vec<Span>,
}

impl Slots {
    pub(crate) fn new(start: u64, count: u64) -> Self {
        Self {
            start,
            count,
            ..Self::default()
        }
    }

    /// A slot's turn came for the first time.
    pub(crate) fn woke(&mut self, now: u64) {
        self.lead += seconds(now.saturating_sub(self.start));
    }

    /// The time of a request was kept that had been under way for so many nanoseconds when the window opened.
    #[inline]
    pub(crate) fn before(&mut self, nanoseconds: u64) {
        self.before += nanoseconds;
    }

    /// A request that was under way when the window opened was answered, and its time is not kept.
    pub(crate) fn carried(&mut self, from: u64, until: u64) {
        self.carried += until.saturating_sub(from);
    }

    /// A request failed inside the window.
    pub(crate) fn failed(&mut self, due: u64, now: u64) {
        self.failed += seconds(now.saturating_sub(due));
    }

    /// A pause after a failure is over, or the window is. It has lasted since `since`, and the window
    /// until `sure` at least.
    pub(crate) fn paused(&mut self, since: u64, now: u64, sure: u64) {
        self.failed(since, now);
        self.push(since, now, sure, |slots| &mut slots.pauses);
    }

    /// The time of a request was kept that may have ended after the window.
    pub(crate) fn kept(&mut self, due: u64, now: u64, sure: u64) {
        self.push(due, now, sure, |slots| &mut slots.kept);
    }

    /// So many slots have found no further request.
    pub(crate) fn dry(&mut self, now: u64, count: u64) {
        if self.count > 0 && count > 0 {
            self.dry.push((now, count));
        }
    }

    /// The others stop now.
    pub(crate) fn close(&mut self, now: u64) {
        let dry: u64 = self.dry.iter().map(|(_, count)| count).sum();
        self.dry(now, self.count.saturating_sub(dry));
    }

    /// Of spans that ended before the window did nothing needs to be known, so that at most a few for
    /// each slot are kept.
    fn push(&mut self, from: u64, to: u64, sure: u64, of: fn(&mut Self) -> &mut Vec<Span>) {
        let slots = self.count;
        if slots == 0 || to <= sure {
            return;
        }
        let spans = of(self);
        if spans.len() as u64 >= 2 * slots + 8 {
            spans.retain(|(_, to)| *to > sure);
        }
        spans.push((from, to));
    }

    pub(crate) fn merge(&mut self, other: Self) {
        if other.count == 0 {
            return;
        }
        let start = self.start.min(other.start);
        let late = |part: &Self| seconds(part.start - start) * part.count as f64;
        self.lead += other.lead + late(self) + late(&other);
        self.start = start;
        self.count += other.count;
        self.before += other.before;
        self.carried += other.carried;
        self.failed += other.failed;
        self.thought += other.thought;
        self.dry.extend(other.dry);
        self.kept.extend(other.kept);
        self.pauses.extend(other.pauses);
    }

    /// When the first of them found no further request: until then each had one, or was about to.
    pub(crate) fn busy_until(&self) -> u64 {
        let dry = self.dry.iter().map(|(since, _)| *since);
        dry.min().unwrap_or(u64::MAX)
    }

    /// The last of so many requests of a window that ended at `end`: those that cost it most time, as slots that were through
    /// had nothing left to send. None where they took no longer than others.
    pub(crate) fn tail(&self, end: u64, requests: u64) -> Option<Tail> {
        let whole = seconds(end.saturating_sub(self.start));
        let mut dry = self.dry.clone();
        dry.retain(|(since, _)| *since <= end);
        dry.sort_unstable_by_key(|(since, _)| Reverse(*since));
        let mut after = 0;
        let tails = dry.into_iter().map(|(since, count)| {
            let tail = Tail {
                requests: after,
                seconds: seconds(end - since),
            };
            after += count;
            tail
        });
        let lost = |tail: &Tail| tail.lost(whole, requests);
        tails
            .filter(|tail| tail.requests > 0 && lost(tail) > 0.0)
            .max_by(|one, other| lost(one).total_cmp(&lost(other)))
    }

    /// In figures, of a window that ended at `end`; nothing where nothing was to be held.
    pub(crate) fn told(&self, end: u64) -> Option<SlotTime> {
        // A time is kept to three digits, which of a long one is more than a short window.
        let times = Distribution::default();
        let beyond = |spans: &[Span], kept: bool| -> f64 {
            let over = |&(from, to): &Span| {
                let whole = to.saturating_sub(from);
                let inside = end.saturating_sub(from).min(whole);
                let whole = if kept { times.kept_as(whole) } else { whole };
                seconds(whole) - seconds(inside)
            };
            spans.iter().map(over).sum()
        };
        let dry = |&(since, count): &(u64, u64)| seconds(end.saturating_sub(since)) * count as f64;
        (self.count > 0).then(|| SlotTime {
            beyond: beyond(&self.kept, true) + seconds(self.before),
            carried: seconds(self.carried),
            failed: self.failed - beyond(&self.pauses, false),
            thought: seconds(self.thought),
            idle: self.lead + self.dry.iter().map(dry).sum::<f64>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn every_second_of_each_slot_is_somewhere() {
        // Two workers of two slots, from 1 s and 2 s on; the window ends at 10 s.
        let mut one = Slots::new(SECOND, 2);
        one.woke(SECOND);
        one.woke(2 * SECOND); // the second slot idles for a second
        one.failed(3 * SECOND, 4 * SECOND);
        one.paused(4 * SECOND, 12 * SECOND, 4 * SECOND); // of which 6 are inside
        one.dry(12 * SECOND, 1);
        one.kept(9 * SECOND, 15 * SECOND, 4 * SECOND); // of which 5 are beyond
        one.close(15 * SECOND);
        let mut other = Slots::new(2 * SECOND, 2);
        other.woke(2 * SECOND);
        other.woke(2 * SECOND);
        other.dry(7 * SECOND, 2);
        one.merge(other);
        let told = one.told(10 * SECOND).unwrap();
        // the second worker's slots were not there for the first second, and had nothing to do from 7 s on
        assert!((told.idle - (1.0 + 2.0 + 6.0)).abs() < 1e-9, "{told:?}");
        assert!((told.failed - 7.0).abs() < 1e-9, "{told:?}");
        assert!((told.beyond - 5.0).abs() < 0.006, "{told:?}");
        assert_eq!(Slots::default().told(SECOND), None);
    }

    /// Four slots and a hundred requests, of which three slots see their last at 1 s and the fourth one second later.
    #[test]
    fn the_last_requests_are_those_that_cost_most() {
        let mut slots = Slots::new(0, 4);
        assert_eq!(slots.busy_until(), u64::MAX);
        for (since, count) in [(SECOND, 3), (2 * SECOND, 1)] {
            slots.dry(since, count);
        }
        let tail = slots.tail(2 * SECOND, 100).unwrap();
        assert_eq!(tail.requests, 1);
        assert!((tail.seconds - 1.0).abs() < 1e-9, "{tail:?}");
        assert_eq!(slots.busy_until(), SECOND);
        // where all end at once, or one after the other as before, none is late
        let one_by_one = [4, 3, 2, 1].map(|before| SECOND - before * SECOND / 100);
        for last in [[SECOND; 4], one_by_one] {
            let mut even = Slots::new(0, 4);
            for since in last {
                even.dry(since, 1);
            }
            let tail = even.tail(last[3], 100);
            let lost = tail.map_or(0.0, |tail| tail.lost(1.0, 100));
            assert!(lost < 0.02, "{tail:?}");
        }
        assert_eq!(Slots::default().tail(SECOND, 100), None);
    }

    #[test]
    fn what_ended_inside_the_window_takes_no_room() {
        let mut slots = Slots::new(0, 1);
        for second in 0..1000 {
            slots.kept(second * SECOND, (second + 1) * SECOND, second * SECOND);
        }
        assert!(slots.kept.len() <= 12, "{}", slots.kept.len());
        assert!(slots.told(1000 * SECOND).unwrap().beyond < 0.01);
    }
}
