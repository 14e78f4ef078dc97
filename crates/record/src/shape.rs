use serde::{Deserialize, Serialize};

/// What makes requests fall due. A number without it says little: at equal load an open loop's
/// response times can exceed a closed loop's by an order of magnitude (Schroeder, Wierman,
/// Harchol-Balter, "Open Versus Closed", NSDI 2006).
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Closed loop: a connection's next request falls due when its last one has been answered.
    Closed {
        /// Seconds from that answer to the next request, on average; 0 for none.
        think: f64,
        /// How it scatters.
        #[serde(default)]
        spread: Spread,
    },
    /// Open loop: requests fall due on a schedule, whatever the server does.
    Open(Arrivals),
    /// Open loop whose requests fall due when they did in a recording.
    Recorded {
        /// Requests in it.
        requests: u64,
        /// From the first to the last, at the pace of the replay.
        seconds: f64,
    },
}

impl Default for Shape {
    fn default() -> Self {
        Self::Closed {
            think: 0.0,
            spread: Spread::Fixed,
        }
    }
}

impl Shape {
    /// The same with other arrival times, if it is an open loop.
    #[must_use]
    pub fn reseeded(&self, seed: u64) -> Self {
        let mut shape = self.clone();
        if let Self::Open(arrivals) = &mut shape {
            arrivals.seed = seed;
        }
        shape
    }

    /// The schedule of an open loop.
    pub fn arrivals(&self) -> Option<&Arrivals> {
        match self {
            Self::Closed { .. } | Self::Recorded { .. } => None,
            Self::Open(arrivals) => Some(arrivals),
        }
    }

    /// Whether requests fall due whatever the server does.
    pub fn is_open(&self) -> bool {
        !matches!(self, Self::Closed { .. })
    }
}

/// How think times scatter around their mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// Not at all.
    #[default]
    Fixed,
    /// Uniformly, from nothing to twice the mean.
    Uniform,
    /// Exponentially: many short ones, few long ones.
    Exponential,
}

impl Spread {
    /// The name used in plans and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Uniform => "uniform",
            Self::Exponential => "exponential",
        }
    }
}

/// The schedule of an open loop.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Arrivals {
    /// How arrivals scatter around the rate.
    pub process: Process,
    /// The rate over time, segment after segment; the last segment's final rate holds for as long as the
    /// window is open. At least one.
    #[serde(alias = "legs")]
    pub segments: Vec<Segment>,
    /// Most requests that may have fallen due and not have come to an end. What falls due beyond
    /// is dropped: counted, and never sent. At least the number of connections.
    pub max_outstanding: u32,
    /// Seed of the arrival times; the same seed gives the same ones, whatever the number of
    /// threads.
    pub seed: u64,
}

/// How arrivals scatter around their rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Process {
    /// Exponential gaps, as independent users make them.
    #[default]
    Poisson,
    /// Equal gaps.
    Constant,
}

impl Process {
    /// The name used in plans and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Poisson => "poisson",
            Self::Constant => "constant",
        }
    }
}

/// A stretch of time in which the rate goes from one value to another in a straight line.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Segment {
    /// Requests per second at its beginning.
    pub from: f64,
    /// Requests per second at its end.
    pub to: f64,
    /// Its length.
    pub seconds: f64,
}

impl Segment {
    pub(crate) fn line(from: f64, to: f64, seconds: f64) -> Self {
        Self { from, to, seconds }
    }

    /// The same rate for so long.
    pub(crate) fn hold(rate: f64, seconds: f64) -> Self {
        Self::line(rate, rate, seconds)
    }

    /// Whether its rate does not change.
    pub fn is_steady(&self) -> bool {
        self.from.total_cmp(&self.to).is_eq()
    }
}

impl Arrivals {
    /// Most outstanding requests unless somebody says otherwise: a second of 100,000 requests per
    /// second, so that a server may stall for that long at any rate this engine reaches and
    /// nothing is dropped. They take 0.8 MB.
    pub const MAX_OUTSTANDING: u32 = 100_000;

