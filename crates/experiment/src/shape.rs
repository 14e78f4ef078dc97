//! What a user asks of a load's shape, in a plan or on the command line, and what it comes to.

use record::{Arrivals, Leg, Process, Shape};

/// The wishes, none of which is needed: nothing at all is a closed loop.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Seconds between an answer and the connection's next request.
    pub think: Option<f64>,
    /// How the think time scatters.
    pub think_spread: Option<record::Spread>,
    /// Requests per second.
    pub rate: Option<f64>,
    /// Rates to go through in straight lines of equal length.
    pub ramp: Option<Vec<f64>>,
    /// Rates to be held for equal times.
    pub steps: Option<Vec<f64>>,
    /// A rate, and the one it jumps to for a tenth of the time, in the middle.
    pub spike: Option<Vec<f64>>,
    /// How arrivals scatter around the rate.
    pub arrivals: Option<Process>,
    /// Most requests outstanding.
    pub max_outstanding: Option<u32>,
    /// Connections of the load.
    pub connections: u32,
    /// Length of the window, if it goes by time.
    pub seconds: Option<f64>,
    /// Seed of the arrival times.
    pub seed: u64,
}

/// Wishes that contradict each other, or make no sense.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{key}`: {problem}")]
pub struct ShapeError {
    /// The wish, as plans name it.
    pub key: &'static str,
    /// What is wrong with it.
    pub problem: String,
    hint: &'static str,
}

impl ShapeError {
    /// What to write instead.
    pub fn hint(&self) -> Option<String> {
        Some(self.hint.to_owned())
    }
}

/// Highest rate, requests per second: far beyond any one machine.
const FASTEST: f64 = 1e7;
/// Longest think time, seconds.
const LONGEST: f64 = 3600.0;
/// Share of the window for which a spike lasts.
const PEAK: f64 = 0.1;

impl Wishes {
    /// The shape that is wished for.
    ///
    /// # Errors
    /// When wishes contradict each other or one makes no sense.
    pub fn shape(&self) -> Result<Shape, ShapeError> {
        let rates = self.rates()?;
        match (self.think, rates) {
            (Some(_), Some(_)) => Err(wrong(
                "think",
                "an open loop has no think time: its requests fall due on a schedule",
                "leave out the think time or the rate",
            )),
            (None, Some((key, rates))) => self.open(key, &rates),
            (think, None) => self.closed(think.unwrap_or(0.0)),
        }
    }

    /// The rates, and the wish that named them.
    fn rates(&self) -> Result<Option<(&'static str, Vec<f64>)>, ShapeError> {
        let rate = self.rate.map(|rate| ("rate", vec![rate]));
        let ramp = self.ramp.clone().map(|rates| ("ramp", rates));
        let steps = self.steps.clone().map(|rates| ("steps", rates));
        let spike = self.spike.clone().map(|rates| ("spike", rates));
        let mut given = [rate, ramp, steps, spike].into_iter().flatten();
        let first = given.next();
        match given.next() {
            Some((key, _)) => Err(wrong(
                key,
                "the rate is given twice",
                "give one of `rate`, `ramp`, `steps` and `spike`",
            )),
            None => Ok(first),
        }
    }

    fn closed(&self, think: f64) -> Result<Shape, ShapeError> {
        let needless = [
            ("arrivals", self.arrivals.is_some()),
            ("max-outstanding", self.max_outstanding.is_some()),
        ];
        if let Some((key, _)) = needless.into_iter().find(|(_, given)| *given) {
            return Err(wrong(
                key,
                "means nothing in a closed loop, in which requests follow answers",
                "give a `rate` too, for an open loop",
            ));
        }
        if !(0.0..=LONGEST).contains(&think) {
            return Err(wrong(
                "think",
                "must be between 0 and 3600 seconds",
                "give a time such as 10 ms",
            ));
        }
        Ok(Shape::Closed {
            think,
            spread: self.think_spread.unwrap_or_default(),
        })
    }

    fn legs(&self, key: &'static str, rates: &[f64]) -> Result<Vec<Leg>, ShapeError> {
        match (key, self.seconds) {
            ("rate", _) => Ok(Arrivals::steady(rates[0])),
            (_, None) => Err(wrong(
                key,
                "a rate that changes needs a time to change over, not a number of requests",
                "end the window by time",
            )),
            ("ramp", Some(seconds)) if rates.len() > 1 => Ok(Arrivals::ramp(rates, seconds)),
            ("ramp", Some(_)) => Err(wrong(
                key,
                "needs two rates at least",
                "give where it begins and where it ends, such as 100 and 1000",
            )),
            ("spike", Some(seconds)) => match *rates {
                [base, peak] => Ok(spike(base, peak, seconds)),
                _ => Err(wrong(
                    key,
                    "needs two rates",
                    "give the rate before and after and the one at the peak, such as 100 and 1000",
                )),
            },
            (_, Some(seconds)) => Ok(Arrivals::steps(rates, seconds)),
        }
    }

