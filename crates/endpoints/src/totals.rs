use hdrhistogram::Histogram;

use crate::entry::Entry;

/// Significant digits of a time that is kept.
const DIGITS: u8 = 3;
/// Longest time that is kept, in microseconds: more than thirty years. A log has none of more than a day.
const LONGEST: u64 = 1_000_000_000_000_000;

/// What all requests of an endpoint took together.
#[derive(Clone, Debug)]
pub(crate) struct Totals {
    /// Requests.
    pub(crate) count: u64,
    /// Those of them whose time is known.
    pub(crate) timed: u64,
    /// Seconds of these together.
    pub(crate) sum: f64,
    /// The shortest, in seconds; infinite until a time is known.
    min: f64,
    /// The longest, in seconds.
    pub(crate) max: f64,
    /// Bytes of all responses.
    pub(crate) bytes: u64,
    /// Requests of whose responses the size is known.
    pub(crate) sized: u64,
    /// Requests that got no response.
    pub(crate) unanswered: u64,
    /// Requests by the first digit of their status; those without one at 0.
    pub(crate) statuses: [u64; 6],
    /// Times in microseconds; absent until one is known.
    times: Option<Histogram<u32>>,
}

impl Default for Totals {
    fn default() -> Self {
        Self {
            count: 0,
            timed: 0,
            sum: 0.0,
            min: f64::INFINITY,
            max: 0.0,
            bytes: 0,
            sized: 0,
            unanswered: 0,
            statuses: [0; 6],
            times: None,
        }
    }
}

impl Totals {
    pub(crate) fn add(&mut self, entry: &Entry) {
        let times = entry.times.max(1);
        self.count += times;
        self.bytes = self.bytes.saturating_add(entry.bytes.unwrap_or(0));
        self.sized += times * u64::from(entry.bytes.is_some());
        self.unanswered += times * u64::from(entry.unanswered);
        let class = entry.status.map_or(0, |status| usize::from(status / 100));
        self.statuses[class.min(5)] += times;
        let Some(seconds) = entry.seconds else { return };
        self.timed += times;
        self.sum += seconds * times as f64;
        self.min = self.min.min(seconds);
        self.max = self.max.max(seconds);
        let microseconds = (seconds * 1e6).round() as u64;
        let times = u32::try_from(times).unwrap_or(u32::MAX);
        let recorded = self.times().record_n(microseconds.min(LONGEST), times);
        debug_assert!(recorded.is_ok(), "{recorded:?}"); // it grows by itself
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.timed += other.timed;
        self.sum += other.sum;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.sized += other.sized;
        self.unanswered += other.unanswered;
        for (own, more) in self.statuses.iter_mut().zip(other.statuses) {
            *own += more;
        }
        if let Some(more) = &other.times {
            // both grow by themselves
            let merged = self.times().add(more);
            debug_assert!(merged.is_ok(), "{merged:?}");
        }
    }

    /// The time that this share of the requests does not exceed, in seconds, to three digits; absent where none is known.
    ///
    /// Told by the middle of what is kept as one time, which is half of a thousandth off at most. A log has its times in
    /// whole milliseconds often, so that many are the same: where among these one comes says nothing.
    pub(crate) fn quantile(&self, share: f64) -> Option<f64> {
        let times = self.times.as_ref()?;
        let microseconds = times.median_equivalent(times.value_at_quantile(share));
        Some((microseconds as f64 / 1e6).max(self.min).min(self.max))
    }

    fn times(&mut self) -> &mut Histogram<u32> {
        self.times.get_or_insert_with(|| {
            let mut times = Histogram::new(DIGITS).expect("three digits are allowed");
            times.auto(true);
            times
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(seconds: f64, times: u64) -> Entry<'static> {
        Entry {
            seconds: Some(seconds),
            status: Some(200),
            bytes: Some(10),
            times,
            ..Entry::default()
        }
    }

    #[test]
    fn sums_and_quantiles_are_of_all_that_was_added() {
        let mut totals = Totals::default();
        for millisecond in 1..=100 {
            totals.add(&entry(f64::from(millisecond) / 1e3, 1));
        }
        let mut more = Totals::default();
        more.add(&entry(1.0, 100));
        totals.merge(&more);
        assert_eq!(
            (totals.count, totals.timed, totals.bytes),
            (200, 200, 1_010)
        );
        assert_eq!(totals.statuses[2], 200);
        assert!((totals.sum - 105.05).abs() < 1e-9, "{}", totals.sum);
        assert!((totals.quantile(0.25).unwrap() - 0.05).abs() < 1e-4);
        assert!((totals.quantile(0.99).unwrap() - 1.0).abs() < 5e-4);
    }

    /// What is told of a time in the middle of others is the time itself, to three digits.
    #[test]
    fn whole_milliseconds_are_told_as_they_are() {
        for milliseconds in 100..1_000 {
            let mut totals = Totals::default();
            for each in [1, milliseconds, 1_000] {
                totals.add(&entry(f64::from(each) / 1e3, 1));
            }
            let told = totals.quantile(0.5).unwrap() * 1e3;
            assert_eq!(told.round() as i32, milliseconds, "{told}");
        }
    }

    #[test]
    fn what_has_no_time_is_counted() {
        let mut totals = Totals::default();
        totals.add(&Entry {
            status: Some(999),
            ..Entry::once()
        });
        assert_eq!(
            (totals.count, totals.timed, totals.quantile(0.5)),
            (1, 0, None)
        );
        assert_eq!(totals.statuses[5], 1);
        assert_eq!((totals.sized, totals.bytes), (0, 0));
    }

    #[test]
    fn quantiles_are_no_larger_than_the_largest_and_reach_it() {
        let mut long = Totals::default();
        long.add(&entry(86_400.0, 3));
        assert_eq!(long.quantile(0.5), Some(long.max));
        long.add(&entry(4e9, 10));
        assert!(long.quantile(0.99).unwrap() <= long.max);
    }
}