    /// The same rate all the time.
    pub fn steady(rate: f64) -> Vec<Segment> {
        vec![Segment::hold(rate, 0.0)]
    }

    /// Straight lines from each rate to the next, all of the same length: two rates are a ramp,
    /// four can be a spike.
    pub fn ramp(rates: &[f64], seconds: f64) -> Vec<Segment> {
        let each = seconds / (rates.len().max(2) - 1) as f64;
        let pairs = rates.windows(2);
        let line = |pair: &[f64]| Segment::line(pair[0], pair[1], each);
        pairs.map(line).collect()
    }

    /// Each rate held for the same time.
    pub fn steps(rates: &[f64], seconds: f64) -> Vec<Segment> {
        let each = seconds / rates.len().max(1) as f64;
        let rates = rates.iter();
        rates.map(|&rate| Segment::hold(rate, each)).collect()
    }

    /// The highest rate that any of the segments reaches, in requests per second.
    pub fn highest_rate(&self) -> f64 {
        let ends = self.segments.iter().flat_map(|of| [of.from, of.to]);
        ends.fold(0.0, f64::max)
    }

    /// Whether the rate is the same all the time.
    pub fn is_steady(&self) -> bool {
        self.segments.len() <= 1 && self.segments.iter().all(Segment::is_steady)
    }

    /// Lets a rate that changes go through all of its segments in so many seconds; a steady one stays as it is.
    pub(crate) fn fit_into(&mut self, seconds: f64) {
        let all = self.seconds();
        if all <= 0.0 {
            return;
        }
        for segment in &mut self.segments {
            segment.seconds *= seconds / all;
        }
    }

    /// Multiplies the rates of all segments.
    pub(crate) fn scale(&mut self, factor: f64) {
        for segment in &mut self.segments {
            segment.from *= factor;
            segment.to *= factor;
        }
    }

    /// Seconds of all segments together; 0 where one rate holds for as long as the window is open.
    pub fn seconds(&self) -> f64 {
        self.segments.iter().map(|segment| segment.seconds).sum()
    }

    /// Requests per second over all segments together.
    pub fn mean_rate(&self) -> f64 {
        let seconds = self.seconds();
        if seconds > 0.0 {
            let segments = self.segments.iter();
            let requests = segments.map(|of| f64::midpoint(of.from, of.to) * of.seconds);
            requests.sum::<f64>() / seconds
        } else {
            self.segments.last().map_or(0.0, |segment| segment.to)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_become_segments() {
        let arrivals = |segments| Arrivals {
            process: Process::Poisson,
            segments,
            max_outstanding: 1,
            seed: 1,
        };
        let spike = arrivals(Arrivals::ramp(&[100.0, 100.0, 500.0, 100.0], 9.0));
        assert_eq!(spike.segments.len(), 3);
        assert!((spike.mean_rate() - 700.0 / 3.0).abs() < 1e-9);
        assert!((spike.highest_rate() - 500.0).abs() < 1e-9);
        let steps = arrivals(Arrivals::steps(&[100.0, 200.0], 10.0));
        assert!((steps.mean_rate() - 150.0).abs() < 1e-9);
        let steady = arrivals(Arrivals::steady(0.5));
        assert!((steady.mean_rate() - 0.5).abs() < 1e-12);
        assert!(steady.is_steady() && !steps.is_steady() && !spike.is_steady());
    }

    #[test]
    fn what_was_stored_before_there_were_shapes_is_a_closed_loop() {
        let text = r#"{"connections":1,"amount":{"requests":1},"warm_up":"none",
                       "keep_alive":true,"timeout":1.0}"#;
        let load: crate::Load = serde_json::from_str(text).unwrap();
        assert_eq!(load.shape, Shape::default());
    }
}