    fn open(&self, key: &'static str, rates: &[f64]) -> Result<Shape, ShapeError> {
        let sound = rates.iter().all(|rate| (0.0..=FASTEST).contains(rate));
        if !sound || !rates.iter().any(|rate| *rate > 0.0) {
            return Err(wrong(
                key,
                "must be above 0 and at most 10,000,000 requests per second",
                "give a rate such as 500 or 0.5",
            ));
        }
        let legs = self.legs(key, rates)?;
        let usual = Arrivals::MAX_OUTSTANDING.max(self.connections);
        let max_outstanding = self.max_outstanding.unwrap_or(usual);
        if max_outstanding < self.connections {
            return Err(wrong(
                "max-outstanding",
                &format!("must be at least the {} connections", self.connections),
                "raise it, or use fewer connections",
            ));
        }
        Ok(Shape::Open(Arrivals {
            process: self.arrivals.unwrap_or_default(),
            legs,
            max_outstanding,
            seed: self.seed,
        }))
    }
}

/// `base` but for the middle of the window.
fn spike(base: f64, peak: f64, seconds: f64) -> Vec<Leg> {
    let beside = (1.0 - PEAK) / 2.0;
    [(base, beside), (peak, PEAK), (base, beside)]
        .map(|(rate, share)| Leg {
            from: rate,
            to: rate,
            seconds: share * seconds,
        })
        .to_vec()
}

fn wrong(key: &'static str, problem: &str, hint: &'static str) -> ShapeError {
    ShapeError {
        key,
        problem: problem.to_owned(),
        hint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open() -> Wishes {
        Wishes {
            rate: Some(500.0),
            connections: 10,
            seconds: Some(10.0),
            ..Wishes::default()
        }
    }

    #[test]
    fn nothing_is_a_closed_loop_and_a_rate_an_open_one() {
        assert_eq!(Wishes::default().shape(), Ok(Shape::default()));
        let shape = open().shape().unwrap();
        let arrivals = shape.arrivals().unwrap();
        assert_eq!(arrivals.process, Process::Poisson);
        assert_eq!(arrivals.max_outstanding, Arrivals::MAX_OUTSTANDING);
        let many = Wishes {
            connections: 200_000,
            ..open()
        };
        let shape = many.shape().unwrap();
        assert_eq!(shape.arrivals().unwrap().max_outstanding, 200_000);
    }

    #[test]
    fn contradictions_name_their_key() {
        let closed = Wishes {
            rate: None,
            ..open()
        };
        let (rates, one) = (Some(vec![100.0, 1_000.0]), Some(vec![100.0]));
        #[rustfmt::skip]
        let wishes = [
            ("think", Wishes { think: Some(0.01), ..open() }),
            ("ramp", Wishes { ramp: rates.clone(), ..open() }),
            ("steps", Wishes { steps: rates.clone(), ramp: rates.clone(), ..closed.clone() }),
            ("ramp", Wishes { ramp: rates, seconds: None, ..closed.clone() }),
            ("ramp", Wishes { ramp: one, ..closed.clone() }),
            ("steps", Wishes { steps: Some(vec![]), ..closed.clone() }),
            ("spike", Wishes { spike: Some(vec![100.0]), ..closed.clone() }),
            ("spike", Wishes { spike: Some(vec![1.0, 2.0]), seconds: None, ..closed.clone() }),
            ("spike", Wishes { spike: Some(vec![1.0, 2.0]), ..open() }),
            ("arrivals", Wishes { arrivals: Some(Process::Constant), ..closed.clone() }),
            ("max-outstanding", Wishes { max_outstanding: Some(5), ..closed.clone() }),
            ("max-outstanding", Wishes { max_outstanding: Some(5), ..open() }),
            ("rate", Wishes { rate: Some(0.0), ..open() }),
            ("rate", Wishes { rate: Some(-1.0), ..open() }),
            ("rate", Wishes { rate: Some(f64::NAN), ..open() }),
            ("rate", Wishes { rate: Some(f64::INFINITY), ..open() }),
            ("think", Wishes { think: Some(-1.0), ..closed }),
        ];
        for (key, wishes) in wishes {
            let error = wishes.shape().expect_err(key);
            assert_eq!(error.key, key, "{error}");
            assert!(error.hint().is_some());
        }
    }

    #[test]
    fn a_spike_is_a_tenth_of_the_window_in_its_middle() {
        let shape = Wishes {
            rate: None,
            spike: Some(vec![100.0, 1_000.0]),
            ..open()
        };
        let shape = shape.shape().unwrap();
        let legs = &shape.arrivals().unwrap().legs;
        let told: Vec<_> = legs.iter().map(|leg| (leg.from, leg.seconds)).collect();
        assert_eq!(told, [(100.0, 4.5), (1_000.0, 1.0), (100.0, 4.5)]);
        assert!(legs.iter().all(Leg::is_steady));
    }
}
