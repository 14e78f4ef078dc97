//! What makes requests fall due, as a user asks for it.

use super::LoadSpec;
use super::rules::{Checked, none_of, rates};
use crate::{Amount, Arrivals, Flaw, Segment, Shape};

/// Share of the window for which a spike lasts.
const PEAK: f64 = 0.1;

/// The rates of an open loop, and the key that gives them.
type Rates<'a> = (&'static str, &'a [f64]);

impl LoadSpec {
    /// The rates that are given, each with its key.
    pub(super) fn rates(&self) -> impl Iterator<Item = Rates<'_>> {
        let rate = self.rate.as_ref().map(std::slice::from_ref);
        let given = [
            ("rate", rate),
            ("ramp", self.ramp.as_deref()),
            ("steps", self.steps.as_deref()),
            ("spike", self.spike.as_deref()),
        ];
        given
            .into_iter()
            .filter_map(|(key, rates)| Some((key, rates?)))
    }

    /// `slots` is how many requests the connections carry at once.
    pub(super) fn shape(&self, amount: Amount, slots: u64, seed: u64) -> Checked<Shape> {
        let mut rates = self.rates();
        let first = rates.next();
        if let Some((key, _)) = rates.next() {
            return Err(Flaw::new(
                key,
                "the rate is given twice",
                "give one of {rate}, {ramp}, {steps} and {spike}",
            ));
        }
        match (self.think, first) {
            (Some(_), Some(_)) => Err(Flaw::new(
                "think",
                "an open loop has no think time: its requests fall due on a schedule",
                "leave out {think} or the rate",
            )),
            (None, Some(rates)) => self.open(rates, amount, slots, seed),
            (think, None) => self.closed(think.unwrap_or(0.0)),
        }
    }

    fn closed(&self, think: f64) -> Checked<Shape> {
        none_of(&[
            ("arrivals", self.arrivals.is_some(), "{rate = 500}"),
            (
                "max-outstanding",
                self.max_outstanding.is_some(),
                "{rate = 500}",
            ),
        ])?;
        Ok(Shape::Closed {
            think,
            spread: self.think_spread.unwrap_or_default(),
        })
    }

    fn open(&self, given: Rates, amount: Amount, slots: u64, seed: u64) -> Checked<Shape> {
        let (key, values) = given;
        rates(key, values.iter().copied())?;
        let usual = u32::try_from(slots).unwrap_or(u32::MAX);
        let usual = Arrivals::MAX_OUTSTANDING.max(usual);
        Ok(Shape::Open(Arrivals {
            process: self.arrivals.unwrap_or_default(),
            segments: segments(key, values, amount)?,
            max_outstanding: self.max_outstanding.unwrap_or(usual),
            seed,
        }))
    }
}

fn segments(key: &'static str, rates: &[f64], amount: Amount) -> Checked<Vec<Segment>> {
    let seconds = match amount {
        Amount::Seconds(seconds) => Some(seconds),
        Amount::Requests(_) => None,
    };
    match (key, seconds, rates) {
        ("rate", _, &[rate]) => Ok(Arrivals::steady(rate)),
        (_, None, _) => Err(Flaw::new(
            key,
            "a rate that changes needs a time to change over, not a number of requests",
            "end the window by time: {seconds = 30}",
        )),
        ("ramp", Some(seconds), [_, _, ..]) => Ok(Arrivals::ramp(rates, seconds)),
        ("ramp", ..) => Err(Flaw::new(
            key,
            "needs two rates at least",
            "give where it begins and where it ends, such as 100 and 1000",
        )),
        ("spike", Some(seconds), &[base, peak]) => Ok(spike(base, peak, seconds)),
        ("spike", ..) => Err(Flaw::new(
            key,
            "needs two rates",
            "give the rate before and after and the one at the peak, such as 100 and 1000",
        )),
        (_, Some(seconds), _) => Ok(Arrivals::steps(rates, seconds)),
    }
}

/// `base` but for the middle of the window.
fn spike(base: f64, peak: f64, seconds: f64) -> Vec<Segment> {
    let beside = (1.0 - PEAK) / 2.0;
    [(base, beside), (peak, PEAK), (base, beside)]
        .map(|(rate, share)| Segment {
            from: rate,
            to: rate,
            seconds: share * seconds,
        })
        .to_vec()
}
