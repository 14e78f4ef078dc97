use report::units;

/// The 99th percentiles of the last ticks as a row of bars, on a logarithmic scale from the lowest
/// of them to the highest.
#[derive(Debug, Default)]
pub(super) struct Strip(std::collections::VecDeque<f64>);

impl Strip {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    /// Ticks shown: ten seconds.
    pub(super) const LENGTH: usize = 50;

    pub(super) fn push(&mut self, seconds: f64) {
        if self.0.len() == Self::LENGTH {
            self.0.pop_front();
        }
        self.0.push_back(seconds);
    }

    /// `p99 120 µs ▁▁▂█▁ 4.10 ms`; a gap is a tick in which nothing was answered.
    pub(super) fn drawn(&self) -> String {
        let known = || self.0.iter().copied().filter(|seconds| *seconds > 0.0);
        let Some((low, high)) = known()
            .map(|seconds| (seconds, seconds))
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
        else {
            return String::new();
        };
        let bar = |seconds: f64| {
            let height = if high > low {
                (seconds / low).ln() / (high / low).ln()
            } else {
                0.0
            };
            Self::BARS[(height * 7.0).round() as usize]
        };
        let drawn = |&seconds: &f64| if seconds > 0.0 { bar(seconds) } else { ' ' };
        let bars: String = self.0.iter().map(drawn).collect();
        let (low, high) = (units::duration(low), units::duration(high));
        format!("p99 {low} {bars} {high}")
    }
}

#[cfg(test)]
mod tests {
    use super::Strip;

    #[test]
    fn a_strip_goes_from_the_lowest_to_the_highest_and_forgets() {
        let mut strip = Strip::default();
        assert_eq!(strip.drawn(), "");
        for seconds in [0.001, 0.0, 0.1, 0.01] {
            strip.push(seconds);
        }
        assert_eq!(strip.drawn(), "p99 1.00 ms ▁ █▅ 100 ms");
        (0..Strip::LENGTH).for_each(|_| strip.push(0.002));
        let still = "▁".repeat(Strip::LENGTH);
        assert_eq!(strip.drawn(), format!("p99 2.00 ms {still} 2.00 ms"));
    }
}
