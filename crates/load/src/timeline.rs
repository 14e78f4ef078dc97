use record::{Amount, Interval, Load};

/// Most slices kept; when a window outgrows them, pairs are joined.
const SLICES: usize = 100;
/// The same of a load with faults, of which it is asked when responses came again, and the length that slices are to have then,
/// in seconds.
const OF_FAULTS: (usize, f64) = (2_000, 0.1);

/// Most slices of a load: no fewer than a hundred.
pub(crate) fn slices(load: &Load) -> usize {
    let (most, length) = OF_FAULTS;
    match load.amount {
        Amount::Seconds(window) if !load.faults.is_empty() => {
            let wanted = (window / length).ceil() as usize;
            wanted.clamp(SLICES, most)
        }
        _ => SLICES,
    }
}

/// Completions over time, in slices of equal length, in bounded memory however long it goes on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timeline {
    start: u64,
    /// Length of a slice, nanoseconds.
    width: u64,
    counts: Vec<u64>,
    /// Most slices.
    most: usize,
    /// End of the last slice, so that the usual case needs no division.
    until: u64,
}

impl Timeline {
    /// So many slices of `length` ([`slices`]); short ones that grow when it is unknown.
    pub(crate) fn new(start: u64, length: Option<u64>, most: usize) -> Self {
        let width = length
            .map_or(1_000_000, |length| length.div_ceil(most as u64))
            .max(1);
        Self {
            start,
            width,
            counts: vec![0],
            most,
            until: start + width,
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, now: u64) {
        if now >= self.until {
            self.extend(now);
        }
        // Workers read the clock per event, so that `now` lies in the last slice.
        if let Some(last) = self.counts.last_mut() {
            *last += 1;
        }
    }

    fn extend(&mut self, now: u64) {
        let mut slice = ((now - self.start) / self.width) as usize;
        while slice >= self.most {
            self.coarsen();
            slice /= 2;
        }
        if slice >= self.counts.len() {
            self.counts.resize(slice + 1, 0);
        }
        self.until = self.start + self.counts.len() as u64 * self.width;
    }

    fn coarsen(&mut self) {
        let pairs = self.counts.chunks(2);
        self.counts = pairs.map(|pair| pair.iter().sum()).collect();
        self.width *= 2;
    }

    /// Adds another worker's slices; both began at about the same time and with the same width.
    pub(crate) fn merge(&mut self, mut other: Self) {
        while self.width < other.width {
            self.coarsen();
        }
        while other.width < self.width {
            other.coarsen();
        }
        let longest = self.counts.len().max(other.counts.len());
        self.counts.resize(longest, 0);
        for (own, their) in self.counts.iter_mut().zip(&other.counts) {
            *own += their;
        }
    }

    /// The slices of a window of so many seconds, in which nothing may have happened at the end.
    pub(crate) fn intervals(&self, seconds: f64) -> Vec<Interval> {
        let width = crate::clock::seconds(self.width);
        let slices = ((seconds / width).ceil() as usize)
            .clamp(self.counts.len(), self.most.max(self.counts.len()));
        (0..slices)
            .map(|slice| Interval {
                until: ((slice + 1) as f64 * width).min(seconds),
                completed: self.counts.get(slice).copied().unwrap_or(0),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use record::{Blow, Fault, LoadFacts, Struck, Victim};

    use super::*;

    const MILLISECOND: u64 = 1_000_000;

    #[test]
    fn a_known_length_has_a_hundred_slices() {
        let mut timeline = Timeline::new(5, Some(1_000 * MILLISECOND), SLICES);
        for millisecond in 0..500 {
            timeline.add(5 + millisecond * MILLISECOND);
        }
        let intervals = timeline.intervals(1.0);
        assert_eq!(intervals.len(), 100);
        assert!(intervals[..50].iter().all(|slice| slice.completed == 10));
        assert!(intervals[50..].iter().all(|slice| slice.completed == 0));
        assert!((intervals[99].until - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_long_window_with_faults_has_short_slices() {
        let fault = Fault {
            at: 60.0,
            blow: Blow::Kill(Victim::Main),
        };
        let load = |seconds: f64, faults: &[Fault]| Load {
            amount: Amount::Seconds(seconds),
            faults: faults.to_vec(),
            ..Load::default()
        };
        let with = |seconds: f64| slices(&load(seconds, &[fault]));
        assert_eq!(slices(&load(600.0, &[])), SLICES);
        assert_eq!((with(5.0), with(60.0), with(1_000.0)), (100, 600, 2_000));
        // an outage of two seconds in ten minutes is seen
        let second = 1_000 * MILLISECOND;
        let mut timeline = Timeline::new(0, Some(600 * second), with(600.0));
        for at in (0..600 * second).step_by(100_000_000) {
            if !(60 * second..62 * second).contains(&at) {
                timeline.add(at);
            }
        }
        let facts = LoadFacts {
            seconds: 600.0,
            intervals: timeline.intervals(600.0),
            struck: vec![Struck {
                fault,
                at: 60.0,
                processes: 1,
                connections: 0,
                pid_files: 0,
                gone: false,
            }],
            ..LoadFacts::default()
        };
        let recovery = facts.recovery().unwrap();
        assert!(recovery.back && recovery.seconds > 1.0, "{recovery:?}");
        assert!(recovery.seconds < 2.5, "{recovery:?}");
    }

    #[test]
    fn an_unknown_length_stays_bounded_and_loses_nothing() {
        let mut timeline = Timeline::new(0, None, SLICES);
        for millisecond in 0..100_000 {
            timeline.add(millisecond * MILLISECOND);
        }
        let intervals = timeline.intervals(100.0);
        assert!(intervals.len() <= SLICES, "{}", intervals.len());
        assert_eq!(
            intervals.iter().map(|slice| slice.completed).sum::<u64>(),
            100_000
        );
    }

    #[test]
    fn merging_aligns_widths() {
        let mut short = Timeline::new(0, None, SLICES);
        short.add(3 * MILLISECOND);
        let mut long = Timeline::new(0, None, SLICES);
        long.add(900 * MILLISECOND);
        short.merge(long);
        let intervals = short.intervals(0.9);
        assert_eq!(
            intervals.iter().map(|slice| slice.completed).sum::<u64>(),
            2
        );
        assert_eq!(intervals[0].completed, 1);
        assert_eq!(intervals.last().unwrap().completed, 1);
    }
}
