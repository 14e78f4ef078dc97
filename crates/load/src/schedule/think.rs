use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng as _;
use record::Spread;

use crate::quota::Quota;

/// A closed loop that pauses between an answer and the next request.
#[derive(Debug)]
pub(crate) struct Think<'a> {
    /// Nanoseconds, on average.
    pub(crate) time: u64,
    pub(crate) spread: Spread,
    pub(crate) random: ChaCha8Rng,
    /// Absent when it goes by time.
    pub(crate) quota: Option<Quota<'a>>,
    /// Connections of this worker. Their first requests are spread over one think time, as people
    /// do not begin all at once.
    pub(crate) connections: u64,
    /// How many requests were asked for, until there is one for each connection.
    pub(crate) begun: u64,
    /// Nanoseconds of all pauses so far.
    pub(crate) thought: u64,
    /// When connections found no further request.
    pub(crate) dry: Vec<u64>,
}

impl Think<'_> {
    pub(super) fn due(&mut self, free: u64) -> Option<u64> {
        if !self.quota.as_mut().is_none_or(Quota::take) {
            self.dry.push(free);
            return None;
        }
        let pause = if self.begun == self.connections {
            self.pause()
        } else {
            self.begun += 1;
            self.time * (self.begun - 1) / self.connections
        };
        self.thought += pause;
        Some(free + pause)
    }

    /// Uniform and exponential ones by inversion of their distributions.
    pub(super) fn pause(&mut self) -> u64 {
        if self.spread == Spread::Fixed {
            return self.time;
        }
        // The upper 53 bits are a fraction of 1 that f64 holds exactly.
        let fraction = (self.random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mean = self.time as f64;
        let pause = match self.spread {
            Spread::Fixed => mean,
            Spread::Uniform => 2.0 * mean * fraction,
            Spread::Exponential => -mean * (1.0 - fraction).ln(),
        };
        pause as u64
    }
}
